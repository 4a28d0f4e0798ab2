/** Searches whose index must be built first: it has an older format, or the collection is older than the index. */
import { expect } from 'chai';
import { Database } from '../../../adapters/embedded/driver.js';
import { join } from 'node:path';
import { openEmbedded } from '../../../adapters/embedded/open.js';
import { createCollections } from '../../../adapters/embedded/collections.js';
import { openDatabase } from '../../../adapters/embedded/database.js';
import { SearchNotReady } from '../../../ports/read-models.js';
import { failure } from '../../conformance/support.js';
import { temporaryStore, testBox, type TemporaryStore } from '../../conformance/embedded.js';
import { eventually } from '../../support/e2e/eventually.js';

const spec = {
  name: 'people',
  version: 1,
  indexes: { by_company: ['company'] },
  search: { scope: 'company', words: 'words', orderBy: 'made_at' },
};
const { search: _search, ...plain } = spec;
const COUNT = 3_000;

const idOf = (n: number): string => `i${String(n).padStart(6, '0')}`;
const person = (n: number, words: readonly string[], version = '1') => ({
  id: idOf(n),
  version,
  doc: { company: 'a', made_at: idOf(n), words },
});

describe('embedded store: a search that is being prepared', function () {
  this.timeout(120_000);
  let temporary: TemporaryStore;
  beforeEach(async () => {
    temporary = await temporaryStore();
    await temporary.store.readModels.define(plain);
    const all = [...Array(COUNT).keys()].map((n) =>
      person(n, [`w${n}`, `only${n}.`, n % 2 === 0 ? 'even' : 'odd']),
    );
    await temporary.store.readModels.write(spec.name, all);
  });
  afterEach(() => temporary.close());

  const find = async (...prefixes: string[]): Promise<readonly string[]> => {
    const query = { scope: 'a', prefixes, order: 'desc', limit: 1_000 } as const;
    return (await temporary.store.readModels.search(spec.name, query)).documents.map(({ id }) => id);
  };
  const ready = (): Promise<boolean> =>
    eventually(() => Object.keys(temporary.store.stats().unsearchable).length === 0, {
      what: 'the search to be ready',
    });

  it('says that it is not ready, and all else goes on; what is written meanwhile is found, what is removed is not', async () => {
    const { store } = temporary;
    const { readModels } = store;
    await readModels.define(spec);
    expect(await failure(find('w'))).to.be.instanceOf(SearchNotReady);
    expect(store.stats().unsearchable).to.deep.equal({ people: 0 });
    expect((await readModels.get(spec.name, idOf(7)))?.id).to.equal(idOf(7));
    await readModels.write(spec.name, [
      person(2_999, ['changed'], '2'),
      { id: idOf(2_998), version: '2', doc: null },
      person(COUNT, ['new']),
      person(0, ['first'], '2'),
    ]);
    await ready();
    expect(await find('w2999')).to.deep.equal([]);
    expect(await find('w2998')).to.deep.equal([]);
    expect(await find('w0')).to.deep.equal([]);
    expect(await find('w2997')).to.deep.equal([idOf(2_997)]);
    expect([...(await find('changed')), ...(await find('new')), ...(await find('first'))]).to.deep.equal([
      idOf(2_999),
      idOf(COUNT),
      idOf(0),
    ]);
    expect((await find('even', 'w12')).length, 'w12, w120 and so on').to.equal(1 + 5 + 50);
  });

  it('is made again from an index of an older format, and goes on where a process ended', async () => {
    const { readModels } = temporary.store;
    await readModels.define(spec);
    await ready();
    await temporary.store.close();
    const path = join(temporary.dataDir, 'recado.db');
    const old = new Database(path);
    const stored = old.prepare('SELECT search FROM collections').pluck().get() as string;
    const { format, ...rest } = JSON.parse(stored) as { format: number };
    old.prepare('UPDATE collections SET search = ?').run(JSON.stringify({ format: format - 1, ...rest }));
    // The index also contains stale data, which only a rebuild removes.
    old.prepare(`UPDATE rm_people_v1__search_rows SET words = ' stale'`).run();
    old.close();

    // A process that ends after some pieces; each piece is a transaction of its own.
    const db = openDatabase(path);
    const collection = createCollections(db).define(spec);
    const piece = db.transaction(() => collection.fillSearch());
    const shares = [collection.searchable()];
    while (collection.searchable() < 0.3) {
      piece.immediate();
      shares.push(collection.searchable());
    }
    expect(shares.length, 'pieces').to.be.greaterThan(3);
    const reached = shares.at(-1)!;
    expect(() =>
      db.transaction(() => void (collection.fillSearch(), db.exec('no SQL'))).immediate(),
    ).to.throw();
    collection.rolledBack();
    expect(collection.searchable(), 'a piece that was rolled back does not count').to.equal(reached);
    const last = db.transaction(() => {
      while (collection.fillSearch());
      throw new Error('the disk is full');
    });
    expect(() => last.immediate()).to.throw('the disk is full');
    collection.rolledBack();
    expect(collection.searchable(), 'nor the last one').to.equal(reached);
    db.close();

    const again = openDatabase(path);
    expect(createCollections(again).define(spec).searchable(), 'not begun anew').to.equal(reached);
    again.close();

    temporary.store = await openEmbedded({ dataDir: temporary.dataDir, secretBox: testBox });
    await temporary.store.readModels.define(spec);
    expect(await failure(find('w'))).to.be.instanceOf(SearchNotReady);
    await ready();
    expect(await find('stale')).to.deep.equal([]);
    for (const n of [0, 1, 500, 999, 1_000, 1_500, 2_999]) {
      expect(await find(`only${n}.`)).to.deep.equal([idOf(n)]);
    }
    expect((await find('odd')).length).to.equal(1_000);
    expect((await find('odd', 'w1')).length + (await find('even', 'w1')).length).to.equal(
      1 + 10 + 100 + 1_000,
    );
  });

  it('has few documents at once, also beside another one; a store that is closed meanwhile goes on later', async () => {
    await temporary.store.readModels.define(spec);
    await temporary.restart();
    await temporary.store.readModels.define(spec);
    await temporary.store.readModels.define({ ...plain, name: 'few' });
    await temporary.store.readModels.write('few', [person(1, ['ana'])]);
    await temporary.store.readModels.define({ ...spec, name: 'few' });
    const query = { scope: 'a', prefixes: ['an'], order: 'desc', limit: 5 } as const;
    const { documents } = await temporary.store.readModels.search('few', query);
    expect(documents.map(({ id }) => id)).to.deep.equal([idOf(1)]);
    await ready();
    expect(await find('w2999')).to.deep.equal([idOf(2_999)]);
  });
});
