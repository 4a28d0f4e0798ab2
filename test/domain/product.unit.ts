import { expect } from 'chai';
import fc from 'fast-check';
import { fold } from '../../domain/kernel/decider.js';
import type { Refusal } from '../../domain/kernel/refusal.js';
import { productAggregate, type ProductCommand } from '../../domain/product/decide.js';
import {
  exampleVariants,
  productCommandExamples,
  productEventExamples,
} from '../support/examples/product.js';
import { sellingPrice } from '../../domain/product/pricing.js';
import { productSlug, renamedSlug, slugKey } from '../../domain/product/slug.js';
import type { Product } from '../../domain/product/state.js';
import { given } from '../support/decider.js';
import { runs } from '../support/soak.js';

const { created, deleted, stockTaken, stockReturned, stockSet, variantsReplaced, imagesReplaced } =
  productEventExamples;
const { small, medium, large } = exampleVariants;
const { command: create } = productCommandExamples.create;
const change = (more: Partial<Extract<ProductCommand, { type: 'ChangeProduct' }>>): ProductCommand => ({
  type: 'ChangeProduct',
  details: {},
  source: 'api',
  ...more,
});
const order = stockTaken.data.order_uuid;
const take = (...lines: readonly (readonly [string | null, number])[]): ProductCommand => ({
  type: 'TakeStock',
  orderUuid: order,
  lines: lines.map(([variantUuid, quantity]) => ({ variantUuid, quantity })),
});
const giveBack = (reason: 'cancelled' | 'not_placed'): ProductCommand => ({
  type: 'ReturnStock',
  orderUuid: order,
  reason,
});

const createdProduct = given(productAggregate, created);
const withStockTaken = given(productAggregate, created, stockTaken);
const withStockReturned = given(productAggregate, created, stockTaken, stockReturned);
const deletedProduct = given(productAggregate, created, deleted);

