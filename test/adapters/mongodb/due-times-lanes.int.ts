/** Listings of queues that are asked for together. */
import { expect } from 'chai';
import { MongoClient, MongoServerError, type Collection } from 'mongodb';
import { systemClock } from '../../../adapters/clock/system.js';
import { createDueTimes } from '../../../adapters/mongodb/due-times.js';
import { waitingLanesOf } from '../../../adapters/mongodb/due-times-lanes.js';
import type { Entry } from '../../../adapters/mongodb/due-times-entry.js';
import { mongoUrl, temporaryDatabase } from '../../conformance/mongodb.js';
import { skippedSuite } from '../../conformance/support.js';
import { opened } from '../../support/opened.js';

if (mongoUrl === undefined) skippedSuite('listings of several queues', 'MONGODB_URL not set');
else {
  const server = mongoUrl;
  describe('listings of several queues', () => {
    const world = opened(async () => {
      const database = temporaryDatabase(server);
      const client = new MongoClient(database.url, { monitorCommands: true });
      const sent: string[] = [];
      client.on('commandStarted', ({ commandName }) => sent.push(commandName));
      const dueTimes = createDueTimes(client.db(), { clock: systemClock });
      const entry = (queue: string, lane: string, dueAt: number) => ({
        queue,
        id: `${lane} ${dueAt}`,
        lane,
        dueAt,
        payload: {},
      });
      await dueTimes.schedule([
        entry('$one', 'a', 7),
        entry('$one', 'a', 5),
        entry('$one', 'b', 3),
        entry('two', 'a', 9),
      ]);
      return {
        dueTimes,
        sent,
        entries: client.db().collection<Entry>('due_times'),
        async close() {
          await client.close();
          await database.close();
        },
      };
    });

    it('share one command on one beat, and each is told its own lanes', async () => {
      const queues = ['$one', 'two', 'none'];
      await Promise.all(queues.map((queue) => world.dueTimes.lanes(queue, 10)));
      world.sent.length = 0;
      const found = await Promise.all(queues.map((queue) => world.dueTimes.lanes(queue, 10)));
      expect(found).to.deep.equal([
        [
          { lane: 'b', nextDueAt: 3 },
          { lane: 'a', nextDueAt: 5 },
        ],
        [{ lane: 'a', nextDueAt: 9 }],
        [],
      ]);
      expect(world.sent).to.deep.equal(['aggregate']);
    });

    it('are asked for one by one where the server does not know how to join them', async () => {
      const { entries } = world;
      let refused = 0;
      const old = new Proxy(entries, {
        get(target, name) {
          if (name !== 'aggregate') return Reflect.get(target, name, target) as unknown;
          return (pipeline: readonly object[]) => {
            if (!pipeline.some((stage) => '$unionWith' in stage)) return target.aggregate([...pipeline]);
            refused += 1;
            const error = new MongoServerError({ code: 40324, message: 'Unrecognized pipeline stage name' });
            return { toArray: () => Promise.reject(error) };
          };
        },
      }) as Collection<Entry>;
      const list = waitingLanesOf(old);
      for (let time = 0; time < 2; time += 1) {
        const found = await list(['$one', 'two']);
        expect([...found].map(([queue, lanes]) => [queue, lanes.length])).to.deep.equal([
          ['$one', 2],
          ['two', 1],
        ]);
      }
      expect(refused).to.equal(1);
    });
  });
}
