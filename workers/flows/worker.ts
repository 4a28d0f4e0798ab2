/**
 * Runs flows. The events that start or resume them arrive from the topic, from timers, or from calls to other systems.
 */
import type { App } from '../../application/app.js';
import type { UpTo } from '../../application/barrier.js';
import { advance } from '../../application/flows/advance.js';
import { beginAccepted, beginNext } from '../../application/flows/begin.js';
import { afterEnd } from '../../application/flows/after-end.js';
import { endExecution, REPLACED } from '../../application/flows/end.js';
import {
  createFlowEngine,
  type FlowCause,
  type FlowEngine,
  type UntilInboundProcessed,
} from '../../application/flows/engine.js';
import { listen } from '../../application/flows/listen.js';
import { loadExecution } from '../../application/flows/load.js';
import { parkExecution } from '../../application/flows/park.js';
import { FLOW_REQUESTS, FLOW_TIMERS, type FlowRow } from '../../application/flows/queues.js';
import { makeRequest } from '../../application/flows/request.js';
import { goOn, timeIsUp } from '../../application/flows/time.js';
import { routes, type EventPointer } from '../../application/relay.js';
import { conversationStream, executionStream, messageStream, operationStream } from '../../domain/streams.js';
import { StoreUnavailable, type StoredRecord } from '../../ports/event-store.js';
import { handled, skipped, type Outcome } from '../kernel/consumer.js';
import type { InboundBarrier } from '../kernel/inbound-barrier.js';
import type { Reactor } from '../kernel/reactor.js';
import { upTo } from '../kernel/up-to.js';
import { createInboundWait } from './inbound-wait.js';

const GROUP = 'flows';
/** About two minutes, given the pauses between tries. */
const MAX_TRIES = 8;
/** These read models are only hints; streams decide which conversation is current and which sends failed. */
const HINTS = ['conversations', 'operations'];
const TIMER_LEASE_MS = 60_000;
/** Longer than a call and the writes before and after it may take. */
const REQUEST_LEASE_MS = 120_000;

export interface FlowNeeds {
  /** Omitted when customers' messages are always processed already. */
  readonly inbound?: InboundBarrier;
}

export const flowReactor: Reactor<FlowNeeds> = {
  name: 'flows',
  group: GROUP,
  route: routes.flows,
  maxTries: MAX_TRIES,
  maxBatch: 100,
  waitsFor: 'Flow executions that wait for a time, and calls to be made',
  begin(app, { inbound }, own) {
    const untilHeard: UntilInboundProcessed = inbound
      ? createInboundWait(app, inbound, own)
      : async () => undefined;
    const engine = createFlowEngine(app, untilHeard);
    const giveUp = (row: FlowRow, reason: string): Promise<void> =>
      parkExecution(engine, row.execution_uuid, reason, causeOf(engine.app, row));
    return {
      react: (pointer, tries) => patiently(engine, pointer, tries),
      timers: {
        timers: {
          queue: FLOW_TIMERS,
          concurrency: 32,
          perLane: 16,
          leaseMs: TIMER_LEASE_MS,
          maxTries: MAX_TRIES,
          handle: async (row: FlowRow) =>
            doneOr(app, await timeIsUp(asOf(engine, 'recently'), row, causeOf(engine.app, row))),
          giveUp,
        },
        requests: {
          queue: FLOW_REQUESTS,
          concurrency: 32,
          // A slow system of one company must not delay the calls of others.
          perLane: 8,
          leaseMs: REQUEST_LEASE_MS,
          maxTries: MAX_TRIES,
          handle: async (row: FlowRow, _tries, beforeCall) =>
            doneOr(
              app,
              await makeRequest(asOf(engine, 'recently'), row, causeOf(engine.app, row), beforeCall),
            ),
          giveUp,
        },
      },
    };
  },
};

