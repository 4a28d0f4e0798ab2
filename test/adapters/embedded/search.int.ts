/** What the search of the embedded store does beyond the port: many zones, lazy reading, and nothing left of what is removed. */
import { expect } from 'chai';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import type { IndexValue } from '../../../ports/read-models.js';
import { temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';

const spec = {
  name: 'people',
  version: 1,
  indexes: { by_company: ['company'] },
  search: { scope: 'company', words: 'words', orderBy: 'made_at' },
};

describe('embedded store: search', function () {
  this.timeout(60_000);
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
    let seed = 42;
    const random = (n: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed % n;
    };
    const docs = [...Array(18_000).keys()].map((n) => ({
      id: `i${String(n).padStart(6, '0')}`,
      words: ['all', ...(n % 7 === 0 ? ['seventh'] : []), ...(random(400) === 0 ? ['rare'] : [])],
      // Mostly in order of arrival, as real ones are; some far from it.
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

  it('leaves no word of a removed or changed document in the file', async () => {
    await write([
      { id: '1', words: ['segredosecreto'], made_at: '1' },
      { id: '2', words: ['outrapalavra'], made_at: '2' },
    ]);
    const { readModels } = temporary.store;
    await readModels.write(spec.name, [
      { id: '1', version: '2', doc: { company: 'a', made_at: '1', words: ['palavralimpa'] } },
      { id: '2', version: '2', doc: null },
    ]);
    const db = new Database(join(temporary.dataDir, 'recado.db'));
    const blocks = db.prepare('SELECT block FROM rm_people_v1__search_words_data').pluck().all() as Buffer[];
    db.close();
    // The pages themselves: an index may keep a word that it no longer answers.
    const text = Buffer.concat(blocks).toString('latin1');
    expect(text)
      .to.include('palavralimpa')
      .and.not.match(/segredosecreto|outrapalavra/);
  });
});
