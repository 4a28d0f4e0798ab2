import { expect } from 'chai';
import { createLeases } from '../../../adapters/embedded/leases.js';
import type { App } from '../../../application/app.js';
import { laneName, sendEntry, type Urgency } from '../../../application/send/queue.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { initialChannelControls, type Stopped } from '../../../domain/channel-controls/state.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { createBegunAttempts } from '../../../workers/sending/begun.js';
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
  /** Sends whose operations were never accepted: such a row is settled as soon as it is checked. */
  function world({ heard = false } = {}) {
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
        if (aggregate !== operationAggregate)
          return { state: { ...initialChannelControls, stopped: store.stopped } };
        store.looks += 1;
        await store.answers;
        return { state: { ...operationAggregate.initial, accepted: null } };
      },
      recall: async () => ({ state: operationAggregate.initial }),
      over: (): unknown => executor,
    };
    const app = {
      clock,
      logger: { ...silentLogger, warn: say, error: say },
      leases: createLeases(),
      readModels: { get: async () => undefined },
      barrier: fakeBarrier(),
      executor,
      store: {},
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
        // Another process schedules, unless a test says otherwise: this process is not notified.
        onScheduled: (...args: Parameters<typeof inner.onScheduled>) =>
          heard ? inner.onScheduled(...args) : () => undefined,
      },
      settings: {
        pacingWindowMs: WINDOW_MS,
        providerTimeoutMs: TIMEOUT_MS,
        channelRate: 60,
        paceRecipients: false,
      },
    } as unknown as App;
    const accept = (id: string, inMs = 0, urgency: Urgency = 'service') =>
      inner.schedule([
        sendEntry(id, laneName(CHANNEL, urgency), clock.now() + inMs, {
          correlation_id: id,
          event_id: id,
          company: 'x',
          subject: id,
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

  it('begins at once with what this process scheduled, and when it is due', async () => {
    const w = world({ heard: true });
    const dispatcher = await startSendDispatcher(w.app);
    await w.accept('first');
    await w.clock.advance(0);
    expect(w.waiting()).to.deep.equal([]);
    await w.accept('later', 300);
    await w.app.dueTimes.schedule([
      { queue: 'other', id: 'x', lane: LANE, dueAt: w.clock.now(), payload: {} },
    ]);
    await w.clock.advance(299);
    expect(w.waiting()).to.deep.equal(['later']);
    await w.clock.advance(1);
    expect(w.waiting()).to.deep.equal([]);
    await dispatcher.stop();
    expect(w.clock.pending()).to.equal(0);
  });

  it('sends no faster than the channel may, marketing among the rest', async () => {
    const w = world({ heard: true });
    const dispatcher = await startSendDispatcher(w.app);
    for (let n = 0; n < 60; n += 1) await w.accept(`s${n}`, 0, n % 2 === 0 ? 'service' : 'marketing');
    await w.clock.advance(500);
    // At first 20 per second: a tenth of them at once, then one every 50 ms. One in ten is marketing.
    expect(60 - w.waiting().length).to.equal(12);
    expect(w.waiting().filter((id) => Number(id.slice(1)) % 2 === 1)).to.have.length(29);
    await w.clock.advance(2_500);
    expect(w.waiting()).to.deep.equal([]);
    await dispatcher.stop();
  });

  it('has no more under way than it may, and goes on as soon as one has ended', async () => {
    const w = world({ heard: true });
    const slow = deferred();
    w.store.answers = slow.promise;
    const dispatcher = await startSendDispatcher(w.app, { maxInFlight: 4 });
    for (let n = 0; n < 10; n += 1) await w.accept(`s${n}`);
    await w.clock.advance(5_000);
    expect(w.rows().filter(({ claims }) => claims > 0)).to.have.length(3);
    slow.resolve();
    await w.clock.advance(900);
    expect(w.waiting()).to.deep.equal([]);
    await dispatcher.stop();
  });

  it('is idle once nothing is under way', async () => {
    const w = world({ heard: true });
    const slow = deferred();
    w.store.answers = slow.promise;
    const dispatcher = await startSendDispatcher(w.app);
    let idle = false;
    const whenIdle = (): void => void dispatcher.idle().then(() => (idle = true));
    whenIdle();
    await w.clock.advance(0);
    expect(idle).to.equal(true);
    idle = false;
    await w.accept('first');
    await w.clock.advance(0);
    whenIdle();
    await w.clock.advance(5_000);
    expect(idle).to.equal(false);
    slow.resolve();
    await w.clock.advance(0);
    expect(idle).to.equal(true);
    await dispatcher.stop();
  });

  it('waits for what is under way when it stops, begins nothing more, and lets go of the channel', async () => {
    const w = world({ heard: true });
    const slow = deferred();
    w.store.answers = slow.promise;
    const dispatcher = await startSendDispatcher(w.app);
    await w.accept('first');
    await w.clock.advance(0);
    let stopped = false;
    void dispatcher.stop().then(() => (stopped = true));
    await w.accept('second');
    await w.clock.advance(60_000);
    expect([stopped, w.store.looks]).to.deep.equal([false, 1]);
    slow.resolve();
    await w.clock.advance(0);
    expect(stopped).to.equal(true);
    expect(w.waiting()).to.deep.equal(['second']);
    expect(await w.app.leases.holders()).to.deep.equal([]);
  });

  describe('says how long a send would wait', () => {
    const MARKETING = laneName(CHANNEL, 'marketing');
    const UNOPENED_MS = 1_000 / 60;
    /** A channel begins with 20 messages per second. */
    const OPENED_MS = 50;

    it('by what waits before it, marketing behind the rest', async () => {
      const w = world();
      const dispatcher = await startSendDispatcher(w.app);
      dispatcher.added(LANE, 3);
      expect(dispatcher.expectedWaitMs(LANE), 'before it is open').to.be.closeTo(3 * UNOPENED_MS, 1e-6);
      await w.clock.advance(0);
      dispatcher.added(MARKETING, 6);
      expect(dispatcher.expectedWaitMs(LANE)).to.be.closeTo(3 * OPENED_MS, 1e-6);
      expect(dispatcher.expectedWaitMs(MARKETING)).to.be.closeTo(9 * OPENED_MS, 1e-6);
      await dispatcher.stop();
    });

    it('by what came within a second where another process has the channel', async () => {
      const w = world();
      await w.app.leases.acquire(`send:${CHANNEL}`);
      const dispatcher = await startSendDispatcher(w.app);
      expect(dispatcher.expectedWaitMs(LANE)).to.equal(0);
      dispatcher.added(LANE, 3);
      await w.clock.advance(1_000);
      dispatcher.added(MARKETING, 2);
      expect(dispatcher.expectedWaitMs(LANE)).to.be.closeTo(5 * UNOPENED_MS, 1e-6);
      await w.clock.advance(1);
      expect(dispatcher.expectedWaitMs(LANE)).to.equal(0);
      await dispatcher.stop();
    });

    it('as the whole window where an operator has stopped the channel', async () => {
      const w = world();
      w.store.stopped = 'marketing';
      const dispatcher = await startSendDispatcher(w.app);
      expect(dispatcher.isStopped(MARKETING), 'not known here').to.equal(false);
      dispatcher.added(LANE, 0);
      await w.clock.advance(0);
      expect([dispatcher.isStopped(LANE), dispatcher.isStopped(MARKETING)]).to.deep.equal([false, true]);
      expect(dispatcher.expectedWaitMs(MARKETING)).to.equal(WINDOW_MS);
      expect(dispatcher.expectedWaitMs(LANE)).to.equal(0);
      await dispatcher.stop();
    });
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
