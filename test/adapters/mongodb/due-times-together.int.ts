import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { DueTimes } from '../../../ports/due-times.js';
import { mongoUrl, temporaryDatabase, type TemporaryDatabase } from '../../conformance/mongodb.js';
import { skippedSuite } from '../../conformance/support.js';

if (mongoUrl === undefined) skippedSuite('due times that are added together', 'MONGODB_URL not set');
else {
  const server = mongoUrl;
  describe('due times that are added together', function () {
    this.timeout(120_000);
    let database: TemporaryDatabase;
    let dueTimes: DueTimes;

    before(async () => {
      database = temporaryDatabase(server);
      dueTimes = (await database.open()).dueTimes;
    });
    after(() => database.close());

    const entry = (queue: string, id: string, lane = 'l') => ({ queue, id, lane, dueAt: 0, payload: {} });

    it('are stored when their own caller hears so', async () => {
      const queue = `q-${randomUUID()}`;
      const ids = Array.from({ length: 20 }, (_, n) => String(n));
      const stored = await Promise.all(
        ids.map(async (id) => {
          await dueTimes.schedule([entry(queue, id)]);
          return (await dueTimes.existing(queue, [id])).has(id);
        }),
      );
      expect(stored).to.deep.equal(ids.map(() => true));
    });

    it('are announced once, also where callers add the same one or it was there', async () => {
      const queue = `q-${randomUUID()}`;
      const heard: string[] = [];
      const silence = dueTimes.onScheduled((of, lane) => of === queue && heard.push(lane));
      await dueTimes.schedule([entry(queue, 'there', 'old')]);
      await Promise.all([
        dueTimes.schedule([entry(queue, 'there', 'new'), entry(queue, 'a', 'a')]),
        dueTimes.schedule([entry(queue, 'b', 'b'), entry(queue, 'b', 'again')]),
        dueTimes.schedule([entry(queue, 'a', 'late')]),
      ]);
      silence();
      expect(heard.toSorted()).to.deep.equal(['a', 'b', 'old']);
      expect(await dueTimes.count(queue)).to.equal(3);
    });
  });
}
