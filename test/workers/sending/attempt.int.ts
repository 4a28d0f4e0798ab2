/** One call to the provider, whatever the stores and other processes do around it. */
import { expect } from 'chai';
import { createExecutor } from '../../../application/execute.js';
import type { App } from '../../../application/app.js';
import { relay, type SendPointer } from '../../../application/relay.js';
import { RECONCILE_QUEUE } from '../../../application/send/queue.js';
import { outboundMessageId } from '../../../domain/message/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { operationStream } from '../../../domain/operation/stream.js';
import { StoreUnavailable, type EventStore, type NewRecord } from '../../../ports/event-store.js';
import type { SendOutcome } from '../../../ports/provider.js';
import { conformsAt, RECIPIENT_PACE } from '../../../domain/policies/gcra.js';
import type { MessageDoc } from '../../../projections/models/messages.js';
import type { OperationDoc } from '../../../projections/models/operations.js';
import { attemptSend, type AttemptInput, type BegunAttempts } from '../../../workers/sending/attempt.js';
import { recipientTat } from '../../../workers/sending/recent.js';
import type { Step } from '../../../workers/sending/record.js';
import { deferred, failure } from '../../conformance/support.js';
import { ask } from '../../support/api/client.js';
import { makeApi, type TestApi } from '../../support/api/make-api.js';
import { disconnectChannel, makeWorld, restrictAccount, type World } from '../../support/api/world.js';

const ACCEPTED: SendOutcome = {
  kind: 'accepted',
  messageId: 'wamid.1',
  waId: null,
  userId: null,
  held: false,
};
const LATER: SendOutcome = {
  kind: 'rejected',
  error: {
    code: 130429,
    title: 'Rate limit hit',
    details: null,
    traceId: null,
    httpStatus: 429,
    retryAfterSeconds: null,
  },
};

/** What happens to an append that has this event in it. */
type Fault = (write: () => ReturnType<EventStore['append']>) => ReturnType<EventStore['append']>;

const away = (): never => {
  throw new StoreUnavailable('gone for a moment');
};
const neverArrives: Fault = async () => away();
const answerIsLost: Fault = async (write) => {
  await write();
  return away();
};

