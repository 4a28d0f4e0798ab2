/** The checks that `doctor` makes on a database file without opening the store. */
import { join } from 'node:path';
import { Database } from '../../../adapters/embedded/driver.js';
import { expect } from 'chai';
import { checkFile } from '../../../adapters/embedded/peek.js';
import { temporaryStore } from '../../conformance/embedded.js';

describe('a database file looked at from outside', () => {
  it('lacks an index of a copy that is not the first one, when it does', async () => {
    const temporary = await temporaryStore();
    try {
      const spec = { name: 'people', version: 3, indexes: { by_name: ['name'], by_age: ['age'] } };
      const { readModels } = temporary.store;
      await readModels.define(spec);
      await readModels.define({ ...spec, generation: 2 });
      const file = join(temporary.dataDir, 'recado.db');
      expect(checkFile(file, false).missingIndexes).to.deep.equal([]);
      const db = new Database(file);
      db.exec('DROP INDEX rm_people_v3_g2__by_age');
      db.close();
      expect(checkFile(file, false).missingIndexes).to.deep.equal(['rm_people_v3_g2__by_age']);
    } finally {
      await temporary.close();
    }
  });
});
