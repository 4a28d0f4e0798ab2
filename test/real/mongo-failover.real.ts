/**
 * A replica set of three whose primary dies, hangs or steps down: first under the adapters' operations, then under a
 * whole system. This file starts its own set, beside the server of the run.
 */
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import type { Mongo } from '../../adapters/mongodb/open.js';
import { StoreUnavailable, type Position } from '../../ports/event-store.js';
import { temporaryDatabase, type TemporaryDatabase } from '../conformance/mongodb.js';
import { failure, skippedSuite } from '../conformance/support.js';
import { eventually } from '../support/e2e/eventually.js';
import { prepareMongod, startReplicaSet, type ReplicaSet } from './servers/mongod.js';
import type { RunningServer } from './servers/server.js';
import { startReplicaLoad, type ReplicaLoad } from './support/replica-load.js';
import { faultyServer } from './support/servers.js';
import { byKind, startSystem, type Load, type System } from './support/system.js';

/** An election begins 10 s after the primary's last heartbeat; the rest is a margin for a busy machine. */
const RECOVERY_MS = 120_000;
const FLOWS_MS = 300_000;
const position = (n: number): Position => String(n).padStart(20, '0') as Position;

type Fault = (set: ReplicaSet) => Promise<Repair>;
type Repair = () => Promise<void>;

/** Each fault ends with another primary, and returns a function that brings the old member back. */
const FAULTS: Readonly<Record<string, Fault>> = {
  async 'was killed'(set) {
    const primary = await set.primary();
    await primary.kill();
    await anotherThan(set, primary);
    return () => primary.restart();
  },
  async 'stood still'(set) {
    const primary = await set.primary();
    primary.pause();
    await anotherThan(set, primary);
    return async () => primary.resume();
  },
  async 'stepped down'(set) {
    const primary = await set.primary();
    await set.stepDown();
    await anotherThan(set, primary);
    return async () => undefined;
  },
};

const anotherThan = (set: ReplicaSet, old: RunningServer): Promise<RunningServer> =>
  eventually(
    async () => {
      const primary = await set.primary();
      return primary !== old && primary;
    },
    { what: 'another primary', timeoutMs: RECOVERY_MS },
  );

const title = 'a replica set of MongoDB that changes its primary';
const reason = faultyServer('mongodb')
  ? await prepareMongod().then(
      () => null,
      (error: Error) => error.message,
    )
  : 'MongoDB was given by address, or this is not npm run test:real';

