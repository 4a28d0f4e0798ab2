import { expect } from 'chai';
import { openEventStoreDb } from '../../../adapters/eventstoredb/open.js';
import { START } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { gate, numbers, record, streamName, until } from '../../conformance/support.js';
import type { DropReason } from '../../support/eventstoredb/stand-in.js';
import { closedAfterEach, openedForEach } from '../../support/opened.js';
import { appendNumbers, follow, followCategory, openBench, range, SHORT } from './support.js';

const DROPS: readonly DropReason[] = ['unavailable', 'cancelled', 'too-slow', 'end'];

describe('EventStoreDB: subscribe', () => {
  const bench = openedForEach(() => openBench());
  const kept = closedAfterEach();

  for (const how of DROPS) {
    it(`goes on after a drop (${how}) without loss or repeat`, async () => {
      const { store, server } = bench;
      const follower = followCategory(store, { maxBatch: 4 });
      await follower.append(0, 10);
      await follower.has(10);
      server.faults.dropSubscriptions(how);
      await follower.append(10, 25);
      await follower.has(25);
      server.faults.dropSubscriptions(how);
      await follower.append(25, 30);
      await follower.has(30);
      await follower.stop();
      expect(follower.got).to.deep.equal(range(30));
      expect(follower.upTo).to.deep.equal([...new Set(follower.upTo)].sort());
      await until(() => server.subscriptions() === 0);
    });
  }

  it('goes on after cut connections, refused attempts and a restart of the server, with the same objects', async () => {
    const { store, server } = bench;
    const follower = followCategory(store);
    await follower.append(0, 5);
    await follower.has(5);
    server.faults.cutConnections();
    await follower.append(5, 10);
    await follower.has(10);
    server.faults.refuseReads(3);
    server.faults.dropSubscriptions('unavailable');
    await until(() => follower.errors.length > 0);
    await follower.append(10, 15);
    await follower.has(15);
    await server.restart();
    await until(async () => {
      await bench.db.ping().catch(() => undefined);
      return server.connections() > 0;
    });
    await follower.append(15, 20);
    await follower.has(20);
    expect(numbers(await store.read(follower.stream))).to.deep.equal(range(20));
    await follower.stop();
    expect(follower.got).to.deep.equal(range(20));
  });

  it('repeats nothing when it is dropped while the consumer works', async () => {
    const { store, server } = bench;
    const held = gate();
    const follower = followCategory(store, { maxBatch: 3, hold: held.pass });
    await follower.append(0, 20);
    await held.reached;
    server.faults.dropSubscriptions('too-slow');
    await until(() => server.subscriptions() === 0);
    held.open();
    await follower.has(20);
    await follower.stop();
    expect(follower.got).to.deep.equal(range(20));
  });

  it('loses nothing when the buffer of a slow consumer is full', async () => {
    const { store, server } = kept(await openBench({ buffer: 50 }));
    const held = gate();
    const follower = followCategory(store, { maxBatch: 7, hold: held.pass });
    await follower.append(0, 1);
    await until(() => server.subscriptions() === 1);
    for (let n = 1; n < 401; n += 100) await follower.append(n, n + 100);
    held.open();
    await follower.has(401);
    await follower.stop();
    expect(follower.got).to.deep.equal(range(401));
  });

  it('moves the checkpoint of a sparse filter, and never before what came ahead of it', async () => {
    const { store, server } = bench;
    const follower = followCategory(store);
    const { position } = await store.append(follower.stream, 'no_stream', [record({ n: 0 })]);
    await follower.has(1);
    const other = await store.append(streamName(), 'no_stream', [record()]);
    expect(follower.upTo.at(-1)! < other.position).to.equal(true);
    server.faults.sendCheckpoint();
    await until(() => follower.upTo.at(-1)! >= other.position);
    expect(follower.upTo.at(-1)! > position).to.equal(true);
    await store.append(follower.stream, 0, [record({ n: 1 })]);
    await follower.has(2);
    await follower.stop();
    const again = follow(store, { after: follower.upTo.at(-1)!, prefixes: [follower.stream] });
    await store.append(follower.stream, 1, [record({ n: 2 })]);
    await until(() => again.got.length >= 1);
    await again.subscription.stop();
    expect(again.got).to.deep.equal([2]);
  });

  it('takes no checkpoint for records that still wait in front of it', async () => {
    const { store, server } = kept(await openBench({ buffer: 4 }));
    const stream = `${streamName('sub').replaceAll('-', '')}-1`;
    const held = gate();
    const batches: { readonly last: string | undefined; readonly upTo: string }[] = [];
    const follower = store.subscribe({
      after: START,
      prefixes: [stream],
      maxBatch: 2,
      onBatch: async (records, upTo) => {
        await held.pass();
        batches.push({ last: records.at(-1)?.position, upTo });
      },
    });
    await appendNumbers(store, stream, 0, 20);
    await held.reached;
    server.faults.sendCheckpoint();
    await appendNumbers(store, stream, 20, 30);
    held.open();
    const last = (await store.read(stream)).at(-1)!.position;
    await until(() => (batches.at(-1)?.upTo ?? '') >= last);
    await follower.stop();
    const delivered = batches.filter((batch) => batch.last !== undefined);
    expect(delivered).to.have.length.greaterThan(10);
    for (const [index, { last: end, upTo }] of batches.slice(0, -1).entries()) {
      const following = batches.slice(index + 1).find((batch) => batch.last !== undefined)?.last;
      if (following !== undefined) expect(upTo < following).to.equal(true);
      if (end !== undefined) expect(upTo >= end).to.equal(true);
    }
  });

  it('notices that it has gone silent, and goes on', async () => {
    const { store, server } = bench;
    const follower = followCategory(store);
    await follower.append(0, 3);
    await follower.has(3);
    server.faults.silenceSubscriptions();
    await follower.append(3, 6);
    await follower.has(6);
    await follower.stop();
    expect(follower.got).to.deep.equal(range(6));
  });

  it('goes on by itself when the server was frozen', async () => {
    const { server } = bench;
    const db = openEventStoreDb({
      url: server.url,
      logger: silentLogger,
      limits: { ...SHORT, callTimeoutMs: 1_000, confirmTimeoutMs: 1_000, attempts: 20 },
    });
    const store = db.eventStore;
    server.faults.freeze();
    const follower = followCategory(store);
    await until(() => follower.errors.length > 0);
    server.faults.thaw();
    await until(async () => {
      await db.ping().catch(() => undefined);
      return server.subscriptions() > 0;
    });
    await follower.append(0, 5);
    await follower.has(5);
    await follower.stop();
    expect(follower.got).to.deep.equal(range(5));
    await db.close();
  });

  it('stops when the batch in hand is done and delivers nothing more', async () => {
    const { store, server } = bench;
    const held = gate();
    const follower = followCategory(store, { maxBatch: 2, hold: held.pass });
    await follower.append(0, 10);
    await held.reached;
    let stopped = false;
    const stopping = follower.stop().then(() => {
      stopped = true;
    });
    await until(() => server.subscriptions() === 0);
    expect(stopped).to.equal(false);
    held.open();
    await stopping;
    expect(follower.got.length).to.be.within(1, 2);
  });

  it('carries many subscriptions on one connection, each with its own records', async () => {
    const { store, server } = bench;
    const followers = Array.from({ length: 20 }, () => followCategory(store));
    const everything = follow(store, { after: await store.head() });
    for (const { append } of followers) await append(0, 3);
    await until(() => followers.every(({ got }) => got.length >= 3) && everything.got.length >= 60);
    server.faults.cutConnections();
    for (const { append } of followers) await append(3, 6);
    await until(() => followers.every(({ got }) => got.length >= 6) && everything.got.length >= 120);
    expect(server.connections()).to.be.lessThan(5);
    await Promise.all([...followers, everything].map(({ subscription }) => subscription.stop()));
    for (const { got } of followers) expect(got).to.deep.equal(range(6));
    expect(everything.got).to.have.length(120);
    await until(() => server.subscriptions() === 0);
  });
});
