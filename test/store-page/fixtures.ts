/** View models as the page's routes build them, with everything in them that a view can show. */
import { TEXTS, type Lang } from '../../store-page/texts.js';
import type {
  CardView,
  CartView,
  CheckoutView,
  Frame,
  HomeView,
  ImageView,
  ListingView,
  MessageView,
  OrderView,
  ProductView,
} from '../../store-page/views/models.js';
import { qrSvg } from '../../store-page/qr.js';

export const PIX =
  '00020126360014br.gov.bcb.pix0114+551198765432152040000530398654061' +
  '01.805802BR5911LOJA AURORA6009SAO PAULO62080504100163048B2A';

export function frame(more: Partial<Frame> = {}, lang: Lang = 'pt-BR'): Frame {
  return {
    lang,
    t: TEXTS[lang],
    store: {
      name: 'Loja Aurora',
      description: 'Camisetas, canecas e presentes feitos à mão em São Paulo.',
      paused: false,
      whatsappUrl: 'https://wa.me/5511987654321',
      categories: ['Camisetas', 'Canecas', 'Bolsas', 'Presentes', 'Casa'].map((name, index) => ({
        name,
        href: `/loja/aurora/c/${name.toLowerCase()}`,
        current: index === 0,
      })),
    },
    href: (path) => `/loja/aurora${path}`,
    langField: lang === 'en' ? 'en' : null,
    assets: { css: '/loja/_/store-page.css', js: '/loja/_/store-page.js', icon: '/loja/_/store-page.svg' },
    seo: {
      title: 'Loja Aurora',
      description: 'Camisetas, canecas e presentes.',
      canonical: 'https://recado.example/loja/aurora',
      alternates: {
        'pt-BR': 'https://recado.example/loja/aurora',
        en: 'https://recado.example/loja/aurora?lang=en',
      },
      otherLanguage: '/loja/aurora?lang=en',
      image: 'https://recado.example/store-images/1.jpg',
      type: 'website',
      jsonLd: [],
    },
    ...more,
  };
}

export const image = (n: number): ImageView => ({
  src: `/img/${n}.png`,
  srcset: `/img/${n}.png 800w`,
  width: 800,
  height: 800,
});

export const card = (n: number, more: Partial<CardView> = {}): CardView => ({
  name: NAMES[n % NAMES.length]!,
  href: `/loja/aurora/p/produto-${n}`,
  image: image(n),
  price: { text: 'R$ 49,90', before: null, percentOff: 0, from: false },
  soldOut: false,
  ...more,
});

const NAMES = [
  'Camiseta de algodão orgânico, gola careca',
  'Caneca de cerâmica 350 ml',
  'Bolsa de lona estampada com forro e bolso interno para o dia a dia',
  'Vela aromática de lavanda',
  'Caderno pautado',
];

const promo = { text: 'R$ 39,90', before: 'R$ 49,90', percentOff: 20, from: false };

export const home = (): HomeView => ({
  promotions: [card(0, { price: promo }), card(1, { price: { ...promo, from: true } })],
  newest: [card(2), card(3, { soldOut: true }), card(4, { image: null }), card(0)],
  moreHref: '/loja/aurora/todos',
});

export const listing = (more: Partial<ListingView> = {}): ListingView => ({
  title: 'Camisetas',
  cards: [0, 1, 2, 3, 4, 5].map((n) => card(n)),
  nextHref: '/loja/aurora/c/camisetas?after=abc',
  firstHref: null,
  query: null,
  empty: 'Nada aqui.',
  ...more,
});

