/**
 * The pace of one channel towards one person: WhatsApp lets a number send 1 message per 6 s, 45 at once, and answers
 * 131056 beyond that. This process remembers its own sends; it reads sends from before it had the channel once, from
 * the history.
 */
import { createCache } from '../../ports/cache.js';
import type { App } from '../../application/app.js';
import { advance, conformsAt, RECIPIENT_PACE } from '../../domain/policies/gcra.js';
import { LONGEST_MATTERING_MS, recipientTat, tatHeldUntil } from './recent.js';

/** `subject`: the person, as a sealing subject. Times are of the monotonic clock. */
export interface Recipients {
  /** When the next message to this person may go; 0 when nothing limits it, as far as is known here. */
  opensAt(channelUuid: string, subject: string): number;
  /** False when an earlier holder of the channel may have sent this person something that still matters. */
  isKnown(channelUuid: string, subject: string, laneOpenedAt: number): boolean;
  /** Reads the history. If that fails, only WhatsApp's 131056 limits the pace. */
  recall(channelUuid: string, subject: string, operationUuid: string): Promise<void>;
  /** Counts a message that goes now. */
  took(channelUuid: string, subject: string): void;
  /** Lets nothing go before `until`. */
  hold(channelUuid: string, subject: string, until: number): void;
}

const MOST_REMEMBERED = 100_000;

export function createRecipients(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'logger' | 'readModels' | 'settings'>,
): Recipients {
  const { clock, logger } = app;
  const { paceRecipients } = app.settings;
  const tats = createCache<string, number>(MOST_REMEMBERED);
  const pairOf = (channelUuid: string, subject: string): string => `${channelUuid}:${subject}`;
  const atLeast = (pair: string, tat: number): void =>
    void tats.set(pair, Math.max(tat, tats.get(pair) ?? 0));

  return {
    opensAt: (channelUuid, subject) =>
      paceRecipients ? conformsAt(tats.get(pairOf(channelUuid, subject)) ?? 0, RECIPIENT_PACE) : 0,
    isKnown: (channelUuid, subject, laneOpenedAt) =>
      !paceRecipients ||
      tats.has(pairOf(channelUuid, subject)) ||
      clock.monotonic() >= laneOpenedAt + LONGEST_MATTERING_MS,
    async recall(channelUuid, subject, operationUuid) {
      try {
        const now = clock.now();
        const tat = await recipientTat(app, operationUuid, now);
        atLeast(pairOf(channelUuid, subject), clock.monotonic() + (tat - now));
      } catch (error) {
        logger.warn(
          { err: error, operation_uuid: operationUuid },
          'the pace of a recipient could not be restored',
        );
      }
    },
    took(channelUuid, subject) {
      if (!paceRecipients) return;
      const pair = pairOf(channelUuid, subject);
      tats.set(pair, advance(tats.get(pair) ?? 0, clock.monotonic(), RECIPIENT_PACE));
    },
    hold(channelUuid, subject, until) {
      atLeast(pairOf(channelUuid, subject), tatHeldUntil(until));
    },
  };
}
