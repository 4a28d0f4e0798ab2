/** Records that an accepted message waits, and why, so that API callers who poll can see it. */
import { causeIn, reaction, type App } from '../../application/app.js';
import type { SendPayload } from '../../application/send/queue.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { operationStream } from '../../domain/streams.js';
import type { ClaimedEntry } from '../../ports/due-times.js';

export async function showWaiting(
  app: Pick<App, 'executor' | 'store'>,
  operationUuid: string,
  until: number,
  reason: 'channel_pace' | 'channel_stopped',
  why: string,
): Promise<void> {
  const [accepted] = await app.store.read(operationStream.toName(operationUuid), { limit: 1 });
  if (!accepted) return;
  await app.executor.execute(
    operationAggregate,
    operationUuid,
    { type: 'DeferSend', reason, until: new Date(until).toISOString() },
    reaction(causeIn(accepted), 'sending', `defer/${why}`),
  );
}

/** Records that a message waits for the pace of its recipient. */
export async function showWaitForRecipient(
  app: Pick<App, 'executor'>,
  entry: ClaimedEntry,
  until: number,
): Promise<void> {
  const payload = entry.payload as SendPayload;
  await app.executor.execute(
    operationAggregate,
    entry.id,
    { type: 'DeferSend', reason: 'recipient_pace', until: new Date(until).toISOString() },
    reaction(payload, 'sending', `defer/${entry.claims}`),
  );
}
