/** How updates become durable: their order, the size of batches, and the effect of a store that fails. */
import { expect } from 'chai';
import type { DueTimes, Settlement } from '../../../ports/due-times.js';
import type { DocumentWrite, ReadModels } from '../../../ports/read-models.js';
import type { DeliveryUpdate } from '../../../workers/webhooks/attempt.js';
import { createRecorder } from '../../../workers/webhooks/recorder.js';
import { deferred } from '../../conformance/support.js';
import { atOnce, manualClock, turns } from '../../support/fakes/manual-clock.js';

const GATHER_MS = 50;
const write = (id: string) => ({ id, doc: null, version: '0000000001' });
const update = (id: string, parts: Partial<DeliveryUpdate> = {}): DeliveryUpdate => ({
  delivery: write(id),
  attempt: write(`${id} attempt`),
  settlement: { queue: 'webhook', id, fence: 1, then: 'done' },
  ...parts,
});

function world() {
  const clock = manualClock();
  const begun = clock.now();
  const asked: string[] = [];
  const errors: unknown[] = [];
  const at: number[] = [];
  let failing = false;
  let effective = (_id: string): boolean => true;
  let refused = (_id: string): boolean => false;
  let written: Promise<unknown> = Promise.resolve();
  const soon = deferred();
  const note = (what: string, ids: readonly string[]): void => void asked.push(`${what}: ${ids.join(' ')}`);
  const recorder = createRecorder({
    dueTimes: {
      async settle(settlements: readonly Settlement[]) {
        await turns(1);
        note(
          'rows',
          settlements.map(({ id }) => id),
        );
        return settlements.map(({ id }) => effective(id));
      },
    } as unknown as DueTimes,
    readModels: {
      async write(collection: string, writes: readonly DocumentWrite[]) {
        at.push(clock.now() - begun);
        await turns(1);
        if (failing) throw new Error('away');
        note(
          collection,
          writes.map(({ id }) => id),
        );
        await written;
        return collection === 'deliveries' ? writes.flatMap(({ id }) => (refused(id) ? id : [])) : [];
      },
      async writeSoon(_collection: string, writes: readonly DocumentWrite[]) {
        if (failing) throw new Error('away');
        note(
          'soon',
          writes.map(({ id }) => id),
        );
        return { refused: writes.flatMap(({ id }) => (refused(id) ? id : [])), durable: soon.promise };
      },
    } as unknown as ReadModels,
    clock,
    gatherMs: GATHER_MS,
    onError: (error) => errors.push(error),
  });
  return {
    clock,
    recorder,
    asked,
    errors,
    /** Times of the store calls, since the beginning. */
    at,
    fail: (now: boolean) => void (failing = now),
    effectiveFor: (judge: (id: string) => boolean) => void (effective = judge),
    refuse: (judge: (id: string) => boolean) => void (refused = judge),
    holdWrites: (until: Promise<unknown>) => void (written = until),
    /** What was written soon is durable. */
    makeDurable: () => soon.resolve(),
  };
}

