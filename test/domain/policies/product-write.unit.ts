import { expect } from 'chai';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { gtinFault, ncmFault } from '../../../domain/policies/product/codes.js';
import {
  readProductWrite,
  requireForCreation,
  WRITE_LIMITS,
} from '../../../domain/policies/product/write.js';

const UUID = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3001';

const written = (body: unknown) => readProductWrite(body).write;
const detail = (body: Readonly<Record<string, unknown>>): unknown => {
  const values = Object.values(written(body).details);
  expect(values).to.have.length(1);
  return values[0];
};
function refusalOf(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return expect.fail('it was accepted');
}
/** `code field rule` of the refusal. */
const fault = (body: unknown): string => {
  const { code, details } = refusalOf(() => readProductWrite(body));
  return [code, details['field'], details['rule']].join(' ');
};
const many = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('product as callers write it', () => {
  it('is stored in its own words, cents and UTC; nothing is added that was not sent', () => {
    expect(
      written({
        name: ' Camiseta ',
        price: '49.90',
        description: 'Algodão',
        promo_price: '44.90',
        promo_starts_at: '2026-03-01T00:00:00-03:00',
        promo_ends_at: '2026-03-09T03:00:00Z',
        import_handle: 'camiseta',
        sku: 'CAM',
        gtin: '96385074',
        ncm: '6109.10.00',
        unit: 'UN',
        brand: 'Aurora',
        category_uuid: UUID.toUpperCase(),
        weight_grams: 180,
        width_mm: 1,
        height_mm: 2,
        length_mm: 3,
        active: false,
        stock: 4,
        image_urls: ['https://cdn.example.com/a.jpg'],
      }),
    ).to.deep.equal({
      details: {
        name: 'Camiseta',
        price_cents: 4990,
        description: 'Algodão',
        promo_price_cents: 4490,
        promo_starts_at: '2026-03-01T03:00:00.000Z',
        promo_ends_at: '2026-03-09T03:00:00.000Z',
        import_handle: 'camiseta',
        sku: 'CAM',
        gtin: '96385074',
        ncm: '61091000',
        unit: 'UN',
        brand: 'Aurora',
        category_uuid: UUID,
        weight_grams: 180,
        width_mm: 1,
        height_mm: 2,
        length_mm: 3,
        active: false,
      },
      stock: 4,
      imageUrls: ['https://cdn.example.com/a.jpg'],
    });
    expect(written({ name: undefined })).to.deep.equal({ details: {} });
  });

  it('has variants with values of their own', () => {
    const variant = {
      uuid: UUID,
      options: { Tamanho: ' P ' },
      sku: 'CAM-P',
      gtin: '',
      price: '10',
      promo_price: null,
      stock: null,
      image_url: 'https://cdn.example.com/p.jpg',
      active: true,
    };
    expect(written({ variants: [variant, { options: {}, sku: undefined }] }).variants).to.deep.equal([
      {
        uuid: UUID,
        options: { Tamanho: 'P' },
        sku: 'CAM-P',
        gtin: null,
        price_cents: 1000,
        promo_price_cents: null,
        stock: null,
        imageUrl: 'https://cdn.example.com/p.jpg',
        active: true,
      },
      { uuid: null, options: {} },
    ]);
  });

  it('takes null for what may be absent, and an empty text where systems have no null', () => {
    for (const field of [
      'promo_price',
      'promo_starts_at',
      'promo_ends_at',
      'import_handle',
      'category_uuid',
    ]) {
      expect(detail({ [field]: null }), field).to.equal(null);
    }
    for (const field of ['weight_grams', 'width_mm', 'height_mm', 'length_mm']) {
      expect(detail({ [field]: null }), field).to.equal(null);
    }
    for (const field of ['sku', 'gtin', 'ncm', 'unit', 'brand', 'description']) {
      expect(detail({ [field]: null }), field).to.equal(null);
      expect(detail({ [field]: ' ' }), field).to.equal(null);
    }
    expect(written({ stock: null }).stock).to.equal(null);
  });

  const longest: readonly (readonly [string, number])[] = [
    ['name', 200],
    ['description', 5_000],
    ['import_handle', 128],
    ['sku', 64],
    ['unit', 6],
    ['brand', 100],
  ];
  for (const [field, max] of longest) {
    it(`has at most ${max} characters in ${field}, however many bytes they take`, () => {
      expect(detail({ [field]: '😀'.repeat(max) })).to.equal('😀'.repeat(max));
      expect(fault({ [field]: 'a'.repeat(max + 1) })).to.equal(`validation_failed ${field} max_length`);
      expect(fault({ [field]: 7 })).to.equal(`validation_failed ${field} type`);
    });
  }

  const largest: readonly (readonly [string, number])[] = [
    ['weight_grams', 1_000_000],
    ['width_mm', 100_000],
    ['height_mm', 100_000],
    ['length_mm', 100_000],
  ];
  for (const [field, max] of largest) {
    it(`counts ${field} from 0 to ${max}, in whole numbers`, () => {
      expect(detail({ [field]: 0 })).to.equal(0);
      expect(detail({ [field]: max })).to.equal(max);
      expect(fault({ [field]: max + 1 })).to.equal(`validation_failed ${field} maximum`);
      expect(fault({ [field]: -1 })).to.equal(`validation_failed ${field} minimum`);
      expect(fault({ [field]: 1.5 })).to.equal(`validation_failed ${field} type`);
      expect(fault({ [field]: '1' })).to.equal(`validation_failed ${field} type`);
    });
  }

  it('counts stock up to a million', () => {
    expect(written({ stock: 1_000_000 }).stock).to.equal(1_000_000);
    expect(fault({ stock: 1_000_001 })).to.equal('validation_failed stock maximum');
  });

  const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ name: ' ' }, 'validation_failed name min_length'],
    [{ import_handle: '' }, 'validation_failed import_handle min_length'],
    [{ active: 'true' }, 'validation_failed active type'],
    [{ category_uuid: 'none' }, 'validation_failed category_uuid format'],
    [{ category_uuid: 5 }, 'validation_failed category_uuid format'],
    [{ promo_ends_at: '2026-03-09' }, 'validation_failed promo_ends_at format'],
    [{ promo_ends_at: 'on 2026-03-09T03:00:00Z' }, 'validation_failed promo_ends_at format'],
    [{ promo_ends_at: '2026-13-09T03:00:00Z' }, 'validation_failed promo_ends_at format'],
    [{ promo_ends_at: '2026-02-29T03:00:00Z' }, 'validation_failed promo_ends_at format'],
    [{ promo_ends_at: 1 }, 'validation_failed promo_ends_at format'],
    [{ price: null }, 'price_invalid price required'],
    [{ price: '-1' }, 'price_invalid price minimum'],
    [{ price: -1.5 }, 'price_invalid price minimum'],
    [{ price: '1.999' }, 'price_invalid price decimals'],
    [{ price: '99999999.99' }, 'price_invalid price maximum'],
    [{ price: '12345678' }, 'price_invalid price maximum'],
    [{ price: '1,99' }, 'price_invalid price format'],
    [{ price: [] }, 'price_invalid price format'],
    [{ promo_price: '-1' }, 'promo_price_invalid promo_price must_be_lower_than_price'],
    [{ promo_price: 'cheap' }, 'price_invalid promo_price format'],
    [{ gtin: '96385075' }, 'gtin_invalid gtin check_digit'],
    [{ gtin: '123' }, 'gtin_invalid gtin length'],
    [{ gtin: '9638-5074' }, 'gtin_invalid gtin format'],
    [{ ncm: '610910' }, 'ncm_invalid ncm length'],
    [{ ncm: '6109-1000' }, 'ncm_invalid ncm format'],
    [{ image_urls: 'https://cdn.example.com/a.jpg' }, 'validation_failed image_urls type'],
    [{ image_urls: ['a', ''] }, 'validation_failed image_urls[1] min_length'],
    [{ image_urls: ['a'.repeat(2_001)] }, 'validation_failed image_urls[0] max_length'],
    [{ image_urls: many(11).map(String) }, 'validation_failed image_urls max_items'],
    [{ variants: {} }, 'validation_failed variants type'],
    [{ variants: [5] }, 'validation_failed variants[0] type'],
    [{ variants: [null] }, 'validation_failed variants[0] type'],
    [{ variants: [[]] }, 'validation_failed variants[0] type'],
    [{ variants: [{}] }, 'validation_failed variants[0].options required'],
    [{ variants: [{ options: [] }] }, 'validation_failed variants[0].options type'],
    [{ variants: [{ options: { Tamanho: '' } }] }, 'validation_failed variants[0].options min_length'],
    [
      { variants: [{ options: { ['T'.repeat(101)]: 'P' } }] },
      'validation_failed variants[0].options max_length',
    ],
    [{ variants: [{ options: {}, stock: 1_000_001 }] }, 'validation_failed variants[0].stock maximum'],
    [{ variants: [{ options: {}, sku: 'a'.repeat(65) }] }, 'validation_failed variants[0].sku max_length'],
    [{ variants: [{ options: {}, image_url: '' }] }, 'validation_failed variants[0].image_url min_length'],
    [{ variants: many(101).map(() => ({ options: {} })) }, 'validation_failed variants max_items'],
  ];
  for (const [body, expected] of wrong) {
    it(`is refused: ${JSON.stringify(body).slice(0, 60)} (${expected})`, () => {
      expect(fault(body)).to.equal(expected);
    });
  }

  it('is refused as no object at all', () => {
    for (const body of [null, [], 'product', undefined]) {
      expect(refusalOf(() => readProductWrite(body))).to.deep.include({ code: 'validation_failed' });
      expect(refusalOf(() => readProductWrite(body)).details).to.deep.include({ rule: 'type' });
    }
  });

  it('may be as large as the limits', () => {
    const variants = many(WRITE_LIMITS.variants).map(() => ({ options: {} }));
    const imageUrls = many(WRITE_LIMITS.images).map(String);
    const write = written({ variants, image_urls: imageUrls });
    expect(write.variants).to.have.length(100);
    expect(write.imageUrls).to.deep.equal(imageUrls);
  });

  it('is refused with all its faults, the first one in full', () => {
    const refusal = refusalOf(() => readProductWrite({ price: '1.999', name: '', sku: 'fine' }));
    expect(refusal.code).to.equal('price_invalid');
    expect(refusal.message).to.match(/^The product is not valid: price must be an amount/);
    expect(refusal.details).to.deep.equal({
      field: 'price',
      pointer: '/price',
      rule: 'decimals',
      max: '9999999.99',
      fields: [
        {
          path: 'price',
          code: 'decimals',
          message:
            'must be an amount from 0 to 9999999.99 with at most 2 decimals and a dot, such as "49.90".',
        },
        { path: 'name', code: 'min_length', message: 'must not be empty.' },
      ],
    });
  });

  it('names fifty faults at most', () => {
    const variants = many(60).map(() => ({}));
    expect(refusalOf(() => readProductWrite({ variants })).details['fields']).to.have.length(50);
  });

  it('may have fields that a product has not: each is named in a warning, a hundred at most', () => {
    const { write, warnings } = readProductWrite({
      colour: 'blue',
      constructor: 1,
      variants: [{ options: {}, toString: 1 }],
    });
    expect(write).to.deep.equal({ details: {}, variants: [{ uuid: null, options: {} }] });
    expect(warnings.map(({ code, field }) => [code, field])).to.deep.equal([
      ['unknown_field', 'colour'],
      ['unknown_field', 'constructor'],
      ['unknown_field', 'variants[0].toString'],
    ]);
    const others = Object.fromEntries(many(101).map((index) => [`other_${index}`, 1]));
    expect(readProductWrite(others).warnings).to.have.length(100);
    expect(readProductWrite({ ['x'.repeat(600)]: 1 }).warnings[0]?.field).to.have.length(512);
  });

  it('has a description without markup: what is said stays, scripts go, paragraphs are lines', () => {
    expect(detail({ description: '<p>One <b>two</b></p><script>x()</script><!-- no -->three' })).to.equal(
      'One two\n three',
    );
    expect(detail({ description: 'a<br/>b' })).to.equal('a\nb');
    expect(detail({ description: '3 < 4 and 5 > 4' })).to.equal('3 < 4 and 5 > 4');
    expect(detail({ description: '<p></p>' })).to.equal(null);
    expect(
      detail({ description: '<i>' + '&amp;'.repeat(5_000) + '</i>' }),
      'what is kept is counted',
    ).to.equal('&'.repeat(5_000));
  });

  it('needs a name and a price to begin with', () => {
    const missing = (body: unknown) => refusalOf(() => requireForCreation(written(body)));
    expect(missing({ price: '1' })).to.deep.include({ code: 'validation_failed' });
    expect(missing({ price: '1' }).details).to.deep.include({ field: 'name', rule: 'required' });
    expect(missing({ name: 'a' })).to.deep.include({ code: 'price_invalid' });
    expect(missing({ name: 'a' }).details).to.deep.include({ field: 'price', rule: 'required' });
    expect(missing({}).details['fields']).to.have.length(2);
    expect(() => requireForCreation(written({ name: 'a', price: 0 }))).to.not.throw();
  });
});

describe('numbers of goods', () => {
  it('GTINs have 8, 12, 13 or 14 digits, the last of which checks the others', () => {
    for (const right of ['96385074', '036000291452', '4006381333931', '10012345678902', '00000000']) {
      expect(gtinFault(right), right).to.equal(null);
    }
    expect(gtinFault('4006381333932')).to.equal('check_digit');
    expect(gtinFault('400638133393')).to.equal('check_digit');
    expect(gtinFault('40063813339')).to.equal('length');
    expect(gtinFault('4006381333931x')).to.equal('format');
    expect(gtinFault('x4006381333931')).to.equal('format');
  });

  it('NCMs have eight digits', () => {
    expect(ncmFault('61091000')).to.equal(null);
    expect(ncmFault('6109100')).to.equal('length');
    expect(ncmFault('6109100x')).to.equal('format');
    expect(ncmFault('x6109100')).to.equal('format');
  });
});
