/** Rows of messages that are written late: never for handled messages, always for unhandled ones. */
import { expect } from 'chai';
import { SENDS } from '../../../application/relay.js';
import { StoreUnavailable, type Position } from '../../../ports/event-store.js';
import type { ConsumeOptions, OpenBatch } from '../../../ports/topics.js';
import { trackedTopics } from '../../../workers/relay/lost-message-sweeper.js';
import { createRows } from '../../../workers/relay/rows.js';
import { deferred, failure } from '../../conformance/support.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';

const QUEUE = 'intent:sends';
const at = (n: number) => String(n).padStart(12, '0') as Position;

function world() {
  const clock = manualClock();
  const stored = memoryDueTimes(() => clock.now());
  const asked: string[] = [];
  const fault: { schedule?: () => Promise<void> | void; cancel?: () => void } = {};
  const dueTimes: Parameters<typeof createRows>[0]['dueTimes'] = {
    async schedule(entries) {
      asked.push(`schedule ${entries.map(({ id }) => id).join()}`);
      await stored.schedule(entries);
      await fault.schedule?.();
    },
    async cancel(queue, ids) {
      fault.cancel?.();
      asked.push(`cancel ${ids.join()}`);
      await stored.cancel(queue, ids);
    },
  };
  const process = () => createRows({ dueTimes, clock });
  const row = (id: string) => ({ queue: QUEUE, id, lane: 'all', dueAt: 1_000, payload: {} });
  return {
    clock,
    asked,
    fault,
    process,
    row,
    there: () => stored.rows(QUEUE).map(({ id }) => id),
  };
}

/** A process past its start, in which rows from before it may exist. */
async function settledProcess(w: ReturnType<typeof world>) {
  const rows = w.process();
  rows.add([], at(0));
  await w.clock.advance(10_000);
  return rows;
}

describe('rows of messages that are published ahead', () => {
  it('are written for what was not handled, up to a place, and not at all for the others', async () => {
    const w = world();
    const rows = await settledProcess(w);
    rows.add([w.row('a'), w.row('b')], at(1));
    rows.add([w.row('c')], at(2));
    await rows.handled(QUEUE, ['a']);
    await rows.keep(at(1));
    expect(w.asked).to.deep.equal(['schedule b']);
    await rows.handled(QUEUE, ['c']);
    await rows.keep(at(2));
    expect(w.asked).to.deep.equal(['schedule b']);
    expect(w.there()).to.deep.equal(['b']);
    await rows.handled(QUEUE, ['b']);
    expect(w.there(), 'it is known to be there: it goes at once').to.deep.equal([]);
  });

  it('go when they were handled while they were written', async () => {
    const w = world();
    const rows = await settledProcess(w);
    rows.add([w.row('a'), w.row('b')], at(1));
    w.fault.schedule = () => rows.handled(QUEUE, ['a']);
    await rows.keep(at(1));
    delete w.fault.schedule;
    await w.clock.advance(10_000);
    expect(w.there()).to.deep.equal(['b']);
    expect(w.clock.pending()).to.equal(0);
  });

  it('are written again when it is not known whether they were, and go when they are handled instead', async () => {
    const w = world();
    const rows = await settledProcess(w);
    rows.add([w.row('a'), w.row('b')], at(1));
    w.fault.schedule = () => {
      throw new StoreUnavailable('no answer');
    };
    expect(await failure(rows.keep(at(1)))).to.be.instanceOf(StoreUnavailable);
    delete w.fault.schedule;
    await rows.handled(QUEUE, ['a']);
    expect(w.there(), 'one of them had been written').to.deep.equal(['b']);
    await rows.keep(at(1));
    expect(w.asked.at(-1)).to.equal('schedule b');
  });

  it('of a life before go too, when their messages are published again and handled', async () => {
    const w = world();
    const before = await settledProcess(w);
    before.add([w.row('a')], at(1));
    await before.keep(at(1));
    const after = w.process();
    after.add([w.row('a')], at(1));
    await after.handled(QUEUE, ['a']);
    expect(w.there()).to.deep.equal([]);
  });

  it('that another process writes are taken away some seconds later, together', async () => {
    const w = world();
    const [relaying, handling] = [await settledProcess(w), w.process()];
    for (const [n, id] of ['a', 'b', 'c'].entries()) {
      relaying.add([w.row(id)], at(n + 1));
      await handling.handled(QUEUE, [id]);
    }
    // The row is written after its message was handled.
    await w.clock.advance(1_000);
    await relaying.keep(at(3));
    await w.clock.advance(2_999);
    expect(w.there()).to.deep.equal(['a', 'b', 'c']);
    await w.clock.advance(1);
    expect(w.there()).to.deep.equal([]);
    expect(w.asked).to.deep.equal(['schedule a,b,c', 'cancel a,b,c']);
    expect(w.clock.pending()).to.equal(0);
  });

  it('are taken away once their store is back, and at the end', async () => {
    const w = world();
    const handling = w.process();
    const relaying = await settledProcess(w);
    relaying.add([w.row('a'), w.row('b')], at(1));
    await relaying.keep(at(1));
    await handling.handled(QUEUE, ['a']);
    w.fault.cancel = () => {
      throw new StoreUnavailable('away');
    };
    await w.clock.advance(10_000);
    await turns();
    delete w.fault.cancel;
    expect(w.there()).to.deep.equal(['a', 'b']);
    await w.clock.advance(10_000);
    expect(w.there()).to.deep.equal(['b']);
    await handling.handled(QUEUE, ['b']);
    await handling.flush();
    expect(w.there()).to.deep.equal([]);
    expect(w.clock.pending()).to.equal(0);
  });

  it('do not gather without end', async () => {
    const w = world();
    const handling = w.process();
    for (let n = 0; n < 10_001; n += 1) await handling.handled(QUEUE, [String(n)]);
    expect(w.asked).to.have.length(1);
    expect(w.clock.pending()).to.equal(0);
  });

  it('that are forgotten are not written: another process relays', async () => {
    const w = world();
    const rows = await settledProcess(w);
    rows.add([w.row('a')], at(1));
    rows.forget();
    await rows.keep(at(1));
    expect(w.asked).to.deep.equal([]);
  });
});