export const product = (more: Partial<ProductView> = {}): ProductView => ({
  uuid: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3002',
  name: 'Camiseta de algodão orgânico',
  price: { ...promo, from: true },
  images: [image(0), image(1), image(2)],
  paragraphs: [
    'Malha leve, de algodão orgânico certificado.',
    'Lave do avesso, em água fria.\nNão use alvejante.',
  ],
  breadcrumb: [
    { name: 'Início', href: '/loja/aurora', current: false },
    { name: 'Camisetas', href: '/loja/aurora/c/camisetas', current: false },
    { name: 'Camiseta de algodão orgânico', href: '', current: true },
  ],
  variants: ['P / Azul', 'M / Azul', 'G / Azul', 'P / Preta', 'M / Preta'].map((name, index) => ({
    uuid: `0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c400${index}`,
    name,
    price: promo,
    soldOut: index === 2,
    hint: index === 1 ? 'Últimas 3 unidades' : null,
  })),
  chosen: null,
  soldOut: false,
  hint: null,
  sku: 'CAM-ORG',
  brand: 'Aurora',
  maxQuantity: 20,
  choiceMissing: false,
  ...more,
});

export const cart = (more: Partial<CartView> = {}): CartView => ({
  lines: [
    {
      key: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c4001',
      name: 'Camiseta de algodão orgânico',
      variantName: 'M / Azul',
      href: '/loja/aurora/p/camiseta',
      image: image(0),
      quantity: 2,
      maxQuantity: 3,
      unit: 'R$ 39,90',
      total: 'R$ 79,80',
      changes: [],
    },
    {
      key: '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c4009',
      name: 'Caneca de cerâmica 350 ml',
      variantName: null,
      href: '/loja/aurora/p/caneca',
      image: null,
      quantity: 1,
      maxQuantity: 999,
      unit: 'R$ 35,00',
      total: 'R$ 35,00',
      changes: [],
    },
  ],
  subtotal: 'R$ 114,80',
  changed: false,
  canCheckout: true,
  notice: null,
  ...more,
});

export const changedCart = (): CartView => {
  const [first, second] = cart().lines;
  return cart({
    lines: [
      {
        ...first!,
        changes: [
          { kind: 'price', before: 'R$ 39,90', after: 'R$ 44,90' },
          { kind: 'stock', left: 1 },
        ],
      },
      { ...second!, href: null, changes: [{ kind: 'gone' }] },
    ],
    changed: true,
    canCheckout: false,
  });
};

export const checkout = (more: Partial<CheckoutView> = {}): CheckoutView => ({
  token: 'abc.def.ghi',
  seen: '11480.1200',
  values: {},
  errors: {},
  refusal: null,
  ways: [
    { value: 'delivery', cost: 'R$ 12,00', detail: 'grátis a partir de R$ 150,00', total: 'R$ 126,80' },
    { value: 'pickup', cost: 'grátis', detail: 'Rua Augusta, 1000', total: 'R$ 114,80' },
  ],
  payments: ['pix', 'card', 'cash'],
  lines: [
    { name: 'Camiseta de algodão orgânico, M / Azul', quantity: 2, total: 'R$ 79,80' },
    { name: 'Caneca de cerâmica 350 ml', quantity: 1, total: 'R$ 35,00' },
  ],
  subtotal: 'R$ 114,80',
  ...more,
});

export const order = (more: Partial<OrderView> = {}): OrderView => ({
  code: '#1001',
  firstName: 'Maria',
  placedAt: '21 de novembro de 2026 às 14:05',
  heldUntil: '22 de novembro de 2026 às 14:05',
  status: 'Recebido',
  items: [
    { name: 'Camiseta de algodão orgânico', variantName: 'M / Azul', quantity: 2, total: 'R$ 79,80' },
    { name: 'Caneca de cerâmica 350 ml', variantName: null, quantity: 1, total: 'R$ 35,00' },
  ],
  subtotal: 'R$ 114,80',
  discount: 'R$ 10,00',
  deliveryFee: 'R$ 12,00',
  total: 'R$ 116,80',
  fulfillment: 'delivery',
  pickupLocation: null,
  payment: 'Pix',
  pix: { code: PIX, qrSvg: qrSvg(PIX) },
  whatsappUrl: 'https://wa.me/5511987654321?text=Ol%C3%A1',
  ...more,
});

export const message = (more: Partial<MessageView> = {}): MessageView => ({
  title: 'Página não encontrada',
  text: 'Este endereço não existe.',
  hint: 'Confira.',
  homeHref: '/loja/aurora',
  ...more,
});
