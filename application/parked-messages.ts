/** Parked work: kept with the reason of its failure until an operator has it retried. */
import { Refusal } from '../domain/kernel/refusal.js';
import type { DueEntry } from '../ports/due-times.js';
import { versionAfter } from '../ports/versions.js';
import { parkedMessages, type ParkedMessage, type ParkedValue } from '../read-models/parked-messages.js';
import type { App } from './app.js';
import { TRANSCRIPTIONS } from './media/queues.js';

const documentId = (group: string, id: string): string => `${group}:${id}`;

/** Due-time queue of a consumer group's retries. */
export const retryQueue = (group: string): string => `retry:${group}`;
export const RETRY_LANE = 'all';

/** A century: no clock is further ahead. */
const FURTHEST_MS = 100 * 366 * 24 * 3_600_000;

/** The row that makes a consumer group retry a message. */
export const retryRow = (
  group: string,
  id: string,
  value: ParkedValue,
  dueAt: number,
  tries = 0,
): DueEntry => ({
  queue: retryQueue(group),
  id,
  lane: RETRY_LANE,
  dueAt,
  payload: { value, tries },
});

export async function parkMessage(
  app: Pick<App, 'readModels' | 'clock'>,
  message: Pick<ParkedMessage, 'id' | 'group' | 'value' | 'reason'>,
): Promise<void> {
  const { readModels } = app;
  const { id, group, value, reason } = message;
  const now = app.clock.now();
  const doc: ParkedMessage = { id, group, value, reason, parked_at: new Date(now).toISOString() };
  const uuid = documentId(group, id);
  const before = (await readModels.get(parkedMessages.name, uuid))?.version;
  // A message that was retried before was removed, and the version of a removed document cannot be read. So try ever
  // later versions until the write takes effect.
  for (let further = 0; further <= FURTHEST_MS; further = 2 * further + 1) {
    const version = versionAfter(before, now + further);
    await readModels.write(parkedMessages.name, [{ id: uuid, doc, version }]);
    if ((await readModels.get(parkedMessages.name, uuid)) !== undefined) return;
  }
  throw new Error(`parked message ${uuid} can not be read after it was written`);
}

/**
 * Retries it from the start, soon; it is parked again if that fails. Retrying twice changes nothing: workers check the
 * history before they act.
 * @throws Refusal not_found
 */
export async function retryParked(
  app: Pick<App, 'readModels' | 'dueTimes' | 'clock'>,
  documentUuid: string,
): Promise<ParkedMessage> {
  const stored = await app.readModels.get(parkedMessages.name, documentUuid);
  if (!stored) {
    throw new Refusal('not_found', 'There is no such parked message.', { resource: 'parked_message' });
  }
  const { id, group, value } = stored.doc;
  const now = app.clock.now();
  await app.dueTimes.schedule([
    group === TRANSCRIPTIONS
      ? { queue: TRANSCRIPTIONS, id, lane: String(value['company']), dueAt: now, payload: value }
      : retryRow(group, id, value, now),
  ]);
  // Last: after a crash in between it is still listed, and may be retried again.
  const version = versionAfter(stored.version, now);
  await app.readModels.write(parkedMessages.name, [{ id: documentUuid, doc: null, version }]);
  return stored.doc;
}
