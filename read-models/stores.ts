import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { StoreEvent } from '../domain/store/events.js';
import { collection } from './collection.js';

type Opened = Extract<StoreEvent, { type: 'StoreOpened' }>['data'];

type Created = Extract<StoreEvent, { type: 'CategoryCreated' }>['data'];

export type CategoryEntry = Created & {
  readonly created_at: string;
  readonly updated_at: string;
};

export type StoreDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  /** Whether the company's plan includes the storefront. */
  readonly allowed: boolean;
  readonly settings: Omit<Opened, 'company_uuid'>;
  /** In order of creation; `position` and `parent_uuid` determine where they are shown. */
  readonly categories: readonly CategoryEntry[];
  readonly created_at: string;
  readonly updated_at: string;
};

export const stores = collection<StoreDoc>()({
  name: 'stores',
  version: 2,
  indexes: { all: ['created_at'] },
});
