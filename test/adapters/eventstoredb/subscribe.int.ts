import { expect } from 'chai';
import { START } from '../../../ports/event-store.js';
import { deferred, numbers, record, streamName, until } from '../../conformance/support.js';
import type { DropReason } from '../../support/eventstoredb/stand-in.js';
import { appendNumbers, follow, openBench, range, type Bench } from './support.js';

const DROPS: readonly DropReason[] = ['unavailable', 'cancelled', 'too-slow', 'end'];
const newCategory = (): string => streamName('sub').replaceAll('-', '');

describe('EventStoreDB: subscribe', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());

  for (const how of DROPS) {
    it(`goes on after a drop (${how}) without loss or repeat`, async () => {
      const { store, server } = bench;
      const category = newCategory();
      const follower = follow(store, { after: START, prefixes: [`${category}-`], maxBatch: 4 });
      await appendNumbers(store, `${category}-1`, 0, 10);
      await until(() => follower.got.length === 10);
      server.faults.dropSubscriptions(how);
      await appendNumbers(store, `${category}-1`, 10, 25);
      await until(() => follower.got.length >= 25);
      server.faults.dropSubscriptions(how);
      await appendNumbers(store, `${category}-1`, 25, 30);
      await until(() => follower.got.length >= 30);
      await follower.subscription.stop();
      expect(follower.got).to.deep.equal(range(30));
      expect(follower.upTo).to.deep.equal([...new Set(follower.upTo)].sort());
      await until(() => server.subscriptions() === 0);
    });
  }

  it('goes on after cut connections, refused attempts and a restart of the server, with the same objects', async () => {
    const { store, server } = bench;
    const category = newCategory();
    const stream = `${category}-1`;
    const follower = follow(store, { after: START, prefixes: [`${category}-`] });
    await appendNumbers(store, stream, 0, 5);
    await until(() => follower.got.length === 5);
    server.faults.cutConnections();
    await appendNumbers(store, stream, 5, 10);
    await until(() => follower.got.length >= 10);
    server.faults.refuseReads(3);
    server.faults.dropSubscriptions('unavailable');
    await until(() => follower.errors.length > 0);
    await appendNumbers(store, stream, 10, 15);
    await until(() => follower.got.length >= 15);
    await server.restart();
    await until(async () => {
      await bench.db.ping().catch(() => undefined);
      return server.connections() > 0;
    });
    await appendNumbers(store, stream, 15, 20);
    await until(() => follower.got.length >= 20);
    expect(numbers(await store.read(stream))).to.deep.equal(range(20));
    await follower.subscription.stop();
    expect(follower.got).to.deep.equal(range(20));
  });

  it('repeats nothing when it is dropped while the consumer works', async () => {
    const { store, server } = bench;
    const category = newCategory();
    const entered = deferred();
    const release = deferred();
    const follower = follow(store, {
      after: START,
      prefixes: [`${category}-`],
      maxBatch: 3,
      hold: async () => {
        entered.resolve();
        await release.promise;
      },
    });
    await appendNumbers(store, `${category}-1`, 0, 20);
    await entered.promise;
    server.faults.dropSubscriptions('too-slow');
    await until(() => server.subscriptions() === 0);
    release.resolve();
    await until(() => follower.got.length >= 20);
    await follower.subscription.stop();
    expect(follower.got).to.deep.equal(range(20));
  });

  it('loses nothing when the buffer of a slow consumer is full', async () => {
    await bench.close();
    bench = await openBench({ buffer: 50 });
    const { store } = bench;
    const category = newCategory();
    const release = deferred();
    const follower = follow(store, {
      after: START,
      prefixes: [`${category}-`],
      maxBatch: 7,
      hold: () => release.promise,
    });
    await appendNumbers(store, `${category}-1`, 0, 1);
    await until(() => bench.server.subscriptions() === 1);
    for (let n = 1; n < 401; n += 100) await appendNumbers(store, `${category}-1`, n, n + 100);
    release.resolve();
    await until(() => follower.got.length >= 401);
    await follower.subscription.stop();
    expect(follower.got).to.deep.equal(range(401));
  });

  it('moves the checkpoint of a sparse filter, and never before what came ahead of it', async () => {
    const { store, server } = bench;
    const category = newCategory();
    const follower = follow(store, { after: START, prefixes: [`${category}-`] });
    const { position } = await store.append(`${category}-1`, 'no_stream', [record({ n: 0 })]);
    await until(() => follower.got.length === 1);
    const other = await store.append(streamName(), 'no_stream', [record()]);
    expect(follower.upTo.at(-1)! < other.position).to.equal(true);
    server.faults.sendCheckpoint();
    await until(() => follower.upTo.at(-1)! >= other.position);
    expect(follower.upTo.at(-1)! > position).to.equal(true);
    await store.append(`${category}-1`, 0, [record({ n: 1 })]);
    await until(() => follower.got.length === 2);
    await follower.subscription.stop();
    const again = follow(store, { after: follower.upTo.at(-1)!, prefixes: [`${category}-`] });
    await store.append(`${category}-1`, 1, [record({ n: 2 })]);
    await until(() => again.got.length >= 1);
    await again.subscription.stop();
    expect(again.got).to.deep.equal([2]);
  });

  it('takes no checkpoint for records that still wait in front of it', async () => {
    await bench.close();
    bench = await openBench({ buffer: 4 });
    const { store, server } = bench;
    const category = newCategory();
    const release = deferred();
    const entered = deferred();
    const batches: { readonly last: string | undefined; readonly upTo: string }[] = [];
    const follower = store.subscribe({
      after: START,
      prefixes: [`${category}-`],
      maxBatch: 2,
      onBatch: async (records, upTo) => {
        entered.resolve();
        await release.promise;
        batches.push({ last: records.at(-1)?.position, upTo });
      },
    });
    await appendNumbers(store, `${category}-1`, 0, 20);
    await entered.promise;
    server.faults.sendCheckpoint();
    await appendNumbers(store, `${category}-1`, 20, 30);
    release.resolve();
    const last = (await store.read(`${category}-1`)).at(-1)!.position;
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
    const category = newCategory();
    const follower = follow(store, { after: START, prefixes: [`${category}-`] });
    await appendNumbers(store, `${category}-1`, 0, 3);
    await until(() => follower.got.length === 3);
    server.faults.silenceSubscriptions();
    await appendNumbers(store, `${category}-1`, 3, 6);
    await until(() => follower.got.length >= 6);
    await follower.subscription.stop();
    expect(follower.got).to.deep.equal(range(6));
  });

  it('goes on by itself when the server was frozen', async () => {
    const { store, server } = bench;
    const category = newCategory();
    server.faults.freeze();
    const follower = follow(store, { after: START, prefixes: [`${category}-`] });
    await until(() => follower.errors.length > 0);
    server.faults.thaw();
    await until(async () => {
      await bench.db.ping().catch(() => undefined);
      return server.subscriptions() > 0;
    });
    await appendNumbers(store, `${category}-1`, 0, 5);
    await until(() => follower.got.length >= 5);
    await follower.subscription.stop();
    expect(follower.got).to.deep.equal(range(5));
  });

  it('stops when the batch in hand is done and delivers nothing more', async () => {
    const { store, server } = bench;
    const category = newCategory();
    const entered = deferred();
    const release = deferred();
    const follower = follow(store, {
      after: START,
      prefixes: [`${category}-`],
      maxBatch: 2,
      hold: async () => {
        entered.resolve();
        await release.promise;
      },
    });
    await appendNumbers(store, `${category}-1`, 0, 10);
    await entered.promise;
    let stopped = false;
    const stopping = follower.subscription.stop().then(() => {
      stopped = true;
    });
    await until(() => server.subscriptions() === 0);
    expect(stopped).to.equal(false);
    release.resolve();
    await stopping;
    expect(follower.got.length).to.be.within(1, 2);
  });

  it('carries many subscriptions on one connection, each with its own records', async () => {
    const { store, server } = bench;
    const categories = Array.from({ length: 20 }, newCategory);
    const followers = categories.map((category) =>
      follow(store, { after: START, prefixes: [`${category}-`] }),
    );
    const everything = follow(store, { after: await store.head() });
    for (const category of categories) await appendNumbers(store, `${category}-1`, 0, 3);
    await until(() => followers.every(({ got }) => got.length >= 3) && everything.got.length >= 60);
    server.faults.cutConnections();
    for (const category of categories) await appendNumbers(store, `${category}-1`, 3, 6);
    await until(() => followers.every(({ got }) => got.length >= 6) && everything.got.length >= 120);
    expect(server.connections()).to.be.lessThan(5);
    await Promise.all([...followers, everything].map(({ subscription }) => subscription.stop()));
    for (const { got } of followers) expect(got).to.deep.equal(range(6));
    expect(everything.got).to.have.length(120);
    await until(() => server.subscriptions() === 0);
  });
});
