/** Callers read another document than the one that validates: it has to accept and refuse the same bodies. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
import { loadContract, type ContractDocument } from '../../api/contract.js';
import { servedContract } from '../../api/served-contract.js';
import { isObject } from '../../domain/kernel/json.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { readProductWrite, requireForCreation } from '../../domain/policies/product/write.js';
import { changed } from '../support/contract/changed-bodies.js';

const { document } = loadContract();
const served = servedContract(document);

const PRODUCT = '/paths/~1store~1products/post/requestBody/content/application~1json/schema';
const PATCH =
  '/paths/~1store~1products~1%7Bproduct_uuid%7D/patch/requestBody/content/application~1json/schema';
const BATCH = '/components/schemas/StoreProductBatchRequest';
const MESSAGE = '/components/schemas/MessageRequest';

function validatorOf(root: ContractDocument): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addFormat('int32', true).addFormat('int64', true);
  ajv.addSchema({ ...root, $id: 'contract' });
  return (pointer) => ajv.compile({ $ref: `contract#${pointer}` });
}

const asServed = validatorOf(served);
const asValidated = validatorOf(document);

const RECIPIENT = { phone: '+5511987654321', external_id: 'cliente-42' };
const MESSAGES = [
  { recipient: RECIPIENT, type: 'text', content: { text: 'Olá!', preview_url: false } },
  {
    recipient: RECIPIENT,
    channel_uuid: '0198a6f0-c001-7000-8000-000000000001',
    type: 'template',
    content: {
      name: 'oferta',
      language: 'pt_BR',
      parameters: ['Maria', '#1001'],
      named_parameters: { nome: 'Maria' },
      header: { link: 'https://cdn.example.com/oferta.jpg' },
      buttons: [{ index: 0, value: 'oferta/123' }],
    },
  },
];
const PRODUCTS = [
  { name: 'Camiseta', price: '59.90' },
  {
    name: 'Camiseta',
    price: 59.9,
    description: null,
    promo_price: '49.90',
    promo_ends_at: '2026-11-30T23:59:59-03:00',
    import_handle: 'camiseta-1',
    category_uuid: '0198a6f0-c001-7000-8000-000000000001',
    stock: 3,
    weight_grams: 200,
    image_urls: ['https://cdn.example.com/1.jpg'],
    active: true,
    variants: [
      { uuid: '0198a6f0-c001-7000-8000-000000000001', options: { Tamanho: 'M' }, sku: 'C-M', stock: null },
    ],
  },
];

/** What the routes of products answer to the form of a body. */
function productFaults(body: unknown, creates: boolean): readonly string[] {
  try {
    const { write } = readProductWrite(body);
    if (creates) requireForCreation(write);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code];
  }
}

/** Pointers at which two documents differ; a pointer to a value stands for all within it. */
function differences(a: unknown, b: unknown, pointer = ''): string[] {
  if (!isObject(a) || !isObject(b)) return JSON.stringify(a) === JSON.stringify(b) ? [] : [pointer];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  if (pointer.startsWith('/components/schemas/') && !('type' in a === 'type' in b)) return [pointer];
  return [...keys].flatMap((key) => differences(a[key], b[key], `${pointer}/${key.replaceAll('/', '~1')}`));
}

describe('the contract as it is served', () => {
  it('differs in messages to send and in products to write alone, and leaves the other document as it is', () => {
    const before = JSON.stringify(document);
    const again = servedContract(document);
    expect(JSON.stringify(document)).to.equal(before);
    expect(again).to.deep.equal(served);
    expect(differences(document, served)).to.have.members([
      MESSAGE,
      '/components/schemas/TextMessageRequest',
      '/components/schemas/TemplateMessageRequest',
      ...['ProductVariantWrite', 'StoreProductWrite', 'StoreProductPatch'].flatMap((name) =>
        ['price', 'promo_price'].map((field) => `/components/schemas/${name}/properties/${field}/maxLength`),
      ),
      '/components/schemas/StoreProductBatchRequest/properties/products/items/anyOf',
      '/components/schemas/StoreProductBatchRequest/properties/products/items/$ref',
      ...['post', '{product_uuid}/patch'].flatMap((path) =>
        ['anyOf', '$ref'].map(
          (key) =>
            `/paths/~1store~1products${path === 'post' ? '' : '~1{product_uuid}'}/${path.split('/').at(-1)}/requestBody/content/application~1json/schema/${key}`,
        ),
      ),
    ]);
  });

  it('accepts and refuses the same messages', () => {
    const [now, other] = [asServed(MESSAGE), asValidated(MESSAGE)];
    const seen = new Map([true, false].map((valid) => [valid, 0]));
    fc.assert(
      fc.property(changed(MESSAGES), (body) => {
        const valid = other(body);
        seen.set(valid, seen.get(valid)! + 1);
        expect(now(body), JSON.stringify(body)).to.equal(valid);
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(...seen.values())).to.be.above(100);
  });

  for (const [what, pointer, creates] of [
    ['create', PRODUCT, true],
    ['change', PATCH, false],
  ] as const) {
    it(`accepts and refuses the same products to ${what} as their route`, () => {
      const now = asServed(pointer);
      const seen = new Map([true, false].map((valid) => [valid, 0]));
      fc.assert(
        fc.property(changed(PRODUCTS), (body) => {
          const [code] = productFaults(body, creates);
          // Rules about amounts and codes have their own refusals, which no schema states.
          if (code !== undefined && code !== 'validation_failed') return;
          seen.set(code === undefined, seen.get(code === undefined)! + 1);
          expect(now(body), JSON.stringify(body)).to.equal(code === undefined);
        }),
        { numRuns: 2_000 },
      );
      expect(Math.min(...seen.values())).to.be.above(100);
    });
  }

  it('refuses a batch with an item that would fail alone: the one exception', () => {
    const [now, other] = [asServed(BATCH), asValidated(BATCH)];
    for (const item of [{ nome: 'x' }, 7, null, { name: 'x' }]) {
      expect(other({ products: [PRODUCTS[0], item] })).to.equal(true);
      expect(now({ products: [PRODUCTS[0], item] }), JSON.stringify(item)).to.equal(false);
    }
    fc.assert(
      fc.property(changed(PRODUCTS.map((product) => ({ products: [product] }))), (body) => {
        // All that it accepts is accepted.
        if (now(body)) expect(other(body), JSON.stringify(body)).to.equal(true);
      }),
    );
    for (const body of [null, 7, {}, { products: [] }, { products: [{}], more: 1 }]) {
      expect(other(body)).to.equal(false);
      expect(now(body)).to.equal(false);
    }
  });

  it('refuses a choice that it can not show', () => {
    const withSchema = (schema: object): ContractDocument => ({
      ...document,
      components: { schemas: { Broken: schema } },
    });
    const then = { properties: {} };
    for (const broken of [
      { if: { properties: { type: { const: 'a' } } }, then },
      { if: { properties: { type: { enum: ['a'] } } }, then: { 'x-served-as': 'A' } },
      { if: { properties: { a: { const: 'a' }, b: { const: 'b' } } }, then: { 'x-served-as': 'A' } },
    ]) {
      expect(() => servedContract(withSchema(broken))).to.throw('x-served-as');
    }
  });
});
