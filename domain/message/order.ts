/**
 * Where a message stands among the others of its conversation. WhatsApp tells its times in whole seconds, our own clock
 * tells milliseconds, and both kinds stand in one list.
 */
const SECOND_MS = 1_000;

/**
 * What WhatsApp timed stands at the end of its second, since what it answers may have been said within that second, but
 * not later than it was recorded, since its answer is recorded after it. What has no time of WhatsApp's stands where it
 * was recorded.
 *
 * @param sentAt WhatsApp's time; null for what we write ourselves
 * @param notBefore where the message stands that this one answers; null when it answers none that is known
 */
export function orderedAt(recordedAt: string, sentAt: string | null, notBefore: unknown = null): string {
  const own = earlier(recordedAt, endOfSecond(sentAt));
  return typeof notBefore === 'string' && notBefore > own ? notBefore : own;
}

/** Null for what is no time: history of any shape must fold. */
function endOfSecond(at: string | null): string | null {
  const ms = at === null ? NaN : Date.parse(at);
  if (Number.isNaN(ms)) return null;
  return new Date(Math.floor(ms / SECOND_MS) * SECOND_MS + SECOND_MS - 1).toISOString();
}

const earlier = (a: string, b: string | null): string => (b !== null && b < a ? b : a);

/** Under this name the context of a message says where the message stands that it answers. */
export const ANSWERED_AT = 'answered_at';
