/**
 * The order in which the dispatcher sends, and the rows that it keeps or gives back when it loses a channel or stops.
 */
import { expect } from 'chai';
import { SEND_QUEUE, sendEntry } from '../../../application/send/queue.js';
import type { SendAsAccepted } from '../../../domain/operation/state.js';
import type { ClaimedEntry } from '../../../ports/due-times.js';
import type { Lease } from '../../../ports/leases.js';
import { startSendDispatcher, type SendDispatcherOptions } from '../../../workers/sending/dispatcher.js';
import { deferred } from '../../conformance/support.js';
import { exampleIds } from '../../support/examples/example.js';
import { accepted } from '../../support/fakes/provider.js';
import { memorySends } from './memory-sends.js';

const CHANNEL = exampleIds.channel;
const ANA = { subject: exampleIds.subject };

describe('the dispatcher, of accepted sends', () => {
  async function world(channelRate = Infinity, options: SendDispatcherOptions = {}) {
    const w = memorySends({ channelRate, pacingWindowMs: 600_000 });
    await w.given.channel();
    const leases: Lease[] = [];
    /** The rows at each release of a lease. */
    const atRelease: (readonly ClaimedEntry[])[] = [];
    const leasing = { ...w.app.leases };
    Object.assign(w.app.leases, {
      acquire: async (name: string) => {
        const lease = await leasing.acquire(name);
        if (lease === null) return null;
        leases.push(lease);
        const held = { ...lease };
        return Object.assign(lease, {
          release: () => {
            atRelease.push(w.dueTimes.rows(SEND_QUEUE).map((row) => ({ ...row })));
            return held.release();
          },
        });
      },
    });
    /** Delays the provider's answers until it resolves. */
    const slow = deferred();
    let slowly = '';
    w.provider.answer = async ({ opaque }) => {
      if (opaque === slowly) await slow.promise;
      return accepted(`wamid.${opaque}`);
    };
    const dispatcher = await startSendDispatcher(w.app, options);
    return {
      ...w,
      leases,
      atRelease,
      dispatcher,
      slow,
      beSlow: (operation: string) => void (slowly = operation),
      async scheduled(operation: string): Promise<void> {
        await w.dueTimes.schedule([
          sendEntry(operation, CHANNEL, w.clock.now(), await w.payloadOf(operation)),
        ]);
      },
      /** Accepts this many sends, one after the other, without scheduling their rows. */
      async accept(count: number, to: Partial<SendAsAccepted> = ANA): Promise<readonly string[]> {
        const operations: string[] = [];
        for (let n = 0; n < count; n += 1) operations.push(await w.given.accepted(to));
        return operations;
      },
      sent: () => w.provider.sent.map(({ opaque }) => opaque),
      rows: () => w.dueTimes.rows(SEND_QUEUE),
      held: async () => (await w.app.leases.holders()).length,
    };
  }

  it('sends to one person one after the other, as they were accepted, and to others meanwhile', async () => {
    const w = await world();
    const [first, second, third] = await w.accept(3);
    const other = await w.given.accepted();
    w.beSlow(first!);
    for (const operation of [first!, second!, third!, other]) await w.scheduled(operation);
    await w.clock.advance(0);
    expect(w.sent()).to.deep.equal([first, other]);
    w.slow.resolve();
    await w.clock.advance(0);
    expect(w.sent()).to.deep.equal([first, other, second, third]);
    expect(w.rows()).to.deep.equal([]);
    await w.dispatcher.stop();
  });

  it('sends what waited for its person before others, as soon as the channel may', async () => {
    const w = await world(3);
    const [first, second] = await w.accept(2);
    w.beSlow(first!);
    for (const operation of [first!, second!]) await w.scheduled(operation);
    await w.clock.advance(2_000);
    expect(w.sent()).to.deep.equal([first]);
    const others = [await w.given.accepted(), await w.given.accepted(), await w.given.accepted()];
    for (const operation of others) await w.scheduled(operation);
    w.slow.resolve();
    await w.clock.advance(20_000);
    expect(w.sent().indexOf(second!), w.sent().join()).to.be.at.most(2);
    expect(w.sent()).to.have.length(5);
    await w.dispatcher.stop();
  });

  it('gives back what waits behind another one as soon as the channel is no longer its own', async () => {
    const w = await world();
    const [first, second] = await w.accept(2);
    w.beSlow(first!);
    for (const operation of [first!, second!]) await w.scheduled(operation);
    await w.clock.advance(0);
    const { dueAt } = w.rowOf(second!)!;
    expect(w.rowOf(second!)).to.include({ claims: 1 }).and.not.include({ heldUntil: 0 });
    w.app.leases.acquire = async () => null;
    await w.leases[0]!.release();
    await w.clock.advance(0);
    expect(w.rowOf(second!)).to.include({ heldUntil: 0, dueAt });
    w.slow.resolve();
    await w.clock.advance(0);
    expect(w.rowOf(first!)).to.equal(undefined);
    await w.dispatcher.stop();
  });

  describe('a channel that is lost in the middle of a call, and had again at once,', () => {
    /** The first of three sends to one person is under way, and the channel was lost and acquired again since. */
    async function hadAgain() {
      const w = await world();
      const operations = await w.accept(3);
      w.beSlow(operations[0]!);
      await w.scheduled(operations[0]!);
      await w.scheduled(operations[1]!);
      await w.clock.advance(0);
      await w.leases[0]!.release();
      await w.clock.advance(0);
      await w.clock.advance(1_000);
      expect(w.leases, 'taken again').to.have.length(2);
      await w.scheduled(operations[2]!);
      await w.clock.advance(0);
      return { ...w, operations };
    }

    it('sends the next to the same person once the call has ended, and others meanwhile', async () => {
      const w = await hadAgain();
      const other = await w.given.accepted();
      await w.scheduled(other);
      await w.clock.advance(0);
      expect(w.sent()).to.deep.equal([w.operations[0], other]);
      w.slow.resolve();
      await w.clock.advance(0);
      expect(w.sent()).to.deep.equal([w.operations[0], other, w.operations[1], w.operations[2]]);
      expect(w.rows()).to.deep.equal([]);
      await w.dispatcher.stop();
    });

    it('gives back the rows behind the call where the channel is lost again', async () => {
      const w = await hadAgain();
      w.app.leases.acquire = async () => null;
      await w.leases[1]!.release();
      await w.clock.advance(0);
      for (const operation of w.operations.slice(1)) expect(w.rowOf(operation)).to.include({ heldUntil: 0 });
      w.slow.resolve();
      await w.clock.advance(5_000);
      expect(w.sent()).to.deep.equal([w.operations[0]]);
      await w.dispatcher.stop();
    });
  });

  it('gives back what is ready and waits for the pace when it stops, and begins nothing more', async () => {
    const w = await world(1);
    const [first, second] = await w.accept(2);
    w.beSlow(first!);
    for (const operation of [first!, second!]) await w.scheduled(operation);
    await w.clock.advance(5_000);
    for (const operation of await w.accept(1, {})) await w.scheduled(operation);
    await w.clock.advance(0);
    w.slow.resolve();
    await w.clock.advance(0);
    expect(w.sent()).to.have.length(2);
    expect(w.rowOf(second!)).to.not.include({ heldUntil: 0 });
    let stopped = false;
    void w.dispatcher.stop().then(() => (stopped = true));
    await w.clock.advance(0);
    expect([stopped, w.rowOf(second!)!.claims, await w.held()]).to.deep.equal([true, 1, 0]);
    const before = w.atRelease[0]!.find(({ id }) => id === second);
    expect(before, 'before others may have the channel').to.include({ heldUntil: 0 });
    await w.clock.advance(60_000);
    expect([w.sent().length, w.clock.pending()]).to.deep.equal([2, 0]);
  });

  it('looks no more once it has stopped, also where it was just looking', async () => {
    const w = await world();
    const looking = deferred();
    const inner = { ...w.dueTimes };
    w.dueTimes.lanes = async (queue, now) => {
      await looking.promise;
      return inner.lanes(queue, now);
    };
    await w.clock.advance(1_000);
    let stopped = false;
    void w.dispatcher.stop().then(() => (stopped = true));
    looking.resolve();
    await w.clock.advance(0);
    expect([stopped, w.clock.pending()]).to.deep.equal([true, 0]);
  });

  it('takes at once what was scheduled while it claimed', async () => {
    const w = await world();
    const [first, second] = [await w.given.accepted(), await w.given.accepted()];
    const claimed = deferred();
    const inner = { ...w.dueTimes };
    w.dueTimes.claim = async (options) => {
      const rows = await inner.claim(options);
      await claimed.promise;
      return rows;
    };
    await w.scheduled(first);
    await w.clock.advance(0);
    await w.scheduled(second);
    claimed.resolve();
    await w.clock.advance(0);
    expect(w.sent()).to.deep.equal([first, second]);
    await w.dispatcher.stop();
  });

  it('keeps the channel while it works off what was scheduled here, however long that takes', async () => {
    const w = await world(3);
    for (const operation of await w.accept(40, {})) {
      await w.scheduled(operation);
      w.dispatcher.added(CHANNEL, 1);
    }
    for (let seconds = 0; seconds < 14; seconds += 1) {
      await w.clock.advance(1_000);
      expect(await w.held(), `after ${seconds} s`).to.equal(1);
    }
    expect(w.rows().length, 'it is not through yet').to.be.above(5);
    await w.dispatcher.stop();
  });

  it('lets the channel go whose work another process schedules', async () => {
    const w = await world(3);
    await w.dispatcher.stop();
    w.dueTimes.onScheduled = () => () => undefined;
    const dispatcher = await startSendDispatcher(w.app);
    await w.scheduled(await w.given.accepted());
    await w.clock.advance(2_000);
    expect([w.sent().length, await w.held()]).to.deep.equal([1, 1]);
    let kept = 0;
    for (let seconds = 0; seconds < 11; seconds += 1) {
      await w.scheduled(await w.given.accepted());
      await w.clock.advance(1_000);
      kept += await w.held();
    }
    expect(kept).to.be.within(7, 10);
    await dispatcher.stop();
  });

  it('lets a channel go once its calls have ended, and begins none until then', async () => {
    const w = await world(3);
    await w.dispatcher.stop();
    w.dueTimes.onScheduled = () => () => undefined;
    const dispatcher = await startSendDispatcher(w.app);
    const [first, second] = await w.accept(2);
    const [other, late] = await w.accept(2, {});
    w.beSlow(first!);
    await w.scheduled(first!);
    await w.clock.advance(12_000);
    await w.scheduled(other!);
    await w.clock.advance(2_000);
    for (const operation of [second!, late!]) await w.scheduled(operation);
    await w.clock.advance(5_000);
    expect([w.sent(), await w.held()], 'no call more').to.deep.equal([[first, other], 1]);
    w.slow.resolve();
    await w.clock.advance(1_000);
    expect([w.sent(), await w.held()]).to.deep.equal([[first, other], 0]);
    await w.clock.advance(4_000);
    expect(w.sent(), 'had again, as nobody else took it').to.deep.equal([first, other, second, late]);
    await dispatcher.stop();
  });

  it('lets the channel go although it is not through, once another process schedules for it', async () => {
    const w = await world(3);
    await w.dispatcher.stop();
    w.dueTimes.onScheduled = () => () => undefined;
    for (const operation of await w.accept(40, {})) await w.scheduled(operation);
    const dispatcher = await startSendDispatcher(w.app);
    await w.clock.advance(2_000);
    const marketing = await w.given.accepted();
    await w.dueTimes.schedule([
      sendEntry(marketing, `${CHANNEL}/marketing`, w.clock.now(), await w.payloadOf(marketing)),
    ]);
    await w.clock.advance(7_000);
    expect([w.sent().includes(marketing), await w.held()]).to.deep.equal([true, 1]);
    await w.clock.advance(2_000);
    expect([await w.held(), w.rows().length > 5]).to.deep.equal([0, true]);
    await dispatcher.stop();
  });

  it('keeps a channel for which something is accepted here, whoever writes down the rows', async () => {
    const w = await world();
    for (let seconds = 0; seconds < 13; seconds += 1) {
      w.dispatcher.added(CHANNEL, 0);
      await w.clock.advance(1_000);
    }
    expect([w.leases.length, await w.held()]).to.deep.equal([1, 1]);
    await w.dispatcher.stop();
  });

  it('says what became of each, to who wants to know', async () => {
    const steps: string[] = [];
    const w = await world(Infinity, {
      onStep: ({ kind }, { event_id }) => void steps.push(`${kind} ${event_id}`),
    });
    const operation = await w.given.accepted();
    await w.scheduled(operation);
    await w.clock.advance(0);
    expect(steps).to.deep.equal([`done ${(await w.payloadOf(operation)).event_id}`]);
    await w.dispatcher.stop();
  });
});
