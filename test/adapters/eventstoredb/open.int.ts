import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { openEventStoreDb } from '../../../adapters/eventstoredb/open.js';
import { START, StoreUnavailable } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { failure, record, streamName, until } from '../../conformance/support.js';
import { startEventStoreStandIn } from '../../support/eventstoredb/stand-in.js';
import { appendNumbers, follow, openBench, SHORT } from './support.js';

const open = (url: string) => openEventStoreDb({ url, logger: silentLogger, limits: SHORT });

describe('EventStoreDB: open', () => {
  it('refuses a malformed URL with a sentence that holds no credentials', () => {
    const urls = [
      'http://admin:s3cret@host:2113',
      'esdb://',
      'esdb://admin:s3cret@host:port',
      'esdb://admin:s3cret@host:2113?tls=maybe',
      'esdb://admin:s3cret@host:2113?tlsCAFile=/nowhere/ca.crt',
      'esdb://admin:s3cret%@host:2113',
    ];
    for (const url of urls) {
      expect(() => open(url), url)
        .to.throw(Error, /^EVENTSTORE_URL is not a usable connection string: .*It looks like esdb:/)
        .with.property('message')
        .that.does.not.contain('s3cret');
    }
  });

  it('says which options have no effect, by their names only, and prints nothing itself', async () => {
    const warned: object[] = [];
    const printed: unknown[] = [];
    const { warn } = console;
    console.warn = (...args: unknown[]) => printed.push(args);
    try {
      const logger = { ...silentLogger, warn: (fields: object) => warned.push(fields) };
      const url =
        'kurrentdb+discover://u:s3cret@a:1,b:2?tls=false&colour=red&tlsVerifyCert=false&throwOnAppendFailure=false&keepAliveInterval=-1';
      await openEventStoreDb({ url, logger }).close();
    } finally {
      console.warn = warn;
    }
    expect(printed).to.deep.equal([]);
    expect(warned).to.deep.equal([
      { options: ['colour', 'tlsVerifyCert', 'throwOnAppendFailure', 'keepAliveInterval'] },
    ]);
  });

  it('names a certificate file that it can not read', () => {
    for (const option of ['tlsCAFile', 'userCertFile', 'userKeyFile']) {
      expect(() => open(`esdb://admin:s3cret@host:2113?${option}=/nowhere/ca%20one.crt`)).to.throw(
        `the file that ${option} names can't be read: /nowhere/ca%20one.crt (ENOENT)`,
      );
    }
  });

  it('takes several addresses as seeds, also where they are given to +discover', async () => {
    const away = await startEventStoreStandIn();
    await away.stop();
    const server = await startEventStoreStandIn();
    const seeds = `127.0.0.1:${away.port},127.0.0.1:${server.port}`;
    for (const scheme of ['esdb', 'esdb+discover']) {
      const db = open(`${scheme}://${seeds}?tls=false`);
      await db.ping();
      await db.close();
    }
    await server.stop();
  });

  it('names the right that a plain user lacks, who grants it and how', async () => {
    const bench = await openBench();
    bench.server.faults.deny('$all');
    const as = (user: string) => open(`esdb://${user}127.0.0.1:${bench.server.port}?tls=false`);
    const [plain, nobody] = [as('recado:s3cret@'), as('')];
    const sentence =
      /does not let the user "recado" read \$all\. An administrator adds "recado" beside "\$admins" to acl\.readRoles in the metadata of \$all/;
    const follower = follow(plain.eventStore, { after: START });
    expect((await failure(plain.ping())).message).to.match(sentence);
    const read = await failure(plain.eventStore.readAll({ after: START, limit: 1 }));
    expect(read).to.be.instanceOf(StoreUnavailable);
    expect(read.message).to.match(sentence).and.not.include('s3cret');
    expect((await failure(plain.eventStore.head())).message).to.match(sentence);
    await until(() => follower.errors.length > 0);
    expect((follower.errors[0] as Error).message).to.match(sentence);
    const stream = streamName();
    await plain.eventStore.append(stream, 'no_stream', [record()]);
    expect(await plain.eventStore.read(stream)).to.have.length(1);
    expect((await failure(nobody.ping())).message).to.include('as EVENTSTORE_URL names none, read $all');
    // Once the permission is granted, the follower resumes by itself.
    bench.server.faults.clear();
    await until(() => follower.got.length > 0);
    bench.server.faults.deny('credentials');
    expect((await failure(plain.ping())).message).to.match(/refuses the credentials in EVENTSTORE_URL\.$/);
    await Promise.all([plain.close(), nobody.close(), bench.close()]);
  });

  it('says that a server speaks TLS where the URL rules it out', async () => {
    // Without a certificate the server refuses every handshake with an alert, which is a TLS record.
    const server = createTlsServer();
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const db = open(`esdb://127.0.0.1:${port}?tls=false`);
    expect((await failure(db.ping())).message).to.equal(
      `EventStoreDB at 127.0.0.1:${port} speaks TLS, and EVENTSTORE_URL says tls=false: leave that out.`,
    );
    await db.close();
    server.close();
  });

  it('opens while the server is away, says so when asked, and works once it is there', async () => {
    const server = await startEventStoreStandIn();
    await server.stop();
    const db = open(`esdb://admin:s3cret@127.0.0.1:${server.port}?tls=false`);
    const follower = follow(db.eventStore, { after: START });
    const error = await failure(db.ping());
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(error.message)
      .to.match(/^EventStoreDB at 127\.0\.0\.1:\d+ can't be reached: /)
      .and.not.contain('s3cret');
    expect(await failure(db.eventStore.head())).to.be.instanceOf(StoreUnavailable);
    await until(() => follower.errors.length > 0);
    expect(follower.errors[0]).to.be.instanceOf(StoreUnavailable);
    const back = await startEventStoreStandIn({ port: server.port });
    await until(() =>
      db.ping().then(
        () => true,
        () => false,
      ),
    );
    await appendNumbers(db.eventStore, streamName(), 0, 3);
    await until(() => follower.got.length >= 3);
    await db.close();
    await back.stop();
  });

  it('leaves no connection behind, and refuses calls, when it is closed', async () => {
    const bench = await openBench();
    const { db, server, store } = bench;
    follow(store, { after: START });
    await store.append(streamName(), 'no_stream', [record()]);
    await until(() => server.subscriptions() === 1);
    for (let n = 0; n < 5; n += 1) {
      server.faults.dropSubscriptions('unavailable');
      await until(() => server.subscriptions() === 0);
      await until(() => server.subscriptions() === 1);
    }
    expect(server.connections()).to.be.lessThan(4);
    await db.close();
    await until(() => server.connections() === 0);
    expect(await failure(store.head())).to.be.instanceOf(StoreUnavailable);
    await bench.close();
  });

  it('reads pages of bounded work and gets to the end past what is not ours', async () => {
    const bench = await openBench({ scan: 40 });
    const { store } = bench;
    const first = await store.append('wanted-1', 'no_stream', [record({ n: 0 })]);
    await appendNumbers(store, streamName('other'), 0, 200);
    const last = await store.append('wanted-1', 0, [record({ n: 1 })]);
    const pages = [];
    for (let after = START, end = false; !end && pages.length < 100;) {
      const page = await store.readAll({ after, limit: 1_000, prefixes: ['wanted-'] });
      pages.push(page.records.length);
      expect(page.next > after || page.atEnd).to.equal(true);
      after = page.next;
      end = page.atEnd;
    }
    expect(pages.length).to.be.greaterThan(4);
    expect(pages.reduce((sum, size) => sum + size)).to.equal(2);
    expect(await store.head()).to.equal(last.position);
    expect(store.sequenceOf(first.position)).to.be.lessThan(store.sequenceOf(last.position));
    expect(store.sequenceOf(START)).to.equal(0);
    expect(await failure(store.readAll({ after: '17' as typeof START, limit: 1 }))).to.be.instanceOf(
      TypeError,
    );
    await bench.close();
  });

  it('finds the newest record of ours behind system events, also with a fresh adapter', async () => {
    const bench = await openBench();
    expect(await bench.store.head()).to.equal(START);
    const { position } = await bench.store.append(streamName(), 'no_stream', [record()]);
    const fresh = open(bench.server.url);
    expect(await fresh.eventStore.head()).to.equal(position);
    expect((await fresh.eventStore.readAll({ after: START, limit: 10 })).records).to.have.length(1);
    await fresh.close();
    await bench.close();
  });
});