describe('the recorder of webhook attempts', () => {
  it('writes documents before rows, all of one turn together', async () => {
    const w = world();
    const recorded = Promise.all([w.recorder.record(update('a')), w.recorder.record(update('b'))]);
    expect(w.recorder.backlog()).to.equal(2);
    expect(await atOnce(recorded)).to.deep.equal([true, true]);
    expect(w.asked).to.deep.equal(['deliveries: a b', 'delivery_attempts: a attempt b attempt', 'rows: a b']);
    expect(w.recorder.backlog()).to.equal(0);
    await w.clock.advance(0);
    expect(w.clock.pending(), 'nothing is left to do').to.equal(0);
  });

  it('waits with rows until the documents are durable', async () => {
    const w = world();
    const durable = deferred();
    w.holdWrites(durable.promise);
    const recorded = w.recorder.record(update('a'));
    await w.clock.advance(0);
    expect(w.asked).not.to.include('rows: a');
    durable.resolve();
    expect(await atOnce(recorded)).to.equal(true);
    expect(w.asked.filter((line) => line === 'rows: a')).to.have.length(1);
  });

  describe('of rows in memory', () => {
    /** A row in memory; `until` says so until it was moved. */
    function inMemory(id: string, parts: Partial<DeliveryUpdate> = {}) {
      const works: Promise<unknown>[] = [];
      const row = { moved: false, works };
      const until = (work?: Promise<unknown>): boolean => {
        if (!row.moved && work) works.push(work);
        return !row.moved;
      };
      return { row, update: update(id, { attempt: null, until, ...parts }) };
    }

    it('ends the row before the document is durable, which its topic waits for', async () => {
      const w = world();
      const a = inMemory('a');
      expect(await atOnce(w.recorder.record(a.update))).to.equal(true);
      expect(w.asked).to.deep.equal(['soon: a', 'rows: a']);
      let durable = false;
      void Promise.all(a.row.works).then(() => (durable = true));
      await turns();
      expect([a.row.works.length, durable]).to.deep.equal([1, false]);
      w.makeDurable();
      await turns();
      expect(durable).to.equal(true);
    });

    it('writes at once what concerns a row that the store has by now, in the same batch', async () => {
      const w = world();
      const [a, b] = [inMemory('a'), inMemory('b')];
      b.row.moved = true;
      const recorded = [a.update, b.update, update('c', { attempt: null })].map((one) =>
        w.recorder.record(one),
      );
      expect(await atOnce(Promise.all(recorded))).to.deep.equal([true, true, true]);
      expect(w.asked).to.deep.equal(['soon: a', 'deliveries: b c', 'rows: a b c']);
      expect(b.row.works).to.deep.equal([]);
    });

    it('keeps the row until the document is durable where it is moved meanwhile', async () => {
      const w = world();
      let asked = 0;
      const until = (): boolean => (asked += 1) === 1;
      const recorded = w.recorder.record(update('a', { attempt: null, until }));
      await w.clock.advance(0);
      expect(w.asked).to.deep.equal(['soon: a']);
      w.makeDurable();
      expect(await atOnce(recorded)).to.equal(true);
      expect(w.asked).to.deep.equal(['soon: a', 'rows: a']);
    });

    it('writes the attempt that a refused delivery contains on its own', async () => {
      const w = world();
      w.refuse(() => true);
      await atOnce(w.recorder.record(inMemory('a', { contained: write('a contained') }).update));
      expect(w.asked).to.deep.equal(['soon: a', 'delivery_attempts: a contained', 'rows: a']);
    });
  });

  it('writes no document where there is none', async () => {
    const w = world();
    await atOnce(w.recorder.record(update('a', { delivery: null, attempt: null })));
    expect(w.asked).to.deep.equal(['rows: a']);
  });

  it('writes the attempt that a delivery contains on its own where another holder recorded the delivery first', async () => {
    const w = world();
    w.refuse((id) => id !== 'a');
    const delivered = (id: string) => update(id, { attempt: null, contained: write(`${id} contained`) });
    await atOnce(
      Promise.all([...['a', 'b'].map(delivered), update('c')].map((one) => w.recorder.record(one))),
    );
    expect(w.asked).to.deep.equal([
      'deliveries: a b c',
      'delivery_attempts: c attempt',
      'delivery_attempts: b contained',
      'rows: a b c',
    ]);
  });

  it('says of each whether its row was still its own', async () => {
    const w = world();
    w.effectiveFor((id) => id !== 'b');
    const recorded = ['a', 'b', 'c'].map((id) => w.recorder.record(update(id)));
    expect(await atOnce(Promise.all(recorded))).to.deep.equal([true, false, true]);
  });

  it('takes 64 at once, and a second 64 without a wait; fewer are gathered', async () => {
    const w = world();
    const ids = Array.from({ length: 130 }, (_, n) => `d${n}`);
    const recorded = Promise.all(ids.map((id) => w.recorder.record(update(id, { attempt: null }))));
    await w.clock.advance(GATHER_MS);
    await atOnce(recorded);
    const batches = w.asked
      .filter((line) => line.startsWith('rows'))
      .map((line) => line.split(' ').length - 1);
    expect(batches).to.deep.equal([64, 64, 2]);
    expect(w.at).to.deep.equal([0, 0, GATHER_MS]);
  });

  for (const [count, expected] of [
    [64, [64]],
    [128, [64, 64]],
  ] as const) {
    it(`takes ${count} without a wait and without an empty batch`, async () => {
      const w = world();
      const ids = Array.from({ length: count }, (_, n) => `d${n}`);
      await atOnce(Promise.all(ids.map((id) => w.recorder.record(update(id, { attempt: null })))));
      await w.clock.advance(GATHER_MS);
      const batches = w.asked
        .filter((line) => line.startsWith('rows'))
        .map((line) => line.split(' ').filter((word) => word.startsWith('d')).length);
      expect(batches).to.deep.equal(expected);
      expect(w.at).to.deep.equal(expected.map(() => 0));
    });
  }

  it('does not wait for what comes once the time to gather has passed', async () => {
    const w = world();
    await atOnce(w.recorder.record(update('a')));
    await w.clock.advance(GATHER_MS);
    expect(await atOnce(w.recorder.record(update('b')))).to.equal(true);
  });

  it('begins with the shortest pause again when a store fails between two batches', async () => {
    const w = world();
    w.fail(true);
    const ids = Array.from({ length: 128 }, (_, n) => `d${n}`);
    const recorded = Promise.all(ids.map((id) => w.recorder.record(update(id, { attempt: null }))));
    await w.clock.advance(300);
    w.effectiveFor((id) => {
      if (id === 'd0') w.fail(true);
      return true;
    });
    w.fail(false);
    await w.clock.advance(400);
    w.fail(false);
    await w.clock.advance(100);
    await atOnce(recorded);
    expect(w.at).to.deep.equal([0, 100, 300, 700, 700, 800]);
  });

  it('gathers what comes soon after a batch', async () => {
    const w = world();
    await atOnce(w.recorder.record(update('a', { attempt: null })));
    await w.clock.advance(10);
    const second = w.recorder.record(update('b', { attempt: null }));
    await w.clock.advance(GATHER_MS - 11);
    const third = w.recorder.record(update('c', { attempt: null }));
    expect(w.at).to.deep.equal([0]);
    await w.clock.advance(1);
    expect(await atOnce(Promise.all([second, third]))).to.deep.equal([true, true]);
    expect(w.at).to.deep.equal([0, GATHER_MS]);
    expect(w.asked.slice(-2)).to.deep.equal(['deliveries: b c', 'rows: b c']);
  });

  it('asks a store that fails again, after longer and longer, and soon again once it was back', async () => {
    const w = world();
    w.fail(true);
    const recorded = w.recorder.record(update('a', { attempt: null }));
    await w.clock.advance(20_000);
    expect(w.at).to.deep.equal([0, 100, 300, 700, 1_500, 3_100, 6_300, 11_300, 16_300]);
    expect(w.errors).to.have.length(9);
    expect(w.recorder.backlog()).to.equal(1);
    w.fail(false);
    await w.clock.advance(5_000);
    expect(await atOnce(recorded)).to.equal(true);
    w.at.length = 0;
    w.fail(true);
    const next = w.recorder.record(update('b', { attempt: null }));
    await w.clock.advance(150);
    w.fail(false);
    await w.clock.advance(1_000);
    expect(await atOnce(next)).to.equal(true);
    expect(w.at[1]! - w.at[0]!).to.equal(100);
  });

  it('leaves to others what a store does not take once it is let go', async () => {
    const w = world();
    w.fail(true);
    const recorded = [w.recorder.record(update('a')), w.recorder.record(update('b'))];
    await w.clock.advance(20_000);
    w.recorder.letGo();
    expect(await atOnce(Promise.all(recorded))).to.deep.equal([false, false]);
    expect(w.recorder.backlog()).to.equal(0);
    expect(w.asked).to.deep.equal([]);
  });

  it('still records what a store takes after it was let go', async () => {
    const w = world();
    w.recorder.letGo();
    expect(await atOnce(w.recorder.record(update('a')))).to.equal(true);
  });
});
