/** An index whose values stay is not written again, whatever else of the document changes. */
import { join } from 'node:path';
import { expect } from 'chai';
import { createCollection } from '../../../adapters/embedded/collection.js';
import { openDatabase } from '../../../adapters/embedded/database.js';
import { aroundCollection } from './around-collection.js';
import type { CollectionSpec, DocumentWrite } from '../../../ports/read-models.js';
import { watchPages, type WrittenPages } from '../../bench/wal-pages.js';
import { tempFolder } from '../../support/temp-folder.js';

const spec: CollectionSpec = {
  name: 'parcels',
  version: 1,
  indexes: { by_owner: ['owner', 'made'], by_status: ['status', 'made'] },
  forgets: true,
};

describe('embedded store: the row of a document that changes', () => {
  it('takes the indexes along whose values change, and no other', async () => {
    const folder = await tempFolder();
    try {
      const path = join(folder.path, 'recado.db');
      const db = openDatabase(path);
      const parcels = createCollection(db, spec, aroundCollection());
      const write = (...writes: DocumentWrite[]): void =>
        db.transaction(() => writes.forEach((one) => parcels.write(parcels.prepare(one))))();
      const counts: (() => WrittenPages)[] = [];
      const during = (work: () => void): void => {
        const watch = watchPages(path);
        work();
        counts.push(watch.stop());
      };
      const doc = { owner: 'a', made: 1, status: 'new', text: 'x' };
      write({ id: '1', version: '1', doc });
      during(() => write({ id: '1', version: '2', doc: { ...doc, text: 'y' } }));
      during(() => write({ id: '1', version: '3', doc: { ...doc, status: 'sent' } }));
      during(() => write({ id: '1', version: '3', doc: { ...doc, status: 'late' } }));
      expect(
        parcels.find({ index: 'by_status', equals: ['sent'], order: 'asc', limit: 5 }).documents,
      ).to.have.length(1);
      during(() => write({ id: '1', version: '4', doc: null }));
      expect(parcels.count('by_owner', ['a'], undefined)).to.equal(0);
      write({ id: '1', version: '5', doc: { ...doc, owner: 'b' } });
      expect(parcels.count('by_owner', ['b'], undefined)).to.equal(1);
      db.close();
      const trees = counts.map((count) =>
        count()
          .byTree.map(([tree]) => tree)
          .sort(),
      );
      const table = 'rm_parcels_v1';
      expect(trees).to.deep.equal([
        [table],
        [table, `${table}__by_status`],
        [],
        [table, `${table}__by_owner`, `${table}__by_status`, `${table}__noted_at`],
      ]);
    } finally {
      await folder.close();
    }
  });
});
