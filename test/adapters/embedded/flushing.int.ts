/** Documents of inline projections are in their tables some time after their events. Nobody may notice. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createCollection, type Collection } from '../../../adapters/embedded/collection.js';
import { openDatabase } from '../../../adapters/embedded/database.js';
import { aroundCollection } from './around-collection.js';
import { Database } from '../../../adapters/embedded/driver.js';
import type { InlineProjection } from '../../../adapters/embedded/inline.js';
import { openEmbedded, type Embedded } from '../../../adapters/embedded/open.js';
import { START } from '../../../ports/event-store.js';
import type { CollectionSpec, Find } from '../../../ports/read-models.js';
import { temporaryStore, testBox, type TemporaryStore } from '../../conformance/embedded.js';
import { record, streamName } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { notes } from './notes.js';

const note = (n: number) => record({ n }, 'Noted');

describe('embedded store: documents that are not in their tables yet', () => {
  let temporary: TemporaryStore;
  const folders: string[] = [];
  const store = () => temporary.store;
  /** Its timers never fire. */
  const open = async (projection: InlineProjection = notes) => {
    temporary = await temporaryStore({ clock: manualClock(), inline: { projections: [projection] } });
  };

  afterEach(async () => {
    await temporary.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  /** What a process that starts after a crash at this moment finds. */
  async function afterCrash(work: (crashed: Embedded) => Promise<void>): Promise<void> {
    const dataDir = mkdtempSync(join(tmpdir(), 'recado-crash-'));
    folders.push(dataDir);
    for (const file of ['recado.db', 'recado.db-wal', 'recado.db-redo']) {
      copyFileSync(join(temporary.dataDir, file), join(dataDir, file));
    }
    const crashed = await openEmbedded({ dataDir, secretBox: testBox, inline: { projections: [notes] } });
    try {
      await work(crashed);
    } finally {
      await crashed.close();
    }
  }

  const rowsIn = (path: string, of = 'doc FROM rm_notes_v1'): unknown[] => {
    store().settle();
    const db = new Database(join(path, 'recado.db'), { readonly: true });
    try {
      return db.prepare(`SELECT ${of} ORDER BY id`).pluck().all();
    } finally {
      db.close();
    }
  };

  it('are read by id, index and as a whole before a row is written', async () => {
    await open();
    const stream = streamName('note');
    await store().eventStore.append(stream, 'no_stream', [note(1), note(2)]);
    expect(rowsIn(temporary.dataDir)).to.deep.equal([]);
    const { readModels } = store();
    expect((await readModels.get('notes', stream))?.doc).to.deep.equal({ n: 2, times: 2 });
    const { documents } = await readModels.find('notes', {
      index: 'by_n',
      equals: [2],
      order: 'asc',
      limit: 5,
    });
    expect(documents.map(({ id }) => id)).to.deep.equal([stream]);
    expect(await readModels.count('notes', 'by_n', [2])).to.equal(1);
    const scanned = await readModels.scan('notes', { after: null, limit: 5, order: 'asc' });
    expect(scanned.map(({ id }) => id)).to.deep.equal([stream]);
  });

  it('are in their tables after a clean stop, which leaves nothing to catch up', async () => {
    await open();
    await store().eventStore.append(streamName('note'), 'no_stream', [note(1)]);
    await temporary.restart();
    expect(store().stats().behind).to.deep.equal([]);
    expect(rowsIn(temporary.dataDir)).to.deep.equal(['{"n":1,"times":1}']);
  });

  it('are missing after a crash, and their projection continues where its table ends', async () => {
    await open();
    const [one, two] = [streamName('note'), streamName('note')];
    const first = await store().eventStore.append(one, 'no_stream', [note(1)]);
    await store().clearRemnants();
    await store().eventStore.append(one, 0, [note(2)]);
    await store().eventStore.append(two, 'no_stream', [note(3)]);
    await afterCrash(async (crashed) => {
      const { eventStore, readModels } = crashed;
      expect(crashed.stats().behind).to.deep.equal(['notes']);
      const from = await readModels.checkpoint('notes');
      expect(from).to.equal(first.position);
      expect((await readModels.get('notes', one))?.doc).to.deep.equal({ n: 1, times: 1 });
      const missed = await eventStore.readAll({ after: from, limit: 10 });
      expect(missed.records.map(({ data }) => data['n'])).to.deep.equal([2, 3]);
    });
  });

  it('stay readable, and are written later, when the transaction that should have written them fails', async () => {
    await open();
    const stream = streamName('note');
    await store().eventStore.append(stream, 'no_stream', [note(1)]);
    store().settle();
    const blocker = new Database(join(temporary.dataDir, 'recado.db'));
    blocker.exec(
      "CREATE TRIGGER full BEFORE INSERT ON rm_notes_v1 BEGIN SELECT raise(ABORT, 'not now'); END",
    );
    const refused = await store()
      .readModels.count('notes', 'by_n', [1])
      .catch((error: Error) => error.message);
    expect(refused).to.match(/not now/);
    expect((await store().readModels.get('notes', stream))?.doc['n']).to.equal(1);
    blocker.exec('DROP TRIGGER full');
    blocker.close();
    expect(await store().readModels.count('notes', 'by_n', [1])).to.equal(1);
  });

  describe('that were written by others than projections', () => {
    const spec: CollectionSpec = { name: 'records', version: 1, indexes: { by_n: ['n'] }, packed: true };
    const one = (id: string, version = '1') => ({ id, doc: { n: 1, version }, version });
    const stored = (path: string): unknown[] => rowsIn(path, 'id || version FROM rm_records_v1');
    let clock: ReturnType<typeof manualClock>;

    beforeEach(async () => {
      clock = manualClock();
      temporary = await temporaryStore({ clock });
      await store().readModels.define(spec);
    });

    async function isDurable(durable: Promise<void>): Promise<boolean> {
      let done = false;
      void durable.then(() => (done = true));
      await store().flush();
      await store().flush();
      return done;
    }

    it('are in their table a little later, once for all changes, without a commit of their own before', async () => {
      const before = store().stats().commits;
      const { durable } = await store().readModels.writeSoon('records', [one('a')]);
      await store().readModels.writeSoon('records', [one('a', '2'), one('b')]);
      expect(store().stats().commits).to.equal(before);
      expect(await isDurable(durable)).to.equal(false);
      expect(stored(temporary.dataDir)).to.deep.equal([]);
      await clock.advance(2_000);
      await durable;
      expect(stored(temporary.dataDir)).to.deep.equal(['a2', 'b1']);
    });

    it('are missing after a crash, with the checkpoint that followed them', async () => {
      const { readModels } = store();
      await readModels.write('records', [one('a')]);
      await readModels.writeSoon('records', [one('a', '2'), one('b')]);
      await readModels.moveSoon({ collection: 'records', projection: 'p', from: START, to: '5' as never });
      expect(await readModels.checkpoint('p')).to.equal('5');
      await afterCrash(async (crashed) => {
        await crashed.readModels.define(spec);
        expect((await crashed.readModels.get('records', 'a'))?.version).to.equal('1');
        expect(await crashed.readModels.get('records', 'b')).to.equal(undefined);
        expect(await crashed.readModels.checkpoint('p')).to.equal(START);
      });
      await temporary.restart();
      expect(stored(temporary.dataDir), 'a clean stop loses none').to.deep.equal(['a2', 'b1']);
      expect(await store().readModels.checkpoint('p')).to.equal('5');
    });

    it('do not pass for durable while the disk refuses them, and are written afterwards', async () => {
      const { durable } = await store().readModels.writeSoon('records', [one('a')]);
      store().settle();
      const blocker = new Database(join(temporary.dataDir, 'recado.db'));
      blocker.exec(
        "CREATE TRIGGER full BEFORE INSERT ON rm_records_v1 BEGIN SELECT raise(ABORT, 'not now'); END",
      );
      await clock.advance(2_000);
      expect(await isDurable(durable)).to.equal(false);
      expect((await store().readModels.get('records', 'a'))?.version).to.equal('1');
      blocker.exec('DROP TRIGGER full');
      blocker.close();
      await clock.advance(2_000);
      await durable;
      expect(stored(temporary.dataDir)).to.deep.equal(['a1']);
    });

    it('are written at once when many of them wait', async () => {
      const { readModels } = store();
      const many = Array.from({ length: 4_000 }, (_, n) => one(`m${n}`));
      const { durable } = await readModels.writeSoon('records', many);
      await clock.advance(0);
      await durable;
      expect(stored(temporary.dataDir)).to.have.length(4_000);
    });

    describe('where they take several transactions', () => {
      const hundred = Array.from({ length: 100 }, (_, n) => one(`m${n}`));

      beforeEach(async () => {
        const { durable } = await store().readModels.writeSoon('records', hundred);
        expect(await isDurable(durable)).to.equal(false);
        await clock.advance(2_000);
      });

      it('are written one slice after the other, with a rest between two', async () => {
        const written: number[] = [];
        for (let more = true; more; more = written.at(-1)! < hundred.length) {
          await store().flush();
          written.push(stored(temporary.dataDir).length);
          await clock.advance(10);
        }
        expect(written).to.deep.equal([40, 80, 100]);
      });

      it('are written without a rest for a caller who waits', async () => {
        expect(stored(temporary.dataDir).length).to.be.lessThan(hundred.length);
        await store().clearRemnants();
        expect(stored(temporary.dataDir)).to.have.length(hundred.length);
      });
    });

    it('wait for the disk where too many of them wait', async () => {
      const { readModels } = store();
      const before = store().stats().commits;
      await readModels.writeSoon(
        'records',
        Array.from({ length: 8_001 }, (_, n) => one(`m${n}`)),
      );
      const { durable } = await readModels.writeSoon('records', [one('last')]);
      expect(store().stats().commits - before).to.equal(1);
      expect(stored(temporary.dataDir)).to.deep.equal(['last1']);
      await durable;
    });
  });

  it('are not kept from a transaction that was rolled back', async () => {
    await open();
    const stream = streamName('note');
    await store().eventStore.append(stream, 'no_stream', [note(1)]);
    let broken = true;
    const relay = () => {
      const topic = broken ? (null as unknown as string) : 't';
      return [{ topic, key: 'k', value: {} }];
    };
    await store().useInline({ projections: [notes], relay });
    const failed = await store()
      .eventStore.append(stream, 0, [note(2)])
      .catch((error: Error) => error.message);
    expect(failed).to.match(/NOT NULL/);
    expect((await store().readModels.get('notes', stream))?.doc).to.deep.equal({ n: 1, times: 1 });
    broken = false;
    await store().eventStore.append(stream, 0, [note(3)]);
    expect((await store().readModels.get('notes', stream))?.doc).to.deep.equal({ n: 3, times: 2 });
  });

  it('are written before their projection is left behind', async () => {
    let broken = false;
    await open({
      ...notes,
      apply(records, load) {
        if (broken) throw new Error('cannot');
        return notes.apply(records, load);
      },
    });
    const stream = streamName('note');
    const { position } = await store().eventStore.append(stream, 'no_stream', [note(1)]);
    broken = true;
    await store().eventStore.append(stream, 0, [note(2)]);
    await afterCrash(async ({ readModels }) => {
      expect(await readModels.checkpoint('notes')).to.equal(position);
      expect((await readModels.get('notes', stream))?.doc).to.deep.equal({ n: 1, times: 1 });
    });
  });

  it('come from the position of the head when a folder of schema 5 had no other', async () => {
    temporary = await temporaryStore({ inline: { projections: [notes] } });
    await store().eventStore.append(streamName('note'), 'no_stream', [note(1)]);
    const head = await store().eventStore.head();
    await store().close();
    const old = new Database(join(temporary.dataDir, 'recado.db'));
    old.exec(`
      UPDATE checkpoints SET position = '', in_step = 1;
      INSERT INTO checkpoints (projection, position, in_step) VALUES ('late', '5', 0);
      PRAGMA user_version = 5;`);
    old.close();
    temporary.store = await openEmbedded({
      dataDir: temporary.dataDir,
      secretBox: testBox,
      inline: { projections: [notes] },
    });
    expect(store().stats().behind).to.deep.equal([]);
    expect(await store().readModels.checkpoint('notes')).to.equal(head);
    expect(await store().readModels.checkpoint('late')).to.equal('5');
    expect(await store().readModels.checkpoint('unknown')).to.equal(START);
  });
});

