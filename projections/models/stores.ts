import type { StoreEvent } from '../../domain/store/events.js';
import { storeStream } from '../../domain/store/stream.js';
import { defineProjection } from '../projection.js';

type Opened = Extract<StoreEvent, { type: 'StoreOpened' }>['data'];
type Created = Extract<StoreEvent, { type: 'CategoryCreated' }>['data'];

export type CategoryEntry = Created & {
  readonly created_at: string;
  readonly updated_at: string;
};

export type StoreDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  /** Whether the company's plan has the storefront. */
  readonly allowed: boolean;
  readonly settings: Omit<Opened, 'company_uuid'>;
  /** As they were made; `position` and `parent_uuid` say where they are shown. */
  readonly categories: readonly CategoryEntry[];
  readonly created_at: string;
  readonly updated_at: string;
};

export const stores = defineProjection<StoreDoc, StoreEvent>({
  name: 'stores',
  version: 2,
  indexes: { all: ['created_at'] },
  handles: [
    'StoreOpened',
    'StoreChanged',
    'StorePlanChanged',
    'CategoryCreated',
    'CategoryChanged',
    'CategoryRemoved',
  ],
  documentId: ({ record }) => storeStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    const at = record.meta.occurred_at;
    if (event.type === 'StoreOpened') {
      const { company_uuid, ...settings } = event.data;
      return {
        uuid: storeStream.match(record.stream)!,
        company_uuid,
        allowed: true,
        settings,
        categories: doc?.categories ?? [],
        created_at: doc?.created_at ?? at,
        updated_at: at,
      };
    }
    if (!doc) return null;
    switch (event.type) {
      case 'StoreChanged':
        return { ...doc, settings: { ...doc.settings, ...event.data.settings }, updated_at: at };
      case 'StorePlanChanged':
        return { ...doc, allowed: event.data.allowed, updated_at: at };
      case 'CategoryCreated': {
        const others = doc.categories.filter(({ uuid }) => uuid !== event.data.uuid);
        return { ...doc, categories: [...others, { ...event.data, created_at: at, updated_at: at }] };
      }
      case 'CategoryChanged':
        return {
          ...doc,
          categories: doc.categories.map((category) =>
            category.uuid === event.data.uuid ? { ...category, ...event.data, updated_at: at } : category,
          ),
        };
      case 'CategoryRemoved':
        return { ...doc, categories: doc.categories.filter(({ uuid }) => uuid !== event.data.uuid) };
      default:
        return doc;
    }
  },
});