describe('one attempt to send', () => {
  let api: TestApi;
  let world: World;
  let app: App;
  let faults: Map<string, Fault[]>;
  let calls: number;
  let answer: () => Promise<SendOutcome> | SendOutcome;
  let late: number;
  /** The process that makes the attempts is to end. */
  let ending: boolean;
  let keys = 0;

  before(async () => {
    api = await makeApi({
      wrapStore: (store) => ({
        ...store,
        append(stream, expected, records: readonly NewRecord[]) {
          const fault = faults?.get(records[0]!.type)?.shift();
          const write = () => store.append(stream, expected, records);
          return fault ? fault(write) : write();
        },
      }),
    });
    const clock = {
      now: () => api.app.clock.now() + late,
      monotonic: () => api.app.clock.monotonic() + late,
      after(_ms: number, task: () => void) {
        const immediate = setImmediate(task);
        return () => clearImmediate(immediate);
      },
    };
    const { store, codec, registry, newId, provider } = api.app;
    app = {
      ...api.app,
      clock,
      executor: createExecutor({ store, codec, registry, clock, newId }),
      provider: {
        ...provider,
        send: async () => {
          calls += 1;
          return answer();
        },
      },
    };
    faults = new Map();
    late = 0;
    world = await makeWorld(app);
  });
  beforeEach(() => {
    faults = new Map();
    calls = 0;
    late = 0;
    ending = true;
    answer = () => ACCEPTED;
  });
  after(() => api.close());

  interface Row {
    readonly operation: string;
    claim(fence: number, begun?: BegunAttempts): Promise<Step>;
    status(): Promise<string>;
    message(): Promise<string | undefined>;
    events(): Promise<readonly string[]>;
  }

  async function accepted(over: Partial<World> = {}): Promise<Row> {
    keys += 1;
    const json = {
      recipient: { phone: `+55119${String(keys).padStart(8, '8')}` },
      type: 'text',
      content: { text: 'Olá' },
    };
    const { key } = { ...world, ...over };
    const headers = { 'idempotency-key': `attempt-${keys}` };
    const sent = await ask(api, 'POST', '/messages', { key, json, headers });
    expect(sent.status, sent.text).to.equal(202);
    const operation = String((sent.body.data as Record<string, unknown>)['uuid']);
    const [record] = await app.store.read(operationStream.toName(operation));
    const pointer = relay(record!)[0]!.value as SendPointer;
    const payload: AttemptInput['payload'] = { ...pointer, deadline: Date.parse(pointer.deadline) };
    const own: BegunAttempts = new Map();
    return {
      operation,
      claim: (fence, begun = own) =>
        attemptSend(app, {
          operationUuid: operation,
          payload,
          fence,
          channelIntervalMs: 0,
          waitsFor: 'channel_pace',
          begun,
          ending: () => ending,
        }),
      async status() {
        const doc = await app.readModels.get<{ status: string }>('operations', operation);
        return doc!.doc.status;
      },
      async message() {
        return (await app.readModels.get<MessageDoc>('messages', outboundMessageId(operation)))?.doc.status;
      },
      async events() {
        return (await app.store.read(operationStream.toName(operation))).map(({ type }) => type);
      },
    };
  }

  it('goes well: begun, called, recorded', async () => {
    const row = await accepted();
    expect(await row.claim(1)).to.include({ kind: 'done' });
    expect(await row.events()).to.deep.equal(['SendAccepted', 'SendAttempted', 'SendSucceeded']);
    expect(calls).to.equal(1);
  });

  it('is made once by two claims of one row, the older of which wakes late', async () => {
    for (const during of [true, false]) {
      const row = await accepted();
      const asleep = deferred();
      const reached = deferred();
      const talking = deferred<SendOutcome>();
      calls = 0;
      const called = deferred();
      answer = () => {
        called.resolve();
        return during ? talking.promise : ACCEPTED;
      };
      faults.set('SendAttempted', [
        async (write) => {
          reached.resolve();
          await asleep.promise;
          return write();
        },
      ]);
      const older = row.claim(1, new Map());
      await reached.promise;
      const newer = row.claim(2, new Map());
      await (during ? called.promise : newer);
      asleep.resolve();
      await older;
      talking.resolve(ACCEPTED);
      await newer;
      expect(calls, `during the call: ${during}`).to.equal(1);
      expect(await row.status()).to.equal('succeeded');
      expect(await row.message()).to.equal('sent');
    }
  });

  it('is resumed by the process that began it and did not hear so, exactly once', async () => {
    const row = await accepted();
    faults.set('SendAttempted', [answerIsLost]);
    expect((await failure(row.claim(1))).name).to.equal('StoreUnavailable');
    expect(calls).to.equal(0);
    await row.claim(2);
    expect(calls).to.equal(1);
    await row.claim(3);
    expect(calls).to.equal(1);
    expect(await row.events()).to.deep.equal(['SendAccepted', 'SendAttempted', 'SendSucceeded']);
  });

  it('is begun again when nothing of it was stored', async () => {
    const row = await accepted();
    faults.set('SendAttempted', [neverArrives]);
    await failure(row.claim(1));
    await row.claim(2);
    expect(calls).to.equal(1);
    expect(await row.status()).to.equal('succeeded');
  });

  it('is made once when its beginning is stored after all, in the middle of the next claim', async () => {
    const row = await accepted();
    let lateWrite: (() => Promise<unknown>) | undefined;
    faults.set('SendAttempted', [
      async (write) => {
        lateWrite = write;
        return away();
      },
      async (write) => {
        await lateWrite!();
        return write();
      },
    ]);
    await failure(row.claim(1));
    await row.claim(2);
    expect(calls).to.equal(1);
    expect(await row.events()).to.deep.equal(['SendAccepted', 'SendAttempted', 'SendSucceeded']);
  });

  it('is never made by another process than the one that began it, which may begin anew', async () => {
    const row = await accepted();
    faults.set('SendAttempted', [answerIsLost]);
    await failure(row.claim(1));
    expect((await row.claim(2, new Map())).kind).to.equal('reconcile');
    expect(calls).to.equal(0);
    // The first one, back again, knows that nobody was called.
    expect((await row.claim(3)).kind).to.equal('again');
    expect((await row.claim(4, new Map())).kind).to.equal('done');
    expect(calls).to.equal(1);
    expect(await row.events()).to.deep.equal([
      'SendAccepted',
      'SendAttempted',
      'SendOutcomeUnknown',
      'SendPostponed',
      'SendAttempted',
      'SendSucceeded',
    ]);
  });

  it('goes on by itself when the store is back, as long as its process lives', async () => {
    const row = await accepted();
    ending = false;
    faults.set('SendAttempted', [answerIsLost]);
    faults.set('MessageQueued', [neverArrives, neverArrives]);
    expect((await row.claim(1)).kind).to.equal('done');
    expect(calls).to.equal(1);
    expect(await row.status()).to.equal('succeeded');
  });

  it('that another process has taken over is told of by that one only', async () => {
    const row = await accepted();
    ending = false;
    const talking = deferred<SendOutcome>();
    const called = deferred();
    answer = () => {
      called.resolve();
      return talking.promise;
    };
    let other: Promise<Step> | undefined;
    faults.set('SendAttempted', [
      async () => {
        other = row.claim(2, new Map());
        await called.promise;
        return away();
      },
    ]);
    expect((await row.claim(1, new Map())).kind).to.equal('again');
    talking.resolve(ACCEPTED);
    await other;
    expect(calls).to.equal(1);
    expect(await row.events()).to.deep.equal(['SendAccepted', 'SendAttempted', 'SendSucceeded']);
  });

  it('is not made by a process that slept until others had given it up', async () => {
    const row = await accepted();
    ending = false;
    faults.set('SendAttempted', [
      async (write) => {
        await write();
        expect((await row.claim(2, new Map())).kind).to.equal('reconcile');
        const give = { type: 'GiveUpReconciling' } as const;
        const [first] = await app.store.read(operationStream.toName(row.operation));
        await app.executor.execute(operationAggregate, row.operation, give, {
          company: world.company,
          actor: 'worker:sending',
          commandId: `${row.operation}/give-up`,
          correlationId: first!.meta.correlation_id,
          causationId: first!.eventId,
          subject: null,
        });
        late = 600_000;
        return write();
      },
    ]);
    expect((await row.claim(1)).kind).to.equal('done');
    expect(calls).to.equal(0);
    expect(await row.status()).to.equal('failed');
    expect(await row.message()).to.equal('failed');
  });

  it('is made once when its message could not be queued at first', async () => {
    const row = await accepted();
    faults.set('MessageQueued', [neverArrives, neverArrives]);
    await failure(row.claim(1));
    await failure(row.claim(2));
    await row.claim(3);
    expect(calls).to.equal(1);
    expect(await row.status()).to.equal('succeeded');
    expect(await row.message()).to.equal('sent');
  });

  it('is made once by two claims of the process that may resume it', async () => {
    const row = await accepted();
    const asleep = deferred();
    const reached = deferred();
    faults.set('MessageQueued', [
      neverArrives,
      async (write) => {
        reached.resolve();
        await asleep.promise;
        return write();
      },
    ]);
    await failure(row.claim(1));
    const older = row.claim(2);
    await reached.promise;
    await row.claim(3);
    asleep.resolve();
    await older;
    expect(calls).to.equal(1);
    expect(await row.status()).to.equal('succeeded');
  });

  it('that was begun but may not go any more fails, and does not stay in the air', async () => {
    const other = await makeWorld(app, 'Outra');
    const row = await accepted(other);
    faults.set('MessageQueued', [answerIsLost]);
    await failure(row.claim(1));
    await disconnectChannel(app, other, other.channel);
    await row.claim(2);
    expect(calls).to.equal(0);
    expect(await row.status()).to.equal('failed');
    expect(await row.message()).to.equal('failed');
  });

  it('is not made while the account is restricted: it waits when that ends in time', async () => {
    const held = await makeWorld(app, 'Restrita');
    const row = await accepted(held);
    const ends = api.app.clock.now() + 60_000;
    const until = new Date(ends).toISOString();
    await restrictAccount(app, held, 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING', until);
    expect(await row.claim(1)).to.deep.equal({ kind: 'again', at: ends, judged: null });
    expect(await row.status()).to.equal('waiting');
    expect(calls).to.equal(0);
    late = 60_001;
    await row.claim(2);
    expect(calls).to.equal(1);
    expect(await row.events()).to.deep.equal([
      'SendAccepted',
      'SendDeferred',
      'SendAttempted',
      'SendSucceeded',
    ]);
  });

  it('that was begun before the restriction waits too, and is made once', async () => {
    const held = await makeWorld(app, 'Restrita');
    const row = await accepted(held);
    faults.set('MessageQueued', [answerIsLost]);
    await failure(row.claim(1));
    const until = new Date(api.app.clock.now() + 60_000).toISOString();
    await restrictAccount(app, held, 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING', until);
    expect((await row.claim(2)).kind).to.equal('again');
    late = 60_001;
    await row.claim(3);
    expect(calls).to.equal(1);
    expect(await row.status()).to.equal('succeeded');
  });

  it('fails, and says why, while the account is restricted for longer or nobody knows how long', async () => {
    for (const until of [null, new Date(api.app.clock.now() + 86_400_000).toISOString()]) {
      const held = await makeWorld(app, 'Restrita');
      const row = await accepted(held);
      await restrictAccount(app, held, 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING', until);
      expect(await row.claim(1)).to.deep.equal({
        kind: 'done',
        judged: null,
        refused: 'channel_not_connected',
      });
      expect(calls).to.equal(0);
      const { doc } = (await app.readModels.get<OperationDoc>('operations', row.operation))!;
      expect(doc.status).to.equal('failed');
      expect(doc.error?.code).to.equal('channel_not_connected');
      expect(doc.error?.details).to.include({ capability: 'send_text' });
    }
  });

  it('refused for the pace of its recipient holds the next one to them, in whatever process', async () => {
    const row = await accepted();
    answer = () => ({ ...LATER, error: { ...LATER.error, code: 131056 } });
    const first = await row.claim(1);
    if (first.kind !== 'again') throw new Error(`it is ${first.kind}`);
    const opensAt = async (now: number): Promise<number> =>
      conformsAt(await recipientTat(app, row.operation, now), RECIPIENT_PACE);
    expect(await opensAt(app.clock.now())).to.equal(first.at);
    expect(await opensAt(first.at + 1)).to.be.at.most(first.at);
    // Also when the next try would have come after the window, so that the message failed.
    late = app.settings.pacingWindowMs - 500;
    const last = await row.claim(2);
    expect(last.kind).to.equal('done');
    expect(await row.status()).to.equal('failed');
    expect(await opensAt(app.clock.now())).to.be.within(app.clock.now() + 3_000, app.clock.now() + 4_000);
  });

  it('is recorded although the store is away for a while', async () => {
    const row = await accepted();
    faults.set('SendSucceeded', [neverArrives, answerIsLost, neverArrives]);
    faults.set('MessageAccepted', [neverArrives, answerIsLost]);
    await row.claim(1);
    expect(calls).to.equal(1);
    expect(await row.status()).to.equal('succeeded');
    expect(await row.message()).to.equal('sent');
  });

  it('is unknown, never repeated, when its process is to end before its outcome could be recorded', async () => {
    const row = await accepted();
    faults.set('SendSucceeded', [
      async () => {
        late = 60_000;
        return away();
      },
    ]);
    await failure(row.claim(1));
    expect((await row.claim(2)).kind).to.equal('reconcile');
    expect(calls).to.equal(1);
  });

  /** The store is away for several windows from the answer on; in between somebody else finds the row. */
  const awayForWindows = (row: Row): Fault[] => {
    return Array.from({ length: 5 }, (_, n) => async () => {
      late += app.settings.reconcileWindowMs;
      if (n === 1) {
        const step = await row.claim(2, new Map());
        if (step.kind !== 'reconcile') throw new Error(`it is ${step.kind}`);
        const lane = `waits-${row.operation}`;
        const entry = { queue: RECONCILE_QUEUE, id: row.operation, lane, dueAt: step.until, payload: {} };
        await app.dueTimes.schedule([entry]);
      }
      return away();
    });
  };
  const givenUpAt = async (row: Row): Promise<number> => {
    const lanes = await app.dueTimes.lanes(RECONCILE_QUEUE, app.clock.now());
    return lanes.find(({ lane }) => lane === `waits-${row.operation}`)!.nextDueAt;
  };

  it('is recorded by the process that knows its outcome, however long the store is away', async () => {
    const row = await accepted();
    ending = false;
    faults.set('SendSucceeded', awayForWindows(row));
    expect((await row.claim(1)).kind).to.equal('done');
    expect(calls).to.equal(1);
    expect(await row.status()).to.equal('succeeded');
    expect(await row.message()).to.equal('sent');
    // Whoever else waits for a status has not given it up in the meantime.
    expect(await givenUpAt(row)).to.be.greaterThan(app.clock.now());
  });

  it('that was refused for now is made again although others held its outcome for lost', async () => {
    const row = await accepted();
    ending = false;
    answer = () => LATER;
    faults.set('SendPostponed', [
      async () => {
        expect((await row.claim(2, new Map())).kind).to.equal('reconcile');
        return away();
      },
    ]);
    expect((await row.claim(1)).kind).to.equal('again');
    expect(await row.status()).to.equal('waiting');
    answer = () => ACCEPTED;
    await row.claim(3);
    expect(calls).to.equal(2);
    expect(await row.status()).to.equal('succeeded');
  });

  it('whose next try would come too late ends its message too, also when that answer was lost', async () => {
    const row = await accepted();
    answer = () => LATER;
    late = app.settings.pacingWindowMs - 200;
    faults.set('SendFailed', [answerIsLost]);
    expect((await row.claim(1)).kind).to.equal('done');
    expect(await row.status()).to.equal('failed');
    expect(await row.message()).to.equal('failed');
  });
});
