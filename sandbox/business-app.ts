/**
 * Webhooks of a number that is shared with the WhatsApp Business app: messages that people write in the app, and its
 * history.
 */
import { newMessageId } from './sending.js';
import { digitsOf, metadataOf, secondsOf } from './statuses.js';
import type { SandboxUser } from './numbers.js';
import type { SandboxPhoneNumber } from './types.js';

type Node = Readonly<Record<string, unknown>>;
export interface FieldChange {
  readonly wabaId: string;
  readonly field: string;
  readonly value: Node;
}

/** `message` with its type, as for customers; also `edit` and `revoke` of messages from the app. */
export function echo(
  number: SandboxPhoneNumber,
  to: SandboxUser,
  message: Node,
  now: number,
): { readonly id: string; readonly change: FieldChange } {
  const id = newMessageId();
  return {
    id,
    change: change(number, 'smb_message_echoes', {
      message_echoes: [
        {
          from: digitsOf(number.displayPhoneNumber),
          ...(to.waId === null ? { to_user_id: to.userId } : { to: to.waId }),
          id,
          timestamp: secondsOf(now),
          ...message,
        },
      ],
    }),
  };
}

export interface PastMessage {
  readonly from: 'customer' | 'business';
  readonly text: string;
  /** Hours before now. */
  readonly hours_ago: number;
}

/** One webhook per chunk, the last chunk first: Meta promises no order. */
export function history(
  number: SandboxPhoneNumber,
  person: SandboxUser,
  messages: readonly PastMessage[],
  chunkSize: number,
  now: number,
): readonly FieldChange[] {
  const own = digitsOf(number.displayPhoneNumber);
  const them = person.waId ?? person.userId;
  const nodes = messages.map(({ from, text, hours_ago }) => ({
    ...(from === 'customer' ? { from: them } : { from: own, to: them }),
    id: newMessageId(),
    timestamp: secondsOf(now - hours_ago * 3_600_000),
    type: 'text',
    text: { body: text },
    history_context: { status: from === 'customer' ? 'READ' : 'DELIVERED' },
  }));
  const chunks = Array.from({ length: Math.ceil(nodes.length / chunkSize) }, (_, index) =>
    nodes.slice(index * chunkSize, (index + 1) * chunkSize),
  );
  return chunks
    .map((chunk, index) =>
      change(number, 'history', {
        history: [
          {
            metadata: {
              phase: 0,
              chunk_order: index + 1,
              progress: Math.round(((index + 1) / chunks.length) * 100),
            },
            threads: [{ id: them, messages: chunk }],
          },
        ],
      }),
    )
    .reverse();
}

/** The owner of the number did not agree to share its history. */
export const historyRefused = (number: SandboxPhoneNumber): FieldChange =>
  change(number, 'history', {
    history: [
      {
        errors: [
          {
            code: 2593109,
            title: 'History sharing is turned off by the business from the WhatsApp Business App',
          },
        ],
      },
    ],
  });

export const change = (number: SandboxPhoneNumber, field: string, value: Node): FieldChange => ({
  wabaId: number.wabaId,
  field,
  value: { messaging_product: 'whatsapp', metadata: metadataOf(number), ...value },
});
