import { expect } from 'chai';
import { Refusal } from '../../domain/kernel/refusal.js';
import { checkPromotions } from '../../domain/product/pricing.js';
import { productSlug, renamedSlug, slugKey } from '../../domain/product/slug.js';
import type { ProductVariant } from '../../domain/product/state.js';
import { matchVariants, variantName, type WantedVariant } from '../../domain/product/variants.js';

const refusalOf = (run: () => unknown): Pick<Refusal, 'code' | 'details'> => {
  try {
    run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code, details: error.details };
  }
  return expect.fail('expected a refusal');
};

const want = (
  newUuid: string,
  options: Readonly<Record<string, string>>,
  more: object = {},
): WantedVariant => ({
  uuid: null,
  newUuid,
  options,
  ...more,
});
const blue = { Tamanho: 'P', Cor: 'Azul' };
const red = { Tamanho: 'P', Cor: 'Vermelha' };
const fresh = (
  uuid: string,
  options: Readonly<Record<string, string>>,
  more: object = {},
): ProductVariant => ({
  uuid,
  options,
  sku: null,
  gtin: null,
  price_cents: null,
  promo_price_cents: null,
  image: null,
  active: true,
  initial_stock: null,
  stock: null,
  ...more,
});

describe('variants of a product', () => {
  it('are made anew, without what is left out', () => {
    expect(matchVariants([], [want('v1', blue, { sku: 'A', stock: 3 }), want('v2', red)])).to.deep.equal([
      fresh('v1', blue, { sku: 'A', initial_stock: 3, stock: 3 }),
      fresh('v2', red),
    ]);
  });

  it('keep what is left out when they are matched by uuid, SKU or options', () => {
    const known = fresh('v1', blue, {
      sku: 'A',
      gtin: '789',
      price_cents: 100,
      promo_price_cents: 90,
      image: 'i',
      active: false,
      initial_stock: 5,
      stock: 2,
    });
    expect(matchVariants([known], [want('new', red, { uuid: 'v1' })])).to.deep.equal([
      { ...known, options: red },
    ]);
    expect(matchVariants([known], [want('new', red, { sku: 'A' })])).to.deep.equal([
      { ...known, options: red },
    ]);
    expect(
      matchVariants([known], [want('new', { cor: ' azul', tamanho: 'p' }, { stock: null })]),
    ).to.deep.equal([{ ...known, options: { cor: ' azul', tamanho: 'p' }, stock: null }]);
    expect(matchVariants([known], [want('new', red)])).to.deep.equal([fresh('new', red)]);
  });

  it('are matched by uuid before a SKU, and by SKU before options', () => {
    const current = [fresh('v1', blue, { sku: 'A' }), fresh('v2', red, { sku: 'B' })];
    const swapped = matchVariants(current, [want('n1', blue, { sku: 'B' }), want('n2', red, { uuid: 'v1' })]);
    expect(swapped.map(({ uuid, sku }) => [uuid, sku])).to.deep.equal([
      ['v2', 'B'],
      ['v1', 'A'],
    ]);
  });

  it('have the same one to three options each', () => {
    expect(refusalOf(() => matchVariants([], [want('1', blue), want('2', { Cor: 'Azul' })]))).to.deep.equal({
      code: 'variant_options_mismatch',
      details: {
        field: 'variants[1].options',
        pointer: '/variants/1/options',
        indexes: [1],
        expected_axes: ['Tamanho', 'Cor'],
      },
    });
    expect(refusalOf(() => matchVariants([], [want('1', {})])).details).to.include({
      field: 'variants[0].options',
    });
    const three = { a: '1', b: '2', c: '3' };
    expect(matchVariants([], [want('1', three)])).to.have.length(1);
    expect(refusalOf(() => matchVariants([], [want('1', { ...three, d: '4' })])).code).to.equal(
      'variant_options_mismatch',
    );
    const other = { a: '1', b: '2', d: '3' };
    expect(refusalOf(() => matchVariants([], [want('1', three), want('2', other)])).details).to.deep.include({
      indexes: [1],
    });
  });

  it('have options whose names differ in more than case, accents and blanks', () => {
    for (const options of [
      { Cor: 'Azul', COR: 'Azul' },
      { Tamanho: 'P', ' tamanho': 'M' },
    ]) {
      const { code, details } = refusalOf(() => matchVariants([], [want('1', options)]));
      expect(code).to.equal('variant_options_mismatch');
      expect(details).to.include({ field: 'variants[0].options' });
    }
  });

  it('are told apart by uuid, options and SKU', () => {
    const twice = (a: WantedVariant, b: WantedVariant) => refusalOf(() => matchVariants([], [a, b]));
    expect(twice(want('1', blue, { uuid: 'v' }), want('2', red, { uuid: 'v' }))).to.deep.equal({
      code: 'variant_duplicated',
      details: {
        field: 'variants[1].uuid',
        pointer: '/variants/1/uuid',
        by: 'uuid',
        indexes: [0, 1],
        value: 'v',
      },
    });
    expect(twice(want('1', blue), want('2', { Cor: 'AZUL', Tamanho: 'p ' })).details).to.deep.include({
      by: 'options',
      value: 'p  / AZUL',
      indexes: [0, 1],
    });
    expect(twice(want('1', blue, { sku: 'A' }), want('2', red, { sku: 'A' })).details).to.deep.include({
      field: 'variants[1].sku',
      by: 'sku',
      value: 'A',
    });
  });

  it('are named by their options', () => {
    expect(variantName({ options: blue })).to.equal('P / Azul');
  });
});

