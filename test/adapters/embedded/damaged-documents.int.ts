/** Documents with damaged JSON: scans over all documents skip them, and an erasure overwrites them. */
import { join } from 'node:path';
import { expect } from 'chai';
import { Database } from '../../../adapters/embedded/driver.js';
import { rewriteDocument } from '../../../application/provisioning/documents.js';
import { UnreadableDocument, type CollectionSpec } from '../../../ports/read-models.js';
import { temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';
import { failure } from '../../conformance/support.js';

for (const packed of [false, true])
  describe(`a document that was damaged${packed ? ', of a collection that is packed' : ''}`, () => {
    const people: CollectionSpec = {
      name: 'people',
      version: 1,
      indexes: { by_city: ['city'] },
      ...(packed ? { packed } : {}),
    };
    const search = { scope: 'city', words: 'words', orderBy: 'at' };
    let temporary: TemporaryStore;

    beforeEach(async () => {
      temporary = await temporaryStore();
      const { readModels } = temporary.store;
      await readModels.define(people);
      const doc = { city: 'Olinda', words: ['ana'], at: '1' };
      await readModels.write('people', [
        { id: 'damaged', doc, version: '1' },
        { id: 'sound', doc, version: '1' },
      ]);
      temporary.store.settle();
      const file = new Database(join(temporary.dataDir, 'recado.db'));
      file.exec(`UPDATE rm_people_v1 SET doc = substr(doc, 1, 9) WHERE id = 'damaged'`);
      file.close();
      await temporary.restart();
    });
    afterEach(() => temporary.close());

    it('keeps no new index or search from being filled with the others', async () => {
      const { readModels } = temporary.store;
      await readModels.define({ ...people, indexes: { by_time: ['at'] }, search });
      const query = { order: 'asc', limit: 10 } as const;
      const searched = await readModels.search('people', { ...query, scope: 'Olinda', prefixes: ['an'] });
      expect(searched.documents.map(({ id }) => id)).to.deep.equal(['sound']);
      expect(await readModels.get('people', 'sound')).to.include({ version: '1' });
      expect(await failure(readModels.get('people', 'damaged'))).to.be.instanceOf(UnreadableDocument);
    });

    it('is written over where a person is erased', async () => {
      const { readModels } = temporary.store;
      await readModels.define(people);
      const changed = await rewriteDocument({ readModels }, 'people', 'damaged', async () => ({
        city: null,
      }));
      expect(changed).to.equal(true);
      const now = await readModels.get('people', 'damaged');
      expect(now).to.deep.include({ doc: { city: null } });
    });
  });
