import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient, NO_STREAM, START, UnavailableError } from '@eventstore/db-client';
import { expect } from 'chai';
import { startEventStoreStandInProcess } from '../../real/servers/eventstore-stand-in.js';
import type { RunningServer } from '../../real/servers/server.js';
import { collect, failureOf, hear, tick, ticks, until } from './fixture.js';
import { startEventStoreStandIn } from './stand-in.js';

describe("EventStoreDB's stand-in as a process", () => {
  let server: RunningServer;
  let client: EventStoreDBClient;
  before(async () => {
    server = await startEventStoreStandInProcess();
    client = EventStoreDBClient.connectionString(server.url);
  });
  after(async () => {
    await client.dispose();
    await server.stop();
  });
  const append = (stream: string, events = ticks(1)) =>
    client.appendToStream(stream, events, { expectedRevision: NO_STREAM });

  it('killed under load: nothing acknowledged is lost, positions stay, and a repeat tells what became of the rest', async () => {
    const acknowledged = new Map<string, bigint | undefined>();
    const unknown: { readonly stream: string; readonly event: ReturnType<typeof tick> }[] = [];
    let killed: Promise<void> | undefined;
    const writer = async (): Promise<void> => {
      for (let i = 0; i < 2000 && unknown.length === 0; i += 1) {
        const stream = `killed-${randomUUID()}`;
        const event = tick(i);
        try {
          acknowledged.set(stream, (await append(stream, [event])).position?.commit);
        } catch {
          unknown.push({ stream, event });
        }
        if (acknowledged.size >= 100) killed ??= server.kill();
      }
    };
    await Promise.all(Array.from({ length: 16 }, writer));
    await killed;
    expect(unknown.length).to.be.greaterThan(0);
    await server.restart();

    const all = await collect(client.readAll());
    const found = new Map(all.map(({ event }) => [event?.streamId, event?.position?.commit]));
    for (const [stream, position] of acknowledged) expect(found.get(stream)).to.equal(position);
    for (const { stream, event } of unknown) {
      expect((await append(stream, [event])).nextExpectedRevision).to.equal(0n);
      expect((await collect(client.readStream(stream))).length).to.equal(1);
    }
  });

  it('a subscription ends with one error and goes on from its revision on the same client', async () => {
    const stream = `sub-${randomUUID()}`;
    await append(stream, ticks(3));
    const heard = hear(client.subscribeToStream(stream, { fromRevision: START }));
    await until(() => heard.order.includes('caughtUp'));
    await server.kill();
    await until(() => heard.errors.length === 1);
    expect(await failureOf(client.readStream(stream))).to.be.instanceOf(UnavailableError);
    await server.restart();
    const again = hear(client.subscribeToStream(stream, { fromRevision: 1n }));
    await until(() => again.order.includes('caughtUp'));
    expect(again.revisions()).to.deep.equal([2]);
    expect([heard.errors.length, heard.ended]).to.deep.equal([1, false]);
  });

  it('stopped, it answers nothing; resumed, it answers what was asked', async () => {
    const stream = `paused-${randomUUID()}`;
    await append(`first-${stream}`);
    server.pause();
    let settled = false;
    const pending = append(stream).finally(() => {
      settled = true;
    });
    // A running server would answer within milliseconds. A round trip to a second server proves that such time has
    // passed.
    const other = await startEventStoreStandIn();
    const elsewhere = EventStoreDBClient.connectionString(other.url);
    await elsewhere.appendToStream('any', ticks(1));
    expect(settled).to.equal(false);
    server.resume();
    expect((await pending).nextExpectedRevision).to.equal(0n);
    await elsewhere.dispose();
    await other.stop();
  });

  it('a frame that was not written to its end is dropped on start', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'recado-eventstore-'));
    const withStandIn = async <T>(use: (local: EventStoreDBClient) => Promise<T>): Promise<T> => {
      const standIn = await startEventStoreStandIn({ dataDir });
      const local = EventStoreDBClient.connectionString(standIn.url);
      const result = await use(local);
      await local.dispose();
      await standIn.stop();
      return result;
    };
    await withStandIn((local) => local.appendToStream('torn', ticks(2), { expectedRevision: NO_STREAM }));
    await appendFile(join(dataDir, 'events.log'), Buffer.from([200, 0, 0, 0, 1, 2, 3]));
    const next = await withStandIn((local) =>
      local.appendToStream('torn', ticks(1), { expectedRevision: 1n }),
    );
    expect(next.nextExpectedRevision).to.equal(2n);
    expect((await withStandIn((local) => collect(local.readStream('torn')))).length).to.equal(3);
    await rm(dataDir, { recursive: true });
  });
});
