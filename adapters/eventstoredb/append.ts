/** Appends: an exact expected revision, and ids that make a repeat a no-op on the server. */
import { isUuid } from '../../domain/kernel/ids.js';
import type { AppendResult, EventStore, NewRecord, Position } from '../../ports/event-store.js';
import type { Calls } from './calls.js';
import { appendError, noPosition } from './errors.js';
import { isKnown, toPosition, type HighWater } from './positions.js';

export interface AppendDeps {
  readonly calls: Calls;
  readonly read: EventStore['read'];
  readonly highWater: HighWater;
}

const NIL = '00000000-0000-0000-0000-000000000000';

export function createAppend({ calls, read, highWater }: AppendDeps): EventStore['append'] {
  async function positionAt(stream: string, revision: number): Promise<Position> {
    const [record] = await read(stream, { from: revision, limit: 1 });
    if (record?.revision !== revision) throw noPosition(stream);
    return record.position;
  }

  return async (stream, expected, records) => {
    assertAppendable(stream, records);
    const newestBefore = highWater.position;
    try {
      const answer = await calls.request((call) => call.appends.append({ stream, expected, records }, call));
      const { revision } = answer;
      const position = isKnown(answer.position)
        ? toPosition(answer.position)
        : await positionAt(stream, revision);
      highWater.note(position);
      const result: AppendResult = { revision, position };
      // A new append gets a position after all positions known before it, so an older position means a repeat.
      return position <= newestBefore ? { ...result, repeated: true } : result;
    } catch (error) {
      throw appendError(error, stream, expected);
    }
  };
}

/** An id that is not a UUID would end the process: the client throws where no caller can catch it. */
function assertAppendable(stream: string, records: readonly NewRecord[]): void {
  if (stream === '') throw new TypeError('an append needs a stream name');
  if (stream.startsWith('$')) throw new TypeError(`stream ${stream}: names with $ belong to the server`);
  if (records.length === 0) throw new TypeError('an append needs at least one record');
  for (const { eventId } of records) {
    if (!isUuid(eventId) || eventId === NIL) throw new TypeError(`event id ${eventId} is not a UUID`);
  }
}