describe('topics whose messages are published ahead', () => {
  function tracked() {
    const w = world();
    const dueTimes = memoryDueTimes(() => w.clock.now());
    const published: string[] = [];
    let options: ConsumeOptions | undefined;
    const topics = trackedTopics(
      {
        publish: async (messages) => void published.push(...messages.map(({ key }) => key)),
        consume(given) {
          options = given;
          return { stop: async () => undefined, lag: async () => 3, caughtUp: async () => undefined };
        },
      },
      { dueTimes, clock: w.clock, overdueMs: 300_000 },
    );
    const message = (id: string) => ({ topic: SENDS, key: id, value: { event_id: id } });
    return {
      ...w,
      topics,
      published,
      message,
      hand: (id: string, open?: OpenBatch) => options!.handle([{ ...message(id), offset: '0:1' }], open),
      there: () => dueTimes.rows(QUEUE).map(({ id, dueAt }) => [id, dueAt - w.clock.now()]),
    };
  }

  it('have a row from `keep` on, due as if it had been written at once, until they are handled', async () => {
    const t = tracked();
    const consumer = t.topics.consume({ topic: SENDS, group: 'g', handle: async () => undefined });
    await t.topics.ahead!.publish([t.message('first')], at(1));
    await t.clock.advance(10_000);
    await t.topics.ahead!.publish([t.message('a'), t.message('b')], at(2));
    expect(t.published).to.deep.equal(['first', 'a', 'b']);
    expect(t.there()).to.deep.equal([]);
    await t.hand('a');
    await t.clock.advance(1_000);
    await t.topics.ahead!.keep(at(2));
    expect(t.there()).to.deep.equal([
      ['first', 289_000],
      ['b', 299_000],
    ]);
    await t.hand('b');
    await t.hand('first');
    expect(t.there()).to.deep.equal([]);
    expect(await consumer.lag()).to.equal(3);
    await consumer.caughtUp();
    await consumer.stop();
  });

  it('keep their row until the work that keeps their batch open has ended', async () => {
    const t = tracked();
    const working = deferred();
    t.topics.consume({
      topic: SENDS,
      group: 'g',
      handle: async (_batch, open) => open!.until(working.promise),
    });
    await t.topics.publish([t.message('a')]);
    const until: Promise<unknown>[] = [];
    await t.hand('a', { until: (work) => void until.push(work) });
    expect(t.there()).to.have.length(1);
    working.resolve();
    await Promise.all(until);
    expect(t.there()).to.deep.equal([]);
  });

  it('keep their row when the handler failed', async () => {
    const t = tracked();
    t.topics.consume({
      topic: SENDS,
      group: 'g',
      handle: async () => {
        throw new Error('not this time');
      },
    });
    await t.topics.ahead!.publish([t.message('a')], at(1));
    await failure(t.hand('a'));
    await t.topics.ahead!.keep(at(1));
    expect(t.there()).to.deep.equal([['a', 300_000]]);
  });

  it('lose their rows at the latest when their consumer stops', async () => {
    const t = tracked();
    const consumer = t.topics.consume({ topic: SENDS, group: 'g', handle: async () => undefined });
    await t.topics.publish([t.message('a')]);
    await t.clock.advance(20_000);
    await t.hand('a');
    expect(t.there()).to.have.length(1);
    await consumer.stop();
    expect(t.there()).to.deep.equal([]);
    expect(t.clock.pending()).to.equal(0);
  });
});
