import type { FlowEvent } from '../../domain/flow/events.js';
import { flowStream } from '../../domain/streams.js';
import { flows as collection, type FlowDoc } from '../../read-models/flows.js';
import { defineProjection } from '../projection.js';

export const flows = defineProjection<FlowDoc, FlowEvent>({
  collection,
  handles: [
    'FlowCreated',
    'FlowRenamed',
    'FlowDraftSaved',
    'FlowPublished',
    'FlowUnpublished',
    'FlowDeleted',
  ],
  documentId: ({ record }) => flowStream.match(record.stream) ?? null,
  evolve: (doc, { event, record }, uuid) => {
    const updated_at = record.meta.occurred_at;
    if (event.type === 'FlowCreated') {
      return {
        uuid,
        company_uuid: event.data.company_uuid,
        name: event.data.name,
        status: 'draft',
        version: null,
        published_digest: null,
        draft_digest: null,
        created_at: updated_at,
        updated_at,
      };
    }
    if (!doc) return null;
    switch (event.type) {
      case 'FlowRenamed':
        return { ...doc, name: event.data.name, updated_at };
      case 'FlowDraftSaved':
        return { ...doc, draft_digest: event.data.digest, updated_at };
      case 'FlowPublished': {
        const { version, digest } = event.data;
        return { ...doc, status: 'active', version, published_digest: digest, updated_at };
      }
      case 'FlowUnpublished':
        return { ...doc, status: 'draft', version: null, published_digest: null, updated_at };
      case 'FlowDeleted':
        return null;
      default:
        return doc;
    }
  },
});
