/**
 * Warnings for SKUs that other products of the store have too: a WhatsApp cart with such a SKU is ambiguous. They are
 * valid otherwise, so the warning is given once, when they are written.
 */
import { fieldAt } from '../../../domain/policies/field-at.js';
import type { ProductWrite, Warning } from '../../../domain/policies/product/write.js';
import { codeWord } from '../../../domain/policies/product/words.js';
import type { Product } from '../../../domain/product/state.js';
import { products } from '../../../read-models/products.js';
import type { App } from '../../app.js';

interface WrittenSku {
  readonly sku: string;
  readonly field: string;
}

/** The SKUs of a write, the product's own first. */
export const skusOf = ({ details, variants = [] }: ProductWrite): readonly WrittenSku[] => [
  ...(details.sku ? [{ sku: details.sku, field: fieldAt('sku').field }] : []),
  ...variants.flatMap(({ sku }, index) =>
    sku ? [{ sku, field: fieldAt('variants', index, 'sku').field }] : [],
  ),
];

export const skuShared = ({ sku, field }: WrittenSku): Warning => ({
  code: 'sku_shared',
  message: `Another product of the store has the SKU ${sku}, too; a WhatsApp cart with it becomes no order.`,
  field,
});

/** Warns only of SKUs that the write adds. @param before the product before the write; absent: a new product */
export async function sharedSkuWarnings(
  app: Pick<App, 'readModels'>,
  storeUuid: string,
  uuid: string,
  write: ProductWrite,
  before?: Product,
): Promise<readonly Warning[]> {
  const had = new Set([before?.details.sku, ...(before?.variants ?? []).map(({ sku }) => sku)]);
  const warnings: Warning[] = [];
  for (const written of skusOf(write)) {
    if (!had.has(written.sku) && (await othersHave(app, storeUuid, uuid, written.sku))) {
      warnings.push(skuShared(written));
    }
  }
  return warnings;
}

async function othersHave(
  app: Pick<App, 'readModels'>,
  storeUuid: string,
  uuid: string,
  sku: string,
): Promise<boolean> {
  const { documents } = await app.readModels.search(products.name, {
    scope: storeUuid,
    prefixes: [codeWord(sku)],
    order: 'desc',
    limit: MAX_CANDIDATES,
  });
  return documents.some(
    ({ id, doc }) => id !== uuid && [doc, ...doc.variants].some((one) => one.sku === sku),
  );
}

/** Includes products that have the code as their import handle or bar code; more than these are not expected. */
const MAX_CANDIDATES = 20;
