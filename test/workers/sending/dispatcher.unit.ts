import { expect } from 'chai';
import { createLeases } from '../../../adapters/embedded/leases.js';
import type { App } from '../../../application/app.js';
import { laneName, sendEntry } from '../../../application/send/queue.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { initialSending, type Stopped } from '../../../domain/sending/state.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { createBegunAttempts } from '../../../workers/sending/attempt.js';
import { startSendDispatcher } from '../../../workers/sending/dispatcher.js';
import { deferred } from '../../conformance/support.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';

const WINDOW_MS = 60_000;
const TIMEOUT_MS = 30_000;
const CHANNEL = 'c1';
const LANE = laneName(CHANNEL, 'service');

describe('the dispatcher of sends', () => {
  /** Operations that nobody has accepted: a row of theirs is settled as soon as it is looked at. */
  function world() {
    const clock = manualClock();
    const inner = memoryDueTimes(() => clock.now());
    const store = { stopped: 'nothing' as Stopped, away: false, looks: 0, answers: Promise.resolve() };
    const held: number[] = [];
    const log: string[] = [];
    const say = (_: object, text: string): void => void log.push(text);
    const answer = (): void => {
      if (store.away) throw new StoreUnavailable('gone');
    };
    const executor = {
      async load(aggregate: unknown) {
        if (aggregate !== operationAggregate) return { state: { ...initialSending, stopped: store.stopped } };
        store.looks += 1;
        await store.answers;
        return { state: { ...operationAggregate.initial, accepted: null } };
      },
      over: (): unknown => executor,
    };
    const app = {
      clock,
      logger: { ...silentLogger, warn: say, error: say },
      leases: createLeases(),
      readModels: { get: async () => undefined },
      barrier: fakeBarrier(),
      executor,
      dueTimes: {
        ...inner,
        async lanes(queue: string, now: number) {
          answer();
          return inner.lanes(queue, now);
        },
        async claim(options: Parameters<typeof inner.claim>[0]) {
          answer();
          held.push(options.now + options.leaseMs - clock.now());
          return inner.claim(options);
        },
        // Another process schedules: nobody in this one hears of it.
        onScheduled: () => () => undefined,
      },
      settings: {
        pacingWindowMs: WINDOW_MS,
        providerTimeoutMs: TIMEOUT_MS,
        channelRate: 60,
        paceRecipients: false,
      },
    } as unknown as App;
    const accept = (id: string) =>
      inner.schedule([
        sendEntry(id, LANE, clock.now(), {
          correlation_id: id,
          event_id: id,
          company: 'x',
          subject: 's',
          deadline: clock.now() + WINDOW_MS,
        }),
      ]);
    const rows = () => inner.rows('send');
    const waiting = (): readonly string[] => rows().map(({ id }) => id);
    return { app, clock, store, held, log, accept, rows, waiting };
  }

  it('ends in time what another process scheduled for a channel that is stopped, and lets go on what may', async () => {
    const w = world();
    const dispatcher = await startSendDispatcher(w.app);
    await w.accept('first');
    await w.clock.advance(2_000);
    expect(w.waiting()).to.deep.equal([]);
    w.store.stopped = 'everything';
    await w.clock.advance(2_000);
    await w.accept('old');
    await w.clock.advance(WINDOW_MS - 5_000);
    await w.accept('young');
    expect(w.waiting()).to.deep.equal(['old', 'young']);
    w.held.length = 0;
    await w.clock.advance(8_000);
    expect(w.waiting()).to.deep.equal(['young']);
    expect(
      w.held.every((ms) => ms >= TIMEOUT_MS),
      `held for ${w.held.join()}`,
    ).to.equal(true);
    w.store.stopped = 'nothing';
    await w.clock.advance(2_000);
    expect(w.waiting()).to.deep.equal([]);
    await dispatcher.stop();
  });

  it('keeps a row whose claim ran out for the work that is under way, and settles it as it is held then', async () => {
    const w = world();
    const slow = deferred();
    w.store.answers = slow.promise;
    const dispatcher = await startSendDispatcher(w.app);
    await w.accept('first');
    await w.clock.advance(4 * WINDOW_MS);
    const [row] = w.rows();
    expect(row!.claims).to.be.greaterThan(2);
    expect(w.store.looks).to.equal(1);
    slow.resolve();
    await w.clock.advance(0);
    expect(w.waiting()).to.deep.equal([]);
    expect(w.store.looks).to.equal(1);
    await dispatcher.stop();
  });

  it('tells of due times that are away once a minute at most, and goes on when they are back', async () => {
    const w = world();
    const dispatcher = await startSendDispatcher(w.app);
    await w.accept('first');
    await w.clock.advance(2_000);
    w.store.away = true;
    await w.accept('second');
    await w.clock.advance(170_000);
    expect(w.log).to.deep.equal(new Array(3).fill('looking for due sends failed; it is tried again'));
    w.store.away = false;
    await w.clock.advance(2_000);
    expect(w.waiting()).to.deep.equal([]);
    expect(w.log.slice(3)).to.deep.equal(['looking for due sends works again']);
    await dispatcher.stop();
  });
});

describe('attempts that a process remembers to have begun', () => {
  it('are not remembered without end', () => {
    const begun = createBegunAttempts();
    for (let n = 0; n <= 10_000; n += 1) begun.set(`operation-${n}`, `event-${n}`);
    expect(begun.get('operation-0')).to.equal(undefined);
    expect(begun.get('operation-1')).to.equal('event-1');
    expect(begun.get('operation-10000')).to.equal('event-10000');
  });
});
