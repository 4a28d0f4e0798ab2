/** Requirements on every EventStore. Adapters plug in with `describeEventStore`. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  START,
  WrongExpectedRevision,
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  type NewRecord,
  type Position,
  type ReadAllPage,
  type StoredRecord,
} from '../../ports/event-store.js';
import { deferred, failure, numbers, record, streamName, until } from './support.js';
import { runs } from '../support/soak.js';
import { opened } from '../support/opened.js';

export interface EventStoreHarness {
  readonly store: EventStore;
  close(): Promise<void>;
  /** The same history after a restart. */
  reopen?(): Promise<EventStore>;
}

export function describeEventStore(
  name: string,
  make: () => Promise<EventStoreHarness>,
  options: {
    readonly runs?: number;
    /** False: it appends to one stream at a time. */
    readonly together?: false;
  } = {},
): void {
  describe(`EventStore: ${name}`, () => {
    const harness = opened(make);
    let store: EventStore;

    before(() => void (store = harness.store));

    const appendOne = (stream: string, expected: ExpectedRevision, n: number) =>
      store.append(stream, expected, [record({ n })]);

    async function allAfter(after: Position, prefixes?: readonly string[]): Promise<StoredRecord[]> {
      const found: StoredRecord[] = [];
      for (let pages = 0; pages < 10_000; pages += 1) {
        const page = await store.readAll({ after, limit: 3, ...(prefixes ? { prefixes } : {}) });
        found.push(...page.records);
        if (page.atEnd) return found;
        expect(page.next > after, 'a page that is not the last moves on').to.equal(true);
        after = page.next;
      }
      throw new Error('the history does not end');
    }

    describe('append', () => {
      it('numbers the events of a stream from 0 and answers the last revision and its position', async () => {
        const stream = streamName();
        const first = await store.append(stream, 'no_stream', [record({ n: 0 }), record({ n: 1 })]);
        expect(first.revision).to.equal(1);
        const second = await appendOne(stream, 1, 2);
        expect(second.revision).to.equal(2);
        expect(second.position > first.position).to.equal(true);
        const records = await store.read(stream);
        expect(records.map((r) => r.revision)).to.deep.equal([0, 1, 2]);
        expect(records[2]!.position).to.equal(second.position);
      });

      it('keeps id, type, data and metadata as they were', async () => {
        const stream = streamName();
        const data = { text: 'ação ✓ \u{1F600}', nested: { list: [1, null, 'x'] }, cents: 12.5 };
        const written = record(data, 'ContactRenamed');
        await store.append(stream, 'no_stream', [written]);
        const [read] = await store.read(stream);
        expect(read).to.deep.include({ ...written, stream, revision: 0 });
      });

      it('refuses no_stream on a stream that exists, and says where the stream is', async () => {
        const stream = streamName();
        await appendOne(stream, 'no_stream', 0);
        const error = await failure(appendOne(stream, 'no_stream', 1));
        expect(error).to.be.instanceOf(WrongExpectedRevision);
        expect(error).to.include({ stream, expected: 'no_stream', actual: 0 });
        expect(numbers(await store.read(stream))).to.deep.equal([0]);
      });

      it('refuses a revision that is behind, ahead, or of a stream that does not exist', async () => {
        const stream = streamName();
        await store.append(stream, 'no_stream', [record(), record()]);
        expect(await failure(appendOne(stream, 0, 9))).to.include({ expected: 0, actual: 1 });
        expect(await failure(appendOne(stream, 5, 9))).to.include({ expected: 5, actual: 1 });
        expect(await failure(appendOne(streamName(), 0, 9))).to.include({ expected: 0, actual: 'no_stream' });
        expect(await store.read(stream)).to.have.length(2);
      });

      it('writes nothing of an append that is refused', async () => {
        const stream = streamName();
        await appendOne(stream, 'no_stream', 0);
        await failure(store.append(stream, 'no_stream', [record(), record()]));
        expect(await store.read(stream)).to.have.length(1);
      });

      it('answers a repeated append like the first time, also after others appended', async () => {
        const stream = streamName();
        const created = [record({ n: 0 }), record({ n: 1 })];
        const first = await store.append(stream, 'no_stream', created);
        expect(outcome(await store.append(stream, 'no_stream', created))).to.deep.equal(outcome(first));
        const next = [record({ n: 2 })];
        const second = await store.append(stream, 1, next);
        await appendOne(stream, 2, 3);
        expect(outcome(await store.append(stream, 'no_stream', created))).to.deep.equal(outcome(first));
        expect(outcome(await store.append(stream, 1, next))).to.deep.equal(outcome(second));
        expect(numbers(await store.read(stream))).to.deep.equal([0, 1, 2, 3]);
      });

      it('refuses a repeat that overlaps only in part', async () => {
        const stream = streamName();
        const [a, b, c] = [record({ n: 0 }), record({ n: 1 }), record({ n: 2 })];
        await store.append(stream, 'no_stream', [a, b]);
        expect(await failure(store.append(stream, 'no_stream', [a, c]))).to.be.instanceOf(
          WrongExpectedRevision,
        );
        expect(await failure(store.append(stream, 'no_stream', [a, b, c]))).to.be.instanceOf(
          WrongExpectedRevision,
        );
        expect(await failure(store.append(stream, 'no_stream', [b]))).to.be.instanceOf(WrongExpectedRevision);
        expect(numbers(await store.read(stream))).to.deep.equal([0, 1]);
      });

      it('lets exactly one of two racing writers win, without harm to the others in flight', async () => {
        const stream = streamName();
        await appendOne(stream, 'no_stream', 0);
        const bystander = streamName();
        const [a, other, b] = await Promise.allSettled([
          appendOne(stream, 0, 1),
          appendOne(bystander, 'no_stream', 7),
          appendOne(stream, 0, 2),
        ]);
        expect([a.status, b.status].sort()).to.deep.equal(['fulfilled', 'rejected']);
        expect(other.status).to.equal('fulfilled');
        expect(await store.read(stream)).to.have.length(2);
        expect(numbers(await store.read(bystander))).to.deep.equal([7]);
      });

      it('refuses an event id that is not a UUID', async () => {
        const bad = { ...record(), eventId: 'not-a-uuid' };
        await failure(store.append(streamName(), 'no_stream', [bad]));
      });
    });

    if (options.together === false) {
      it('appends to one stream at a time', () => {
        expect(store.appendTogether).to.equal(undefined);
      });
    } else
      describe('appendTogether', () => {
        const at = (stream: string, expected: ExpectedRevision, ...ns: readonly number[]) => ({
          stream,
          expected,
          records: ns.map((n) => record({ n })),
        });
        const streams = (count: number) => Array.from({ length: count }, () => streamName());
        const all = (appends: Parameters<NonNullable<EventStore['appendTogether']>>[0]) =>
          store.appendTogether!(appends);

        it('appends to several streams in order, each as often as it is named', async () => {
          const [one, other] = streams(2) as [string, string];
          await appendOne(other, 'no_stream', 0);
          const before = await store.head();
          const end = await all([at(one, 'no_stream', 1), at(other, 0, 2, 3), at(one, 0, 4)]);
          const appended = await allAfter(before);
          expect(appended.map(({ stream, revision, data }) => [stream, revision, data['n']])).to.deep.equal([
            [one, 0, 1],
            [other, 1, 2],
            [other, 2, 3],
            [one, 1, 4],
          ]);
          expect(appended.at(-1)!.position).to.equal(end);
          expect(await store.read(one)).to.have.length(2);
        });

        it('appends nothing where one stream is elsewhere, and says which', async () => {
          const [one, other] = streams(2) as [string, string];
          await appendOne(other, 'no_stream', 0);
          const before = await store.head();
          const refused = await failure(all([at(one, 'no_stream', 1), at(other, 'no_stream', 2)]));
          expect(refused).to.be.instanceOf(WrongExpectedRevision);
          expect(refused).to.include({ stream: other, expected: 'no_stream', actual: 0 });
          expect(await store.head()).to.equal(before);
          expect(await store.read(one)).to.deep.equal([]);
          const torn = await failure(all([at(one, 'no_stream', 1), at(one, 5, 2)]));
          expect(torn).to.include({ stream: one, expected: 5, actual: 0 });
          expect(await store.read(one)).to.deep.equal([]);
        });

        it('lets exactly one of two racing writers win, without harm to the others in flight', async () => {
          const [one, other, third] = streams(3) as [string, string, string];
          const [first, second, beside] = await Promise.allSettled([
            all([at(one, 'no_stream', 1), at(other, 'no_stream', 1)]),
            all([at(third, 'no_stream', 2), at(other, 'no_stream', 2)]),
            appendOne(streamName(), 'no_stream', 3),
          ]);
          expect([first.status, second.status, beside.status]).to.deep.equal([
            'fulfilled',
            'rejected',
            'fulfilled',
          ]);
          expect((await store.read(other)).map(({ data }) => data['n'])).to.deep.equal([1]);
          expect(await store.read(third)).to.deep.equal([]);
        });

        it('refuses an append without records, and an event id that is not a UUID', async () => {
          const [one, other] = streams(2) as [string, string];
          const empty = { stream: other, expected: 'no_stream', records: [] } as const;
          expect(await failure(all([at(one, 'no_stream', 1), empty]))).to.be.instanceOf(TypeError);
          const odd = { ...empty, records: [{ ...record({ n: 1 }), eventId: 'x' }] };
          expect(await failure(all([at(one, 'no_stream', 1), odd]))).to.be.instanceOf(TypeError);
          expect(await store.read(one)).to.deep.equal([]);
        });
      });

    describe('read', () => {
      it('answers nothing for a stream that does not exist', async () => {
        expect(await store.read(streamName())).to.deep.equal([]);
      });

      it('shows a stream that was looked for before it was begun', async () => {
        const stream = streamName();
        expect(await store.read(stream)).to.deep.equal([]);
        const [first, second, again] = await Promise.allSettled([
          appendOne(stream, 'no_stream', 0),
          appendOne(stream, 'no_stream', 1),
          store.read(stream),
        ]);
        expect([first.status, second.status, again.status]).to.have.members([
          'fulfilled',
          'rejected',
          'fulfilled',
        ]);
        await appendOne(stream, 0, 2);
        expect((await store.read(stream)).map(({ revision }) => revision)).to.deep.equal([0, 1]);
        expect(await failure(appendOne(stream, 'no_stream', 3))).to.be.instanceOf(WrongExpectedRevision);
        expect(await failure(appendOne(stream, 0, 4))).to.be.instanceOf(WrongExpectedRevision);
      });

      it('starts at `from`, inclusive, and stops at `limit`', async () => {
        const stream = streamName();
        await store.append(
          stream,
          'no_stream',
          [0, 1, 2, 3, 4].map((n) => record({ n })),
        );
        expect(numbers(await store.read(stream, { from: 2 }))).to.deep.equal([2, 3, 4]);
        expect(numbers(await store.read(stream, { from: 1, limit: 2 }))).to.deep.equal([1, 2]);
        expect(await store.read(stream, { from: 5 })).to.deep.equal([]);
      });

      it('sees a write as soon as its promise has resolved', async () => {
        const stream = streamName();
        for (let n = 0; n < 20; n += 1) {
          const { position } = await appendOne(stream, n === 0 ? 'no_stream' : n - 1, n);
          expect(await store.read(stream)).to.have.length(n + 1);
          expect((await store.head()) >= position).to.equal(true);
        }
      });
    });

    describe('readAll', () => {
      it('is exclusive of `after` and in global order', async () => {
        const start = await store.head();
        const [a, b] = [streamName(), streamName()];
        const first = await appendOne(a, 'no_stream', 1);
        await appendOne(b, 'no_stream', 2);
        await appendOne(a, 0, 3);
        expect(numbers(await allAfter(start))).to.deep.equal([1, 2, 3]);
        expect(numbers(await allAfter(first.position))).to.deep.equal([2, 3]);
        const end = await store.readAll({ after: await store.head(), limit: 10 });
        expect(end).to.deep.include({ records: [], atEnd: true });
      });

      it('never answers more than `limit`', async () => {
        const start = await store.head();
        await store.append(
          streamName(),
          'no_stream',
          Array.from({ length: 7 }, () => record()),
        );
        const page = await store.readAll({ after: start, limit: 5 });
        expect(page.records).to.have.length(5);
        expect(page.atEnd).to.equal(false);
        expect(page.next).to.equal(page.records[4]!.position);
      });

      it('takes a limit without an end for its own', async () => {
        const [start, stream] = [await store.head(), streamName()];
        await store.append(stream, 'no_stream', [record({ n: 1 }), record({ n: 2 })]);
        expect(numbers((await store.readAll({ after: start, limit: Infinity })).records)).to.deep.equal([
          1, 2,
        ]);
        expect(numbers(await store.read(stream, { limit: Infinity }))).to.deep.equal([1, 2]);
      });

      it('keeps to the prefixes and still gets to the end', async () => {
        const start = await store.head();
        const category = streamName('kept').replaceAll('-', '');
        await appendOne(`${category}-1`, 'no_stream', 1);
        for (let n = 0; n < 12; n += 1) await appendOne(streamName('hidden'), 'no_stream', 100 + n);
        await appendOne(`${category}x-1`, 'no_stream', 2);
        await appendOne(`${category}-2`, 'no_stream', 3);
        expect(numbers(await allAfter(start, [`${category}-`]))).to.deep.equal([1, 3]);
        expect(numbers(await allAfter(start, [`${category}x-`, `${category}-`]))).to.deep.equal([1, 2, 3]);
        const page = await store.readAll({ after: start, limit: 100, prefixes: [`${category}none-`] });
        expect(page.records).to.deep.equal([]);
      });

      it('reads back from the end, newest first, page by page', async () => {
        const stream = streamName();
        const first = await appendOne(stream, 'no_stream', 1);
        await appendOne(streamName(), 'no_stream', 2);
        const third = await appendOne(stream, 0, 3);
        const page = await store.readBack({ before: null, limit: 2 });
        expect(numbers(page.records)).to.deep.equal([3, 2]);
        expect(page.next).to.equal(page.records[1]!.position);
        expect(page.atEnd).to.equal(false);
        const rest = await store.readBack({ before: page.next, limit: 1 });
        expect(rest.records.map(({ position }) => position)).to.deep.equal([first.position]);
        const before = await store.readBack({ before: third.position, limit: 2 });
        expect(numbers(before.records)).to.deep.equal([2, 1]);
        const beginning = await store.readAll({ after: START, limit: 1 });
        const none = await store.readBack({ before: beginning.records[0]!.position, limit: 5 });
        expect(none).to.deep.include({ records: [], atEnd: true });
      });

      it('reads back within prefixes and types', async () => {
        const start = await store.head();
        const category = streamName('back').replaceAll('-', '');
        await appendOne(`${category}-1`, 'no_stream', 1);
        await appendOne(streamName('hidden'), 'no_stream', 100);
        await appendOne(`${category}-2`, 'no_stream', 2);
        const found: unknown[] = [];
        for (let before: Position | null = null; before === null || before > start;) {
          const page: ReadAllPage = await store.readBack({ before, limit: 1, prefixes: [`${category}-`] });
          found.push(...numbers(page.records));
          if (page.atEnd) break;
          before = page.next;
        }
        expect(found).to.deep.equal([2, 1]);
      });

      it('gives positions that grow strictly and never appear late', async () => {
        const seen: Position[] = [];
        let cursor = await store.head();
        let writing = true;
        const writers = Array.from({ length: 8 }, async () => {
          for (let n = 0; n < 25; n += 1) await appendOne(streamName(), 'no_stream', n);
        });
        const written = Promise.all(writers).then(() => {
          writing = false;
        });
        // A reader that continues from its cursor must get every event: none may appear behind the cursor.
        for (let last = false; !last; last = !writing && seen.length >= 200) {
          const page = await store.readAll({ after: cursor, limit: 50 });
          seen.push(...page.records.map((r) => r.position));
          cursor = page.next;
          if (page.records.length === 0 && !writing) break;
          await new Promise((resolve) => setImmediate(resolve));
        }
        await written;
        expect(seen).to.have.length(200);
        expect(seen).to.deep.equal([...new Set(seen)].sort());
      });

      it('turns positions into integers that grow with them', async () => {
        const a = await appendOne(streamName(), 'no_stream', 1);
        const b = await appendOne(streamName(), 'no_stream', 2);
        expect(store.sequenceOf(b.position)).to.be.greaterThan(store.sequenceOf(a.position));
        expect(Number.isSafeInteger(store.sequenceOf(b.position))).to.equal(true);
      });
    });

    describe('subscribe', () => {
      it('delivers what is there after the checkpoint, exclusive, then what comes', async () => {
        const category = streamName('sub').replaceAll('-', '');
        await appendOne(`${category}-1`, 'no_stream', 1);
        const { position } = await appendOne(`${category}-1`, 0, 2);
        await appendOne(`${category}-1`, 1, 3);
        const got: unknown[] = [];
        let reached = position;
        const subscription = store.subscribe({
          after: position,
          prefixes: [`${category}-`],
          onBatch: async (records, upTo) => {
            const last = records[records.length - 1]?.position;
            expect(upTo > reached && (last === undefined || upTo >= last)).to.equal(true);
            reached = upTo;
            got.push(...numbers(records));
          },
        });
        await until(() => got.length === 1);
        await appendOne(streamName('other'), 'no_stream', 99);
        await appendOne(`${category}-2`, 'no_stream', 4);
        await until(() => got.length === 2);
        await subscription.stop();
        expect(got).to.deep.equal([3, 4]);
      });

      it('resumes at the position handed over with the last batch without loss or repeat', async () => {
        const category = streamName('sub').replaceAll('-', '');
        for (let n = 0; n < 10; n += 1) await appendOne(`${category}-${n}`, 'no_stream', n);
        const got: unknown[] = [];
        let checkpoint: Position = START;
        const take = (enough: number) => ({
          after: checkpoint,
          prefixes: [`${category}-`],
          maxBatch: 3,
          onBatch: async (records: readonly StoredRecord[], upTo: Position) => {
            if (got.length >= enough) return;
            got.push(...numbers(records));
            checkpoint = upTo;
          },
        });
        const first = store.subscribe(take(3));
        await until(() => got.length >= 3);
        await first.stop();
        const second = store.subscribe(take(100));
        await until(() => got.length >= 10);
        await second.stop();
        expect(got).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      });

      it('delivers the same batch again after a rejection, and reports it', async () => {
        const category = streamName('sub').replaceAll('-', '');
        const start = await store.head();
        await appendOne(`${category}-1`, 'no_stream', 1);
        const deliveries: unknown[][] = [];
        const errors: unknown[] = [];
        const subscription = store.subscribe({
          after: start,
          prefixes: [`${category}-`],
          onBatch: async (records) => {
            if (records.length === 0) return;
            deliveries.push(numbers(records));
            if (deliveries.length < 3) throw new Error(`no ${deliveries.length}`);
          },
          onError: (error) => errors.push((error as Error).message),
        });
        await until(() => deliveries.length === 3);
        await appendOne(`${category}-1`, 0, 2);
        await until(() => deliveries.length === 4);
        await subscription.stop();
        expect(deliveries).to.deep.equal([[1], [1], [1], [2]]);
        expect(errors).to.deep.equal(['no 1', 'no 2']);
      });

      it('delivers one batch at a time, and nothing after stop', async () => {
        const category = streamName('sub').replaceAll('-', '');
        const start = await store.head();
        await appendOne(`${category}-1`, 'no_stream', 1);
        const entered = deferred();
        const release = deferred();
        let deliveries = 0;
        const subscription = store.subscribe({
          after: start,
          prefixes: [`${category}-`],
          onBatch: async (records) => {
            if (records.length === 0) return;
            deliveries += 1;
            entered.resolve();
            await release.promise;
          },
        });
        await entered.promise;
        await appendOne(`${category}-1`, 0, 2);
        const stopped = subscription.stop();
        expect(deliveries).to.equal(1);
        release.resolve();
        await stopped;
        await appendOne(`${category}-1`, 1, 3);
        expect(deliveries).to.equal(1);
      });
    });

    it('agrees with an in-memory model, whatever is appended in whatever order', async () => {
      const step = fc.record({
        stream: fc.nat(2),
        shift: fc.constantFrom(0, 0, 0, -1, 1),
        size: fc.integer({ min: 1, max: 3 }),
        repeat: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const names = [streamName(), streamName(), streamName()];
          const model = names.map(() => [] as NewRecord[]);
          const order: NewRecord[] = [];
          const start = await store.head();
          for (const { stream, shift, size, repeat } of steps) {
            const known = model[stream]!;
            const again = repeat && known.length > 0;
            const from = again ? Math.max(0, known.length - size) : Math.max(0, known.length + shift);
            const records = again
              ? known.slice(from)
              : Array.from({ length: size }, () => record({ n: order.length }));
            const expected = from === 0 ? 'no_stream' : from - 1;
            const work = store.append(names[stream]!, expected, records);
            if (again) expect((await work).revision).to.equal(known.length - 1);
            else if (from === known.length) {
              expect((await work).revision).to.equal(known.length + size - 1);
              known.push(...records);
              order.push(...records);
            } else expect(await failure(work)).to.be.instanceOf(WrongExpectedRevision);
          }
          const ids = (list: readonly NewRecord[]) => list.map((r) => r.eventId);
          for (const [index, known] of model.entries()) {
            expect(ids(await store.read(names[index]!))).to.deep.equal(ids(known));
          }
          expect(ids(await allAfter(start, names))).to.deep.equal(ids(order));
        }),
        { numRuns: runs(options.runs ?? 50) },
      );
    });

    it('has the same history after a restart', async function () {
      if (!harness.reopen) return this.skip();
      const stream = streamName();
      const created = [record({ n: 0 })];
      const first = await store.append(stream, 'no_stream', created);
      const before = await store.read(stream);
      store = await harness.reopen();
      expect(await store.read(stream)).to.deep.equal(before);
      expect(await store.head()).to.equal(first.position);
      expect(outcome(await store.append(stream, 'no_stream', created))).to.deep.equal(outcome(first));
      expect((await appendOne(stream, 0, 1)).position > first.position).to.equal(true);
    });
  });
}

/**
 * The fields in which a repeated append must equal the first. A store may mark repetitions, so other fields may differ.
 */
const outcome = ({ revision, position }: AppendResult) => ({ revision, position });
