/** The handling of a batch by a consumer: the outcome that it reports for each message, and the order of messages. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { NotYet, StoreUnavailable } from '../../../ports/event-store.js';
import { ReadModelBehind } from '../../../ports/read-models.js';
import type { ConsumeOptions, TopicMessage } from '../../../ports/topics.js';
import { parkedMessages } from '../../../read-models/parked-messages.js';
import {
  handled,
  skipped,
  startWorker,
  WAITS_FOR_A_STORE,
  type Outcome,
  type WorkerOptions,
} from '../../../workers/kernel/consumer.js';
import { deferred, failure } from '../../conformance/support.js';
import { collectingLogger } from '../../support/app.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryReadModels } from '../../support/memory/read-models.js';
import { soon } from '../../support/soon.js';

const message = (event_id: string, key = 'k'): TopicMessage => ({
  topic: 't',
  key,
  value: { event_id, stream: `stream of ${event_id}`, correlation_id: `trace of ${event_id}` },
  offset: '0:1',
});
const later = (delayMs: number): Outcome => ({ kind: 'later', delayMs, reason: 'not yet' });

describe('messages of a topic', () => {
  function world(
    handle: (event: string, tries: number) => Promise<Outcome>,
    options: Partial<WorkerOptions> = {},
  ) {
    const clock = manualClock();
    const dueTimes = memoryDueTimes(() => clock.now());
    const readModels = memoryReadModels();
    const { logger, log } = collectingLogger();
    const begun = clock.now();
    const tried: string[] = [];
    const outcomes: string[] = [];
    const calls: string[] = [];
    let asked: ConsumeOptions | undefined;
    const topics = {
      consume(wanted: ConsumeOptions) {
        asked = wanted;
        return {
          stop: async () => void calls.push('stop'),
          lag: async () => 7,
          caughtUp: async () => void calls.push('caught up'),
        };
      },
    };
    const app = { clock, dueTimes, readModels, logger, topics } as unknown as App;
    const worker = startWorker(app, {
      topic: 't',
      group: 'g',
      maxTries: 3,
      handle: (value, tries) => {
        const event = String(value['event_id']);
        tried.push(`${event} ${tries} at ${(clock.now() - begun) / 1_000}`);
        return handle(event, tries);
      },
      onOutcome: (group, kind) => outcomes.push(`${group} ${kind}`),
      ...options,
    });
    return {
      clock,
      dueTimes,
      log,
      tried,
      outcomes,
      calls,
      worker,
      asked: () => asked!,
      hand: (...batch: readonly TopicMessage[]) => asked!.handle(batch),
      /** Delivers the batch again while it fails, as a topic does. @returns how often it failed */
      async deliver(...batch: readonly TopicMessage[]) {
        let failed = 0;
        while (
          !(await asked!.handle(batch).then(
            () => true,
            () => false,
          ))
        )
          failed += 1;
        return failed;
      },
      parked: () => [...readModels.all(parkedMessages.name).values()].map(({ doc }) => doc),
      rows: () => dueTimes.rows('retry:g'),
      says: () => log.map(({ level, message: said }) => `${level}: ${said}`),
    };
  }

  it('are asked for by topic and group, as many at once as is said', async () => {
    const plain = world(async () => handled);
    expect(plain.asked()).to.include({ topic: 't', group: 'g' });
    expect(plain.asked()).not.to.have.property('maxBatch');
    const few = world(async () => handled, { maxBatch: 5 });
    expect(few.asked()).to.include({ maxBatch: 5 });
    expect([await few.worker.lag(), few.calls]).to.deep.equal([7, []]);
    await soon(few.worker.caughtUp());
    expect(few.calls).to.deep.equal(['caught up']);
    await Promise.all([soon(plain.worker.stop()), soon(few.worker.stop())]);
    expect(few.calls).to.deep.equal(['caught up', 'stop']);
    expect(few.clock.pending()).to.equal(0);
  });

  it('are handled side by side, those of one key in their order', async () => {
    const gates = new Map(['a1', 'a2', 'b1'].map((event) => [event, deferred<Outcome>()]));
    const w = world((event) => gates.get(event)!.promise);
    let done = false;
    const batch = w
      .hand(message('a1', 'a'), message('b1', 'b'), message('a2', 'a'))
      .then(() => (done = true));
    await turns();
    expect(w.tried).to.deep.equal(['a1 1 at 0', 'b1 1 at 0']);
    gates.get('b1')!.resolve(skipped);
    gates.get('a1')!.resolve(handled);
    await turns();
    expect([w.tried.at(-1), done]).to.deep.equal(['a2 1 at 0', false]);
    gates.get('a2')!.resolve(handled);
    await soon(batch);
    expect(w.outcomes).to.have.members(['g handled', 'g handled', 'g skipped']);
    expect([w.rows(), w.log]).to.deep.equal([[], []]);
    await soon(w.worker.stop());
  });

  it('are only handed on where that is asked for; what is tried again is handled', async () => {
    const given: string[] = [];
    const handOn = async (batch: readonly TopicMessage[]): Promise<void> => {
      given.push(...batch.map(({ value }) => String(value['event_id'])));
    };
    const w = world(async () => handled, { handOn });
    await w.hand(message('a'), message('b'));
    expect([given, w.tried]).to.deep.equal([['a', 'b'], []]);
    const payload = { value: message('c').value, tries: 1 };
    await w.dueTimes.schedule([{ queue: 'retry:g', id: 'c', lane: 'all', dueAt: w.clock.now(), payload }]);
    await w.clock.advance(1_000);
    expect(w.tried).to.deep.equal(['c 2 at 1']);
    await soon(w.worker.stop());
  });

  it('have the time that they ask for, and are parked with the last reason', async () => {
    const w = world(async () => later(10_000));
    await w.hand(message('a'));
    const [row] = w.rows();
    expect(row).to.deep.include({ id: 'a', lane: 'all', dueAt: w.clock.now() + 10_000 });
    expect(row!.payload).to.deep.equal({ value: message('a').value, tries: 1 });
    expect(await w.worker.retries()).to.equal(1);
    await w.clock.advance(30_000);
    expect(w.tried).to.deep.equal(['a 1 at 0', 'a 2 at 10', 'a 3 at 20']);
    expect(w.outcomes).to.deep.equal(['g later', 'g later', 'g park']);
    expect(w.parked()).to.have.length(1);
    expect(w.parked()[0]).to.deep.include({
      id: 'a',
      group: 'g',
      value: message('a').value,
      reason: 'gave up after 3 tries: not yet',
    });
    expect(w.log.map(({ level, message: said, fields }) => [level, said, fields])).to.deep.equal([
      [
        'warn',
        'message parked',
        { group: 'g', id: 'a', reason: 'gave up after 3 tries: not yet', ...message('a').value },
      ],
    ]);
    expect([w.rows(), await w.worker.retries()]).to.deep.equal([[], 0]);
    await soon(w.worker.stop());
  });

  it('are parked at once where there is no point', async () => {
    const w = world(async () => ({ kind: 'park', reason: 'nothing can be made of it' }));
    await w.hand(message('a'));
    expect(w.parked()[0]).to.include({ reason: 'nothing can be made of it' });
    expect([w.outcomes, w.rows()]).to.deep.equal([['g park'], []]);
    await soon(w.worker.stop());
  });

  it('that fail come back after one second, two, and so on, and the log says why', async () => {
    const fault = new Error('a fault');
    const w = world(() => Promise.reject(fault), { maxTries: 12 });
    await w.hand(message('a'));
    await w.clock.advance(8_000);
    expect(w.tried).to.deep.equal(['a 1 at 0', 'a 2 at 1', 'a 3 at 3', 'a 4 at 7']);
    expect(w.log[1]).to.deep.equal({
      level: 'error',
      message: 'worker failed on a message',
      fields: { err: fault, group: 'g', ...message('a').value, tries: 2 },
    });
    await w.dueTimes.cancel('retry:g', ['a']);
    const payload = { value: message('b').value, tries: 10 };
    await w.dueTimes.schedule([{ queue: 'retry:g', id: 'b', lane: 'all', dueAt: w.clock.now(), payload }]);
    await w.clock.advance(1_000);
    expect(w.rows()[0]!.dueAt - w.clock.now(), 'five minutes at most').to.equal(300_000);
    expect(w.rows()[0]!.payload).to.deep.equal({ value: message('b').value, tries: 11 });
    await soon(w.worker.stop());
  });

  it('that others were faster with are no failure', async () => {
    const w = world(() => Promise.reject(new Refusal('concurrent_update', 'faster')));
    await w.hand(message('a'));
    expect(w.log).to.deep.equal([
      {
        level: 'debug',
        message: 'others wrote to the same stream at the same time; it is tried again',
        fields: { group: 'g', ...message('a').value, tries: 1 },
      },
    ]);
    await soon(w.worker.stop());
  });

  it('that meet an unavailable store make their partition wait: nothing becomes a row, and their key stops', async () => {
    let away = true;
    const gone = new StoreUnavailable('gone');
    const w = world((event) => (event === 'a' && away ? Promise.reject(gone) : Promise.resolve(handled)));
    const batch = [message('a'), message('b'), message('c', 'other')];
    expect(await failure(w.hand(...batch))).to.equal(gone);
    expect([w.tried, w.rows(), w.log]).to.deep.equal([['a 1 at 0', 'c 1 at 0'], [], []]);
    away = false;
    await w.hand(...batch);
    expect(w.tried.slice(2)).to.deep.equal(['a 1 at 0', 'c 1 at 0', 'b 1 at 0']);
    expect([w.rows(), w.parked()]).to.deep.equal([[], []]);
    await soon(w.worker.stop());
  });

  it('that meet an unavailable store end their batch only once the other keys have ended', async () => {
    const slow = deferred<Outcome>();
    const w = world((event) => (event === 'a' ? Promise.reject(new StoreUnavailable('gone')) : slow.promise));
    let ended = false;
    const handing = failure(w.hand(message('a'), message('b', 'other'))).then(() => (ended = true));
    await turns();
    expect(ended).to.equal(false);
    slow.resolve(handled);
    await soon(handing);
    await soon(w.worker.stop());
  });

  it(`that meet an unavailable store ${WAITS_FOR_A_STORE} times become rows, and the others go past them`, async () => {
    const w = world((event) =>
      event === 'a' ? Promise.reject(new StoreUnavailable('gone')) : Promise.resolve(handled),
    );
    const batch = [message('a'), message('b')];
    for (let n = 0; n < WAITS_FOR_A_STORE; n += 1) await failure(w.hand(...batch));
    expect(w.rows()).to.deep.equal([]);
    await w.hand(...batch);
    expect(w.rows().map(({ id }) => id)).to.deep.equal(['a']);
    expect(w.tried.at(-1)).to.equal('b 1 at 0');
    await soon(w.worker.stop());
  });

  for (const [what, error, level, longest, said, times] of [
    ['a store', new StoreUnavailable('gone'), 'warn', 30_000, 'a message waits for a store to come back', 10],
    [
      'a read model',
      new ReadModelBehind(['contacts']),
      'debug',
      15_000,
      'a message waits for a read model',
      0,
    ],
    ['Recado itself', new NotYet('soon'), 'info', 30_000, 'a message waits for other work of Recado', 0],
  ] as const) {
    it(`that wait for ${what} are looked at every ${longest / 1_000} s at least, which is no try`, async () => {
      const w = world(() => Promise.reject(error));
      expect(await w.deliver(message('a'))).to.equal(times);
      const waits: number[] = [];
      for (let n = 0; n < 7; n += 1) {
        const wait = w.rows()[0]!.dueAt - w.clock.now();
        waits.push(wait);
        await w.clock.advance(Math.ceil(wait / 1_000) * 1_000);
      }
      const growing = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000];
      expect(waits).to.deep.equal(growing.map((wait) => Math.min(longest, wait)));
      expect(new Set(w.tried.map((one) => one.split(' ')[1]))).to.deep.equal(new Set(['1']));
      expect(w.rows()[0]!.payload['tries']).to.equal(0);
      expect(w.log[0]).to.deep.equal({
        level,
        message: said,
        fields: { err: error, group: 'g', ...message('a').value },
      });
      expect(w.parked()).to.deep.equal([]);
      await soon(w.worker.stop());
    });
  }

  it('that are tried again are waited for by a stop, and no other is begun', async () => {
    const slow = deferred<Outcome>();
    const w = world(() => slow.promise);
    const row = (id: string) => ({
      queue: 'retry:g',
      id,
      lane: 'all',
      dueAt: w.clock.now(),
      payload: { value: message(id).value, tries: 0 },
    });
    await w.dueTimes.schedule([row('a')]);
    await w.clock.advance(1_000);
    expect(w.tried).to.have.length(1);
    let stopped = false;
    const stopping = w.worker.stop().then(() => (stopped = true));
    await w.dueTimes.schedule([row('b')]);
    await w.clock.advance(5_000);
    expect([stopped, w.tried.length]).to.deep.equal([false, 1]);
    slow.resolve(handled);
    await soon(stopping);
    expect(w.rows().map(({ id }) => id)).to.deep.equal(['b']);
    expect(w.clock.pending()).to.equal(0);
  });

  it('that were claimed in the moment of a stop are put back for others, in their place', async () => {
    const w = world(async () => handled);
    const dueAt = w.clock.now();
    const payload = { value: message('a').value, tries: 0 };
    await w.dueTimes.schedule([{ queue: 'retry:g', id: 'a', lane: 'all', dueAt, payload }]);
    const claimed = deferred();
    const inner = { ...w.dueTimes };
    w.dueTimes.claim = async (wanted) => {
      const entries = await inner.claim(wanted);
      await claimed.promise;
      return entries;
    };
    await w.clock.advance(1_000);
    const stopping = w.worker.stop();
    claimed.resolve();
    await soon(stopping);
    expect(w.tried).to.deep.equal([]);
    expect(w.rows()[0]).to.include({ id: 'a', dueAt });
    const again = { queue: 'retry:g', lane: 'all', now: w.clock.now(), limit: 1, leaseMs: 1 };
    expect(await inner.claim(again)).to.have.length(1);
  });

  it('that the topic does not hand out are missed in the log, once, and that it does again', async () => {
    const w = world(async () => handled);
    for (let n = 0; n < 3; n += 1) w.asked().onError!(new Error('a fault'));
    expect(w.log).to.have.length(1);
    expect(w.log[0]).to.deep.include({
      level: 'error',
      message: 'taking messages from the topic failed; it is tried again',
    });
    expect(w.log[0]!.fields).to.include({ group: 'g' });
    await w.hand(message('a'));
    expect(w.says().at(-1)).to.equal('warn: taking messages from the topic works again');
    await soon(w.worker.stop());
  });
});
