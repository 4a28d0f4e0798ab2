/** The writer: operations that share a transaction, and the effect of a failed one. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase, type Db } from '../../../adapters/embedded/database.js';
import { readsOfChanges, readsTogether } from '../../../adapters/embedded/durable-reads.js';
import { createHistory } from '../../../adapters/embedded/history.js';
import { encodeRecord } from '../../../adapters/embedded/records.js';
import { createBackgroundScheduler } from '../../../adapters/embedded/background-scheduler.js';
import { createPlainTransactions } from '../../../adapters/embedded/transactions.js';
import { createWriter, type GroupWriter } from '../../../adapters/embedded/writer.js';
import { StoreUnavailable, START, WrongExpectedRevision } from '../../../ports/event-store.js';
import { temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';
import { failure, record, streamName } from '../../conformance/support.js';

describe('embedded store: group commit', () => {
  describe('of a whole store', () => {
    let temporary: TemporaryStore;
    before(async () => {
      temporary = await temporaryStore();
    });
    after(() => temporary.close());

    it('puts appends of one turn into far fewer transactions', async () => {
      const { store } = temporary;
      const before = store.stats();
      await Promise.all(
        Array.from({ length: 300 }, () => store.eventStore.append(streamName(), 'no_stream', [record()])),
      );
      const after = store.stats();
      expect(after.appendedEvents - before.appendedEvents).to.equal(300);
      expect(after.commits - before.commits).to.be.at.most(3);
    });

    it('commits events, documents, messages, due times and keys of one turn together', async () => {
      const { store } = temporary;
      await store.readModels.define({ name: 'things', version: 1, indexes: {} });
      const before = store.stats().commits;
      await Promise.all([
        store.personalKeys.keyFor('subject', 'c'),
        store.eventStore.append(streamName(), 'no_stream', [record()]),
        store.topics.publish([{ topic: 't', key: 'k', value: {} }]),
        store.dueTimes.schedule([{ queue: 'q', id: '1', lane: 'l', dueAt: 1, payload: {} }]),
        store.readModels.write('things', [{ id: '1', doc: {}, version: '1' }]),
      ]);
      expect(store.stats().commits - before).to.equal(1);
    });

    it('takes appends to one stream that follow each other in one turn, also when it was looked for before', async () => {
      const { eventStore } = temporary.store;
      const stream = streamName();
      expect(await eventStore.read(stream)).to.deep.equal([]);
      await Promise.all([
        eventStore.append(stream, 'no_stream', [record(), record()]),
        eventStore.append(stream, 1, [record()]),
      ]);
      expect(await eventStore.read(stream)).to.have.length(3);
    });

    it('keeps the write-ahead log bounded under sustained writes', async function () {
      this.timeout(120_000);
      const { store } = temporary;
      const text = 'x'.repeat(50_000);
      let largest = 0;
      for (let turn = 0; turn < 180; turn += 1) {
        await Promise.all(
          Array.from({ length: 40 }, () =>
            store.eventStore.append(streamName(), 'no_stream', [record({ text })]),
          ),
        );
        largest = Math.max(largest, store.stats().walBytes);
      }
      // 360 MB were written, of texts that the redo log makes very small.
      expect(largest).to.be.lessThan(64 * 1024 * 1024);
    });
  });

  describe('of requests and the background', () => {
    let dir: string;
    let db: Db;
    let writer: GroupWriter;
    /** The operations of each transaction, in order. */
    let done: string[][];

    beforeEach(() => {
      dir = mkdtempSync(join(tmpdir(), 'recado-test-'));
      db = openDatabase(join(dir, 'recado.db'));
      done = [];
      const log = { before: () => void done.push([]) };
      writer = createWriter(createPlainTransactions(db), [log], { maxPerCommit: 10 });
    });
    afterEach(() => {
      db.close();
      rmSync(dir, { recursive: true, force: true });
    });

    const note = (what: string) => () => void done[done.length - 1]!.push(what);

    it('puts a request into the next transaction, whatever the background asked for before', async () => {
      const behind = Array.from({ length: 50 }, (_, n) => writer.background.submit(note(`b${n}`)));
      await writer.submit(note('request'));
      expect(done).to.have.length(1);
      expect(done[0]![0]).to.equal('request');
      await Promise.all(behind);
      expect(done.flat().filter((what) => what.startsWith('b'))).to.deep.equal(
        Array.from({ length: 50 }, (_, n) => `b${n}`),
      );
    });

    it('takes something of the background along, however many requests there are', async () => {
      const requests = Array.from({ length: 60 }, (_, n) => writer.submit(note(`r${n}`)));
      const behind = Array.from({ length: 3 }, (_, n) => writer.background.submit(note(`b${n}`), 1_000));
      await Promise.all([...requests, ...behind]);
      const first = done.slice(0, 3);
      expect(first.map((whats) => whats.filter((what) => what.startsWith('b')))).to.deep.equal([
        ['b0'],
        ['b1'],
        ['b2'],
      ]);
    });

    it('tells requests at the commit, and the background in turns of its own', async () => {
      const steps: (() => void)[] = [];
      const byHand = { ...createBackgroundScheduler(), run: (step: () => void) => void steps.push(step) };
      const own = createWriter(createPlainTransactions(db), [], {}, byHand);
      const told: string[] = [];
      const behind = ['b0', 'b1'].map((what) =>
        own.background.submit(() => undefined).then(() => told.push(what)),
      );
      await own.submit(() => undefined);
      expect(own.commits()).to.equal(1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(told).to.deep.equal([]);
      for (const step of steps) step();
      await Promise.all(behind);
      expect(told).to.deep.equal(['b0', 'b1']);
    });

    it('is crowded by five requests, or by much of the background', async () => {
      const plain = createPlainTransactions(db);
      const crowds: (boolean | undefined)[] = [];
      const own = createWriter(
        {
          perform(work, later, crowded) {
            crowds.push(crowded);
            return plain.perform(work, later);
          },
        },
        [],
      );
      const nothing = (): undefined => undefined;
      for (const [requests, behind] of [
        [4, 19],
        [5, 0],
        [0, 19],
        [9, 9],
        [0, 20],
      ] as const) {
        const all = [
          ...Array.from({ length: requests }, () => own.submit(nothing)),
          ...Array.from({ length: behind }, () => own.background.submit(nothing)),
        ];
        await Promise.all(all);
      }
      expect(crowds).to.deep.equal([false, true, false, true, true]);
    });

    it('commits at the end of a turn of the event loop, whatever was committed before', async () => {
      for (let n = 1; n <= 20; n += 1) {
        const both = [writer.submit(note('r')), writer.background.submit(note('b'))];
        await new Promise((resolve) => setImmediate(resolve));
        expect(writer.commits()).to.equal(n);
        await Promise.all(both);
      }
    });

    it('begins nothing while it is held, and takes all that waits afterwards', async () => {
      let told = 0;
      const count = (): void => void (told += 1);
      const before = writer.submit(note('planned before'));
      const release = writer.hold();
      const waiting = [before, writer.submit(note('request')), writer.background.submit(note('behind'))];
      for (const each of waiting) void each.then(count);
      for (let n = 0; n < 20; n += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(done).to.deep.equal([]);
      expect(writer.underWay.end(), 'reads do not wait').to.equal(undefined);
      expect(told).to.equal(0);
      release();
      await Promise.all(waiting);
      expect(done).to.deep.equal([['planned before', 'request', 'behind']]);
    });

    it('is flushed when both are through', async () => {
      const behind = Array.from({ length: 30 }, () => writer.background.submit(note('b')));
      const requests = Array.from({ length: 30 }, () => writer.submit(note('r')));
      await writer.flush();
      expect(done.flat()).to.have.length(60);
      await Promise.all([...behind, ...requests]);
    });

    it('refuses what waits in the background after close', async () => {
      const waiting = writer.background.submit(note('b'));
      writer.close();
      expect(await failure(waiting)).to.be.instanceOf(StoreUnavailable);
      expect(await failure(writer.background.submit(note('b')))).to.be.instanceOf(StoreUnavailable);
      expect(done).to.deep.equal([]);
    });
  });

  describe('while another thread makes a transaction durable', () => {
    /** Ends the transaction that is under way. */
    let conclude: ((error: Error | null) => void) | undefined;
    let told: string[];
    let writer: GroupWriter;

    beforeEach(() => {
      conclude = undefined;
      told = [];
      const transactions = {
        perform(work: () => void, later: (error: Error | null) => void): boolean {
          if (conclude) throw new Error('one at a time');
          work();
          conclude = (error) => {
            conclude = undefined;
            later(error);
          };
          return false;
        },
      };
      const participant = {
        committed: () => void told.push('committed'),
        rolledBack: () => void told.push('rolled back'),
      };
      writer = createWriter(transactions, [participant]);
    });

    const turns = async (): Promise<void> => {
      for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const submit = (what: string, writeTo: Pick<GroupWriter, 'submit'> = writer): Promise<void> =>
      writeTo
        .submit(() => undefined)
        .then(
          () => void told.push(what),
          (error: Error) => void told.push(`${what}: ${error.name}`),
        );

    it('tells nobody before, begins no other one, and takes all that waits into the next', async () => {
      const first = submit('first');
      await turns();
      const rest = [submit('second'), submit('third', writer.background)];
      await turns();
      expect(told).to.deep.equal([]);
      conclude!(null);
      await first;
      expect(told).to.deep.equal(['committed', 'first']);
      await turns();
      expect(writer.commits()).to.equal(1);
      conclude!(null);
      await Promise.all(rest);
      expect(told.slice(2)).to.deep.equal(['committed', 'second', 'third']);
      expect(writer.commits()).to.equal(2);
    });

    it('lets reads of what it changes wait until it is durable or taken back, and those of requests anyway', async () => {
      let changing = true;
      const note = (what: string) => (): void => void told.push(what);
      const read = (): Promise<void> => readsOfChanges(writer.underWay)(() => changing, note('read'));
      const request = (): Promise<void> => readsTogether(writer.underWay)(() => false, note('request'));
      await read();
      void submit('first');
      await Promise.all([read(), request()]);
      expect(told.splice(0), 'nothing has begun').to.have.members(['read', 'read', 'request']);
      await turns();
      const waiting = [read(), request()];
      await turns();
      expect(told).to.deep.equal([]);
      changing = false;
      await read();
      expect(told.splice(0)).to.deep.equal(['read']);
      changing = true;
      conclude!(new StoreUnavailable('no'));
      await Promise.all(waiting);
      expect(told).to.have.members(['rolled back', 'first: StoreUnavailable', 'read', 'request']);
    });

    it('lets all reads wait while a crowd of requests does', async () => {
      const read = (): Promise<void> =>
        readsOfChanges(writer.underWay)(
          () => false,
          () => void told.push('read'),
        );
      const all = [submit('1'), submit('2'), submit('3'), submit('4')];
      await turns();
      await read();
      expect(told.splice(0)).to.deep.equal(['read']);
      conclude!(null);
      all.push(submit('5'), submit('6'), submit('7'), submit('8'), submit('9'));
      await turns();
      told.splice(0);
      const waiting = read();
      await turns();
      expect(told).to.deep.equal([]);
      conclude!(null);
      await Promise.all([waiting, ...all]);
      expect(told).to.have.members(['committed', '5', '6', '7', '8', '9', 'read']);
    });

    it('refuses all of it when the disk did, and nobody else', async () => {
      const both = [submit('first'), submit('second')];
      await turns();
      const third = submit('third');
      conclude!(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'write' }));
      await Promise.all(both);
      await turns();
      conclude!(null);
      await third;
      expect(told).to.deep.equal([
        'rolled back',
        'first: StoreUnavailable',
        'second: StoreUnavailable',
        'committed',
        'third',
      ]);
    });

    it('gives each operation a transaction of its own when one is at fault, one after the other', async () => {
      const both = [submit('first'), submit('second')];
      await turns();
      conclude!(new Error('a value'));
      expect(told).to.deep.equal(['rolled back']);
      conclude!(new Error('a value'));
      conclude!(null);
      await Promise.all(both);
      expect(told.slice(1)).to.have.members(['rolled back', 'committed', 'first: Error', 'second']);
    });
  });

  describe('when a transaction fails', () => {
    let dir: string;
    let db: Db;
    let history: ReturnType<typeof createHistory>;
    let writer: GroupWriter;

    beforeEach(() => {
      dir = mkdtempSync(join(tmpdir(), 'recado-test-'));
      db = openDatabase(join(dir, 'recado.db'));
      history = createHistory(db);
      writer = createWriter(createPlainTransactions(db), [history]);
    });
    afterEach(() => {
      db.close();
      rmSync(dir, { recursive: true, force: true });
    });

    const append = (stream: string, data: Record<string, unknown> = {}) => {
      const records = [encodeRecord(record(data))];
      return writer.submit(() => history.append(stream, 'no_stream', records));
    };

    it('rejects all with StoreUnavailable on a full disk, assumes nothing, and goes on once there is room', async () => {
      await append('a-1');
      const pages = db.pragma('page_count', { simple: true }) as number;
      db.pragma(`max_page_count = ${pages}`);
      const text = 'x'.repeat(100_000);
      const results = await Promise.allSettled([append('a-2'), append('a-3', { text }), append('a-1')]);
      for (const result of results) {
        expect(result.status).to.equal('rejected');
        expect((result as PromiseRejectedResult).reason).to.be.instanceOf(StoreUnavailable);
      }
      expect(history.head()).to.equal(1);
      expect(history.read('a-2', 0, 10)).to.deep.equal([]);
      db.pragma('max_page_count = 1000000');
      const { position } = await append('a-3', { text });
      expect(history.readAll(START, 10, undefined).records.map((r) => r.stream)).to.deep.equal([
        'a-1',
        'a-3',
      ]);
      expect(history.head()).to.equal(Number(position));
    });

    it('does not let one broken operation harm the others of its turn', async () => {
      const results = await Promise.allSettled([
        append('a-1'),
        writer.submit(() => {
          db.prepare('INSERT INTO topic_messages VALUES (?, ?, ?, ?)').run('t', 1, 'k', '{}');
          throw new TypeError('broken half-way');
        }),
        append('a-2'),
        append('a-1'),
      ]);
      expect(results.map(({ status }) => status)).to.deep.equal([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
      ]);
      expect((results[1] as PromiseRejectedResult).reason).to.be.instanceOf(TypeError);
      expect((results[3] as PromiseRejectedResult).reason).to.be.instanceOf(WrongExpectedRevision);
      expect(db.prepare('SELECT count(*) FROM topic_messages').pluck().get()).to.equal(0);
      expect(history.readAll(START, 10, undefined).records).to.have.length(2);
    });

    it('refuses work after close, also what still waits', async () => {
      const waiting = append('a-2');
      writer.close();
      expect(await failure(waiting)).to.be.instanceOf(StoreUnavailable);
      expect(await failure(append('a-1'))).to.be.instanceOf(StoreUnavailable);
    });

    it('splits what is too much for one transaction, in order', async () => {
      const small = createWriter(createPlainTransactions(db), [history], { maxPerCommit: 10 });
      const order: number[] = [];
      await Promise.all(
        Array.from({ length: 25 }, (_, n) =>
          small.submit(() => {
            history.append(`s-${n}`, 'no_stream', [encodeRecord(record({ n }))]);
            order.push(n);
          }),
        ),
      );
      expect(small.commits()).to.equal(3);
      expect(order).to.deep.equal([...Array(25).keys()]);
      expect(statSync(join(dir, 'recado.db-wal')).size).to.be.greaterThan(0);
    });
  });
});
