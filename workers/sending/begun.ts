/** Attempts that a process began without learning whether that was stored. */
import type { App } from '../../application/app.js';
import { createCache } from '../../ports/cache.js';

/**
 * The process knows better than the stream that the provider has not been called: by operation, the id of the event that
 * would say so.
 */
export type BegunAttempts = Pick<Map<string, string>, 'get' | 'delete'> & {
  set(operationUuid: string, eventId: string): unknown;
};

/** One that nobody came back to here, since the channel went to another process, must not be kept for ever. */
const MAX_BEGUN = 10_000;

/** One that is forgotten counts as one whose outcome is not known. */
export const createBegunAttempts = (): BegunAttempts => createCache<string, string>(MAX_BEGUN);

/**
 * The id of the event that began the attempt, when this process knows that the provider was not called. Handed out once:
 * another claim of the same row, a long pause later, must not find it too.
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
