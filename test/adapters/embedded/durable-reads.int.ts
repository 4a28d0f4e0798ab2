/** What reads see, and when, while a transaction has been executed and is not durable yet. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { openDatabase } from '../../../adapters/embedded/database.js';
import { readsOfChanges } from '../../../adapters/embedded/durable-reads.js';
import { createEventStore } from '../../../adapters/embedded/event-store.js';
import { openWriter } from '../../../adapters/embedded/open-writer.js';
import { createPacker } from '../../../adapters/embedded/packer.js';
import { createReadModels } from '../../../adapters/embedded/read-models.js';
import { positionOf } from '../../../adapters/embedded/records.js';
import { createRunning } from '../../../adapters/embedded/running.js';
import type { RedoTransactions } from '../../../adapters/embedded/transactions.js';
import { systemClock } from '../../../adapters/clock/system.js';
import { START } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { testBox } from '../../conformance/embedded.js';
import { failure, record } from '../../conformance/support.js';
import { openedForEach } from '../../support/opened.js';
import { notes } from './notes.js';

const DISK = Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'write' });

/** The parts of a store. Each transaction is under way until it is concluded, from `hold` on. */
function openParts() {
  const dir = mkdtempSync(join(tmpdir(), 'recado-reads-'));
  const path = join(dir, 'recado.db');
  const db = openDatabase(path);
  let holds = false;
  let conclude: ((error: Error | null) => void) | undefined;
  const nothing = (): void => undefined;
  const transactions: RedoTransactions = {
    perform(work, later) {
      if (conclude) throw new Error('one at a time');
      db.exec('BEGIN IMMEDIATE');
      try {
        work();
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
      const end = (error: Error | null): void => void db.exec(error ? 'ROLLBACK' : 'COMMIT');
      if (!holds) {
        end(null);
        return true;
      }
      conclude = (error) => {
        conclude = undefined;
        end(error);
        later(error);
      };
      return false;
    },
    finish: nothing,
    settle: nothing,
    settleAndCut: nothing,
    settleEach: () => nothing,
    waiting: () => 0,
    logPages: () => undefined,
    onCommitted: nothing,
    close: nothing,
  };
  const packer = createPacker();
  const parts = openWriter(db, transactions, {
    path,
    packer,
    secretBox: testBox,
    clock: systemClock,
    logger: silentLogger,
    limits: undefined,
    freeBytes: () => Infinity,
    onProjectionError: undefined,
    onUnsearchable: nothing,
  });
  const { history, collections, checkpoints, writer, dueTimes } = parts;
  const readDurable = readsOfChanges(writer.underWay);
  const events = createEventStore({
    history,
    writer,
    readDurable,
    clock: systemClock,
    running: createRunning(),
  });
  const models = createReadModels({
    db,
    collections,
    checkpoints,
    writer,
    readDurable,
    durableSoon: () => Promise.resolve(),
  });
  return {
    ...parts,
    events,
    models,
    dueTimes,
    hold: () => void (holds = true),
    /** Resolves once a transaction is under way. */
    async underWay() {
      while (!conclude) await new Promise((resolve) => setImmediate(resolve));
    },
    conclude: (error: Error | null = null) => conclude!(error),
    isUnderWay: () => conclude !== undefined,
    close() {
      packer.close();
      db.close();
      rmSync(dir, { recursive: true });
    },
  };
}

/** Whether a read is answered while the transaction is under way. */
async function answered<T>(read: Promise<T>): Promise<{ readonly value: T } | 'waits'> {
  let outcome: { readonly value: T } | 'waits' = 'waits';
  void read.then((value) => (outcome = { value }));
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
  return outcome;
}

const FIVE = positionOf(5);
const THINGS = { name: 'things', version: 1, indexes: { by_n: ['n'] } };
const OTHERS = { ...THINGS, name: 'others' };
const PEOPLE = {
  name: 'people',
  version: 1,
  indexes: { by_company: ['company'] },
  search: { scope: 'company', words: 'words', orderBy: 'at' },
};
const person = (id: string, word: string, version: number) => ({
  id,
  doc: { company: 'c', words: [word], at: '2026' },
  version: String(version).padStart(4, '0'),
});
const thing = (id: string, n: number) => ({ id, doc: { n }, version: String(n).padStart(4, '0') });
const due = (queue: string, lane: string, id: string) => ({ queue, lane, id, dueAt: 1, payload: {} });
const claimOf = (queue: string, lane: string) => ({ queue, lane, now: 2, limit: 10, leaseMs: 60_000 });

describe('embedded store: reads of the background while a transaction is under way', () => {
  const store = openedForEach(openParts);

  beforeEach(async () => {
    for (const spec of [THINGS, OTHERS, PEOPLE, notes.collection]) store.collections.define(spec);
    await store.writer.submit(() => store.inline.use({ projections: [notes] }));
    await store.models.write('things', [thing('a', 1), thing('b', 1)]);
    await store.models.write('others', [thing('a', 1)]);
    await store.models.write('people', [person('a', 'ana', 1)]);
    await store.events.append('note-1', 'no_stream', [record({ n: 1 }, 'Noted')]);
    store.hold();
  });

  /** Begins work, and resolves with its promise once its transaction is under way. */
  async function begun<T>(work: () => Promise<T>): Promise<{ readonly done: Promise<T> }> {
    const done = work();
    done.catch(() => undefined);
    await store.underWay();
    return { done };
  }

  /** The read waits, and has this value after the transaction. */
  async function waits<T>(read: Promise<T>, end: () => void, value: T): Promise<void> {
    expect(await answered(read)).to.equal('waits');
    end();
    expect(await read).to.deep.equal(value);
  }

  describe('of the history', () => {
    const append = () =>
      store.events.append('note-1', 0, [record({ n: 2 }, 'Noted'), record({ n: 3 }, 'Noted')]);
    const seen = async () => ({
      stream: (await store.events.read('note-1')).length,
      all: (await store.events.readAll({ after: START, limit: 10 })).records.length,
      back: (await store.events.readBack({ before: null, limit: 10 })).records.length,
      head: store.events.sequenceOf(await store.events.head()),
    });

    it('are answered at once, without its events', async () => {
      const { done } = await begun(append);
      expect(await answered(seen())).to.deep.equal({ value: { stream: 1, all: 1, back: 1, head: 1 } });
      store.conclude();
      await done;
      expect(await seen()).to.deep.equal({ stream: 3, all: 3, back: 3, head: 3 });
    });

    it('of a stream that is not in memory neither', async () => {
      const { done } = await begun(() => store.events.append('note-2', 'no_stream', [record({}, 'Noted')]));
      expect(await answered(store.events.read('note-2'))).to.deep.equal({ value: [] });
      store.conclude(DISK);
      await failure(done);
      expect(await store.events.read('note-2')).to.deep.equal([]);
    });
  });

  describe('of documents', () => {
    const idsOf = (n: number) =>
      store.models.find('things', { index: 'by_n', equals: [n], order: 'asc', limit: 10 });

    it('wait where it has written one, and for nothing else', async () => {
      const { done } = await begun(() => store.models.write('things', [thing('a', 2)]));
      expect(await answered(store.models.get('things', 'b'))).to.deep.equal({ value: thing('b', 1) });
      expect(await answered(store.models.get('others', 'a'))).to.deep.equal({ value: thing('a', 1) });
      const found = idsOf(1);
      const both = store.models.getMany('things', ['a', 'b']);
      expect(await answered(found)).to.equal('waits');
      expect(await answered(both)).to.equal('waits');
      await waits(store.models.get('things', 'a'), () => store.conclude(), thing('a', 2));
      await done;
      expect((await found).documents).to.deep.equal([thing('b', 1)]);
      expect(await both).to.deep.equal([thing('a', 2), thing('b', 1)]);
    });

    it('by words, counts and scans wait where it has written one, and for no other collection', async () => {
      const search = (word: string) =>
        store.models
          .search('people', { scope: 'c', prefixes: [word], order: 'asc', limit: 10 })
          .then(({ documents }) => documents.map(({ id }) => id));
      const count = () => store.models.count('people', 'by_company', ['c'], 10);
      const scan = async () =>
        (await store.models.scan('people', { after: null, limit: 10, order: 'asc' })).length;
      const other = await begun(() => store.models.write('things', [thing('a', 2)]));
      expect(await answered(Promise.all([search('a'), count(), scan()]))).to.deep.equal({
        value: [['a'], 1, 1],
      });
      store.conclude();
      await other.done;
      const { done } = await begun(() => store.models.write('people', [person('b', 'ana', 1)]));
      const all = Promise.all([search('a'), count(), scan()]);
      await waits(all, () => store.conclude(), [['a', 'b'], 2, 2]);
      await done;
    });

    it('see nothing of what is taken back', async () => {
      const { done } = await begun(() => store.models.write('things', [thing('a', 2)]));
      await waits(store.models.get('things', 'a'), () => store.conclude(DISK), thing('a', 1));
      await failure(done);
      expect((await idsOf(2)).documents).to.deep.equal([]);
      const next = await begun(() => store.models.write('things', [thing('b', 2)]));
      expect(await answered(store.models.get('things', 'a'))).to.deep.equal({ value: thing('a', 1) });
      store.conclude();
      await next.done;
    });

    it('wait where an inline projection has staged one', async () => {
      const { done } = await begun(() => store.events.append('note-1', 0, [record({ n: 2 }, 'Noted')]));
      expect(await answered(store.models.get('notes', 'note-9'))).to.deep.equal({ value: undefined });
      const read = store.models.get('notes', 'note-1');
      expect(await answered(read)).to.equal('waits');
      store.conclude();
      await done;
      expect((await read)?.doc['n']).to.equal(2);
    });

    it('don’t wait where it moves them into their table', async () => {
      const { durable } = await store.models.writeSoon('things', [thing('a', 2)]);
      await durable;
      const things = store.collections.named('things');
      const { done } = await begun(() => store.writer.submit(() => things.flush()));
      expect(await answered(store.models.get('things', 'a'))).to.deep.equal({ value: thing('a', 2) });
      expect(await answered(idsOf(2).then(({ documents }) => documents))).to.deep.equal({
        value: [thing('a', 2)],
      });
      store.conclude(DISK);
      await failure(done);
      expect(things.unflushed()).to.deep.equal(['a']);
      expect(await store.models.get('things', 'a')).to.deep.equal(thing('a', 2));
    });

    for (const error of [null, DISK]) {
      it(`a newer one is staged when that is ${error ? 'taken back' : 'committed'}, and stays`, async () => {
        await store.models.writeSoon('things', [thing('a', 2)]);
        const things = store.collections.named('things');
        const { done } = await begun(() => store.writer.submit(() => things.flush()));
        const other = store.models.writeSoon('things', [thing('b', 2)]);
        expect(await answered(other)).not.to.equal('waits');
        const same = store.models.writeSoon('things', [thing('a', 3)]);
        expect(await answered(same)).to.equal('waits');
        store.conclude(error);
        await done.catch(() => undefined);
        expect((await same).refused).to.deep.equal([]);
        expect([...things.unflushed()].sort()).to.deep.equal(['a', 'b']);
        expect(await store.models.getMany('things', ['a', 'b'])).to.deep.equal([
          thing('a', 3),
          thing('b', 2),
        ]);
      });
    }
  });

  it('of a position wait where it has set that one', async () => {
    const commit = () =>
      store.models.commit('things', { projection: 'things', from: START, to: FIVE, writes: [] });
    const { done } = await begun(commit);
    expect(await answered(store.models.checkpoint('others'))).to.deep.equal({ value: START });
    await waits(store.models.checkpoint('things'), () => store.conclude(), FIVE);
    await done;
  });

  describe('of due times', () => {
    const scheduled = (...entries: ReturnType<typeof due>[]) =>
      begun(() => store.dueTimes.schedule(entries)).then(async ({ done }) => {
        store.conclude();
        await done;
      });
    const claimed = async (queue: string, lane: string) =>
      (await store.dueTimes.claim(claimOf(queue, lane))).map(({ id }) => id);

    it('wait for rows of their lane, or of any where all count', async () => {
      await scheduled(due('q', 'one', '1'), due('r', 'one', '1'));
      const { done } = await begun(() => store.dueTimes.schedule([due('q', 'two', '2')]));
      expect(await answered(claimed('q', 'one'))).to.deep.equal({ value: ['1'] });
      expect(await answered(store.dueTimes.count('r'))).to.deep.equal({ value: 1 });
      const reads = [
        store.dueTimes.count('q'),
        store.dueTimes.existing('q', ['2']).then((ids) => [...ids]),
        store.dueTimes.lanes('q', 2).then((lanes) => lanes.map(({ lane }) => lane)),
      ];
      for (const read of reads) expect(await answered<unknown>(read)).to.equal('waits');
      await waits(claimed('q', 'two'), () => store.conclude(), ['2']);
      await done;
      expect(await Promise.all<unknown>(reads)).to.deep.equal([2, ['2'], ['two']]);
    });

    it('never give a row that is taken back', async () => {
      const { done } = await begun(() => store.dueTimes.schedule([due('q', 'one', '1')]));
      await waits(claimed('q', 'one'), () => store.conclude(DISK), []);
      await failure(done);
    });

    const changes: Readonly<Record<string, (fence: number) => Promise<unknown>>> = {
      'was put back': (fence) =>
        store.dueTimes.settle([{ queue: 'q', id: '1', fence, then: 'again', dueAt: 1 }]),
      'is settled': (fence) => store.dueTimes.settle([{ queue: 'q', id: '1', fence, then: 'done' }]),
      'is cancelled': () => store.dueTimes.cancel('q', ['1']),
    };
    for (const [what, change] of Object.entries(changes)) {
      it(`wait where a row of the lane ${what}`, async () => {
        await scheduled(due('q', 'one', '1'), due('q', 'one', '2'));
        const [first] = await store.dueTimes.claim({ ...claimOf('q', 'one'), limit: 1 });
        const { done } = await begun(() => change(first!.fence));
        const read = claimed('q', 'one');
        expect(await answered(read)).to.equal('waits');
        store.conclude();
        await done;
        expect(await read).to.deep.equal(what === 'was put back' ? ['1', '2'] : ['2']);
      });
    }

    it('wait where a row is rescheduled', async () => {
      await scheduled({ ...due('q', 'one', '1'), dueAt: 1_000 });
      const { done } = await begun(() => store.dueTimes.reschedule('q', '1', 1));
      await waits(claimed('q', 'one'), () => store.conclude(), ['1']);
      expect(await done).to.equal(true);
    });
  });
});

describe('embedded store: reads of the background at any time', () => {
  it('see what is durable, and nothing else', async () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.tuple(fc.constant('write' as const), id),
      fc.tuple(fc.constant('soon' as const), id),
      fc.tuple(fc.constant('append' as const), id),
      fc.tuple(fc.constant('flush' as const), id),
      fc.tuple(fc.constant('conclude' as const), id),
      fc.tuple(fc.constant('refuse' as const), id),
      fc.tuple(fc.constant('read' as const), id),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const store = openParts();
        try {
          for (const spec of [THINGS, notes.collection]) store.collections.define(spec);
          await store.writer.submit(() => store.inline.use({ projections: [notes] }));
          store.hold();
          const things = store.collections.named('things');
          /** Numbers that a reader may see, by what it reads. */
          const durable = new Map<string, number>();
          const under: { readonly key: string; readonly n: number }[] = [];
          const works: Promise<unknown>[] = [];
          const reads: Promise<void>[] = [];
          let n = 0;
          const conclude = async (error: Error | null): Promise<void> => {
            if (!store.isUnderWay()) return;
            if (!error) for (const { key, n } of under) durable.set(key, Math.max(n, durable.get(key) ?? 0));
            under.length = 0;
            store.conclude(error);
            await Promise.resolve();
          };
          const read = async (key: string, found: Promise<number>): Promise<void> => {
            const least = durable.get(key) ?? 0;
            const value = await found;
            expect(value, key).to.be.within(least, durable.get(key) ?? 0);
          };
          for (const [what, id] of steps) {
            n += 1;
            if (what === 'conclude') await conclude(null);
            else if (what === 'refuse') await conclude(DISK);
            else if (what === 'read') {
              const doc = store.models.get('things', id);
              reads.push(
                read(
                  `things/${id}`,
                  doc.then((found) => Number(found?.doc['n'] ?? 0)),
                ),
              );
              const note = store.models.get('notes', id);
              reads.push(
                read(
                  `notes/${id}`,
                  note.then((found) => Number(found?.doc['times'] ?? 0)),
                ),
              );
              reads.push(
                read(
                  `notes/${id}`,
                  store.events.read(id).then((records) => records.length),
                ),
              );
            } else if (what === 'soon') {
              const key = `things/${id}`;
              const current = n;
              works.push(
                store.models.writeSoon('things', [thing(id, current)]).then(({ refused }) => {
                  if (refused.length === 0) durable.set(key, current);
                }),
              );
            } else if (!store.isUnderWay()) {
              // One at a time, so that the model knows what is in it.
              if (what === 'write') {
                works.push(store.models.write('things', [thing(id, n)]));
                under.push({ key: `things/${id}`, n });
              } else if (what === 'flush') {
                works.push(store.writer.submit(() => things.flush()));
              } else {
                const last = durable.get(`notes/${id}`) ?? 0;
                const expected = last === 0 ? ('no_stream' as const) : last - 1;
                works.push(store.events.append(id, expected, [record({ n }, 'Noted')]));
                under.push({ key: `notes/${id}`, n: last + 1 });
              }
              works.at(-1)!.catch(() => undefined);
              await store.underWay();
            }
          }
          await conclude(null);
          await Promise.allSettled(works);
          await Promise.all(reads);
        } finally {
          store.close();
        }
      }),
      { numRuns: 60 },
    );
  });
});
