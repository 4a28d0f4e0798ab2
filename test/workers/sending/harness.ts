/** Sends over embedded stores that fail on request, to a provider of the test's, by a clock that may be ahead. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { outboundMessageId } from '../../../domain/message/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { messages } from '../../../read-models/messages.js';
import { operations, type OperationDoc } from '../../../read-models/operations.js';
import type { BegunAttempts } from '../../../workers/sending/begun.js';
import type { SendDisposition } from '../../../workers/sending/record.js';
import { anotherProcess } from '../../support/app.js';
import { ask } from '../../support/api/client.js';
import { makeApi } from '../../support/api/make-api.js';
import { makeWorld, type World } from '../../support/api/world.js';
import { accepted, fakeProvider, type AnswerToSend } from '../../support/fakes/provider.js';
import { opened } from '../../support/opened.js';
import { attempt, eventsOf } from '../../support/sends/attempt.js';
import { faultyStore, type Fault } from '../../support/fakes/faulty-store.js';

/** An operation that was accepted, and the attempts that the first process remembers to have begun. */
export interface Send {
  readonly operation: string;
  readonly begun: BegunAttempts;
}

/** Fields that are left out are not checked. */
export interface Outcome {
  /** Calls to the provider, of all sends of the test. */
  readonly calls?: number;
  readonly status?: string;
  readonly message?: string;
  readonly events?: readonly string[];
}

export function sends() {
  const store = faultyStore();
  let ahead = 0;
  let stoppedAt: number | null = null;
  let ending = true;
  let keys = 0;
  const waits: number[] = [];
  const provider = fakeProvider();
  const api = opened(() => makeApi({ wrapStore: store.wrap }));
  const app = opened<App>(() =>
    anotherProcess(api.app, {
      provider: provider.port,
      clock: {
        now: () => stoppedAt ?? api.app.clock.now() + ahead,
        monotonic: () => api.app.clock.monotonic() + ahead,
        after(ms, task) {
          waits.push(ms);
          const immediate = setImmediate(task);
          return () => clearImmediate(immediate);
        },
      },
    }),
  );
  const world = opened(() => makeWorld(app));
  beforeEach(() => {
    store.heal();
    ahead = 0;
    stoppedAt = null;
    ending = true;
    waits.length = 0;
    provider.sent.length = 0;
    provider.answer = () => accepted();
  });

  const given = {
    /** A text that POST /messages accepted. */
    async accepted(by: World = world): Promise<Send> {
      keys += 1;
      const json = {
        recipient: { phone: `+55119${String(keys).padStart(8, '8')}` },
        type: 'text',
        content: { text: 'Olá' },
      };
      const headers = { 'idempotency-key': `attempt-${keys}` };
      const sent = await ask(api, 'POST', '/messages', { key: by.key, json, headers });
      expect(sent.status, sent.text).to.equal(202);
      return { operation: String((sent.body.data as { uuid: string }).uuid), begun: new Map() };
    },
    /** The next appends that begin with this event have these faults, one after the other. */
    faults: (event: string, ...next: readonly Fault[]) => store.at(event, ...next),
    answer: (answer: AnswerToSend) => void (provider.answer = answer),
    /** The clock is ahead of the one that accepted by this much. */
    ahead: (ms: number) => void (ahead = ms),
    /** The clock stands still this long before the send's deadline, however busy the machine is. */
    async timeLeft(send: Send, ms: number): Promise<void> {
      const { state } = await app.executor.load(operationAggregate, send.operation);
      stoppedAt = Date.parse(state.accepted!.deadline) - ms;
    },
    /** The process that makes the attempts does not shut down: it waits for a store that is unavailable. */
    processLives: () => void (ending = false),
    processEnds: () => void (ending = true),
  };
  const when = {
    /** By the first process, whose memory of attempts that it began lasts from claim to claim. */
    claimed: (send: Send, fence: number): Promise<SendDisposition> =>
      attempt(app, send.operation, { fence, begun: send.begun, ending: () => ending }),
    /** By a process that has begun no attempt of this send. */
    claimedElsewhere: (send: Send, fence: number): Promise<SendDisposition> =>
      attempt(app, send.operation, { fence, ending: () => ending }),
  };
  const operation = async (send: Send): Promise<OperationDoc> =>
    (await app.readModels.get(operations.name, send.operation))!.doc;
  const then = {
    operation,
    calls: () => provider.calls,
    sent: () => provider.sent,
    /** The length of each wait that was requested; the clock of these tests does not really wait. */
    waits: () => waits,
    async is(send: Send, expected: Outcome, what?: string): Promise<void> {
      const message = await app.readModels.get(messages.name, outboundMessageId(send.operation));
      const outcome: Outcome = {
        calls: provider.calls,
        status: (await operation(send)).status,
        ...(message && { message: message.doc.status }),
        events: await eventsOf(app, send.operation),
      };
      const looked = Object.keys(expected).map((field) => [field, outcome[field as keyof Outcome]]);
      expect(Object.fromEntries(looked), what).to.deep.equal(expected);
    },
  };
  return { api, app, world, given, when, then };
}
