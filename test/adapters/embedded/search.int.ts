/** The embedded store's search beyond the port: sealed blocks, bounded work, and complete removal of deleted data. */
import { expect } from 'chai';
import { Database, type Db } from '../../../adapters/embedded/driver.js';
import { join } from 'node:path';
import { createSearchIndex } from '../../../adapters/embedded/search-index.js';
import type { Position } from '../../../ports/event-store.js';
import type { IndexValue } from '../../../ports/read-models.js';
import { temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';

const spec = {
  name: 'people',
  version: 1,
  indexes: { by_company: ['company'] },
  search: { scope: 'company', words: 'words', orderBy: 'made_at' },
};

describe('embedded store: search', function () {
  this.timeout(120_000);
  let temporary: TemporaryStore;
  beforeEach(async () => {
    temporary = await temporaryStore();
    await temporary.store.readModels.define(spec);
  });
  afterEach(() => temporary.close());

  const write = (docs: readonly { id: string; words: readonly string[]; made_at: string | null }[]) =>
    temporary.store.readModels.write(
      spec.name,
      docs.map(({ id, ...doc }) => ({ id, version: '1', doc: { company: 'a', ...doc } })),
    );

  async function pages(prefixes: readonly string[], order: 'asc' | 'desc', limit: number): Promise<string[]> {
    const ids: string[] = [];
    let after: readonly IndexValue[] | null | undefined;
    while (after !== null) {
      const found = await temporary.store.readModels.search(spec.name, {
        scope: 'a',
        prefixes,
        order,
        limit,
        ...(after ? { after } : {}),
      });
      ids.push(...found.documents.map(({ id }) => id));
      after = found.next;
    }
    return ids;
  }

  it('pages exactly over thousands of documents that arrived out of order, with many equal sort values', async () => {
    const random = randomOf(42);
    const docs = [...Array(18_000).keys()].map((n) => ({
      id: `i${String(n).padStart(6, '0')}`,
      words: ['all', ...(n % 7 === 0 ? ['seventh'] : []), ...(random(400) === 0 ? ['rare'] : [])],
      // Mostly in order of arrival, as real documents are, with some outliers.
      made_at:
        random(50) === 0 ? null : String((random(20) === 0 ? random(18_000) : n) >> 3).padStart(6, '0'),
    }));
    for (let at = 0; at < docs.length; at += 2_000) await write(docs.slice(at, at + 2_000));
    const sorted = [...docs].sort((a, b) => {
      const [x, y] = [`${a.made_at ?? ''} ${a.id}`, `${b.made_at ?? ''} ${b.id}`];
      return x < y ? -1 : 1;
    });
    for (const prefixes of [['al'], ['seventh', 'a'], ['rare'], ['rare', 'seventh'], ['none']]) {
      const expected = sorted
        .filter(({ words }) => prefixes.every((prefix) => words.some((word) => word.startsWith(prefix))))
        .map(({ id }) => id);
      expect(await pages(prefixes, 'asc', 500), prefixes.join()).to.deep.equal(expected);
      expect(await pages(prefixes, 'desc', 333), prefixes.join()).to.deep.equal(expected.reverse());
    }
  });

  it('agrees with a filtered list while blocks are sealed, documents leave them, and the store is opened anew', async () => {
    const random = randomOf(7);
    const kept = new Map<string, { words: readonly string[]; made_at: string }>();
    let version = 0;
    const writeSome = async (ids: readonly string[]): Promise<void> => {
      version += 1;
      const writes = ids.map((id) => {
        const words = [
          'all',
          `s${random(9)}`,
          `n${random(1_000)}`,
          `long${String(random(500)).padStart(5, '0')}`,
        ];
        const doc = { words, made_at: String(random(300)).padStart(4, '0') };
        const removed = kept.has(id) && random(3) === 0;
        if (removed) kept.delete(id);
        else kept.set(id, doc);
        return {
          id,
          version: String(version).padStart(6, '0'),
          doc: removed ? null : { company: 'a', ...doc },
        };
      });
      await temporary.store.readModels.write(spec.name, writes);
    };
    const check = async (): Promise<void> => {
      const sorted = [...kept]
        .sort(([a, x], [b, y]) => (`${x.made_at} ${a}` < `${y.made_at} ${b}` ? -1 : 1))
        .map(([id, { words }]) => ({ id, words }));
      for (const prefixes of [['long00123'], ['n77', 's3'], ['s1', 's2'], ['al', 'long001', 's'], ['x']]) {
        const expected = sorted
          .filter(({ words }) => prefixes.every((prefix) => words.some((word) => word.startsWith(prefix))))
          .map(({ id }) => id);
        expect(await pages(prefixes, 'asc', 37), prefixes.join()).to.deep.equal(expected);
        expect(await pages(prefixes, 'desc', 50), prefixes.join()).to.deep.equal(expected.reverse());
      }
    };
    const id = (n: number): string => `i${String(n).padStart(6, '0')}`;
    for (let at = 0; at < 20_000; at += 1_000)
      await writeSome([...Array(1_000).keys()].map((n) => id(at + n)));
    expect(blocks(), 'one era is sealed as a whole').to.satisfy((all: readonly BlockRow[]) =>
      all.some(({ block, slices }) => block % 2 === 1 && slices > 0),
    );
    await check();
    await temporary.restart();
    await temporary.store.readModels.define(spec);
    for (let at = 0; at < 14_000; at += 1_000) {
      await writeSome([...Array(1_000).keys()].map((n) => id(((at + n) * 7) % 20_000)));
      if (at % 5_000 === 0) await check();
    }
    await check();
    expect(
      blocks().filter(({ block }) => block === 1),
      'what was left of the first era has moved along',
    ).to.deep.equal([]);
  });

  it('goes on with sealing after a transaction that was rolled back', async () => {
    const docs = [...Array(2_300).keys()].map((n) => ({
      id: `i${String(n).padStart(6, '0')}`,
      words: [`w${n}`, ...[...Array(40).keys()].map((word) => `n${n}x${word}`)],
      made_at: String(n).padStart(6, '0'),
    }));
    // After this write the block has some slices, but not all.
    await write(docs.slice(0, 2_125));
    expect(
      blocks().every(({ slices }) => slices === 0),
      'not sealed yet',
    ).to.equal(true);
    // One commit is refused after other writes of the same transaction have run; those are run again in a new
    // transaction.
    const { readModels } = temporary.store;
    await readModels.write(spec.name, [
      { id: 'x', version: '1', doc: { company: 'a', words: ['x'], made_at: '' } },
    ]);
    const others = write(docs.slice(2_125, 2_140));
    const refused = readModels.commit(spec.name, {
      projection: 'p',
      from: '' as Position,
      to: '1' as Position,
      writes: [{ id: 'x', version: '2', doc: null, base: '0' }],
    });
    const [written, outcome] = await Promise.allSettled([others, refused]);
    expect([written.status, outcome.status]).to.deep.equal(['fulfilled', 'rejected']);
    await write(docs.slice(2_140));
    expect(
      blocks().some(({ slices }) => slices > 0),
      'sealed',
    ).to.equal(true);
    expect(await pages(['w'], 'asc', 500)).to.deep.equal(docs.map(({ id }) => id));
    expect(await pages(['w205'], 'desc', 500)).to.deep.equal(
      docs
        .filter(({ words }) => words[0]!.startsWith('w205'))
        .map(({ id }) => id)
        .reverse(),
    );
  });

  it('looks at a bounded part of the index, whatever the words', async () => {
    // All words are common and no document contains both, so nothing ends the search early.
    const docs = [...Array(20_000).keys()].map((n) => ({
      id: `i${String(n).padStart(6, '0')}`,
      words: ['all', n % 2 === 0 ? 'even' : 'odd'],
      made_at: String(n).padStart(6, '0'),
    }));
    for (let at = 0; at < docs.length; at += 2_000) await write(docs.slice(at, at + 2_000));
    let statements = 0;
    temporary.store.settle();
    const db = new Database(join(temporary.dataDir, 'recado.db'), { verbose: () => void (statements += 1) });
    const index = createSearchIndex(db, spec, spec.search, 'rm_people_v1');
    const found = (...prefixes: string[]): number => {
      statements = 0;
      return index.find({ scope: 'a', prefixes, order: 'desc', limit: 20 }).ids.length;
    };
    expect(found('even', 'odd')).to.equal(0);
    expect(statements, 'of 20,000 documents').to.be.lessThan(200);
    expect(found('e', 'o')).to.equal(0);
    expect(statements).to.be.lessThan(200);
    expect(found('al')).to.equal(20);
    expect(statements).to.be.lessThan(60);
    expect(found('nobody')).to.equal(0);
    expect(statements).to.be.lessThan(60);
    db.close();
  });

  it('leaves no word of a removed or changed document in the index', async () => {
    const filler = [...Array(2_300).keys()].map((n) => ({ id: `f${n}`, words: [`w${n}`], made_at: '0' }));
    await write([
      { id: '1', words: ['segredosecreto'], made_at: '1' },
      { id: '2', words: ['outrapalavra'], made_at: '2' },
      ...filler,
    ]);
    expect(
      blocks().some(({ slices }) => slices > 0),
      'they are in a sealed block',
    ).to.equal(true);
    const { readModels } = temporary.store;
    await readModels.write(spec.name, [
      { id: '1', version: '2', doc: { company: 'a', made_at: '1', words: ['palavralimpa'] } },
      { id: '2', version: '2', doc: null },
    ]);
    const text = inFile((db) => {
      const tables = db.prepare(
        `SELECT name FROM sqlite_schema WHERE name LIKE 'rm_people_v1__search%' AND type = 'table'`,
      );
      return (tables.pluck().all() as string[])
        .flatMap((table) => db.prepare(`SELECT * FROM ${table}`).raw(true).all() as unknown[][])
        .flat()
        .map((value) => (value instanceof Buffer ? value.toString('latin1') : String(value)))
        .join(' ');
    });
    expect(text)
      .to.include('palavralimpa')
      .and.not.match(/segredosecreto|outrapalavra/);
  });

  interface BlockRow {
    readonly block: number;
    readonly slices: number;
  }

  function inFile<T>(read: (db: Db) => T): T {
    temporary.store.settle();
    const db = new Database(join(temporary.dataDir, 'recado.db'), { readonly: true });
    try {
      return read(db);
    } finally {
      db.close();
    }
  }

  const blocks = (): readonly BlockRow[] =>
    inFile((db) => db.prepare('SELECT block, slices FROM rm_people_v1__search_blocks').all() as BlockRow[]);
});

/** The same numbers in every run. */
function randomOf(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % n;
  };
}
