import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { createLeaseTable, type LeaseTable } from '../../../adapters/mongodb/leases-table.js';
import type { Lease } from '../../../ports/leases.js';
import { mongoUrl, temporaryDatabase, type TemporaryDatabase } from '../../conformance/mongodb.js';
import { skippedSuite } from '../../conformance/support.js';

if (mongoUrl === undefined) skippedSuite('leases of two processes', 'MONGODB_URL not set');
else {
  const server = mongoUrl;
  describe('leases of two processes', () => {
    let database: TemporaryDatabase;
    let client: MongoClient;
    let table: LeaseTable;

    before(() => {
      database = temporaryDatabase(server);
      client = new MongoClient(database.url);
      table = createLeaseTable(client.db());
    });
    after(async () => {
      await client.close();
      await database.close();
    });

    const held = async () => {
      const name = `work-${randomUUID()}`;
      return (await table.take(name, null, 'a', 6_000))!;
    };

    it('a beat that moved since it was seen is not taken over', async () => {
      const row = await held();
      const seen = await table.read(row.name);
      expect(seen).to.deep.equal(row);
      expect(await table.renew(row, row.beat + 1, { n: 1 })).to.equal(true);
      expect(await table.take(row.name, seen, 'b', 6_000)).to.equal(null);
      const fresh = await table.read(row.name);
      expect(fresh).to.deep.include({ holder: 'a', fence: row.fence, left: { n: 1 } });
      const taken = await table.take(row.name, fresh, 'b', 6_000);
      expect(taken).to.deep.include({ holder: 'b', fence: row.fence + 1, left: { n: 1 } });
      expect(await table.read(row.name)).to.deep.equal(taken);
    });

    it('writes of a holder before, and late ones, change nothing', async () => {
      const row = await held();
      expect(await table.renew(row, row.beat + 2, { n: 2 })).to.equal(true);
      expect(await table.renew(row, row.beat + 1, { n: 1 }), 'overtaken on the way').to.equal(false);
      const taken = await table.take(row.name, await table.read(row.name), 'a', 6_000);
      expect(await table.renew(row, row.beat + 100, null)).to.equal(false);
      await table.free(row, null);
      expect(await table.read(row.name)).to.deep.equal(taken);
      await table.free(taken!, { n: 3 });
      expect(await table.renew(taken!, taken!.beat + 1, null), 'let go is let go').to.equal(false);
      expect(await table.read(row.name)).to.deep.include({ holder: null, left: { n: 3 } });
    });

    it('are renewed together, each by its own answer', async () => {
      const rows = await Promise.all([held(), held(), held(), held()]);
      const [kept, taken, older, free] = rows;
      expect(
        await Promise.all(rows.map((row) => table.renew(row, row.beat + 2, { of: row.name }))),
      ).to.deep.equal([true, true, true, true]);
      for (const { name } of rows)
        expect(await table.read(name)).to.deep.include({ beat: 3, left: { of: name } });
      await table.take(taken.name, await table.read(taken.name), 'b', 6_000);
      await table.free(free, null);
      const renewed = await Promise.all([
        table.renew(kept, 4, null),
        table.renew(taken, 4, null),
        table.renew(older, 2, null),
        table.renew(free, 4, null),
      ]);
      expect(renewed).to.deep.equal([true, false, false, false]);
      expect(await table.read(kept.name)).to.include({ beat: 4 });
      expect(await Promise.all([table.renew(taken, 9, null), table.renew(free, 9, null)])).to.deep.equal([
        false,
        false,
      ]);
    });

    it('are found lost with the next renewal; a holder that gives no sign is followed within seconds', async () => {
      const name = `work-${randomUUID()}`;
      const limits = { leaseTermMs: 600 };
      const [one, two] = [await database.open({ limits }), await database.open({ limits })];
      const lease = await one.leases.acquire(name);
      let lostAt = Infinity;
      void lease!.ended.then(() => {
        lostAt = performance.now();
      });
      // A holder that takes the lease and never renews it.
      await table.take(name, await table.read(name), 'somebody who dies', 600);
      let taken: Lease | null = null;
      for (let asked = 0; taken === null && asked < 400; asked += 1) {
        taken = await two.leases.acquire(name);
        if (taken === null) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(taken, 'within the bounded number of questions').to.not.equal(null);
      expect(lostAt).to.be.lessThan(performance.now());
      expect(lease!.held()).to.equal(false);
      expect(taken!.fence).to.equal(lease!.fence + 2);
      await taken!.release();
    });
  });
}
