/** Sends that were accepted before a restore and are not settled. */
import { causeIn, reaction, type App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import { hold } from '../../application/restore/held-work.js';
import type { Horizon } from '../../application/restore/horizon.js';
import type { OpenWork } from '../../application/restore/open-work.js';
import { laneName, sendEntry, urgencyOf } from '../../application/send/queue.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import type { Operation, SendAsAccepted } from '../../domain/operation/state.js';
import { operationStream } from '../../domain/streams.js';
import type { DueEntry } from '../../ports/due-times.js';
import type { StoredRecord } from '../../ports/event-store.js';
import { eachAtOnce } from './at-once.js';

/**
 * A send whose call is recorded proceeds as usual: it is never repeated, and a status settles it or it ends with
 * `send_outcome_unknown`. Every other send may have been sent in the lost part of the history.
 */
export async function prepareSends(
  app: Pick<App, 'dueTimes' | 'executor' | 'readModels' | 'store'>,
  horizon: Horizon,
  { sends }: OpenWork,
): Promise<void> {
  await eachAtOnce(sends, (uuid) => prepareSend(app, horizon, uuid));
}

async function prepareSend(
  app: Pick<App, 'dueTimes' | 'executor' | 'readModels' | 'store'>,
  horizon: Horizon,
  uuid: string,
): Promise<void> {
  const { state } = await app.executor.load(operationAggregate, uuid);
  const { accepted, phase } = state;
  const [first] = await app.store.read(operationStream.toName(uuid), { limit: 1 });
  if (accepted === null || first === undefined) return;
  const row = rowOf(first, state, accepted);
  const waits = phase === 'queued' || phase === 'waiting';
  const toHold = waits && !horizon.nothingRanSince;
  if (toHold) {
    await app.executor.execute(operationAggregate, uuid, { type: 'HoldSend' }, contextOf(horizon, first));
  }
  if (toHold || phase === 'held') {
    const { company_uuid, execution_uuid } = accepted;
    const about = execution_uuid === null ? 'POST /messages' : `the flow execution ${execution_uuid}`;
    await hold(app, horizon, [{ id: uuid, kind: 'send', company_uuid, about, row }]);
  } else if (waits || phase === 'processing') await app.dueTimes.schedule([row]);
  // Sends that wait for their outcome are scheduled again by the sweeper.
}

const contextOf = ({ eventId }: Horizon, first: StoredRecord): CommandContext =>
  reaction({ ...causeIn(first), event_id: eventId }, 'restore', 'hold');

/** The row as the send scheduler creates it, due at the time that the send is deferred to, if any. */
function rowOf(first: StoredRecord, { deferredUntil }: Operation, accepted: SendAsAccepted): DueEntry {
  const lane = laneName(accepted.channel_uuid, urgencyOf(accepted.template_category));
  return sendEntry(
    operationStream.match(first.stream)!,
    lane,
    Date.parse(deferredUntil ?? first.meta.occurred_at),
    {
      correlation_id: first.meta.correlation_id,
      event_id: first.eventId,
      company: accepted.company_uuid,
      subject: accepted.subject,
      deadline: Date.parse(accepted.deadline),
    },
  );
}
