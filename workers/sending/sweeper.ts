/**
 * Topics and due-time rows are hints; the operations are the truth. Each unsettled send that has no row gets one again.
 * Scheduling an entry that exists changes nothing, so this can run at any time.
 */
import { causeIn, reaction, type App } from '../../application/app.js';
import { releaseSlots } from '../../application/send/release.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { HELD_REASON, isSettled, type Operation, type SendAsAccepted } from '../../domain/operation/state.js';
import { channelControlsAggregate } from '../../domain/channel-controls/decide.js';
import { operationStream } from '../../domain/streams.js';
import { stops } from './lane.js';
import type { StoredRecord } from '../../ports/event-store.js';
import { closeMessage } from './close-message.js';
import { laneName, RECONCILE_QUEUE, SEND_QUEUE, sendEntry, urgencyOf } from '../../application/send/queue.js';
import { showWaiting } from './show-waiting.js';
import { every, type Rounds } from '../kernel/every.js';
import { yieldToEventLoop } from '../../ports/waiting.js';
import { operations, type OperationDoc } from '../../read-models/operations.js';

const EVERY_MS = 60_000;
/** Younger sends are still being processed normally. */
const MIN_AGE_MS = 30_000;
/** Time past the deadline for the send's own worker to end it first. */
const GRACE_MS = 10_000;
const PAGE = 200;
const UNSETTLED = ['queued', 'processing', 'waiting'];

type Unsettled = Pick<OperationDoc, 'uuid' | 'status' | 'created_at' | 'waiting'>;

/**
 * Due time of a row that replaces a lost one. The lane itself applies the channel's waits, and a send that was
 * attempted since waits for nothing any more. So both are due now: at the time that was shown for the wait, they would
 * only be late.
 */
function dueAt({ phase, waitReason, deferredUntil }: Operation, now: number): number {
  const named = phase === 'waiting' && waitReason !== 'channel_pace' && waitReason !== 'channel_stopped';
  return named && deferredUntil !== null ? Date.parse(deferredUntil) : now;
}

/** `sweep` returns how many operations it handled: those that have no row, or whose row does not help them. */
export function startSweeper(
  app: Pick<
    App,
    | 'clock'
    | 'codec'
    | 'dueTimes'
    | 'executor'
    | 'indexSecret'
    | 'logger'
    | 'readModels'
    | 'settings'
    | 'store'
  >,
): Rounds & { sweep(stopping?: () => boolean): Promise<number> } {
  const { clock, dueTimes } = app;

  async function sweep(stopping: () => boolean = () => false): Promise<number> {
    let found = 0;
    for (const status of UNSETTLED) {
      for await (const page of unsettled(status)) {
        for (const uuid of await neglected(page)) {
          if (stopping()) return found;
          await reschedule(uuid);
          found += 1;
        }
        // Long pages of healthy sends are read without a wait: yield, so that other work runs and a stop is noticed.
        await yieldToEventLoop();
        if (stopping()) return found;
      }
    }
    return found;
  }

  /** Oldest first, only those that are old enough: younger ones are still being processed normally. */
  async function* unsettled(status: string): AsyncGenerator<readonly Unsettled[]> {
    const before = new Date(clock.now() - MIN_AGE_MS).toISOString();
    let after: readonly (string | number | null)[] | undefined;
    do {
      const page = await app.readModels.find(operations.name, {
        index: 'by_status',
        // Operations of flows wait for weeks, and have a worker of their own.
        equals: [status, 'message.send'],
        order: 'asc',
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      const old = page.documents.map(({ doc }) => doc).filter(({ created_at }) => created_at < before);
      // Sends held by a restore wait for an operator, however long.
      yield old.filter(({ waiting }) => waiting?.reason !== HELD_REASON);
      if (old.length < page.documents.length) return;
      after = page.next ?? undefined;
    } while (after !== undefined);
  }

  /**
   * Sends without a row, not shown to wait yet, or past the window: the row of a stopped channel may never be claimed.
   */
  async function neglected(page: readonly Unsettled[]): Promise<readonly string[]> {
    const overdue = new Date(clock.now() - app.settings.pacingWindowMs - GRACE_MS).toISOString();
    const ids = page
      .filter(
        ({ status, created_at }) =>
          status === 'processing' || (status === 'waiting' && created_at >= overdue),
      )
      .map(({ uuid }) => uuid);
    // In this order: a row enters the second queue before it leaves the first.
    const toSend = await dueTimes.existing(SEND_QUEUE, ids);
    const toReconcile = await dueTimes.existing(
      RECONCILE_QUEUE,
      ids.filter((id) => !toSend.has(id)),
    );
    return page.map(({ uuid }) => uuid).filter((uuid) => !toSend.has(uuid) && !toReconcile.has(uuid));
  }

  async function reschedule(operationUuid: string): Promise<void> {
    const { state } = await app.executor.load(operationAggregate, operationUuid);
    const { accepted } = state;
    if (accepted === null || isSettled(state) || state.phase === 'held') return;
    if (state.phase === 'queued')
      await showWaiting(app, operationUuid, Date.parse(accepted.deadline), await why(accepted), 'sweep');
    const [first] = await app.store.read(operationStream.toName(operationUuid), { limit: 1 });
    if (await expire(operationUuid, accepted, first!)) return;
    const lane = laneName(accepted.channel_uuid, urgencyOf(accepted.template_category));
    await app.dueTimes.schedule([
      sendEntry(operationUuid, lane, dueAt(state, clock.now()), {
        correlation_id: first!.meta.correlation_id,
        event_id: first!.eventId,
        company: accepted.company_uuid,
        subject: accepted.subject,
        deadline: Date.parse(accepted.deadline),
      }),
    ]);
  }

  async function why(accepted: SendAsAccepted) {
    const { state } = await app.executor.load(channelControlsAggregate, accepted.channel_uuid);
    return stops(state.stopped, urgencyOf(accepted.template_category)) ? 'channel_stopped' : 'channel_pace';
  }

  /**
   * Ends a send that has waited longer than its window: where the channel is stopped, possibly nobody else does. The
   * operation's stream decides a race with a process that is about to send it.
   */
  async function expire(
    operationUuid: string,
    accepted: SendAsAccepted,
    first: StoredRecord,
  ): Promise<boolean> {
    if (clock.now() <= Date.parse(accepted.deadline) + GRACE_MS) return false;
    const context = reaction(causeIn(first), 'sending', 'expire');
    const command = { type: 'ExpireSend', reason: await why(accepted) } as const;
    const { state } = await app.executor.execute(operationAggregate, operationUuid, command, context);
    if (!isSettled(state)) return false;
    await closeMessage(app, operationUuid, context);
    await releaseSlots(app, operationUuid, state, context);
    return true;
  }

  return { sweep, ...every(app, EVERY_MS, 'sweeping unsettled operations', sweep) };
}