if (reason !== null) skippedSuite(title, reason);
else
  describe(title, function () {
    this.timeout(1_800_000);
    let set: ReplicaSet;
    before(async () => {
      set = await startReplicaSet();
    });
    // A failed test may leave a broken set; the next one must begin with three members.
    afterEach(() => set.heal());
    after(() => set?.stop());

    describe('under what the adapters ask', () => {
      let database: TemporaryDatabase;
      let processes: readonly [Mongo, Mongo, Mongo];
      let load: ReplicaLoad | undefined;

      beforeEach(async () => {
        load = undefined;
        database = temporaryDatabase(set.url);
        processes = [await database.open(), await database.open(), await database.open()];
      });
      afterEach(async () => {
        await load?.stop();
        await database.close();
      });

      /** Waits until every kind of work is acknowledged again. */
      async function goesOn(): Promise<void> {
        const before = load!.done();
        await eventually(
          () => {
            const now = load!.done();
            const stuck = (Object.keys(now) as (keyof typeof now)[]).filter(
              (kind) => now[kind] <= before[kind],
            );
            if (stuck.length === 0) return true;
            throw new Error(`no ${stuck.join(', no ')}`);
          },
          { what: 'the load to go on', timeoutMs: RECOVERY_MS },
        );
      }

      for (const [what, fault] of Object.entries(FAULTS)) {
        it(`loses nothing, doubles nothing and goes on when the primary ${what}`, async () => {
          load = await startReplicaLoad(processes);
          await goesOn();
          const repair = await fault(set);
          await goesOn();
          await repair();
          await goesOn();
          expect(await load.finish()).to.deep.equal([]);
        });
      }

      it('shows no checkpoint that only the old primary had, and goes on from the one before', async () => {
        const [first, second] = processes;
        const advance = (n: number) =>
          first.readModels.commit('things', {
            projection: 'p',
            from: n === 1 ? ('' as Position) : position(n - 1),
            to: position(n),
            writes: [],
          });
        await first.readModels.define({ name: 'things', version: 1, indexes: {} });
        await advance(1);

        const old = await set.primary();
        const others = set.members.filter((one) => one !== old);
        // Killed, not paused: a paused process would read on resuming what its sockets received in the meantime.
        for (const one of others) await one.kill();
        const refused = await failure(advance(2));
        expect(refused).to.be.instanceOf(StoreUnavailable);
        expect(await storedAt(old, database.url), 'the old primary has it').to.equal(position(2));
        // A primary without a majority steps down after a while; after that, no member answers.
        const seen = await second.readModels.checkpoint('p').catch((error: unknown) => error);
        if (!(seen instanceof StoreUnavailable)) expect(seen, 'nobody is shown it').to.equal(position(1));
        await old.kill();
        for (const one of others) await one.restart();
        await anotherThan(set, old);

        const checkpoint = await eventually(() => second.readModels.checkpoint('p'), {
          what: 'a checkpoint',
          timeoutMs: RECOVERY_MS,
        });
        expect(checkpoint).to.equal(position(1));
        await eventually(
          async () => {
            await advance(2);
            return true;
          },
          { what: 'a commit', timeoutMs: RECOVERY_MS },
        );
        await advance(3);
        await old.restart();
        await eventually(async () => (await storedAt(old, database.url)) === position(3), {
          what: 'the old primary to follow',
          timeoutMs: RECOVERY_MS,
        });
        expect(await second.readModels.checkpoint('p')).to.equal(position(3));
      });

      it('makes the indexes of a read model while one member is away', async () => {
        const [{ readModels }] = processes;
        const spec = { name: 'things', version: 1, indexes: {} };
        await readModels.define(spec);
        await readModels.write('things', [{ id: 'a', doc: { rank: 1 }, version: '1' }]);
        const primary = await set.primary();
        const away = set.members.find((one) => one !== primary)!;
        await away.kill();
        try {
          await readModels.define({ ...spec, indexes: { by_rank: ['rank'] } });
          expect(await readModels.count('things', 'by_rank', [1])).to.equal(1);
        } finally {
          await away.restart();
        }
      });
    });

    describe('under a system', () => {
      let system: System;
      let load: Load;
      before(async () => {
        system = await startSystem({ mongoUrl: set.url });
        load = system.load();
        await system.flows(load, FLOWS_MS);
      });
      after(() => system?.close());

      for (const [what, fault] of Object.entries(FAULTS)) {
        it(`goes on when the primary ${what}`, async () => {
          system.during(`MongoDB's primary ${what}`);
          const repair = await fault(set);
          await system.flows(load, FLOWS_MS);
          await repair();
          await system.flows(load, FLOWS_MS);
        });
      }

      it('has lost nothing, sent nothing twice and told everything', async () => {
        system.during('the end');
        await load.finish();
        await system.quiet(1_200_000);
        expect(byKind(await system.judge())).to.deep.equal({});
      });
    });
  });

/** The checkpoint stored on one member, regardless of the others. */
async function storedAt(member: RunningServer, database: string): Promise<string | undefined> {
  const name = /\/([^/?]+)\?/.exec(database)![1]!;
  const client = new MongoClient(`mongodb://${member.url}/${name}?directConnection=true`, {
    readPreference: 'secondaryPreferred',
    readConcernLevel: 'local',
  });
  try {
    const found = await client
      .db()
      .collection<{ _id: string; position: string }>('checkpoints')
      .findOne({ _id: 'p' });
    return found?.position;
  } finally {
    await client.close();
  }
}
