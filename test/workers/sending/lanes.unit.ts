import { expect } from 'chai';
import { createLeases } from '../../../adapters/embedded/leases.js';
import type { App } from '../../../application/app.js';
import { initialSending } from '../../../domain/sending/state.js';
import { silentLogger } from '../../../ports/logger.js';
import { createLanes } from '../../../workers/sending/lanes.js';
import { deferred } from '../../conformance/support.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';

describe('the channels that a process paces', () => {
  function world() {
    const leases = createLeases();
    const looked = deferred<null>();
    const app = {
      clock: manualClock(),
      logger: silentLogger,
      leases,
      readModels: { get: () => looked.promise },
      barrier: fakeBarrier(),
      executor: { load: async () => ({ state: initialSending, revision: 'no_stream' }) },
      dueTimes: { count: async () => 0 },
      settings: { channelRate: 60 },
    } as unknown as App;
    const held = async () => (await leases.holders()).map(({ name }) => name);
    return { lanes: createLanes(app, () => undefined), looked, held };
  }

  it('are let go at the end, also one that was just being opened', async () => {
    const { lanes, looked, held } = world();
    const used: string[] = [];
    lanes.with('c1', 'scheduled', ({ channelUuid }) => void used.push(channelUuid));
    await turns();
    expect(await held()).to.deep.equal(['send:c1']);
    const releasing = lanes.releaseAll();
    looked.resolve(null);
    await releasing;
    expect(await held()).to.deep.equal([]);
    lanes.with('c2', 'scheduled', ({ channelUuid }) => void used.push(channelUuid));
    await turns();
    expect(await held()).to.deep.equal([]);
    expect(used).to.deep.equal([]);
  });

  it('are this process’s until then', async () => {
    const { lanes, looked, held } = world();
    looked.resolve(null);
    const used: string[] = [];
    lanes.with('c1', 'scheduled', ({ channelUuid }) => void used.push(channelUuid));
    await turns();
    expect(used).to.deep.equal(['c1']);
    expect(await held()).to.deep.equal(['send:c1']);
    await lanes.releaseAll();
    expect(await held()).to.deep.equal([]);
  });
});
