/** Resolves the code of a WhatsApp cart item: the retailer id in the business's catalogue, the shop's own code. */
import { productAggregate } from '../../../domain/product/decide.js';
import { variantOf, type Product } from '../../../domain/product/state.js';
import { isUuid } from '../../../domain/kernel/ids.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { codeWord } from '../../../domain/policies/product/words.js';
import { products } from '../../../read-models/products.js';
import type { App } from '../../app.js';
import type { OpenStore } from '../gate.js';

export interface FoundItem {
  readonly productUuid: string;
  readonly variantUuid: string | null;
}

/** Maximum products that share a code; with more of them, the code identifies none in particular. */
const MAX_CANDIDATES = 20;

/**
 * Matches import handle, then SKU, then the uuid of a product or variant. The read model only gives candidates; the
 * product's stream decides whether it has the code. Null when nothing matches.
 *
 * @throws Refusal cart_product_ambiguous: several products on sale have it as their SKU
 */
export async function findItem(
  app: Pick<App, 'executor' | 'readModels'>,
  store: OpenStore,
  code: string,
): Promise<FoundItem | null> {
  if (code === '') return null;
  const { documents } = await app.readModels.search(products.name, {
    scope: store.uuid,
    prefixes: [codeWord(code)],
    order: 'desc',
    limit: MAX_CANDIDATES,
  });
  const uuids = documents.map(({ id }) => id);
  if (isUuid(code) && !uuids.includes(code.toLowerCase())) uuids.push(code.toLowerCase());
  const candidates = await Promise.all(
    uuids.map(async (uuid) => ({
      uuid,
      product: (await app.executor.load(productAggregate, uuid)).state,
    })),
  );
  const own = candidates.filter(
    ({ product }) => product.exists && !product.deleted && product.storeUuid === store.uuid,
  );
  for (const named of NAMED_BY) {
    const found = own.flatMap(({ uuid, product }) => {
      const variantUuid = named(product, uuid, code);
      return variantUuid === undefined ? [] : [{ uuid, product, variantUuid }];
    });
    const [first, second] = found.length > 1 ? preferOnSale(found) : found;
    if (second !== undefined) {
      throw new Refusal('cart_product_ambiguous', 'Several products of the store have this SKU.');
    }
    if (first !== undefined) return { productUuid: first.uuid, variantUuid: first.variantUuid };
  }
  return null;
}

/** Products that are not on sale are ignored, unless there are no others. */
function preferOnSale<T extends { readonly product: Product; readonly variantUuid: string | null }>(
  found: readonly T[],
): readonly T[] {
  const onSale = found.filter(
    ({ product, variantUuid }) =>
      product.details.active && (variantUuid === null || variantOf(product, variantUuid)?.active === true),
  );
  return onSale.length > 0 ? onSale : found.slice(0, 1);
}

/** The variant that the code identifies, null for the product itself, undefined for neither. */
type NamedBy = (product: Product, uuid: string, code: string) => string | null | undefined;

/** A product with a single variant stands for that variant. */
const itself = ({ variants: [only, ...others] }: Product): string | null =>
  only && others.length === 0 ? only.uuid : null;

const NAMED_BY: readonly NamedBy[] = [
  (product, _uuid, code) => (product.details.import_handle === code ? itself(product) : undefined),
  (product, _uuid, code) =>
    product.variants.find(({ sku }) => sku === code)?.uuid ??
    (product.details.sku === code ? itself(product) : undefined),
  (product, uuid, code) => (uuid === code.toLowerCase() ? itself(product) : undefined),
  (product, _uuid, code) => variantOf(product, code.toLowerCase())?.uuid,
];
