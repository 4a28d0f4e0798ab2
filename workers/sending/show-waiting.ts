/** Lets whoever polls see that an accepted message waits for its channel's pace. */
import type { App } from '../../application/app.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { operationStream } from '../../domain/operation/stream.js';

export async function showWaiting(
  app: App,
  operationUuid: string,
  until: number,
  reason: 'channel_pace' | 'channel_stopped',
  why: string,
): Promise<void> {
  const [accepted] = await app.store.read(operationStream.toName(operationUuid), { limit: 1 });
  if (!accepted) return;
  const { eventId, meta } = accepted;
  await app.executor.execute(
    operationAggregate,
    operationUuid,
    { type: 'DeferSend', reason, until: new Date(until).toISOString() },
    {
      company: meta.company,
      actor: 'worker:sending',
      commandId: `${eventId}/defer/${why}`,
      correlationId: meta.correlation_id,
      causationId: eventId,
      subject: null,
    },
  );
}
