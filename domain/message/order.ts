/**
 * The position of a message among the others of its conversation. WhatsApp reports times in whole seconds, our own
 * clock in milliseconds, and one list holds both.
 */
const SECOND_MS = 1_000;

/**
 * The time by which a message is sorted.
 *
 * A message with WhatsApp's time is placed at the end of that second, since the message it answers may be of the same
 * second. It is never placed after it was recorded, since its own answer is recorded later. A message without
 * WhatsApp's time is placed where it was recorded.
 *
 * @param sentAt WhatsApp's time; null for messages that we write ourselves
 * @param notBefore position of the message that this one answers; null when it answers no known message
 */
export function orderedAt(recordedAt: string, sentAt: string | null, notBefore: unknown = null): string {
  const own = earlier(recordedAt, endOfSecond(sentAt));
  return typeof notBefore === 'string' && notBefore > own ? notBefore : own;
}

/** Null for invalid times: stored events of any shape must fold. */
function endOfSecond(at: string | null): string | null {
  const ms = at === null ? NaN : Date.parse(at);
  if (Number.isNaN(ms)) return null;
  return new Date(Math.floor(ms / SECOND_MS) * SECOND_MS + SECOND_MS - 1).toISOString();
}

const earlier = (a: string, b: string | null): string => (b !== null && b < a ? b : a);

/** The field in a message's context that holds the position of the message it answers. */
export const ANSWERED_AT = 'answered_at';
