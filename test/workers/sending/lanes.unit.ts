import { expect } from 'chai';
import { createLeases } from '../../../adapters/embedded/leases.js';
import type { App } from '../../../application/app.js';
import { laneName } from '../../../application/send/queue.js';
import { initialChannelControls, type ChannelControls } from '../../../domain/channel-controls/state.js';
import { silentLogger } from '../../../ports/logger.js';
import type { ChannelLane } from '../../../workers/sending/lane.js';
import { createChannelLanes } from '../../../workers/sending/lanes.js';
import { collectingLogger } from '../../support/app.js';
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
      executor: { load: async () => ({ state: initialChannelControls, revision: 'no_stream' }) },
      dueTimes: { count: async () => 0 },
      settings: { channelRate: 60 },
    } as unknown as App;
    const held = async () => (await leases.holders()).map(({ name }) => name);
    return { lanes: createChannelLanes(app, () => undefined), looked, held };
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

describe('a channel that a process paces', () => {
  const DOC = {
    company_uuid: 'company',
    throughput_level: 'HIGH',
    quality_rating: 'YELLOW',
    on_business_app: true,
  };

  function world({ backlog = 0 } = {}) {
    const clock = manualClock();
    const { logger, log } = collectingLogger();
    const leases = createLeases();
    const closed: ChannelLane[] = [];
    const channel: {
      doc: typeof DOC | undefined;
      state: ChannelControls;
      asked: number;
      fault: Error | null;
    } = {
      doc: DOC,
      state: initialChannelControls,
      asked: 0,
      fault: null,
    };
    const app = {
      clock,
      logger,
      leases,
      barrier: fakeBarrier(),
      readModels: {
        get: async (collection: string) => {
          if (channel.fault) throw channel.fault;
          if (collection !== 'channels' || channel.doc === undefined) return undefined;
          channel.asked += 1;
          return { doc: channel.doc };
        },
      },
      executor: { load: async () => ({ state: channel.state }) },
      dueTimes: {
        count: async (_: string, lane: string) => (lane === laneName('c1', 'service') ? backlog : 0),
      },
      settings: { channelRate: 60 },
    } as unknown as App;
    const lanes = createChannelLanes(app, (lane) => void closed.push(lane));
    return {
      clock,
      leases,
      lanes,
      closed,
      channel,
      says: () => log.map(({ level, message }) => `${level}: ${message}`),
      held: async () => (await leases.holders()).map(({ name }) => name),
      /** Resolves once the channel is open; undefined where it is not opened. */
      async use(why: 'scheduled' | 'found' = 'scheduled'): Promise<ChannelLane | undefined> {
        let used: ChannelLane | undefined;
        lanes.with('c1', why, (lane) => (used = lane));
        await turns();
        return used;
      },
    };
  }

  it('is known with its facts, and with what waits for it', async () => {
    const w = world({ backlog: 3 });
    w.channel.state = { ...initialChannelControls, stopped: 'marketing', maxPerSecond: 5 };
    await w.clock.advance(50);
    const lane = (await w.use())!;
    expect(w.lanes.get('c1')).to.equal(lane);
    expect([...w.lanes.all()]).to.deep.equal([lane]);
    expect(lane.facts).to.deep.equal({
      companyUuid: 'company',
      throughputLevel: 'HIGH',
      quality: 'YELLOW',
      onBusinessApp: true,
      maxPerSecond: 5,
      stopped: 'marketing',
    });
    expect(lane.waiting).to.deep.equal({
      service: { backlog: 3, nextDueAt: 0, moreLater: false },
      marketing: { backlog: 0, nextDueAt: Infinity, moreLater: false },
    });
    const now = w.clock.monotonic();
    const { openedAt, scheduledAt, foreignAt, passedOver, inFlight, pumping, again, ready } = lane;
    expect([openedAt, scheduledAt, foreignAt, passedOver, inFlight]).to.deep.equal([now, now, 0, 0, 0]);
    expect([pumping, again, ready]).to.deep.equal([false, false, []]);
  });

  it('is one of a company of its own where nothing shows it', async () => {
    const w = world();
    w.channel.doc = undefined;
    expect((await w.use())!.facts).to.deep.include({
      companyUuid: 'c1',
      throughputLevel: null,
      quality: null,
      onBusinessApp: false,
    });
  });

  it('is looked at again, for what has become of it', async () => {
    const w = world();
    const lane = (await w.use())!;
    w.channel.state = { ...initialChannelControls, stopped: 'everything' };
    await w.lanes.refresh();
    expect(lane.facts.stopped).to.equal('everything');
  });

  it('is opened once for all who ask meanwhile, and never beside another process', async () => {
    const w = world();
    const used: ChannelLane[] = [];
    for (let n = 0; n < 3; n += 1) w.lanes.with('c1', 'scheduled', (lane) => void used.push(lane));
    await turns();
    expect([used.length, new Set(used).size, w.channel.asked]).to.deep.equal([3, 1, 1]);
    const other = world();
    const lease = (await other.leases.acquire('send:c1'))!;
    expect(await other.use()).to.equal(undefined);
    await lease.release();
    expect(await other.use(), 'as soon as it is free').to.include({ channelUuid: 'c1' });
    expect(other.says()).to.deep.equal([]);
  });

  it('is free for others where it can not be opened, which the log says', async () => {
    const w = world();
    w.channel.fault = new Error('a fault');
    expect(await w.use()).to.equal(undefined);
    expect(await w.held()).to.deep.equal([]);
    w.channel.fault = null;
    expect(await w.use()).to.include({ channelUuid: 'c1' });
    expect(w.says()).to.deep.equal([
      'error: opening a channel for sending failed; it is tried again',
      'warn: opening a channel for sending works again',
    ]);
  });

  it('is let go ten seconds after something was last scheduled here, and not taken back for three', async () => {
    const w = world();
    const lane = (await w.use())!;
    await w.clock.advance(4_000);
    await w.use('found');
    await w.clock.advance(6_000);
    w.lanes.tidy();
    expect(await w.held(), 'not yet').to.deep.equal(['send:c1']);
    await w.clock.advance(1);
    w.lanes.tidy();
    await turns();
    expect([await w.held(), w.closed[0] === lane]).to.deep.equal([[], true]);
    expect(w.lanes.get('c1')).to.equal(undefined);
    await w.clock.advance(2_999);
    w.lanes.tidy();
    expect(await w.use('found')).to.equal(undefined);
    await w.clock.advance(1);
    expect(await w.use('found')).to.include({ channelUuid: 'c1' });
  });

  it('is taken back at once where something is scheduled here', async () => {
    const w = world();
    await w.use();
    await w.clock.advance(10_001);
    w.lanes.tidy();
    await turns();
    expect(await w.use('found')).to.equal(undefined);
    expect(await w.use('scheduled')).to.include({ channelUuid: 'c1' });
    await w.clock.advance(9_000);
    await w.use('scheduled');
    await w.clock.advance(9_000);
    w.lanes.tidy();
    expect(await w.held()).to.deep.equal(['send:c1']);
  });

  for (const [what, backlog, change, held] of [
    ['what was scheduled here is being worked off', 2, {}, true],
    ['another process has scheduled since', 2, { foreignAt: Infinity }, false],
    ['it is being worked on', 0, { pumping: true }, true],
    ['nothing waits', 0, { foreignAt: Infinity }, false],
  ] as const) {
    it(`is ${held ? 'kept' : 'let go'} where ${what}`, async () => {
      const w = world({ backlog });
      Object.assign((await w.use())!, change);
      await w.clock.advance(20_000);
      w.lanes.tidy();
      await turns();
      expect(await w.held()).to.deep.equal(held ? ['send:c1'] : []);
    });
  }

  it('that can not be let go is named', async () => {
    const w = world();
    Object.assign((await w.use())!.lease, { release: () => Promise.reject(new Error('a fault')) });
    await w.clock.advance(20_000);
    w.lanes.tidy();
    await turns();
    expect(w.says()).to.deep.equal(['warn: a channel could not be let go']);
  });

  it('that is lost to another process is closed, and opened anew when it comes back', async () => {
    const w = world();
    const lane = (await w.use())!;
    await lane.lease.release();
    await turns();
    expect([w.lanes.get('c1'), w.closed.length]).to.deep.equal([undefined, 1]);
    const next = (await w.use())!;
    expect([next === lane, next.lease.fence]).to.deep.equal([false, 2]);
  });
});
