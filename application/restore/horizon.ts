/**
 * The restore horizon: the place of the last `HistoryRestored` in the history. The life that is lost may have run on
 * after the copy was taken, so nothing that was recorded before the horizon acts by itself (docs/adr/0025).
 */
import { decideRestore } from '../../domain/restore/decide.js';
import { restoreEvents, type HistoryRestored } from '../../domain/restore/events.js';
import { RESTORES, restoreStream } from '../../domain/restore/stream.js';
import type { NewId } from '../../ports/clock.js';
import type { EventStore, NewRecord, Position } from '../../ports/event-store.js';
import { SYSTEM_COMPANY } from '../app.js';

export interface Horizon {
  /** What lies at it or before it came out of the copy. */
  readonly position: Position;
  /** Id of the event, by which commands of this restore are named. */
  readonly eventId: string;
  /** When the copy was restored, epoch milliseconds. */
  readonly at: number;
  /** The operator said so: what waits acts as ever. */
  readonly nothingRanSince: boolean;
}

export const RESTORE_STREAM = restoreStream.toName(RESTORES);

/** Null when this history was never restored. */
export async function readHorizon(store: Pick<EventStore, 'read'>): Promise<Horizon | null> {
  const last = (await store.read(RESTORE_STREAM)).at(-1);
  if (last === undefined) return null;
  return {
    position: last.position,
    eventId: last.eventId,
    at: Date.parse(last.meta.occurred_at),
    nothingRanSince: last.data['nothing_ran_since'] === true,
  };
}

/** The event as it goes into a store, or into a file that no server has open. */
export function restoredRecord(
  data: HistoryRestored,
  { now, newId }: { readonly now: number; readonly newId: NewId },
): NewRecord {
  const [{ type, data: marked }] = decideRestore({ type: 'MarkRestored', data });
  const commandId = newId();
  return {
    eventId: newId(),
    type,
    data: marked,
    meta: {
      correlation_id: commandId,
      causation_id: commandId,
      command_id: commandId,
      actor: 'admin',
      company: SYSTEM_COMPANY,
      occurred_at: new Date(now).toISOString(),
      schema_version: restoreEvents[0].version,
    },
  };
}

/** At the end of the history as it is. @throws StoreUnavailable */
export async function markRestored(
  store: Pick<EventStore, 'read' | 'append'>,
  record: NewRecord,
): Promise<Position> {
  const before = (await store.read(RESTORE_STREAM)).at(-1);
  const { position } = await store.append(RESTORE_STREAM, before?.revision ?? 'no_stream', [record]);
  return position;
}
