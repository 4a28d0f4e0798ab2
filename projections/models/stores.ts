import type { StoreEvent } from '../../domain/store/events.js';
import { storeStream } from '../../domain/streams.js';
import { stores as collection, type StoreDoc } from '../../read-models/stores.js';
import { defineProjection } from '../projection.js';

export const stores = defineProjection<StoreDoc, StoreEvent>({
  collection,
  handles: [
    'StoreOpened',
    'StoreChanged',
    'StorePlanChanged',
    'CategoryCreated',
    'CategoryChanged',
    'CategoryRemoved',
  ],
  documentId: ({ record }) => storeStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }, uuid) => {
    const at = record.meta.occurred_at;
    if (event.type === 'StoreOpened') {
      const { company_uuid, ...settings } = event.data;
      return {
        uuid,
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
