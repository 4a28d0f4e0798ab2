import { Type } from '@sinclair/typebox';
import { defineEvent, instant, uuid, type EventOf } from '../kernel/event.js';

export const quotaEvents = [
  defineEvent(
    'SlotTaken',
    1,
    'A send was counted against a limit, just before it went to WhatsApp for the first time.',
    {
      operation_uuid: uuid(),
      at: instant(),
      /**
       * Derived, unreadable id of the content: a template, or a template with its parameters. Equal ids are equal
       * sends.
       */
      what: Type.String(),
      /** False for a send within the customer service window, which counts towards no cap per contact (spec §7). */
      counted: Type.Boolean(),
    },
  ),
  defineEvent('SlotGivenBack', 1, 'The send failed, so it no longer counts.', {
    operation_uuid: uuid(),
    /** The error code of the operation or of the message. */
    reason: Type.String(),
  }),
  defineEvent(
    'RecipientLimited',
    1,
    'WhatsApp did not deliver marketing to this person, because of its limit per person (131049).',
    {
      operation_uuid: uuid(),
      at: instant(),
    },
  ),
  defineEvent(
    'LedgerClosed',
    1,
    'The quota continues in another stream; sends that were counted here still count.',
    {
      /** The quota that continues: of the next day, or of the contact that this person's contact was merged into. */
      into: uuid(),
    },
  ),
] as const;

export type QuotaEvent = EventOf<typeof quotaEvents>;
