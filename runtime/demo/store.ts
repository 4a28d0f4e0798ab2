/** The store of the demo workspace: small, with one example of each thing that a page can show. */
import { directCommand, type App } from '../../application/app.js';
import type { Caller } from '../../application/provisioning/common.js';
import { createCategory } from '../../application/store/categories.js';
import { openStore } from '../../application/store/settings.js';
import { batchProducts } from '../../application/store/products/write.js';

interface Demo {
  readonly companyUuid: string;
  readonly channelUuid: string;
  /** E.164, the phone of the demo's channel. */
  readonly phone: string;
}

export const DEMO_STORE_SLUG = 'loja-demo';

/** Without pictures: a first start needs no network. */
export async function makeDemoStore(app: App, demo: Demo, caller: Caller): Promise<void> {
  const { companyUuid, channelUuid, phone } = demo;
  const { storeUuid: uuid } = await openStore(
    app,
    {
      companyUuid,
      settings: {
        name: 'Loja Demo',
        slug: DEMO_STORE_SLUG,
        status: 'active',
        description:
          'Roupas, canecas e presentes. Uma loja de exemplo: nada do que se compra aqui é entregue.',
        whatsappPhone: phone,
        channelUuid,
        // The example of a random key in the Pix manual.
        pix: {
          key: '123e4567-e12b-12d1-a456-426655440000',
          keyType: 'random',
          merchantName: 'Loja Demo',
          merchantCity: 'Sao Paulo',
        },
        paymentMethods: ['pix', 'card', 'cash'],
        delivery: { feeCents: 1_290, freeFromCents: 20_000, zipPrefixes: [] },
        pickup: { location: 'Rua das Flores, 10, Centro, São Paulo' },
      },
    },
    caller,
  );
  const category = async (name: string): Promise<string> =>
    (await createCategory(app, companyUuid, { name }, caller)).categoryUuid;
  const clothes = await category('Roupas');
  const mugs = await category('Canecas');
  const { categoryUuid: gifts, state } = await createCategory(
    app,
    companyUuid,
    { name: 'Presentes' },
    caller,
  );
  const products = demoProducts({ clothes, mugs, gifts });
  const { data } = await batchProducts(
    app,
    { uuid, state },
    products,
    directCommand(app, { company: companyUuid, ...caller }),
    'import',
  );
  const failed = data.find(({ error }) => error !== null);
  if (failed)
    throw new Error(`the demo product ${failed.import_handle} is refused: ${failed.error?.message}`);
}

function demoProducts({ clothes, mugs, gifts }: Readonly<Record<'clothes' | 'mugs' | 'gifts', string>>) {
  const shirt = (size: string, colour: string, stock: number) => ({
    options: { Tamanho: size, Cor: colour },
    sku: `CAM-${size}-${colour === 'Azul' ? 'AZ' : 'BR'}`,
    stock,
  });
  return [
    {
      import_handle: 'camiseta-lisa',
      name: 'Camiseta lisa',
      description: 'Algodão orgânico, corte reto. Lave com cores parecidas.',
      price: '59.90',
      category_uuid: clothes,
      brand: 'Demo',
      ncm: '61091000',
      weight_grams: 180,
      variants: [
        shirt('P', 'Azul', 12),
        shirt('M', 'Azul', 8),
        shirt('M', 'Branca', 5),
        shirt('G', 'Branca', 0),
      ],
    },
    {
      import_handle: 'moletom-canguru',
      name: 'Moletom canguru',
      description: 'Capuz com cordão e bolso na frente.',
      price: '189.90',
      promo_price: '149.90',
      category_uuid: clothes,
      brand: 'Demo',
      sku: 'MOL-01',
      stock: 7,
      weight_grams: 620,
    },
    {
      import_handle: 'bone-aba-curva',
      name: 'Boné aba curva',
      price: '69.00',
      category_uuid: clothes,
      sku: 'BON-01',
      stock: 20,
    },
    {
      import_handle: 'caneca-esmaltada',
      name: 'Caneca esmaltada',
      description: 'Aguenta fogo, frio e queda. 370 ml.',
      price: '44.90',
      category_uuid: mugs,
      sku: 'CAN-ESM',
      stock: 35,
      weight_grams: 160,
    },
    {
      import_handle: 'caneca-porcelana',
      name: 'Caneca de porcelana',
      price: '39.90',
      promo_price: '29.90',
      category_uuid: mugs,
      sku: 'CAN-POR',
      stock: 3,
      weight_grams: 340,
    },
    {
      import_handle: 'garrafa-termica',
      name: 'Garrafa térmica 500 ml',
      description: 'Quente por 12 horas, gelado por 24.',
      price: '119.00',
      category_uuid: mugs,
      sku: 'GAR-500',
      stock: 0,
      weight_grams: 310,
    },
    {
      import_handle: 'cartao-presente',
      name: 'Cartão-presente',
      description: 'Enviado pelo WhatsApp a quem você quiser.',
      price: '100.00',
      category_uuid: gifts,
      sku: 'CARTAO',
    },
    {
      import_handle: 'kit-cafe-da-manha',
      name: 'Kit café da manhã',
      description: 'Caneca esmaltada, café de 250 g e um pano de prato.',
      price: '129.90',
      category_uuid: gifts,
      sku: 'KIT-CAFE',
      stock: 10,
    },
  ];
}
