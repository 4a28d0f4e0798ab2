/** Deleted data cannot be read in the files of the embedded store, however SQLite moved its pages before. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../adapters/embedded/driver.js';
import { expect } from 'chai';
import { openDatabase } from '../../../adapters/embedded/database.js';
import { silentLogger } from '../../../ports/logger.js';
import { openEmbedded, type Embedded } from '../../../adapters/embedded/open.js';
import { checkFile } from '../../../adapters/embedded/peek.js';
import { clearSlack } from '../../../adapters/embedded/slack.js';
import { vacuumOnce } from '../../../adapters/embedded/vacuum.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import type { CollectionSpec } from '../../../ports/read-models.js';
import { testBox } from '../../conformance/embedded.js';

const WORD = 'Zuleica';
const people: CollectionSpec = {
  name: 'people',
  version: 1,
  indexes: { by_name: ['name'] },
  search: { scope: 'company', words: 'words', orderBy: 'at' },
};

describe('embedded store: what is left of deleted rows', function () {
  this.timeout(120_000);
  let dataDir: string;
  let store: Embedded | undefined;
  const path = (): string => join(dataDir, 'recado.db');
  const open = async (options: { readonly vacuum?: boolean } = {}): Promise<Embedded> =>
    (store = await openEmbedded({ dataDir, secretBox: testBox, ...options }));

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'recado-test-'));
  });
  afterEach(async () => {
    await store?.close();
    store = undefined;
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Names of the files below the folder that contain the word. */
  const holding = (word: string): readonly string[] =>
    readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file).includes(word));

  /** Pseudo-random numbers that are the same in every run. */
  function draws(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * below);
    };
  }

  /**
   * Writes and changes documents of many sizes in mixed order, so that pages split and cells move. Returns the ids of
   * the secret documents.
   */
  async function fill(seed: number): Promise<readonly string[]> {
    const draw = draws(seed);
    const ids: string[] = [];
    const secret: string[] = [];
    const doc = (id: string) => {
      const name = secret.includes(id) ? `${WORD} ${id}` : `Ana ${draw(1_000)}`;
      return {
        company: 'c',
        at: String(draw(1_000)),
        name,
        words: name.split(' '),
        pad: 'x'.repeat(draw(draw(8) === 0 ? 6_000 : 600)),
      };
    };
    for (let batch = 0; batch < 80; batch += 1) {
      const fresh = Array.from({ length: 30 }, (_, n) => deriveId('remnants', seed, batch, n));
      ids.push(...fresh);
      secret.push(...fresh.filter(() => draw(40) === 0));
      const again = Array.from({ length: 30 }, () => ids[draw(ids.length)]!);
      const version = String(batch).padStart(6, '0');
      await store!.readModels.write(
        'people',
        fresh.map((id) => ({ id, doc: doc(id), version })),
      );
      await store!.readModels.write(
        'people',
        again.map((id) => ({ id, doc: doc(id), version: `${version}~` })),
      );
    }
    return secret;
  }

  for (const seed of [1, 2, 3]) {
    it(`is overwritten, in every place that a page split left it in (${seed})`, async () => {
      const { readModels, clearRemnants } = await open();
      await readModels.define(people);
      const secret = await fill(seed);
      expect(secret.length).to.be.greaterThan(30);
      for (const [nth, id] of secret.entries()) {
        const gone = { company: 'c', name: null, words: [] };
        await readModels.write('people', [{ id, doc: nth % 2 === 0 ? gone : null, version: '9' }]);
      }
      expect(await clearRemnants()).to.equal(null);
      expect(holding(WORD)).to.deep.equal([]);
      await store!.close();
      store = undefined;
      expect(holding(WORD)).to.deep.equal([]);
      expect(checkFile(path(), true).problem).to.equal(null);
    });
  }

  it('is overwritten while others write, and what they write is whole', async () => {
    const { readModels, clearRemnants } = await open();
    await readModels.define(people);
    const secret = await fill(4);
    await readModels.write(
      'people',
      secret.map((id) => ({ id, doc: null, version: '9' })),
    );
    let ended = false;
    const cleared = clearRemnants().finally(() => (ended = true));
    const written: string[] = [];
    while (!ended) {
      const id = deriveId('written meanwhile', written.length);
      written.push(id);
      const doc = { company: 'c', name: `Bia ${written.length}`, words: [], pad: 'y'.repeat(900) };
      await readModels.write('people', [{ id, doc, version: '1' }]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    // On a store under constant writes the cleaning may not finish; it then reports that, and a second call finishes
    // it.
    if ((await cleared) !== null) expect(await clearRemnants()).to.equal(null);
    expect(holding(WORD)).to.deep.equal([]);
    expect((await readModels.getMany('people', written)).length).to.equal(written.length);
    await store!.close();
    store = undefined;
    expect(checkFile(path(), true).problem).to.equal(null);
  });

  it('waits for a program that reads the log, and says so', async () => {
    const { readModels, clearRemnants } = await open();
    await readModels.define(people);
    await readModels.write('people', [
      { id: 'a', doc: { company: 'c', name: WORD, words: [] }, version: '1' },
    ]);
    const reader = new Database(path(), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM sqlite_schema').get();
    await readModels.write('people', [{ id: 'a', doc: null, version: '2' }]);
    expect(await clearRemnants()).to.match(/write-ahead log/);
    reader.close();
    expect(await clearRemnants()).to.equal(null);
    expect(holding(WORD)).to.deep.equal([]);
  });

  it('is overwritten as it is deleted by every connection that writes', async () => {
    const db = openDatabase(path());
    expect(db.pragma('secure_delete', { simple: true })).to.equal(1);
    db.close();
    const { personalKeys } = await open();
    await personalKeys.keyFor('subject', 'c');
    await personalKeys.destroy('subject');
    expect(store!.stats().pragmas.secure_delete).to.equal(1);
  });

  describe('in a file of an earlier release', () => {
    /** Simulates the file of an earlier release, which deleted without overwriting. */
    async function makeOld(): Promise<void> {
      await open();
      await store!.close();
      store = undefined;
      const db = new Database(path());
      db.pragma('secure_delete = OFF');
      db.exec('CREATE TABLE words (word TEXT)');
      const insert = db.prepare('INSERT INTO words VALUES (?)');
      for (let n = 0; n < 500; n += 1) insert.run(`${WORD} ${n} ${'x'.repeat(300)}`);
      db.exec('DELETE FROM words; DROP TABLE words; DROP TABLE upkeep; PRAGMA user_version = 4');
      db.close();
      expect(holding(WORD)).to.deep.equal([path()]);
    }

    it('is gone after the first start', async () => {
      await makeOld();
      expect(checkFile(path(), false).vacuumed).to.equal(false);
      await open();
      expect(store!.stats().vacuumPending).to.equal(null);
      expect(holding(WORD)).to.deep.equal([]);
      expect(checkFile(path(), false).vacuumed).to.equal(true);
    });

    it('stays while it is postponed, which is said, and goes with a later start', async () => {
      await makeOld();
      await open({ vacuum: false });
      expect(store!.stats().vacuumPending).to.match(/UPGRADE_VACUUM/);
      expect(holding(WORD)).to.not.deep.equal([]);
      await store!.close();
      await open();
      expect(store!.stats().vacuumPending).to.equal(null);
      expect(holding(WORD)).to.deep.equal([]);
    });

    it('stays where the disk has no room for it, which is said', async () => {
      await makeOld();
      const db = openDatabase(path());
      const options = { allowed: true, logger: silentLogger };
      expect(await vacuumOnce(db, path(), { ...options, freeBytes: () => 1_000 })).to.match(/needs \d+ MiB/);
      expect(await vacuumOnce(db, path(), options)).to.equal(null);
      db.close();
      expect(holding(WORD)).to.deep.equal([]);
    });

    it('is written anew by the next start when the one before was killed on the way', async () => {
      await makeOld();
      const db = openDatabase(path());
      // Killed before the commit, when the whole new file was in the log.
      db.exec('BEGIN; CREATE TABLE half AS SELECT * FROM events');
      db.close();
      await open();
      expect(holding(WORD)).to.deep.equal([]);
    });
  });

  it('is not looked for in a file that is no database of pages', async () => {
    let error: unknown;
    await clearSlack(join(dataDir, 'missing.db')).catch((thrown: unknown) => (error = thrown));
    expect(String(error)).to.match(/unable to open/);
  });
});
