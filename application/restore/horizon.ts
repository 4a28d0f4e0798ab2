/**
 * The restore horizon: the position of the last `HistoryRestored` event. The system may have continued after the copy
 * was taken. So no event recorded before the horizon triggers actions automatically (docs/adr/0025).
 */
import { decideRestore } from '../../domain/restore/decide.js';
import { restoreEvents, type HistoryRestored } from '../../domain/restore/events.js';
import { RESTORES, restoreStream } from '../../domain/streams.js';
import type { NewId } from '../../ports/clock.js';
import type { EventStore, NewRecord, Position } from '../../ports/event-store.js';
import { SYSTEM_COMPANY } from '../app.js';

export interface Horizon {
  /** Events up to this position came from the copy. */
  readonly position: Position;
  /** Id of the event; the ids of this restore's commands derive from it. */
  readonly eventId: string;
  /** When the copy was restored, epoch milliseconds. */
  readonly at: number;
  /** True if the operator confirmed that nothing ran after the copy was taken: pending work then proceeds normally. */
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

/** The event in the form that is stored in an event store, or in a file that no server has open. */
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

/** Appends the event at the end of the history. @throws StoreUnavailable */
export async function markRestored(
  store: Pick<EventStore, 'read' | 'append'>,
  record: NewRecord,
): Promise<Position> {
  const before = (await store.read(RESTORE_STREAM)).at(-1);
  const { position } = await store.append(RESTORE_STREAM, before?.revision ?? 'no_stream', [record]);
  return position;
}
