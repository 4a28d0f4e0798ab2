/** What people write to the numbers, and when each last did: that opens the service window. */
import type { Clock } from '../ports/clock.js';
import { behaviourOf } from './magic.js';
import type { MediaServer } from './media.js';
import type { NumberBook } from './number-book.js';
import { userById, userByPhone } from './numbers.js';
import { newMessageId } from './sending.js';
import { contactOf, digitsOf, metadataOf, secondsOf } from './statuses.js';
import type { InboundMessage, Sandbox } from './types.js';
import type { WebhookItem } from './webhook-sender.js';

const DAY_MS = 86_400_000;

export interface Incoming {
  readonly receive: Sandbox['receive'];
  readonly reply: Sandbox['reply'];
  /** Whether the person wrote to the number in the 24 hours before. */
  readonly windowOpen: (numberId: string, userKey: string, now: number) => boolean;
}

export function createIncoming(deps: {
  readonly numbers: NumberBook;
  readonly media: Pick<MediaServer, 'announce'>;
  readonly clock: Clock;
  readonly push: (item: WebhookItem) => void;
}): Incoming {
  const { numbers, media, clock, push } = deps;
  const lastInbound = new Map<string, number>();

  function receive({ phoneNumberId, from, name, message, ...inbound }: InboundMessage): string {
    const number = numbers.get(phoneNumberId);
    const user = userByPhone(from) ?? userById(from);
    if (user === null) throw new Error('`from` is neither a phone nor a user id');
    const now = clock.now();
    const hidden = inbound.hidden === true || behaviourOf(user.key).hidden === true || user.waId === null;
    const id = newMessageId();
    if (message.type !== 'system') lastInbound.set(`${number.id} ${user.key}`, now);
    push({
      kind: 'messages',
      wabaId: number.wabaId,
      metadata: metadataOf(number),
      item: {
        ...(hidden ? {} : { from: user.waId }),
        from_user_id: user.userId,
        id,
        timestamp: secondsOf(now),
        ...media.announce(message),
      },
      // Meta: system messages have no `contacts`.
      contact: message.type === 'system' ? null : contactOf(user, name, hidden),
    });
    return id;
  }

  return {
    receive,
    reply: ({ phoneNumberId, from, text, name, replyTo }) =>
      receive({
        phoneNumberId,
        from,
        ...(name === undefined ? {} : { name }),
        message: {
          ...(replyTo === undefined
            ? {}
            : { context: { from: digitsOf(numbers.get(phoneNumberId).displayPhoneNumber), id: replyTo } }),
          type: 'text',
          text: { body: text },
        },
      }),
    windowOpen: (numberId, userKey, now) =>
      now - (lastInbound.get(`${numberId} ${userKey}`) ?? -Infinity) <= DAY_MS,
  };
}
