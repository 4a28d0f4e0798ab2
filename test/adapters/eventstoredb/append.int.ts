import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { openEventStoreDb } from '../../../adapters/eventstoredb/open.js';
import { StoreUnavailable, WrongExpectedRevision } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { failure, numbers, record, streamName } from '../../conformance/support.js';
import { openBench, SHORT, type Bench } from './support.js';

describe('EventStoreDB: append', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());

  for (const how of ['cut', 'never'] as const) {
    it(`succeeds once when it was stored and its answer lost (${how})`, async () => {
      const { server } = bench;
      // The time limit of a call that is never answered. On a busy machine a retry may take that long too.
      const limits = { ...SHORT, callTimeoutMs: how === 'never' ? 2_000 : 30_000, attempts: 20 };
      const db = openEventStoreDb({ url: server.url, logger: silentLogger, limits });
      const store = db.eventStore;
      const stream = streamName();
      await store.append(stream, 'no_stream', [record({ n: 0 })]);
      server.faults.loseAnswers(1, how);
      const { revision, position } = await store.append(stream, 0, [record({ n: 1 }), record({ n: 2 })]);
      const records = await store.read(stream);
      expect(numbers(records)).to.deep.equal([0, 1, 2]);
      expect({ revision, position }).to.deep.equal({ revision: 2, position: records[2]!.position });
      await db.close();
    });
  }

  it('is tried again when the server was away for a moment', async () => {
    const { store, server } = bench;
    const stream = streamName();
    server.faults.refuseAppends(2);
    expect((await store.append(stream, 'no_stream', [record()])).revision).to.equal(0);
    expect(await store.read(stream)).to.have.length(1);
  });

  it('gives up as StoreUnavailable in time when the server is frozen, and a repeat settles it', async () => {
    const { store, server } = bench;
    const hasty = openEventStoreDb({
      url: server.url,
      logger: silentLogger,
      limits: { ...SHORT, callTimeoutMs: 200, requestTimeoutMs: 600 },
    });
    const stream = streamName();
    await store.append(streamName(), 'no_stream', [record()]);
    server.faults.freeze();
    const records = [record({ n: 0 })];
    const error = await failure(hasty.eventStore.append(stream, 'no_stream', records));
    await hasty.close();
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(error.message).to.match(/^EventStoreDB at 127\.0\.0\.1:\d+ did not answer within \d+ ms\.$/);
    server.faults.thaw();
    expect((await store.append(stream, 'no_stream', records)).revision).to.equal(0);
    expect(await store.read(stream)).to.have.length(1);
  });

  it('says that it repeats, with the outcome of the first time', async () => {
    const { store } = bench;
    const stream = streamName();
    const records = [record({ n: 0 })];
    const first = await store.append(stream, 'no_stream', records);
    expect(first).not.to.have.property('repeated');
    expect(await store.append(stream, 'no_stream', records)).to.deep.equal({ ...first, repeated: true });
    expect(await store.append(stream, 0, [record()])).not.to.have.property('repeated');
  });

  it('tells a conflict from an absent stream and from one that is elsewhere', async () => {
    const { store } = bench;
    const stream = streamName();
    const absent = await failure(store.append(stream, 3, [record()]));
    expect(absent).to.be.instanceOf(WrongExpectedRevision);
    expect(absent).to.include({ stream, expected: 3, actual: 'no_stream' });
    await store.append(stream, 'no_stream', [record(), record()]);
    expect(await failure(store.append(stream, 'no_stream', [record()]))).to.include({ actual: 1 });
    expect(await failure(store.append(stream, 0, [record()]))).to.include({ expected: 0, actual: 1 });
  });

  it('refuses ids that are no UUIDs, names of the server, and nothing at all, and lives on', async () => {
    const { store } = bench;
    const ids = ['', 'x', '00000000-0000-0000-0000-000000000000'];
    for (const eventId of ids) {
      const error = await failure(store.append(streamName(), 'no_stream', [{ ...record(), eventId }]));
      expect(error).to.be.instanceOf(TypeError);
    }
    expect(await failure(store.append('$settings', 'no_stream', [record()]))).to.be.instanceOf(TypeError);
    expect(await failure(store.append(streamName(), 'no_stream', []))).to.be.instanceOf(TypeError);
    expect((await store.append(streamName(), 'no_stream', [record()])).revision).to.equal(0);
  });

  it('refuses what is larger than the server takes with a RangeError, and writes nothing', async () => {
    const { store } = bench;
    const stream = streamName();
    const large = [0, 1, 2].map(() => record({ text: 'x'.repeat(400_000) }));
    const error = await failure(store.append(stream, 'no_stream', large));
    expect(error).to.be.instanceOf(RangeError);
    expect(error.message).to.contain('1048576 bytes');
    expect(await store.read(stream)).to.deep.equal([]);
  });

  it('survives cut connections with many appends in flight, and each is written once', async () => {
    const { store, server } = bench;
    const streams = Array.from({ length: 60 }, () => `cut-${randomUUID()}`);
    const work = streams.map((stream) => store.append(stream, 'no_stream', [record()]));
    server.faults.cutConnections();
    const outcomes = await Promise.allSettled(work);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).to.be.instanceOf(StoreUnavailable);
    }
    expect(outcomes.some((outcome) => outcome.status === 'fulfilled')).to.equal(true);
    const lengths = await Promise.all(streams.map(async (stream) => (await store.read(stream)).length));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') expect(lengths[index]).to.equal(1);
      else expect(lengths[index]).to.be.lessThan(2);
    }
  });
});
