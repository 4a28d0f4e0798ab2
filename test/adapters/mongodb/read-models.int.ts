/** Server faults under the read models: a crash, a pause, an absence; and the maintenance of indexes. */
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openMongo } from '../../../adapters/mongodb/open.js';
import { mongoCollection, type Row } from '../../../adapters/mongodb/read-models-collection.js';
import { prepareWrites, writeGuarded } from '../../../adapters/mongodb/read-models-writes.js';
import { StoreUnavailable, type Position } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { CheckpointMoved, type CollectionSpec } from '../../../ports/read-models.js';
import { testBox } from '../../conformance/embedded.js';
import { failure, skippedSuite, until } from '../../conformance/support.js';
import { startMongoServer } from '../../real/servers/mongodb.js';
import type { RunningServer } from '../../real/servers/server.js';
import { temporaryDatabase, type TemporaryDatabase } from '../../conformance/mongodb.js';

const title = 'MongoDB read models under faults';
const wanted = process.env['RECADO_TEST_SERVERS'] === 'on' || process.env['MONGODB_URL'] !== undefined;
const spec: CollectionSpec = { name: 'things', version: 1, indexes: { by_rank: ['company', 'rank'] } };
const position = (n: number): Position => String(n).padStart(20, '0') as Position;
/** Short time limits, yet generous compared with the times that are asserted. */
const limits = { answerMs: 5_000 };

