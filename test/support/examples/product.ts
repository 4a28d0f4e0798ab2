import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { ProductCommand } from '../../../domain/product/decide.js';
import type { ProductDetails, ProductEvent, ProductImage } from '../../../domain/product/events.js';

const store = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3001';
const order = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3005';
export const exampleVariants = {
  small: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3003',
  medium: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3006',
  large: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3007',
} as const;
const { small, medium, large } = exampleVariants;

const details: ProductDetails = {
  name: 'Camiseta Azul',
  description: 'Algodão orgânico.',
  price_cents: 4990,
  promo_price_cents: 4490,
  promo_starts_at: null,
  promo_ends_at: '2026-03-09T03:00:00.000Z',
  import_handle: 'camiseta-azul',
  sku: null,
  gtin: null,
  ncm: '61091000',
  unit: 'UN',
  brand: 'Aurora',
  category_uuid: null,
  weight_grams: 180,
  width_mm: null,
  height_mm: null,
  length_mm: null,
  active: true,
};

const image: ProductImage = {
  uuid: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3008',
  source_url: 'https://cdn.example.com/camiseta-azul.jpg',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  source_hash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  content_type: 'image/webp',
  width: 1024,
  height: 1024,
  renditions: [
    {
      hash: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
      content_type: 'image/webp',
      width: 320,
      height: 320,
    },
  ],
  etag: '"5f3-61"',
  last_modified: null,
};

const variant = (uuid: string, size: string, units: number | null) => ({
  uuid,
  options: { Tamanho: size, Cor: 'Azul' },
  sku: `CAM-AZ-${size}`,
  gtin: null,
  price_cents: null,
  promo_price_cents: null,
  image: null,
  active: true,
  initial_stock: units,
});

export const productEventExamples = {
  created: {
    type: 'ProductCreated',
    data: {
      company_uuid: exampleIds.company,
      store_uuid: store,
      slug: 'camiseta-azul-0k3v9d',
      ...details,
      stock: null,
      variants: [variant(small, 'P', 12), variant(medium, 'M', null)],
      images: [image],
    },
  },
  changed: { type: 'ProductChanged', data: { changed: { price_cents: 5490, promo_price_cents: null } } },
  variantsReplaced: {
    type: 'ProductVariantsReplaced',
    data: { variants: [variant(small, 'P', 12), variant(large, 'G', 4)] },
  },
  imagesReplaced: { type: 'ProductImagesReplaced', data: { images: [] } },
  stockSet: {
    type: 'StockSet',
    data: { variant_uuid: small, value: 20, prior: 12, source: 'batch' },
  },
  stockTaken: {
    type: 'StockTaken',
    data: {
      order_uuid: order,
      lines: [
        { variant_uuid: small, quantity: 2, taken: 2 },
        { variant_uuid: medium, quantity: 1, taken: 0 },
      ],
    },
  },
  stockReturned: {
    type: 'StockReturned',
    data: { order_uuid: order, reason: 'cancelled', lines: [{ variant_uuid: small, returned: 2 }] },
  },
  deleted: { type: 'ProductDeleted', data: {} },
} satisfies EventExamples<ProductEvent>;

const { created, stockTaken } = productEventExamples;

const wanted = (newUuid: string, size: string, stock: number | null) => ({
  uuid: null,
  newUuid,
  options: { Tamanho: size, Cor: 'Azul' },
  sku: `CAM-AZ-${size}`,
  stock,
});

export const productCommandExamples = {
  create: {
    given: [],
    command: {
      type: 'CreateProduct',
      companyUuid: exampleIds.company,
      storeUuid: store,
      slug: 'camiseta-azul-0k3v9d',
      details,
      stock: null,
      variants: [wanted(small, 'P', 12), wanted(medium, 'M', null)],
      images: [image],
    },
  },
  changePrice: {
    given: [created],
    command: {
      type: 'ChangeProduct',
      details: { price_cents: 5490, promo_price_cents: null },
      source: 'api',
    },
  },
  replaceVariants: {
    given: [created],
    command: {
      type: 'ChangeProduct',
      details: {},
      variants: [
        { uuid: null, newUuid: large, options: { Tamanho: 'P', Cor: 'Azul' }, stock: 20 },
        wanted(large, 'G', 4),
      ],
      images: [],
      source: 'batch',
    },
  },
  takeStock: {
    given: [created],
    command: {
      type: 'TakeStock',
      orderUuid: order,
      lines: [
        { variantUuid: small, quantity: 1 },
        { variantUuid: medium, quantity: 1 },
        { variantUuid: small, quantity: 1 },
      ],
    },
  },
  returnStock: {
    given: [created, stockTaken],
    command: { type: 'ReturnStock', orderUuid: order, reason: 'cancelled' },
  },
  delete: { given: [created], command: { type: 'DeleteProduct' } },
  abandon: { given: [], command: { type: 'AbandonProduct' } },
} satisfies CommandExamples<ProductEvent, ProductCommand>;
