import { EventStoreDBClient } from '@eventstore/db-client';
import { expect } from 'chai';
import { systemClock } from '../../../adapters/clock/system.js';
import { openEventStoreDb } from '../../../adapters/eventstoredb/open.js';
import type { Limits } from '../../../adapters/eventstoredb/limits.js';
import { StoreUnavailable, WrongExpectedRevision, type EventStore } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { failure, record, streamName, until } from '../../conformance/support.js';
import { startEventStoreStandIn } from '../../support/eventstoredb/stand-in.js';
import { closedAfterEach } from '../../support/opened.js';
import { openBench, SHORT } from './support.js';

const ONCE: Partial<Limits> = { attempts: 1 };

describe('EventStoreDB: appends on one call', () => {
  const kept = closedAfterEach();
  const bench = async (limits?: Partial<Limits>) => kept(await openBench(limits));
  const node = async () => {
    const server = await startEventStoreStandIn();
    kept({ close: () => server.stop() });
    return server;
  };
  const open = (url: string, limits: Partial<Limits> = {}) =>
    kept(openEventStoreDb({ url, logger: silentLogger, limits: { ...SHORT, ...limits } }));
  const read = (url: string, stream: string) => open(url).eventStore.read(stream);
  const appendOne = (store: EventStore, stream = streamName()) =>
    store.append(stream, 'no_stream', [record()]);

  it('share one call for as long as the connection lasts', async () => {
    const { store, server } = await bench();
    const results = await Promise.all(Array.from({ length: 200 }, () => appendOne(store)));
    for (let n = 0; n < 5; n += 1) await appendOne(store);
    expect(results.every(({ revision }) => revision === 0)).to.equal(true);
    expect(new Set(results.map(({ position }) => position)).size).to.equal(200);
    expect(server.batchCalls()).to.equal(1);
  });

  it('of a connection that dies leave those of others alone', async () => {
    const [dying, living] = [await bench(ONCE), await bench(ONCE)];
    dying.server.faults.holdAnswers();
    living.server.faults.holdAnswers();
    const stream = streamName();
    const records = [record()];
    const lost = failure(dying.store.append(stream, 'no_stream', records));
    const others = [appendOne(living.store), appendOne(living.store)];
    await until(() => dying.server.batchCalls() === 1 && living.server.batchCalls() === 1);
    dying.server.faults.cutConnections();
    expect(await lost).to.be.instanceOf(StoreUnavailable);
    living.server.faults.releaseAnswers();
    for (const { revision } of await Promise.all(others)) expect(revision).to.equal(0);
    expect(living.server.batchCalls()).to.equal(1);
    dying.server.faults.releaseAnswers();
    // The outcome of the first append was unknown; after the repetition the record is there exactly once.
    expect((await dying.store.append(stream, 'no_stream', records)).revision).to.equal(0);
    expect(await dying.store.read(stream)).to.have.length(1);
  });

  it('that were answered too late do no harm to what follows', async () => {
    const { db, server, store } = await bench();
    const hasty = open(server.url, { ...ONCE, callTimeoutMs: 100 });
    await appendOne(store);
    server.faults.holdAnswers();
    const stream = streamName();
    const records = [record()];
    const error = await failure(hasty.eventStore.append(stream, 'no_stream', records));
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(error.message).to.include('did not answer within');
    server.faults.releaseAnswers();
    const repeated = await store.append(stream, 'no_stream', records);
    expect(repeated.revision).to.equal(0);
    expect(await store.read(stream)).to.have.length(1);
    await db.ping();
  });

  it('go to the leader when another node leads', async () => {
    const [follower, leader] = [await node(), await node()];
    follower.faults.follow(leader.port);
    const { eventStore } = open(follower.url);
    const stream = streamName();
    const results = await Promise.all([appendOne(eventStore, stream), appendOne(eventStore)]);
    expect(results.map(({ revision }) => revision)).to.deep.equal([0, 0]);
    expect(await read(leader.url, stream)).to.have.length(1);
    expect(await read(follower.url, stream)).to.have.length(0);
    expect(leader.batchCalls()).to.equal(1);
  });

  it('go to the node that the connection string prefers, and from there to the leader', async () => {
    const [follower, leader] = [await node(), await node()];
    follower.faults.follow(leader.port);
    const seed = `esdb+discover://127.0.0.1:${follower.port}?tls=false&nodePreference=`;
    await appendOne(open(`${seed}leader`).eventStore);
    expect([follower.batchCalls(), leader.batchCalls()]).to.deep.equal([0, 1]);
    await appendOne(open(`${seed}follower`).eventStore);
    expect([follower.batchCalls(), leader.batchCalls()]).to.deep.equal([1, 2]);
  });

  it('are tried again on another connection by a server that was not ready', async () => {
    const { server, store } = await bench();
    await appendOne(store);
    server.faults.notReady();
    expect((await appendOne(store)).revision).to.equal(0);
    expect(server.batchCalls()).to.equal(2);
    await until(() => server.connections() === 1);
  });

  it('do not depend on what time this machine takes it to be', async () => {
    const { server } = await bench();
    const db = kept(
      openEventStoreDb({
        url: server.url,
        logger: silentLogger,
        limits: { ...SHORT, ...ONCE },
        clock: { ...systemClock, now: () => 0 },
      }),
    );
    expect((await appendOne(db.eventStore)).revision).to.equal(0);
  });

  it('under way end when the adapter is closed', async () => {
    const { db, server, store } = await bench();
    server.faults.holdAnswers();
    const stream = streamName();
    const append = appendOne(store, stream);
    await until(() => server.batchCalls() === 1);
    const closing = db.close();
    expect(await failure(appendOne(store))).to.be.instanceOf(StoreUnavailable);
    server.faults.releaseAnswers();
    expect((await append).revision).to.equal(0);
    await closing;
    await until(() => server.connections() === 0);
    expect(await read(server.url, stream)).to.have.length(1);
  });

  it('close a frozen server within their time', async () => {
    const { server } = await bench();
    const db = open(server.url, { ...ONCE, callTimeoutMs: 200 });
    await appendOne(db.eventStore);
    server.faults.freeze();
    const append = failure(appendOne(db.eventStore));
    await db.close();
    expect(await append).to.be.instanceOf(StoreUnavailable);
    server.faults.thaw();
  });

  it('tell wrong credentials as any call does', async () => {
    const { server, store } = await bench(ONCE);
    server.faults.deny('credentials');
    const error = await failure(appendOne(store));
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(error.message).to.match(/refuses the credentials in EVENTSTORE_URL\.$/);
  });

  for (const way of ['on one call', 'by calls of their own']) {
    describe(`failures ${way}`, () => {
      const prepared = async () => {
        const opened = await bench(ONCE);
        if (way !== 'on one call') opened.server.faults.withoutBatchAppend();
        return opened;
      };

      it('none: BatchAppend is asked for once', async () => {
        const { server, store } = await prepared();
        const stream = streamName();
        const first = await store.append(stream, 'no_stream', [record({ n: 0 })]);
        await Promise.all(Array.from({ length: 20 }, () => appendOne(store)));
        expect(server.batchCalls()).to.equal(1);
        expect((await store.read(stream))[0]!.position).to.equal(first.position);
      });

      it('a conflict', async () => {
        const { store } = await prepared();
        const stream = streamName();
        expect(await failure(store.append(stream, 4, [record()])))
          .to.be.instanceOf(WrongExpectedRevision)
          .and.include({ stream, expected: 4, actual: 'no_stream' });
        await store.append(stream, 'no_stream', [record(), record()]);
        expect(await failure(appendOne(store, stream))).to.include({ expected: 'no_stream', actual: 1 });
      });

      it('a stream that was deleted for good', async () => {
        const { server, store } = await prepared();
        const stream = streamName();
        await appendOne(store, stream);
        const admin = EventStoreDBClient.connectionString(server.url);
        await admin.tombstoneStream(stream);
        await admin.dispose();
        const error = await failure(store.append(stream, 0, [record()]));
        expect(error.message).to.equal(
          `stream ${stream} was deleted for good on the server: nothing can be appended to it`,
        );
      });

      it('a user whom the ACL leaves out', async () => {
        const { server, store } = await prepared();
        server.faults.deny('appends');
        const error = await failure(appendOne(store));
        expect(error).to.be.instanceOf(StoreUnavailable);
        expect(error.message).to.match(/does not let .* read and append to streams/);
      });

      it('more than the server takes', async () => {
        const { store } = await prepared();
        const stream = streamName();
        // The server counts type names twice, so this event is too large for it although it fits into a shared message.
        const large = { ...record({ text: 'x'.repeat(500_000) }), type: 'T'.repeat(400_000) };
        const [beside, error] = await Promise.all([
          appendOne(store),
          failure(store.append(stream, 'no_stream', [large])),
        ]);
        expect(error).to.be.instanceOf(RangeError);
        expect(error.message).to.contain('1048576 bytes');
        expect(beside.revision).to.equal(0);
        expect(await store.read(stream)).to.deep.equal([]);
      });
    });
  }
});
