import { withEntry, withoutEntry } from '../kernel/entries.js';
import type { SavedRepliesEvent } from './events.js';

export interface SavedReply {
  readonly title: string;
  readonly shortCut: string;
  readonly text: string;
}

/** By uuid. Removed ones are not included. */
export interface SavedReplies {
  readonly replies: Readonly<Record<string, SavedReply>>;
}

export const initialSavedReplies: SavedReplies = { replies: {} };

export function evolveSavedReplies(state: SavedReplies, event: SavedRepliesEvent): SavedReplies {
  switch (event.type) {
    case 'SavedReplyAdded':
    case 'SavedReplyChanged': {
      const { reply_uuid: uuid, title, short_cut: shortCut, text } = event.data;
      return { replies: withEntry(state.replies, uuid, { title, shortCut, text }) };
    }
    case 'SavedReplyRemoved':
      return { replies: withoutEntry(state.replies, event.data.reply_uuid) };
    default:
      return state;
  }
}
