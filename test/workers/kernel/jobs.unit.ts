/** Long work: its slots, the delay before a failed piece is tried again, and when it is given up. */
import { expect } from 'chai';
import type { DueTimes } from '../../../ports/due-times.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { NotYet, StoreUnavailable } from '../../../ports/event-store.js';
import { ReadModelBehind } from '../../../ports/read-models.js';
import { handled, type Outcome } from '../../../workers/kernel/consumer.js';
import { startJobs, waitBefore, type BeforeCall, type JobOptions } from '../../../workers/kernel/jobs.js';
import { deferred } from '../../conformance/support.js';
import { collectingLogger } from '../../support/app.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { soon } from '../../support/soon.js';

const QUEUE = 'work';
const later = (delayMs: number): Outcome => ({ kind: 'later', delayMs, reason: 'not yet' });

/** Limit of checks for work in one test: far more than any test needs. */
const MOST_LOOKS = 1_000;
let looks = 0;

function world(
  handle: (id: string, tries: number, beforeCall: BeforeCall) => Promise<Outcome>,
  options: Partial<JobOptions> = {},
) {
  const clock = manualClock();
  const dueTimes = memoryDueTimes(() => clock.now());
  const inner = { ...dueTimes };
  // A caller that never stops asking waits here forever; the check after the test detects it.
  dueTimes.lanes = (...of) => ((looks += 1) > MOST_LOOKS ? new Promise(() => undefined) : inner.lanes(...of));
  const { logger, log } = collectingLogger();
  const begun = clock.now();
  /** Attempts, with milliseconds since the start. */
  const tried: { readonly id: string; readonly at: number; readonly tries: number }[] = [];
  const givenUp: string[] = [];
  const outcomes: string[] = [];
  const jobs = startJobs(
    { dueTimes, clock, logger },
    {
      queue: QUEUE,
      concurrency: 3,
      perLane: 2,
      leaseMs: 60_000,
      maxTries: 3,
      handle: (payload, tries, beforeCall) => {
        const id = String(payload['id']);
        tried.push({ id, at: clock.now() - begun, tries });
        return handle(id, tries, beforeCall);
      },
      giveUp: async (payload, reason) => void givenUp.push(`${String(payload['id'])}: ${reason}`),
      onOutcome: (group, kind) => outcomes.push(`${group} ${kind}`),
      ...options,
    },
  );
  const add = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) await jobs.add(id[0]!, id, { id });
    await clock.advance(0);
  };
  return { clock, dueTimes, log, jobs, tried, givenUp, outcomes, add };
}