describe('embedded store: pages of documents that are partly in their table', () => {
  const spec: CollectionSpec = {
    name: 'mixed',
    version: 1,
    indexes: { by_owner: ['owner', 'rank'], by_rank: ['rank'] },
  };
  const owner = fc.constantFrom('a', 'b', null);
  const rank = fc.constantFrom(0, 1, -2.5, 'x', 'é', '\u{1F600}', '\uFFFD', null);
  const change = fc.record({
    id: fc.constantFrom('1', '2', '3', '\u{1F600}', '\uFFFD'),
    doc: fc.option(fc.record({ owner, rank }), { freq: 4 }),
    flush: fc.boolean(),
  });

  /** All pages, each from the cursor of the one before. */
  function pagesOf(collection: Collection, query: Omit<Find, 'limit' | 'after'>): unknown[] {
    const pages: unknown[] = [];
    let after: Find['after'];
    do {
      const { documents, next } = collection.find({ ...query, limit: 2, ...(after ? { after } : {}) });
      pages.push([documents, next]);
      after = next ?? undefined;
    } while (after);
    return pages;
  }

  it('equal the pages of documents that are all in the table', () => {
    const folder = mkdtempSync(join(tmpdir(), 'recado-pages-'));
    const db = openDatabase(join(folder, 'recado.db'));
    let runs = 0;
    try {
      fc.assert(
        fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
          runs += 1;
          const made = (name: string) => createCollection(db, { ...spec, name }, aroundCollection());
          const [mixed, plain] = [made(`mixed_${runs}`), made(`plain_${runs}`)];
          for (const [index, { id, doc, flush }] of changes.entries()) {
            const write = { id, doc, version: String(index + 1).padStart(4, '0') };
            mixed.stage(mixed.prepare(write));
            mixed.committed();
            plain.write(plain.prepare(write));
            if (flush) mixed.flush([id]);
            mixed.committed();
          }
          for (const order of ['asc', 'desc'] as const) {
            for (const equals of [['a'], ['b'], [null], ['a', 'x'], []]) {
              const query = { index: 'by_owner', equals, order };
              expect(pagesOf(mixed, query)).to.deep.equal(pagesOf(plain, query));
            }
            const query = { index: 'by_rank', equals: [], order };
            expect(pagesOf(mixed, query)).to.deep.equal(pagesOf(plain, query));
          }
          for (const id of ['1', '2', '3']) expect(mixed.get(id)).to.deep.equal(plain.get(id));
        }),
        { numRuns: 60 },
      );
    } finally {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