describe('product', () => {
  it('is created once, and never where one was deleted', () => {
    given(productAggregate).when(create).then(created);
    createdProduct.when(create).thenNothing();
    deletedProduct.when(create).thenRefused('product_deleted');
  });

  it('that never came about can be kept from coming about; one that did can not', () => {
    given(productAggregate).when({ type: 'AbandonProduct' }).then(deleted);
    createdProduct.when({ type: 'AbandonProduct' }).thenNothing();
    given(productAggregate, deleted).when(create).thenRefused('product_deleted');
  });

  it('changes by what differs, one event for each kind of thing', () => {
    const { command } = productCommandExamples.replaceVariants;
    createdProduct
      .when({ ...command, details: { brand: 'Brisa', unit: 'UN' }, stock: 7 })
      .then(
        { type: 'ProductChanged', data: { changed: { brand: 'Brisa' } } },
        variantsReplaced,
        imagesReplaced,
        { type: 'StockSet', data: { variant_uuid: null, value: 7, prior: null, source: 'batch' } },
        stockSet,
      );
  });

  it('takes a new etag of the same picture for no change', () => {
    const images = created.data.images.map((image) => ({ ...image, etag: '"other"' }));
    createdProduct.when(change({ images })).thenNothing();
  });

  it('refuses a price that a promotion is not below, its own or that of a variant', () => {
    createdProduct
      .when(change({ details: { price_cents: 4490 } }))
      .thenRefused('promo_price_invalid', { field: 'promo_price', price: '44.90', promo_price: '44.90' });
    const variants = [{ uuid: small, newUuid: large, options: { T: 'P' }, promo_price_cents: 4000 }];
    const patched = change({ details: { promo_price_cents: null }, variants });
    const events = productAggregate.decide(patched, fold(productAggregate, [created]), {
      now: '',
      newId: () => '',
    });
    given(productAggregate, created, ...events)
      .when(change({ details: { price_cents: 3999 } }))
      .thenRefused('promo_price_invalid', { field: 'variants[0].promo_price' });
  });

  describe('stock', () => {
    it('is taken for all lines or none, lines of one variant together', () => {
      createdProduct.when(take([small, 1], [medium, 1], [small, 1])).then(stockTaken);
      createdProduct.when(take([medium, 1], [small, 7], [small, 6])).thenRefused('insufficient_stock', {
        items: [{ variant_uuid: small, requested: 13, available: 12 }],
      });
    });

    it('is taken once by an order, given back once, and not taken again after that', () => {
      withStockTaken.when(take([small, 2])).thenNothing();
      withStockTaken.when(giveBack('cancelled')).then(stockReturned);
      withStockReturned.when(giveBack('not_placed')).thenNothing();
      withStockReturned.when(take([small, 2])).thenRefused('order_not_placed');
    });

    it('is kept from an order that was given up before it took anything', () => {
      const kept = { order_uuid: order, reason: 'not_placed', lines: [] } as const;
      createdProduct
        .when(giveBack('not_placed'))
        .then({ type: 'StockReturned', data: { ...kept, lines: [] } });
      given(productAggregate, created, { type: 'StockReturned', data: { ...kept, lines: [] } })
        .when(take([small, 1]))
        .thenRefused('order_not_placed');
      createdProduct.when(giveBack('cancelled')).thenNothing();
    });

    it('of a variant that is gone, or no longer counted, gets nothing back', () => {
      const gone = { type: 'ProductVariantsReplaced', data: { variants: [] } } as const;
      const uncounted = {
        type: 'StockSet',
        data: { variant_uuid: small, value: null, prior: 10, source: 'api' },
      } as const;
      for (const event of [{ ...gone, data: { variants: [] } }, uncounted]) {
        given(productAggregate, created, stockTaken, event)
          .when(giveBack('cancelled'))
          .then({ type: 'StockReturned', data: { ...stockReturned.data, lines: [] } });
      }
      given(productAggregate, created, stockTaken, deleted).when(giveBack('cancelled')).thenNothing();
    });

    it('is not for sale of a product with variants as such, of one unknown, hidden or deleted', () => {
      const hidden = { type: 'ProductChanged', data: { changed: { active: false } } } as const;
      createdProduct.when(take([null, 1])).thenRefused('product_unavailable');
      createdProduct
        .when(take([large, 1]))
        .thenRefused('product_unavailable', { items: [{ variant_uuid: large }] });
      given(productAggregate, created, hidden)
        .when(take([small, 1]))
        .thenRefused('product_unavailable');
      deletedProduct.when(take([small, 1])).thenRefused('product_unavailable');
      given(productAggregate)
        .when(take([null, 1]))
        .thenRefused('product_unavailable');
    });
  });

  it('any patches keep uuid and stock of the variants they match, and set what they say', () => {
    const size = fc.constantFrom('P', 'p', 'M', 'G', 'Médio', 'medio');
    const wanted = fc.record(
      {
        by: fc.constantFrom('uuid', 'sku', 'options', 'nothing'),
        pick: fc.nat(5),
        size,
        sku: fc.constantFrom('A', 'B', 'C', null),
        stock: fc.option(fc.nat(9), { nil: null }),
      },
      { requiredKeys: ['by', 'pick', 'size'] },
    );
    const patches = fc.array(fc.array(wanted, { maxLength: 4 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(patches, (lists) => {
        let state: Product = fold(productAggregate, [created]);
        let ids = 0;
        for (const list of lists) {
          const variants = list.map((one) => {
            const current = state.variants[one.pick % Math.max(1, state.variants.length)];
            const named = one.by === 'uuid' ? current : undefined;
            const options =
              one.by === 'options' && current ? current.options : { Tamanho: one.size, Cor: 'X' };
            const sku =
              one.by === 'sku' && current
                ? { sku: current.sku }
                : 'sku' in one
                  ? { sku: one.sku ?? null }
                  : {};
            const stock = 'stock' in one ? { stock: one.stock ?? null } : {};
            ids += 1;
            return { uuid: named?.uuid ?? null, newUuid: `new-${ids}`, options, ...sku, ...stock };
          });
          let events;
          try {
            events = productAggregate.decide(change({ variants }), state, { now: '', newId: () => '' });
          } catch (error) {
            expect((error as Refusal).code).to.match(/^variant_(duplicated|options_mismatch)$/);
            continue;
          }
          const after = fold(productAggregate, events, state);
          expect(new Set(after.variants.map(({ uuid }) => uuid)).size).to.equal(variants.length);
          after.variants.forEach((variant, index) => {
            const before = state.variants.find(({ uuid }) => uuid === variant.uuid);
            const asked = variants[index]!;
            if (asked.uuid !== null) expect(variant.uuid).to.equal(asked.uuid);
            if (!before) expect(variant.uuid).to.equal(asked.newUuid);
            expect(variant.stock).to.equal('stock' in asked ? asked.stock : (before?.stock ?? null));
          });
          const again = productAggregate.decide(
            change({ variants: after.variants.map((v) => ({ ...v, newUuid: 'n' })) }),
            after,
            { now: '', newId: () => '' },
          );
          expect(again).to.deep.equal([]);
          state = after;
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('selling price', () => {
  const product = { price_cents: 5000, promo_price_cents: 4000, promo_starts_at: null, promo_ends_at: null };
  const now = Date.parse('2026-03-02T12:00:00Z');
  const at = (from: string | null, to: string | null) =>
    sellingPrice({ ...product, promo_starts_at: from, promo_ends_at: to }, null, now).promoActive;

  it('is the promotional one from its start until right before its end', () => {
    expect(at(null, null)).to.equal(true);
    expect(at('2026-03-02T12:00:00Z', null)).to.equal(true);
    expect(at('2026-03-02T12:00:00.001Z', null)).to.equal(false);
    expect(at(null, '2026-03-02T12:00:00Z')).to.equal(false);
    expect(at(null, '2026-03-02T12:00:00.001Z')).to.equal(true);
  });

  it("of a variant: the product's with its promotion, or its own with its own", () => {
    const price = (price_cents: number | null, promo_price_cents: number | null) =>
      sellingPrice(product, { price_cents, promo_price_cents }, now);
    expect(price(null, null)).to.deep.equal({ listCents: 5000, unitCents: 4000, promoActive: true });
    expect(price(6000, null)).to.deep.equal({ listCents: 6000, unitCents: 6000, promoActive: false });
    expect(price(6000, 5500)).to.deep.equal({ listCents: 6000, unitCents: 5500, promoActive: true });
    expect(price(null, 3000)).to.deep.equal({ listCents: 5000, unitCents: 3000, promoActive: true });
  });
});

describe('slug of a product', () => {
  it('reads like the name and keeps its end when the product is renamed', () => {
    const uuid = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3002';
    const slug = productSlug('  Calção & Óculos – 50% ', uuid);
    expect(slug).to.match(/^calcao-oculos-50-[0-9a-z]{6}$/);
    expect(slugKey(renamedSlug(slug, 'Boné'))).to.equal(slugKey(slug));
    expect(productSlug('🎁', uuid)).to.match(/^produto-[0-9a-z]{6}$/);
  });
});
