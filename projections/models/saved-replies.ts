import type { SavedRepliesEvent } from '../../domain/saved-replies/events.js';
import { savedReplies as collection, type SavedReplyDoc } from '../../read-models/saved-replies.js';
import { defineProjection } from '../projection.js';

export const savedReplies = defineProjection<SavedReplyDoc, SavedRepliesEvent>({
  collection,
  handles: ['SavedReplyAdded', 'SavedReplyChanged', 'SavedReplyRemoved'],
  documentId: ({ event }) => event.data.reply_uuid,
  evolve: (doc, { event, record }) => {
    const at = record.meta.occurred_at;
    switch (event.type) {
      case 'SavedReplyAdded': {
        const { reply_uuid: uuid, ...content } = event.data;
        return { uuid, ...content, created_at: at, updated_at: at };
      }
      case 'SavedReplyChanged': {
        const { title, short_cut, text } = event.data;
        return doc ? { ...doc, title, short_cut, text, updated_at: at } : null;
      }
      case 'SavedReplyRemoved':
        return null;
      default:
        return doc ?? null;
    }
  },
});
