/** Costs that must not grow with the history, checked by SQLite's query plans and by the data that a read touches. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createCollection, type Collection } from '../../../adapters/embedded/collection.js';
import { aroundCollection } from './around-collection.js';
import { openDatabase, type Db } from '../../../adapters/embedded/database.js';
import { CLAIM_SQL, NEXT_LANE_SQL } from '../../../adapters/embedded/due-times-rows.js';
import { START, type Position, type StoredRecord } from '../../../ports/event-store.js';
import type { Find } from '../../../ports/read-models.js';
import { temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';
import { record } from '../../conformance/support.js';
import { projectFile } from '../../support/root.js';

describe('embedded store: query plans', () => {
  let dir: string;
  let db: Db;
  let collection: Collection;

  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'recado-test-'));
    db = openDatabase(join(dir, 'recado.db'));
    collection = createCollection(
      db,
      {
        name: 'orders',
        version: 1,
        indexes: { by_date: ['company', 'status', 'created_at'], by_company: ['company'] },
      },
      aroundCollection(),
    );
  });
  after(() => {
    db.close();
    rmSync(dir, { recursive: true, force: true });
  });

  function plan(sql: string): string {
    const values = Array.from({ length: sql.split('?').length - 1 }, () => 1);
    const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[];
    return rows.map(({ detail }) => detail).join('; ');
  }

  const find = (over: Partial<Find>): string =>
    plan(collection.findSql({ index: 'by_date', equals: ['a', 'b'], order: 'desc', limit: 10, ...over }));

  for (const order of ['asc', 'desc'] as const) {
    it(`seek into the index for a page in ${order} order, and never sort`, () => {
      expect(find({ order })).to.match(
        /^SEARCH .* INDEX rm_orders_v1__by_date \(f_company=\? AND f_status=\?\)$/,
      );
      expect(find({ order, after: ['2026', '1'] })).to.match(
        /^SEARCH .* \(f_company=\? AND f_status=\? AND \(f_created_at,id\)[<>]\(\?,\?\)\)$/,
      );
      expect(find({ order, equals: ['a'], after: ['x', '2026', '1'] })).to.match(
        /^SEARCH .* \(f_company=\? AND \(f_status,f_created_at,id\)[<>]\(\?,\?,\?\)\)$/,
      );
      expect(find({ order, index: 'by_company', equals: ['a'], after: ['1'] })).to.match(
        /^SEARCH .*by_company \(f_company=\? AND id[<>]\?\)$/,
      );
    });
  }

  it('count from the index alone', () => {
    expect(plan(collection.countSql('by_date', ['a']))).to.match(
      /^SEARCH .* COVERING INDEX .* \(f_company=\?\)$/,
    );
    expect(plan(collection.countSql('by_date', []))).to.match(/COVERING INDEX/);
    expect(plan(collection.countSql('by_date', ['a'], true))).to.match(/SEARCH .* USING COVERING INDEX/);
  });

  it('find by what ids begin with from the ids, and the rest from the index', () => {
    const near = createCollection(
      db,
      {
        name: 'letters',
        version: 1,
        indexes: { by_event: ['event', 'created_at'] },
        idsBegin: { index: 'by_event', characters: 13 },
      },
      aroundCollection(),
    );
    const parts =
      /SEARCH rm_letters_v1 USING INDEX sqlite_autoindex_rm_letters_v1_1 \(id>\? AND id<\?\).*SEARCH rm_letters_v1 USING (COVERING )?INDEX rm_letters_v1__by_event \(f_event=\?/;
    const query = { index: 'by_event', equals: ['e'], order: 'asc', limit: 10 } as const;
    expect(plan(near.findSql(query))).to.match(parts);
    expect(plan(near.findSql({ ...query, after: ['2026', '1'] }))).to.match(parts);
    expect(plan(near.countSql('by_event', ['e'], true))).to.match(parts);
  });

  it('claim due entries from the index of one lane, and never sort', () => {
    expect(plan(CLAIM_SQL)).to.match(
      /^SEARCH .* INDEX due_waiting \(queue=\? AND lane=\? AND due_at>\? AND due_at<\?\)$/,
    );
  });

  // SQLite plans for the value of a bare parameter, and so compiles the statement again whenever it changes.
  it('never depend on the limit that is bound', () => {
    const folder = projectFile('adapters/embedded/');
    const sources = readdirSync(folder).map((name) => ({
      name,
      text: readFileSync(join(folder, name), 'utf8'),
    }));
    const holding = (words: string): string[] =>
      sources.filter(({ text }) => text.includes(words)).map(({ name }) => name);
    expect(holding('${LIMIT}')).to.include('topics.ts');
    // The one that says why.
    expect(holding('LIMIT ?')).to.deep.equal(['limit.ts']);
  });

  it('jump from lane to lane', () => {
    expect(plan(NEXT_LANE_SQL)).to.match(/^SEARCH .* due_waiting \(queue=\? AND lane>\?\)$/);
  });
});

describe('embedded store: reading all', () => {
  let temporary: TemporaryStore;
  afterEach(() => temporary.close());

  async function walk(limit: number, prefixes?: readonly string[]) {
    const { eventStore } = temporary.store;
    const records: StoredRecord[] = [];
    let calls = 0;
    let after: Position = START;
    for (let atEnd = false; !atEnd; calls += 1) {
      const page = await eventStore.readAll({ after, limit, ...(prefixes ? { prefixes } : {}) });
      records.push(...page.records);
      ({ next: after, atEnd } = page);
    }
    return { records, calls };
  }

  it('gives the same from memory as from the file', async () => {
    temporary = await temporaryStore();
    for (let n = 0; n < 30; n += 1) {
      await temporary.store.eventStore.append(`${'abc'[n % 3]}-${n}`, 'no_stream', [
        record({ n }),
        record({ n }),
      ]);
    }
    const read = async () =>
      Promise.all(
        [[], ['a-'], ['a-', 'c-'], ['none-']].flatMap((prefixes) =>
          [1, 7, 100].map(
            async (limit) => (await walk(limit, prefixes.length > 0 ? prefixes : undefined)).records,
          ),
        ),
      );
    const fromMemory = await read();
    expect(fromMemory[0]).to.have.length(60);
    await temporary.restart();
    expect(await read()).to.deep.equal(fromMemory);
  });

  it('forgets the oldest of what it keeps in memory, and reads on from the file', async () => {
    temporary = await temporaryStore();
    for (let n = 0; n < 50; n += 1) {
      const records = Array.from({ length: 100 }, (_, i) => record({ n: n * 100 + i }));
      await temporary.store.eventStore.append(`many-${n}`, 'no_stream', records);
    }
    const { records } = await walk(333);
    expect(records.map(({ data }) => data['n'])).to.deep.equal([...Array(5_000).keys()]);
  });

  it('passes over many hidden records in few calls', async function () {
    this.timeout(120_000);
    temporary = await temporaryStore();
    for (let n = 0; n < 100; n += 1) {
      const records = Array.from({ length: 200 }, () => record());
      await temporary.store.eventStore.append(`hidden-${n}`, 'no_stream', records);
    }
    await temporary.store.eventStore.append('rare-1', 'no_stream', [record({ n: 1 })]);
    await temporary.restart();
    const { records, calls } = await walk(10, ['rare-']);
    expect(records).to.have.length(1);
    expect(calls).to.be.at.most(4);
  });
});
