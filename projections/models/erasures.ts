import type { ErasureEvent } from '../../domain/erasure/events.js';
import { erasureStream } from '../../domain/streams.js';
import { erasures as collection, type ErasureDoc } from '../../read-models/erasures.js';
import { defineProjection } from '../projection.js';

export const erasures = defineProjection<ErasureDoc, ErasureEvent>({
  collection,
  handles: [
    'ErasureRequested',
    'ErasureScoped',
    'ErasureKeysDestroyed',
    'ErasureSwept',
    'ErasureHeldUp',
    'ErasureEnded',
  ],
  documentId: ({ record }) => erasureStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }, uuid) => {
    const at = record.meta.occurred_at;
    if (event.type === 'ErasureRequested') {
      const { company_uuid, contact_uuid } = event.data;
      return {
        uuid,
        company_uuid,
        contact_uuid,
        contact_uuids: [contact_uuid],
        status: 'requested',
        shelf: 'open',
        waiting_for: [],
        keys_destroyed: 0,
        removed: 0,
        requested_at: at,
        ended_at: null,
      };
    }
    if (!doc) return null;
    switch (event.type) {
      case 'ErasureScoped':
        return { ...doc, contact_uuids: [...new Set([...doc.contact_uuids, ...event.data.contact_uuids])] };
      case 'ErasureKeysDestroyed': {
        const keys_destroyed = doc.keys_destroyed + event.data.keys;
        return { ...doc, status: 'removing', keys_destroyed, waiting_for: [] };
      }
      case 'ErasureSwept': {
        const removed = Object.values(event.data).reduce((sum, count) => sum + count, doc.removed);
        return { ...doc, removed };
      }
      case 'ErasureHeldUp':
        return { ...doc, waiting_for: [...event.data.waiting_for] };
      case 'ErasureEnded':
        return { ...doc, status: 'done', shelf: 'done', waiting_for: [], ended_at: at };
      default:
        return doc;
    }
  },
});
