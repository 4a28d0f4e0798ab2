/** Files written by other releases, with tables that this release would not create. */
import { join } from 'node:path';
import { Database, type Db } from '../../../adapters/embedded/driver.js';
import { expect } from 'chai';
import { temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';

describe('embedded store: versions of other releases', () => {
  let temporary: TemporaryStore;
  let file: Db;
  before(async () => {
    temporary = await temporaryStore();
    file = new Database(join(temporary.dataDir, 'recado.db'));
  });
  after(async () => {
    file.close();
    await temporary.close();
  });

  const left = () =>
    file.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'rm_people_v*'").pluck().all();

  it('go with an index of words that keeps its rows in tables of its own', async () => {
    temporary.store.settle();
    file.exec(`CREATE TEMP VIEW numbers AS
        WITH RECURSIVE upto(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM upto WHERE value < 250)
        SELECT value FROM upto;
      CREATE TABLE rm_people_v1 (id TEXT PRIMARY KEY NOT NULL, version TEXT NOT NULL, doc TEXT);
      INSERT INTO rm_people_v1 SELECT value, '1', '{}' FROM numbers;
      CREATE VIRTUAL TABLE rm_people_v1__words USING fts5(words, content='');
      INSERT INTO rm_people_v1__words (rowid, words) SELECT value, 'ana' FROM numbers;
      CREATE TABLE rm_people_v1__rows (scope TEXT, place INTEGER, PRIMARY KEY (scope, place)) WITHOUT ROWID;
      INSERT INTO rm_people_v1__rows SELECT 'a', value FROM numbers;
      INSERT INTO collections (name, version, indexes) VALUES ('people', 1, '{}');
      INSERT INTO checkpoints (projection, position, in_step) VALUES ('people@1', '9', 0);`);
    const { readModels } = temporary.store;
    expect(await readModels.versions()).to.deep.include({ name: 'people', version: 1 });
    await readModels.dropVersion({ name: 'people', version: 1 });
    temporary.store.settle();
    expect(left()).to.deep.equal([]);
    expect(await readModels.versions()).to.not.deep.include({ name: 'people', version: 1 });
    expect(file.prepare("SELECT 1 FROM checkpoints WHERE projection = 'people@1'").get()).to.equal(undefined);
  });
});
