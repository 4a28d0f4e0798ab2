/** Rebuild jobs carried out by processes that die: the next process continues from what is stored. */
import { expect } from 'chai';
import { systemClock } from '../../adapters/clock/system.js';
import { silentLogger } from '../../ports/logger.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { ReadModels } from '../../ports/read-models.js';
import { projectionRebuilds, type ProjectionJobDoc } from '../../read-models/projection-rebuilds.js';
import { operatorCollections } from '../../projections/operator-collections.js';
import { addressOf, collectionOf, liveOf, type Target } from '../../projections/projection.js';
import { createRebuilder, type RebuilderDeps } from '../../projections/rebuild/rebuilder.js';
import { newJob, jobVersion, saveJob } from '../../projections/rebuild/records.js';
import { catchUp } from '../../projections/runner.js';
import { temporaryStore, type TemporaryStore } from '../conformance/embedded.js';
import { meta } from '../conformance/support.js';
import { notesProjection, plainCodec, rebuilt } from './history-of-notes.js';

describe('an order for projections', function () {
  this.timeout(120_000);
  const projections = [notesProjection('lists'), notesProjection('both', ['Noted', 'Struck'])];
  let temporary: TemporaryStore;
  let deps: Omit<RebuilderDeps, 'readModels'>;
  let notes = 0;
  let orders = 0;

  async function note(): Promise<void> {
    notes += 1;
    await temporary.store.eventStore.append(`note-${notes}`, 'no_stream', [
      {
        eventId: `0198a6f0-0000-7000-8000-${String(notes).padStart(12, '0')}`,
        type: notes % 3 === 0 ? 'Struck' : 'Noted',
        data: { about: `x${notes % 7}`, n: notes },
        meta: meta(),
      },
    ]);
  }

  before(async () => {
    temporary = await temporaryStore();
    const { readModels, eventStore: store } = temporary.store;
    for (const spec of operatorCollections) await readModels.define(spec);
    for (const projection of projections) await readModels.define(collectionOf(liveOf(projection)));
    for (let n = 0; n < 40; n += 1) await note();
    deps = {
      store,
      codec: plainCodec,
      clock: systemClock,
      logger: silentLogger,
      pause: () => Promise.resolve(),
      goesOn: () => true,
      async follow(targets: readonly Target[]) {
        const addresses = targets.map(addressOf);
        expect(new Set(addresses).size, addresses.join()).to.equal(addresses.length);
        for (const { projection, generation } of targets) {
          await catchUp(projection, { store, readModels, codec: plainCodec }, () => true, generation);
        }
      },
      eraseAgain: async () => undefined,
      lettingGoMs: 0,
    };
  });
  after(() => temporary.close());

  async function ordered(
    order: Pick<Parameters<typeof newJob>[0], 'kind' | 'projections'> = {
      kind: 'rebuild',
      projections: projections.map(({ name, version }) => ({ name, version, generation: null })),
    },
  ): Promise<string> {
    orders += 1;
    const uuid = `0198a6f0-0000-7000-8001-${String(orders).padStart(12, '0')}`;
    const doc = newJob({
      uuid,
      ...order,
      requested_by: 'admin',
      requested_at: new Date(orders * 1_000).toISOString(),
      sample: null,
      accept_differences: false,
    });
    await saveJob(temporary.store.readModels, doc, jobVersion(0, 0));
    return uuid;
  }

  /** The stores of a process that dies after its n-th change, which is stored. */
  function dyingAfter(changes: number): { readonly readModels: ReadModels; readonly died: () => boolean } {
    const { readModels } = temporary.store;
    let left = changes;
    const counted =
      <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        if (left <= 0) throw new StoreUnavailable('it is dead');
        const answer = await work(...args);
        left -= 1;
        if (left === 0) throw new StoreUnavailable('it died');
        return answer;
      };
    return {
      died: () => left <= 0,
      readModels: {
        ...readModels,
        define: counted(readModels.define.bind(readModels)),
        write: counted(readModels.write.bind(readModels)),
        commit: counted(readModels.commit.bind(readModels)),
        flip: counted(readModels.flip.bind(readModels)),
        drop: counted(readModels.drop.bind(readModels)),
      },
    };
  }

  it('ends well wherever the process died that carried it out', async () => {
    const { readModels, eventStore } = temporary.store;
    for (let changes = 1, died = true; died; changes += 1) {
      expect(changes, 'it comes to an end').to.be.lessThan(200);
      const uuid = await ordered();
      const dying = dyingAfter(changes);
      await createRebuilder(projections, { ...deps, readModels: dying.readModels })
        .run()
        .catch((error: unknown) => {
          if (!(error instanceof StoreUnavailable)) throw error;
        });
      died = dying.died();
      await note();
      await createRebuilder(projections, { ...deps, readModels }).run();

      const { doc } = (await readModels.get(projectionRebuilds.name, uuid))!;
      expect([doc.status, doc.error], `died after ${changes}`).to.deep.equal(['done', null]);
      const { records } = await eventStore.readAll({ after: '' as never, limit: 1_000 });
      for (const projection of projections) {
        const { name, version } = projection;
        const { live, all } = await readModels.generations(name);
        const of = doc.projections.find((one) => one.name === name)!;
        expect([of.state, of.generation, of.verification?.different]).to.deep.equal(['flipped', live, 0]);
        expect(all, `copies of ${name}, died after ${changes}`).to.deep.equal([of.from_generation, live]);
        await catchUp(projection, { store: eventStore, readModels, codec: plainCodec });
        const docs = await readModels.scan(`${name}@${version}`, { after: null, limit: 100, order: 'asc' });
        expect(
          Object.fromEntries(docs.map(({ id, text }) => [id, (JSON.parse(text) as { ns: unknown }).ns])),
        ).to.deep.equal(rebuilt(projection, records));
      }
    }
  });

  it('flips back to a copy that is in step, and not to one that can not be brought there', async () => {
    const { readModels } = temporary.store;
    const [{ name, version }] = projections as [(typeof projections)[0]];
    const { live, all } = await readModels.generations(name);
    const kept = all.find((generation) => generation !== live)!;
    const address = `${name}@${version}#${kept}`;
    let broken = true;
    let followed = new Set<string>([address]);
    const flip = async (): Promise<ProjectionJobDoc> => {
      const uuid = await ordered({ kind: 'flip', projections: [{ name, version, generation: kept }] });
      await createRebuilder(projections, {
        ...deps,
        readModels,
        // As the real followers do: a generation that is followed already is left alone, up to date or not.
        follow: async (targets) => {
          const wanted = new Set(targets.map(addressOf));
          if (broken && wanted.has(address) && !followed.has(address)) throw new Error('no way to apply it');
          followed = wanted;
        },
      }).run();
      return (await readModels.get(projectionRebuilds.name, uuid))!.doc;
    };
    expect(await flip()).to.include({ status: 'failed', error: 'no way to apply it' });
    expect((await readModels.generations(name)).live).to.equal(live);
    broken = false;
    expect(await flip()).to.include({ status: 'done', error: null });
    expect((await readModels.generations(name)).live).to.equal(kept);
  });
});
