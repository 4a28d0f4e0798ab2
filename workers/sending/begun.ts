/** Attempts that a process began without learning whether their beginning was stored. */
import type { App } from '../../application/app.js';
import { createCache } from '../../ports/cache.js';

/**
 * By operation: the id of the event that begins the attempt. The process knows better than the stream that the provider
 * has not been called.
 */
export type BegunAttempts = Pick<Map<string, string>, 'get' | 'delete'> & {
  set(operationUuid: string, eventId: string): unknown;
};

/** Bound on attempts that never resume here, because the channel went to another process since. */
const MAX_BEGUN = 10_000;

/** A forgotten attempt counts as one with an unknown outcome. */
export const createBegunAttempts = (): BegunAttempts => createCache<string, string>(MAX_BEGUN);

/**
 * Returns the id of the event that began the attempt, if this process knows that the provider was not called. It is
 * returned once: another claim of the same row, after a long pause, must not get it too.
 */
export async function takeBegun(
  app: Pick<App, 'store'>,
  begun: BegunAttempts,
  operationUuid: string,
  stream: string,
): Promise<string | null> {
  const eventId = begun.get(operationUuid);
  if (eventId === undefined) return null;
  const records = await app.store.read(stream);
  const last = records.findLast(({ type }) => type === 'SendAttempted');
  if (last?.eventId !== eventId || begun.get(operationUuid) !== eventId) return null;
  begun.delete(operationUuid);
  return eventId;
}
