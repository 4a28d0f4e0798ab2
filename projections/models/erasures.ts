import type { ErasureEvent } from '../../domain/erasure/events.js';
import { erasureStream } from '../../domain/erasure/stream.js';
import { defineProjection } from '../projection.js';

export type ErasureDoc = {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly contact_uuid: string;
  /** Contacts that were merged into one are erased together. */
  readonly contact_uuids: readonly string[];
  /** `requested`: keys have still to go. `removing`: they are gone, and with them what is sealed. */
  readonly status: 'requested' | 'removing' | 'done';
  /** `open` or `done`. */
  readonly shelf: 'open' | 'done';
  /** Why it can not end yet; empty when nothing is in its way. */
  readonly waiting_for: readonly string[];
  readonly keys_destroyed: number;
  /** Documents that held something of the person, and stored webhook bodies. */
  readonly removed: number;
  readonly requested_at: string;
  readonly ended_at: string | null;
};

export const erasures = defineProjection<ErasureDoc, ErasureEvent>({
  name: 'erasures',
  version: 1,
  indexes: {
    newest: ['requested_at'],
    by_shelf: ['shelf', 'requested_at'],
  },
  handles: [
    'ErasureRequested',
    'ErasureScoped',
    'ErasureKeysDestroyed',
    'ErasureSwept',
    'ErasureHeldUp',
    'ErasureEnded',
  ],
  documentId: ({ record }) => erasureStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }) => {
    const at = record.meta.occurred_at;
    if (event.type === 'ErasureRequested') {
      const { company_uuid, contact_uuid } = event.data;
      return {
        uuid: erasureStream.match(record.stream)!,
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
