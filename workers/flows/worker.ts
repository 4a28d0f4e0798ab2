/** Runs flows: what they begin with and what they wait for comes by the topic, by time, or from another system. */
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
  type UntilHeard,
} from '../../application/flows/engine.js';
import { listen } from '../../application/flows/listen.js';
import { loadExecution } from '../../application/flows/load.js';
import { parkExecution } from '../../application/flows/park.js';
import { FLOW_REQUESTS, FLOW_TIMERS, type FlowRow } from '../../application/flows/queues.js';
import { makeRequest } from '../../application/flows/request.js';
import { goOn, timeIsUp } from '../../application/flows/time.js';
import { routes, type EventPointer } from '../../application/relay.js';
import { conversationStream } from '../../domain/conversation/stream.js';
import { executionStream } from '../../domain/execution/stream.js';
import { messageStream } from '../../domain/message/stream.js';
import { operationStream } from '../../domain/operation/stream.js';
import { StoreUnavailable, type StoredRecord } from '../../ports/event-store.js';
import { handled, skipped, type Outcome } from '../kernel/consumer.js';
import type { InboundBarrier } from '../kernel/inbound-barrier.js';
import type { Reactor } from '../kernel/reactor.js';
import { upTo } from '../kernel/up-to.js';
import { createHearing } from './hearing.js';

const GROUP = 'flows';
/** Two minutes, by the pauses between them. */
const MAX_TRIES = 8;
/** Streams decide what is found there: which conversation is the present one, which sends came to nothing. */
const HINTS = ['conversations', 'operations'];
const TIMER_LEASE_MS = 60_000;
/** Longer than a call may take, with what is written before and after it. */
const REQUEST_LEASE_MS = 120_000;

export interface FlowNeeds {
  /** Left out where what customers write is here already. */
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
    const untilHeard: UntilHeard = inbound ? createHearing(app, inbound, own) : async () => undefined;
    const engine = createFlowEngine(app, untilHeard);
    const giveUp = (row: FlowRow, reason: string): Promise<void> =>
      parkExecution(engine, row.execution_uuid, reason, causeOf(row));
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
            doneOr(app, await timeIsUp(asOf(engine, 'recently'), row, causeOf(row))),
          giveUp,
        },
        requests: {
          queue: FLOW_REQUESTS,
          concurrency: 32,
          // One company's slow system must not hold up the others'.
          perLane: 8,
          leaseMs: REQUEST_LEASE_MS,
          maxTries: MAX_TRIES,
          handle: async (row: FlowRow, _tries, beforeCall) =>
            doneOr(app, await makeRequest(asOf(engine, 'recently'), row, causeOf(row), beforeCall)),
          giveUp,
        },
      },
    };
  },
};

/** What flows, channels and templates there are is decided by what read models show. */
const asOf = (engine: FlowEngine, position: UpTo): FlowEngine => ({
  ...engine,
  app: upTo(engine.app, position, HINTS),
});

const doneOr = ({ clock }: Pick<App, 'clock'>, again: number | null): Outcome =>
  again === null ? handled : { kind: 'later', delayMs: Math.max(1, again - clock.now()), reason: 'not yet' };

const causeOf = (row: FlowRow): FlowCause => ({
  company: row.company,
  id: row.execution_uuid,
  correlationId: row.correlation_id,
});

/** What keeps failing stops at its execution, where somebody sees it and can have it go on; the topic goes on. */
async function patiently(engine: FlowEngine, pointer: EventPointer, tries: number): Promise<Outcome> {
  const cause = { company: pointer.company, id: pointer.event_id, correlationId: pointer.correlation_id };
  try {
    return await follow(asOf(engine, pointer.position), pointer, cause);
  } catch (error) {
    const executionUuid = tries < MAX_TRIES ? null : await executionNamedIn(engine.app, pointer);
    if (executionUuid === null || error instanceof StoreUnavailable) throw error;
    // Accepted, and not begun: there is nothing that could be parked but the message.
    if ((await loadExecution(engine.app, executionUuid)) === null) throw error;
    engine.app.logger.error({ err: error, execution: executionUuid }, 'a flow can not go on; it is parked');
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

/** The event itself; undefined when the stream has another one there. */
async function recordAt(
  app: App,
  { stream, revision, event_id }: EventPointer,
): Promise<StoredRecord | undefined> {
  const records = await app.store.read(stream, { limit: revision + 1 });
  const record = records[records.length - 1];
  return record?.eventId === event_id ? record : undefined;
}

/** Execution that an event is about; null when it is about none, or about one that it does not name. */
async function executionNamedIn(app: App, pointer: EventPointer): Promise<string | null> {
  const own = executionStream.match(pointer.stream);
  if (own !== undefined) return own;
  const operationUuid = operationStream.match(pointer.stream);
  if (operationUuid === undefined) return null;
  const record = await recordAt(app, pointer);
  if (record?.type === 'FlowExecutionAccepted') return operationUuid;
  const named = record?.data['execution_uuid'];
  return typeof named === 'string' ? named : null;
}
