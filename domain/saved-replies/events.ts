import { Type } from '@sinclair/typebox';
import { defineEvent, uuid, type EventOf } from '../kernel/event.js';

/** The company's own words, and nobody's personal data. */
const content = () => ({
  title: Type.String(),
  /** What people type behind a slash to get the text. */
  short_cut: Type.String(),
  /** May have the name of the customer as `{{contact.name}}` or `{{contact.first_name}}`. */
  text: Type.String(),
});

export const savedRepliesEvents = [
  defineEvent('SavedReplyAdded', 1, 'A text that the team answers customers with was saved.', {
    company_uuid: uuid(),
    reply_uuid: uuid(),
    ...content(),
  }),
  defineEvent('SavedReplyChanged', 1, 'A saved reply was changed; holds all values.', {
    reply_uuid: uuid(),
    ...content(),
  }),
  defineEvent('SavedReplyRemoved', 1, 'A saved reply was removed. Messages that were sent with it stay.', {
    reply_uuid: uuid(),
  }),
] as const;

export type SavedRepliesEvent = EventOf<typeof savedRepliesEvents>;