if (!wanted) skippedSuite(title, 'neither RECADO_TEST_SERVERS=on nor MONGODB_URL is set');
else
  describe(title, function () {
    this.timeout(120_000);
    let server: RunningServer;
    let database: TemporaryDatabase;

    before(async function () {
      // On a machine's first run the server is downloaded.
      this.timeout(300_000);
      server = await startMongoServer();
    });
    after(() => server.stop());
    beforeEach(() => {
      database = temporaryDatabase(server.url);
    });
    afterEach(() => database.close());

    it('loses no acknowledged write when the server is killed under writes, and goes on when it is back', async () => {
      const { readModels } = await database.open({ limits });
      await readModels.define(spec);
      const acknowledged: string[] = [];
      let from = '' as Position;
      let crash: Promise<void> | undefined;
      for (let n = 1; ; n += 1) {
        const change = {
          projection: 'p',
          from,
          to: position(n),
          writes: [{ id: `d${n}`, doc: { n }, version: position(n) }],
        };
        if (n === 20) crash = server.kill();
        try {
          await readModels.commit(spec.name, change);
          acknowledged.push(`d${n}`);
          from = change.to;
        } catch (error) {
          expect(error).to.be.instanceOf(StoreUnavailable);
          break;
        }
      }
      await crash;
      await server.restart();
      const fresh = (await database.open({ limits })).readModels;
      await fresh.define(spec);
      expect(acknowledged).to.have.length.at.least(19);
      expect(await fresh.getMany(spec.name, acknowledged)).to.have.length(acknowledged.length);
      const reached = await fresh.checkpoint('p');
      expect(reached >= from, 'the checkpoint is where it was acknowledged').to.equal(true);
      // The connection that survived the crash still works.
      await readModels.commit(spec.name, { projection: 'p', from: reached, to: position(900), writes: [] });
      expect(await fresh.checkpoint('p')).to.equal(position(900));
    });

    it('says within bounded time that a paused server is unavailable', async () => {
      const mongo = await database.open({ limits });
      const { readModels } = mongo;
      await readModels.define(spec);
      server.pause();
      try {
        const calls = [
          readModels.get(spec.name, '1'),
          readModels.find(spec.name, { index: 'by_rank', equals: ['a'], order: 'asc', limit: 1 }),
          readModels.count(spec.name, 'by_rank', ['a']),
          readModels.write(spec.name, [{ id: '1', doc: {}, version: '1' }]),
          readModels.checkpoint('p'),
          readModels.commit(spec.name, {
            projection: 'p',
            from: '' as Position,
            to: position(1),
            writes: [],
          }),
          mongo.ping(),
        ];
        for (const refused of await Promise.all(calls.map(failure))) {
          expect(refused).to.be.instanceOf(StoreUnavailable);
        }
      } finally {
        server.resume();
      }
      await readModels.write(spec.name, [{ id: '2', doc: { company: 'a' }, version: '1' }]);
      expect(await readModels.count(spec.name, 'by_rank', ['a'])).to.equal(1);
    });

    it('opens while the server is away, says so without credentials, and works once it is there', async () => {
      await server.kill();
      const url = database.url.replace('mongodb://', 'mongodb://sam:s3cret@');
      const opened = { secretBox: testBox, logger: silentLogger, holder: 'test', limits };
      const away = await openMongo({ ...opened, url });
      const said = await failure(away.ping());
      await away.close();
      expect(said).to.be.instanceOf(StoreUnavailable);
      expect(said.message).to.match(
        /^MongoDB at 127\.0\.0\.1:\d+ can not be reached, or does not answer in time\.$/,
      );
      const later = await database.open({ limits });
      expect(await failure(later.readModels.checkpoint('p'))).to.be.instanceOf(StoreUnavailable);
      await server.restart();
      const answered = (): Promise<boolean> =>
        later.ping().then(
          () => true,
          () => false,
        );
      await until(answered);
      expect(await later.readModels.checkpoint('p')).to.equal('');
    });

    it('refuses an address it can not read, without repeating it', async () => {
      const url = 'mongo://sam:s3cret@127.0.0.1';
      const said = await failure(
        openMongo({ url, secretBox: testBox, logger: silentLogger, holder: 'test' }),
      );
      expect(said.message).to.include('mongodb://host:27017').and.not.include('s3cret');
    });

    it('lets one of two processes that race on a checkpoint advance it, every time', async () => {
      const runners = await Promise.all([database.open(), database.open()]);
      for (const { readModels } of runners) await readModels.define(spec);
      let from = '' as Position;
      for (let n = 1; n <= 10; n += 1) {
        const outcomes = await Promise.allSettled(
          runners.map(({ readModels }, i) =>
            readModels.commit(spec.name, { projection: 'p', from, to: position(10 * n + i), writes: [] }),
          ),
        );
        const refused = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
        );
        expect(refused).to.have.length(1);
        expect(refused[0]).to.be.instanceOf(CheckpointMoved);
        from = await runners[0].readModels.checkpoint('p');
        expect(from).to.equal(position(10 * n + outcomes.findIndex(({ status }) => status === 'fulfilled')));
      }
    });

    it('writes again what met an older document that another process has just inserted', async () => {
      const { readModels } = await database.open();
      await readModels.define(spec);
      const client = new MongoClient(database.url);
      try {
        const rows = client.db().collection<Row>('rm_things_v1');
        const older: Row = { _id: '1', version: position(1), live: true, body: '{"n":1}' };
        let raced = false;
        const racing = {
          find: rows.find.bind(rows),
          async bulkWrite(...asked: Parameters<typeof rows.bulkWrite>) {
            if (raced) return rows.bulkWrite(...asked);
            raced = true;
            // MongoDB answers this way when two upserts find no document and the older one inserts first.
            await rows.insertOne(older);
            return rows.bulkWrite([{ insertOne: { document: older } }], { ordered: false });
          },
        } as unknown as typeof rows;
        const target = mongoCollection(spec);
        const writes = prepareWrites(target, [{ id: '1', doc: { n: 2 }, version: position(2) }]);
        await writeGuarded(racing, writes, { bases: false, read: (work) => work });
        expect((await readModels.get(spec.name, '1'))?.doc.n).to.equal(2);
      } finally {
        await client.close();
      }
    });

    it('removes with a copy what is left of one whose removal was broken off', async () => {
      const { readModels } = await database.open();
      await readModels.define(spec);
      for (const generation of [2, 3]) await readModels.define({ ...spec, generation });
      const client = new MongoClient(database.url);
      const copies = async (): Promise<readonly string[]> =>
        (await client.db().listCollections().toArray())
          .map(({ name }) => name)
          .filter((name) => name.startsWith('rm_things'))
          .sort();
      try {
        const [first, second, third] = await copies();
        await readModels.flip(spec.name, { from: 1, to: 3 });
        // The state after a process died between the two steps.
        await client
          .db()
          .collection<{ _id: string; all: number[] }>('generations')
          .updateOne({ _id: 'things@1' }, { $pull: { all: 2 } });
        expect(await copies()).to.deep.equal([first, second, third]);
        await readModels.drop({ ...spec, generation: 1 });
        expect(await copies()).to.deep.equal([third]);
        expect((await readModels.generations(spec.name)).all).to.deep.equal([3]);
      } finally {
        await client.close();
      }
    });

    it('makes the declared indexes, rebuilds one that differs and drops one that is declared no more', async () => {
      const client = new MongoClient(database.url);
      try {
        const collection = client.db().collection('rm_things_v1');
        await collection.createIndexes([
          { name: 'i_by_rank', key: { rank: 1 } },
          { name: 'i_by_color', key: { live: 1, f_color: 1, _id: 1 } },
        ]);
        const several = await Promise.all([database.open(), database.open(), database.open()]);
        await Promise.all(several.map(({ readModels }) => readModels.define(spec)));
        const indexes = await collection.listIndexes().toArray();
        const keys = new Map(indexes.map(({ name, key }) => [String(name), Object.keys(key as object)]));
        expect([...keys.keys()].sort()).to.deep.equal(['_id_', 'i_by_rank', 'shape']);
        expect(keys.get('i_by_rank')).to.deep.equal(['live', 'f_company', 'f_rank', '_id']);
      } finally {
        await client.close();
      }
    });
  });
