/** A history beside a MongoDB that has never seen it: its relay would begin with the first event. */
import { expect } from 'chai';
import { newId } from '../../../adapters/clock/system.js';
import { markRestored, restoredRecord } from '../../../application/restore/horizon.js';
import type { EventStore } from '../../../ports/event-store.js';
import { deployment } from '../../../read-models/deployment.js';
import { ConfigError } from '../../../runtime/config.js';
import { ID } from '../../../runtime/master-key-check.js';
import { refuseUnmarkedRestore } from '../../../runtime/backup/unmarked-restore.js';
import { meta } from '../../conformance/support.js';
import { memoryEventStore } from '../../support/memory/event-store.js';
import { memoryReadModels } from '../../support/memory/read-models.js';

describe('a start on servers', () => {
  async function world() {
    const store = memoryEventStore();
    const readModels = memoryReadModels();
    await readModels.define(deployment);
    return {
      store,
      readModels,
      happen: () =>
        store.append('company-1', 'no_stream', [{ eventId: 'e', type: 'T', data: {}, meta: meta() }]),
      begin: () => readModels.write(deployment.name, [{ id: ID, doc: { sealed: 'x' }, version: '1' }]),
      refusal: () =>
        refuseUnmarkedRestore(store, readModels).then(
          () => null,
          (error: unknown) => error,
        ),
    };
  }

  it('is refused on a history that MongoDB knows nothing of, with the command that helps', async () => {
    const w = await world();
    await w.happen();
    const refusal = await w.refusal();
    expect(refusal).to.be.instanceOf(ConfigError);
    expect((refusal as Error).message).to.include('recado restore --mark');
    const data = { source: 'servers', nothing_ran_since: false } as const;
    await markRestored(w.store, restoredRecord(data, { now: 0, newId }));
    expect(await w.refusal()).to.equal(null);
  });

  it('goes on where there is no history, or MongoDB has seen it', async () => {
    const fresh = await world();
    expect(await fresh.refusal()).to.equal(null);
    const known = await world();
    await known.begin();
    await known.happen();
    expect(await known.refusal()).to.equal(null);
  });

  it('goes on where another process of a new deployment begins at the same moment', async () => {
    const w = await world();
    let begun = false;
    const store: EventStore = {
      ...w.store,
      async readAll(options) {
        // A new deployment writes to MongoDB before it appends its first event.
        if (!begun) await w.begin().then(w.happen);
        begun = true;
        return w.store.readAll(options);
      },
    };
    await refuseUnmarkedRestore(store, w.readModels);
    expect(begun).to.equal(true);
  });
});