/** The engine with reads as of `position`: read models decide which flows, channels and templates exist. */
const asOf = (engine: FlowEngine, position: UpTo): FlowEngine => ({
  ...engine,
  app: upTo(engine.app, position, HINTS),
});

const doneOr = ({ clock }: Pick<App, 'clock'>, again: number | null): Outcome =>
  again === null ? handled : { kind: 'later', delayMs: Math.max(1, again - clock.now()), reason: 'not yet' };

const causeOf = ({ clock }: Pick<App, 'clock'>, row: FlowRow): FlowCause => ({
  company: row.company,
  id: row.execution_uuid,
  correlationId: row.correlation_id,
  dataFrom: clock.now(),
});

/** After the last try, parks the execution, where an operator can see and resume it; the topic continues. */
async function patiently(engine: FlowEngine, pointer: EventPointer, tries: number): Promise<Outcome> {
  const cause: FlowCause = {
    company: pointer.company,
    id: pointer.event_id,
    correlationId: pointer.correlation_id,
    dataFrom: engine.app.clock.now(),
  };
  try {
    return await follow(asOf(engine, pointer.position), pointer, cause);
  } catch (error) {
    const executionUuid = tries < MAX_TRIES ? null : await executionNamedIn(engine.app, pointer);
    if (executionUuid === null || error instanceof StoreUnavailable) throw error;
    // Accepted but not begun: there is no execution to park, only the message.
    if ((await loadExecution(engine.app, executionUuid)) === null) throw error;
    engine.app.logger.error(
      { err: error, execution: executionUuid },
      'a flow failed; its execution is parked',
    );
    await parkExecution(engine, executionUuid, String(error), cause);
    return handled;
  }
}

async function follow(engine: FlowEngine, pointer: EventPointer, cause: FlowCause): Promise<Outcome> {
  const { app } = engine;
  const messageUuid = messageStream.match(pointer.stream);
  if (messageUuid !== undefined) {
    await listen(engine, messageUuid, cause);
    return handled;
  }
  const record = await recordAt(app, pointer);
  if (record === undefined) return skipped;
  const conversationUuid = conversationStream.match(pointer.stream);
  if (conversationUuid !== undefined) {
    if (record.type === 'ConversationTakenByFlow') {
      const end = { status: 'cancelled', reason: REPLACED } as const;
      await endExecution(engine, String(record.data['replaced_uuid']), end, cause);
    } else await beginNext(engine, conversationUuid, cause);
    return handled;
  }
  const operationUuid = operationStream.match(pointer.stream);
  if (operationUuid !== undefined && record.type === 'FlowExecutionAccepted') {
    await beginAccepted(engine, operationUuid, cause);
    return handled;
  }
  const executionUuid = await executionNamedIn(app, pointer);
  if (executionUuid === null) return skipped;
  if (record.type === 'ExecutionEnded') await afterEnd(engine, executionUuid, cause);
  else if (record.type === 'ExecutionResumed') await goOn(engine, executionUuid, cause);
  else await advance(engine, executionUuid, cause);
  return handled;
}

/** The event itself; undefined when the stream has another event at that revision. */
async function recordAt(
  app: Pick<App, 'store'>,
  { stream, revision, event_id }: EventPointer,
): Promise<StoredRecord | undefined> {
  const records = await app.store.read(stream, { limit: revision + 1 });
  const record = records[records.length - 1];
  return record?.eventId === event_id ? record : undefined;
}

/** The execution that an event is about; null if it is about none, or does not name it. */
async function executionNamedIn(app: Pick<App, 'store'>, pointer: EventPointer): Promise<string | null> {
  const own = executionStream.match(pointer.stream);
  if (own !== undefined) return own;
  const operationUuid = operationStream.match(pointer.stream);
  if (operationUuid === undefined) return null;
  const record = await recordAt(app, pointer);
  if (record?.type === 'FlowExecutionAccepted') return operationUuid;
  const named = record?.data['execution_uuid'];
  return typeof named === 'string' ? named : null;
}
