import type { CompanyUuid } from '../kernel/ids.js';
import type { StoreEvent } from './events.js';
import { DEFAULT_HOLDS } from './holds.js';
import { settingsFromData, type StoreSettings } from './settings.js';

export interface Category {
  readonly uuid: string;
  readonly name: string;
  readonly slug: string;
  readonly parentUuid: string | null;
  /** Position among the categories of the same parent, from 0. */
  readonly position: number;
  readonly active: boolean;
}

export interface Store extends StoreSettings {
  readonly exists: boolean;
  readonly companyUuid: CompanyUuid;
  /** Whether the company's plan includes the storefront (spec §4). */
  readonly allowed: boolean;
  readonly categories: ReadonlyMap<string, Category>;
}

export const initialStore: Store = {
  exists: false,
  companyUuid: '',
  allowed: false,
  name: '',
  slug: '',
  status: 'setup',
  description: null,
  whatsappPhone: null,
  channelUuid: null,
  locale: 'pt-BR',
  pix: null,
  paymentMethods: ['cash'],
  delivery: null,
  pickup: null,
  holdMinutes: DEFAULT_HOLDS,
  maxProductUnitsPerOrder: null,
  maxUnpaidOrdersPerContact: null,
  categories: new Map(),
};

export function evolveStore(state: Store, event: StoreEvent): Store {
  switch (event.type) {
    case 'StoreOpened': {
      const { company_uuid: companyUuid, ...settings } = event.data;
      return { ...state, ...settingsFromData(settings), exists: true, companyUuid, allowed: true };
    }
    case 'StoreChanged':
      return { ...state, ...settingsFromData(event.data.settings ?? {}) };
    case 'StorePlanChanged':
      return { ...state, allowed: event.data.allowed };
    case 'CategoryCreated': {
      const { uuid, name, slug, parent_uuid: parentUuid, position, active } = event.data;
      return withCategory(state, { uuid, name, slug, parentUuid, position, active });
    }
    case 'CategoryChanged': {
      const known = state.categories.get(event.data.uuid);
      if (!known) return state;
      const { uuid: _uuid, parent_uuid: parentUuid, ...changed } = event.data;
      return withCategory(state, { ...known, ...changed, ...(parentUuid !== undefined && { parentUuid }) });
    }
    case 'CategoryRemoved': {
      const categories = new Map(state.categories);
      categories.delete(event.data.uuid);
      return { ...state, categories };
    }
    default:
      return state;
  }
}

const withCategory = (state: Store, category: Category): Store => ({
  ...state,
  categories: new Map(state.categories).set(category.uuid, category),
});
