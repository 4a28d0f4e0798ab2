import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import type { StoreCommand } from '../../../domain/store/decide.js';
import type { StoreEvent } from '../../../domain/store/events.js';
import { DEFAULT_HOLDS } from '../../../domain/store/holds.js';

const clothes = deriveId('example', 'category', 'roupas');
const shirts = deriveId('example', 'category', 'camisetas');

export const storeEventExamples = {
  opened: {
    type: 'StoreOpened',
    data: {
      company_uuid: exampleIds.company,
      name: 'Loja Aurora',
      slug: 'aurora',
      status: 'active',
      description: 'Camisetas e acessórios feitos em São Paulo.',
      whatsapp_phone: '+551140028922',
      channel_uuid: exampleIds.channel,
      locale: 'pt-BR',
      pix: {
        key: '11222333000181',
        key_type: 'cnpj',
        merchant_name: 'Loja Aurora',
        merchant_city: 'São Paulo',
      },
      payment_methods: ['pix', 'cash'],
      delivery: { fee_cents: 1_000, free_from_cents: 15_000, zip_prefixes: ['01', '02'] },
      pickup: { location: 'Rua das Flores, 10, Centro' },
      hold_minutes: { ...DEFAULT_HOLDS, pix: 60, cash: 4_320 },
      max_product_units_per_order: 5,
      max_unpaid_orders_per_contact: 2,
    },
  },
  openedBare: {
    type: 'StoreOpened',
    data: {
      company_uuid: exampleIds.company,
      name: 'Loja Aurora',
      slug: 'aurora',
      status: 'setup',
      description: null,
      whatsapp_phone: null,
      channel_uuid: null,
      locale: 'pt-BR',
      pix: null,
      payment_methods: ['cash'],
      delivery: null,
      pickup: null,
      hold_minutes: DEFAULT_HOLDS,
      max_product_units_per_order: null,
      max_unpaid_orders_per_contact: null,
    },
  },
  changed: { type: 'StoreChanged', data: { settings: { status: 'paused', description: null } } },
  planLost: { type: 'StorePlanChanged', data: { allowed: false } },
  categoryCreated: {
    type: 'CategoryCreated',
    data: { uuid: clothes, name: 'Roupas', slug: 'roupas', parent_uuid: null, position: 0, active: true },
  },
  subcategoryCreated: {
    type: 'CategoryCreated',
    data: {
      uuid: shirts,
      name: 'Camisetas',
      slug: 'camisetas',
      parent_uuid: clothes,
      position: 0,
      active: true,
    },
  },
  categoryChanged: {
    type: 'CategoryChanged',
    data: { uuid: shirts, name: 'Camisetas lisas', parent_uuid: null, position: 1 },
  },
  categoryRemoved: { type: 'CategoryRemoved', data: { uuid: shirts } },
} satisfies EventExamples<StoreEvent>;

const { opened, openedBare, planLost, categoryCreated, subcategoryCreated } = storeEventExamples;

export const storeCommandExamples = {
  open: {
    given: [],
    command: {
      type: 'OpenStore',
      companyUuid: exampleIds.company,
      settings: { name: 'Loja Aurora', slug: 'aurora' },
    },
  },
  change: {
    given: [opened],
    command: {
      type: 'ChangeStore',
      settings: {
        whatsappPhone: '+55 11 98765-4321',
        delivery: { feeCents: 1_250, freeFromCents: null, zipPrefixes: ['01310-1'] },
      },
    },
  },
  start: {
    given: [openedBare],
    command: {
      type: 'ChangeStore',
      settings: { status: 'active', pickup: { location: 'Rua das Flores, 10, Centro' } },
    },
  },
  losePlan: { given: [opened], command: { type: 'ChangeStorePlan', allowed: false } },
  regainPlan: { given: [opened, planLost], command: { type: 'ChangeStorePlan', allowed: true } },
  createCategory: {
    given: [opened],
    command: { type: 'CreateCategory', uuid: clothes, name: 'Roupas' },
  },
  createSubcategory: {
    given: [opened, categoryCreated],
    command: { type: 'CreateCategory', uuid: shirts, name: 'Camisetas', parentUuid: clothes },
  },
  changeCategory: {
    given: [opened, categoryCreated, subcategoryCreated],
    command: { type: 'ChangeCategory', uuid: shirts, name: 'Camisetas lisas', parentUuid: null },
  },
  removeCategory: {
    given: [opened, categoryCreated, subcategoryCreated],
    command: { type: 'RemoveCategory', uuid: shirts },
  },
} satisfies CommandExamples<StoreEvent, StoreCommand>;
