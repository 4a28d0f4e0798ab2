/** Every read model of the product on a real MongoDB, because stand-ins accept indexes that MongoDB refuses. */
import { expect } from 'chai';
import { mongoCollection } from '../../../adapters/mongodb/read-models-collection.js';
import type { CollectionSpec } from '../../../ports/read-models.js';
import { projections } from '../../../projections/catalog.js';
import { mongoUrl, temporaryDatabase } from '../../conformance/mongodb.js';
import { skippedSuite } from '../../conformance/support.js';

describe('indexes of the read models on MongoDB', () => {
  it('are of other fields each: MongoDB refuses a second one of the same', () => {
    for (const spec of projections) {
      const fields = [...mongoCollection(spec).indexes.values()].map((list) => list.join());
      expect(new Set(fields).size, spec.name).to.equal(fields.length);
    }
    const spec: CollectionSpec = {
      name: 'things',
      version: 1,
      indexes: { by_company: ['company', 'created_at'] },
      search: { scope: 'company', words: 'words', orderBy: 'created_at' },
    };
    expect([...mongoCollection(spec).indexes.keys()]).to.deep.equal([
      'shape',
      'i_by_company',
      'search_words',
    ]);
  });
});

if (mongoUrl === undefined) skippedSuite('read models of the product: MongoDB', 'MONGODB_URL not set');
else {
  const server = mongoUrl;
  describe('read models of the product: MongoDB', () => {
    it('are brought up, and found in order the next time', async function () {
      this.timeout(300_000);
      const database = temporaryDatabase(server);
      try {
        for (let process = 1; process <= 2; process += 1) {
          const { readModels } = await database.open();
          for (const spec of projections) await readModels.define(spec);
        }
      } finally {
        await database.close();
      }
    });
  });
}