describe('long work', () => {
  beforeEach(() => {
    looks = 0;
  });
  afterEach(() => {
    expect(looks, 'looks for work').to.be.at.most(MOST_LOOKS);
  });

  it('begins at once, and its row ends with it', async () => {
    const w = world(async () => handled);
    await w.add('a1');
    expect(w.tried).to.deep.equal([{ id: 'a1', at: 0, tries: 1 }]);
    expect(w.outcomes).to.deep.equal(['work handled']);
    expect(await w.jobs.count()).to.equal(0);
    expect(w.givenUp).to.deep.equal([]);
    await soon(w.jobs.stop());
  });

  it('begins no call once it stops: it is put back as it was, and nobody is told of a failure', async () => {
    const gate = deferred();
    let calls = 0;
    const w = world(async (_id, _tries, beforeCall) => {
      beforeCall();
      calls += 1;
      await gate.promise;
      beforeCall();
      calls += 1;
      return handled;
    });
    await w.add('a1');
    const [before] = w.dueTimes.rows(QUEUE);
    const stopped = w.jobs.stop();
    gate.resolve();
    await soon(stopped);
    expect(calls).to.equal(1);
    const [after] = w.dueTimes.rows(QUEUE);
    expect(after!.dueAt).to.equal(before!.dueAt);
    expect([w.outcomes, w.givenUp, w.log]).to.deep.equal([[], [], []]);
  });

  it('of another process is found within a second, and not before it is due', async () => {
    const w = world(async () => handled);
    await w.dueTimes.schedule([
      { queue: QUEUE, id: 'a1', lane: 'a', dueAt: w.clock.now() + 2_000, payload: { id: 'a1' } },
      { queue: 'another', id: 'a2', lane: 'a', dueAt: 0, payload: { id: 'a2' } },
    ]);
    await w.clock.advance(1_999);
    expect(w.tried).to.deep.equal([]);
    await w.clock.advance(1);
    expect(w.tried.map(({ id }) => id)).to.deep.equal(['a1']);
    await soon(w.jobs.stop());
  });

  it('that asks for more time has it, and is given up with its last reason', async () => {
    const w = world(async () => later(10_000));
    await w.add('a1');
    await w.clock.advance(60_000);
    expect(w.tried.map(({ at, tries }) => [at, tries])).to.deep.equal([
      [0, 1],
      [10_000, 2],
      [20_000, 3],
    ]);
    expect(w.givenUp).to.deep.equal(['a1: not yet']);
    expect(w.outcomes).to.deep.equal(['work later', 'work later', 'work park']);
    expect(await w.jobs.count()).to.equal(0);
    await soon(w.jobs.stop());
  });

  it('is given up at once where there is no point', async () => {
    const w = world(async () => ({ kind: 'park', reason: 'too large' }));
    await w.add('a1');
    expect(w.givenUp).to.deep.equal(['a1: too large']);
    expect(await w.jobs.count()).to.equal(0);
    await soon(w.jobs.stop());
  });

  it('that fails comes back after longer and longer, and is given up after its last try', async () => {
    const w = world(() => Promise.reject(new Error('a fault')));
    await w.add('a1');
    await w.clock.advance(120_000);
    expect(w.tried.map(({ at }) => at)).to.deep.equal([0, 5_000, 15_000]);
    expect(w.givenUp).to.deep.equal(['a1: given up after 3 tries']);
    expect(w.log.filter(({ message }) => message === 'work failed')).to.have.length(3);
    await soon(w.jobs.stop());
  });

  it('waits five seconds for a store that is away, which is no try', async () => {
    let away = 4;
    const w = world(() => {
      away -= 1;
      return away >= 0 ? Promise.reject(new StoreUnavailable('gone')) : Promise.resolve(handled);
    });
    await w.add('a1');
    await w.clock.advance(60_000);
    expect(w.tried.map(({ at, tries }) => [at, tries])).to.deep.equal(
      [0, 5_000, 10_000, 15_000, 20_000].map((at) => [at, 1]),
    );
    expect(w.outcomes).to.deep.equal(['work handled']);
    expect(w.givenUp).to.deep.equal([]);
    await soon(w.jobs.stop());
  });

  const gone = new StoreUnavailable('gone');
  const yet = new NotYet('soon');
  const fault = new Error('a fault');
  for (const [what, error, lines] of [
    [
      'waits for a store',
      gone,
      [['warn', 'work waits for a store to come back', { err: gone, queue: QUEUE }]],
    ],
    [
      'waits for Recado itself',
      yet,
      [['info', 'work waits for other work of Recado', { err: yet, queue: QUEUE }]],
    ],
    ['waits for a read model', new ReadModelBehind(['contacts']), []],
    [
      'was overtaken by others',
      new Refusal('concurrent_update', 'faster'),
      [
        [
          'debug',
          'others wrote to the same stream at the same time; it is tried again',
          { queue: QUEUE, tries: 1 },
        ],
      ],
    ],
    ['failed', fault, [['error', 'work failed', { err: fault, queue: QUEUE, tries: 1 }]]],
  ] as const) {
    it(`that ${what} says so in the log as that deserves`, async () => {
      const w = world(() => Promise.reject(error));
      await w.add('a1');
      expect(w.log.map(({ level, message, fields }) => [level, message, fields])).to.deep.equal(lines);
      await soon(w.jobs.stop());
    });
  }

  it('of one lane leaves a slot to others, and all slots have an end', async () => {
    const gates = new Map<string, ReturnType<typeof deferred<Outcome>>>();
    const w = world((id) => {
      gates.set(id, deferred<Outcome>());
      return gates.get(id)!.promise;
    });
    const under = (): readonly string[] => [...gates.keys()];
    await w.add('a1', 'a2', 'a3');
    expect(under()).to.deep.equal(['a1', 'a2']);
    await w.add('b1', 'c1');
    expect(under(), 'three at once').to.deep.equal(['a1', 'a2', 'b1']);
    gates.get('a1')!.resolve(handled);
    await w.clock.advance(0);
    expect(under(), 'who has the least under way is next').to.deep.equal(['a1', 'a2', 'b1', 'c1']);
    for (const id of ['a2', 'b1', 'c1']) gates.get(id)!.resolve(handled);
    await w.clock.advance(0);
    expect(under().at(-1)).to.equal('a3');
    gates.get('a3')!.resolve(handled);
    await w.clock.advance(0);
    expect(await w.jobs.count()).to.equal(0);
    await soon(w.jobs.stop());
  });

  it('that is under way is waited for by a stop; nothing else begins', async () => {
    const gate = deferred<Outcome>();
    const w = world(() => gate.promise);
    await w.add('a1');
    let stopped = false;
    const stopping = w.jobs.stop().then(() => (stopped = true));
    await w.add('b1');
    await w.clock.advance(5_000);
    expect([stopped, w.tried.length]).to.deep.equal([false, 1]);
    gate.resolve(handled);
    await soon(stopping);
    expect(w.dueTimes.rows(QUEUE).map(({ id }) => id)).to.deep.equal(['b1']);
    expect(w.clock.pending()).to.equal(0);
  });

  it('that was claimed in the moment of a stop is put back for others, in its place', async () => {
    const w = world(async () => handled);
    const claimed = deferred();
    const store = { ...w.dueTimes };
    const claim: DueTimes['claim'] = (of) => store.claim(of);
    let claims = 0;
    w.dueTimes.claim = async (of) => {
      const entries = await claim(of);
      claims += 1;
      await claimed.promise;
      return entries;
    };
    const dueAt = w.clock.now();
    await w.add('a1');
    expect(claims).to.equal(1);
    const stopping = w.jobs.stop();
    claimed.resolve();
    await soon(stopping);
    expect(w.tried).to.deep.equal([]);
    expect(w.dueTimes.rows(QUEUE)[0]).to.include({ id: 'a1', dueAt });
    expect(await claim({ queue: QUEUE, lane: 'a', now: dueAt, limit: 1, leaseMs: 1 })).to.have.length(1);
  });

  it('whose end can not be settled comes back when its claim runs out', async () => {
    const w = world(async () => handled);
    const store = { ...w.dueTimes };
    w.dueTimes.settle = () => Promise.reject(new Error('no answer'));
    await w.add('a1');
    Object.assign(w.dueTimes, store);
    expect(w.log.map(({ level, message }) => [level, message])).to.deep.equal([
      ['warn', 'work comes back when its claim runs out'],
    ]);
    await w.clock.advance(59_000);
    expect(w.tried).to.have.length(1);
    await w.clock.advance(2_000);
    expect(w.tried).to.have.length(2);
    await soon(w.jobs.stop());
  });

  it('waits five seconds before its second try, and half an hour at most', () => {
    expect([1, 2, 3, 4, 10, 11, 40].map(waitBefore)).to.deep.equal([
      5_000, 5_000, 10_000, 20_000, 1_280_000, 1_800_000, 1_800_000,
    ]);
  });
});