describe('address of a product', () => {
  const uuid = '0190f0c0-0000-7000-8000-0000000000ff';

  it('is its name in plain letters and a key of its own', () => {
    expect(productSlug('Camiseta Azul, nº 1!', uuid)).to.match(/^camiseta-azul-n-?o?-1-[0-9a-z]{6}$/);
    expect(productSlug('Ação', uuid)).to.equal('acao-000073');
    expect(productSlug('***', uuid)).to.equal('produto-000073');
  });

  it('has at most 80 characters of the name, without a hyphen at either end', () => {
    expect(productSlug('a'.repeat(90), uuid)).to.equal(`${'a'.repeat(80)}-000073`);
    expect(productSlug(`${'a'.repeat(79)} b`, uuid)).to.equal(`${'a'.repeat(79)}-000073`);
  });

  it('keeps its key when the product is renamed', () => {
    expect(slugKey('acao-000073')).to.equal('000073');
    expect(renamedSlug('acao-000073', 'Outra')).to.equal('outra-000073');
  });
});

describe('promotion of a product', () => {
  const product = (from: string | null, to: string | null) => ({
    price_cents: 1_000,
    promo_price_cents: 900,
    promo_starts_at: from,
    promo_ends_at: to,
  });
  const first = '2026-03-01T10:00:00.000Z';
  const later = '2026-03-01T10:00:00.001Z';

  it('ends later than it starts', () => {
    checkPromotions(product(first, later), []);
    checkPromotions(product(later, null), []);
    checkPromotions(product(null, first), []);
    for (const to of [first, '2026-02-28T10:00:00.000Z']) {
      expect(refusalOf(() => checkPromotions(product(first, to), []))).to.deep.equal({
        code: 'promo_price_invalid',
        details: {
          field: 'promo_ends_at',
          pointer: '/promo_ends_at',
          price: '10.00',
          promo_price: '9.00',
          rule: 'window',
        },
      });
    }
  });

  it('costs more than nothing and less than the price, also of a variant', () => {
    const variants = (price_cents: number | null, promo_price_cents: number | null) => () =>
      checkPromotions(product(null, null), [
        { price_cents: null, promo_price_cents: null },
        { price_cents, promo_price_cents },
      ]);
    variants(500, 499)();
    variants(null, 999)();
    for (const [price, promo] of [
      [500, 500],
      [null, 1_000],
      [500, 0],
    ] as const) {
      expect(refusalOf(variants(price, promo)).details).to.include({
        field: 'variants[1].promo_price',
        rule: 'must_be_lower_than_price',
      });
    }
  });
});
