import { randomUUID } from 'node:crypto';
import {
  AccessDeniedError,
  DeadlineExceededError,
  EventStoreDBClient,
  NO_STREAM,
  NotLeaderError,
  START,
  UnavailableError,
  UnknownError,
  streamNameFilter,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { collect, failureOf, hear, standInForSuite, tick, ticks, until } from './fixture.js';
import type { DropReason } from './stand-in.js';

describe("EventStoreDB's stand-in: faults", () => {
  const fixture = standInForSuite();
  afterEach(() => fixture.standIn.faults.clear());
  const append = (stream: string, events = ticks(1)) =>
    fixture.client.appendToStream(stream, events, { expectedRevision: NO_STREAM });
  const written = async (stream: string) => (await collect(fixture.client.readStream(stream))).length;
  const subscribed = async () => {
    const stream = `sub-${randomUUID()}`;
    await append(stream);
    const heard = hear(fixture.client.subscribeToAll({ filter: streamNameFilter({ prefixes: [stream] }) }));
    await until(() => heard.order.includes('caughtUp'));
    return { stream, heard };
  };

  it('an answer lost with its connection: the append is stored, and its repeat says where', async () => {
    const stream = `lost-${randomUUID()}`;
    const event = tick(0);
    fixture.standIn.faults.loseAnswers();
    expect(await failureOf(append(stream, [event]))).to.be.instanceOf(UnavailableError);
    const repeated = await append(stream, [event]);
    expect(repeated.nextExpectedRevision).to.equal(0n);
    expect(await written(stream)).to.equal(1);
  });

  it('an answer that never comes: the append is stored, its promise stays open, others go on', async () => {
    const stream = `lost-${randomUUID()}`;
    fixture.standIn.faults.loseAnswers(1, 'never');
    let settled = false;
    const settle = (): void => void (settled = true);
    append(stream).then(settle, settle);
    await append(`other-${stream}`);
    expect(await written(stream)).to.equal(1);
    expect(settled).to.equal(false);
  });

  it('refused appends are not stored; refused reads fail; both as UNAVAILABLE, so many times', async () => {
    const stream = `refused-${randomUUID()}`;
    fixture.standIn.faults.refuseAppends(2);
    expect(await failureOf(append(stream))).to.be.instanceOf(UnavailableError);
    expect(await failureOf(append(stream))).to.be.instanceOf(UnavailableError);
    await append(stream);
    fixture.standIn.faults.refuseReads(1);
    expect(await failureOf(fixture.client.readStream(stream))).to.be.instanceOf(UnavailableError);
    expect(await written(stream)).to.equal(1);
  });

  it('answers that are held come when they are released', async () => {
    const stream = `held-${randomUUID()}`;
    await append(`first-${stream}`);
    fixture.standIn.faults.holdAnswers();
    let answered = false;
    const pending = append(stream).then(() => (answered = true));
    const other = EventStoreDBClient.connectionString(fixture.standIn.url);
    const read = collect(other.readAll({ maxCount: 1 }));
    await until(() => fixture.standIn.connections() === 2);
    expect(answered).to.equal(false);
    fixture.standIn.faults.releaseAnswers();
    await Promise.all([pending, read]);
    expect(await written(stream)).to.equal(1);
    await other.dispose();
  });

  it('a server that is not ready says so of one append, and the call goes on', async () => {
    const stream = `ready-${randomUUID()}`;
    await append(`first-${stream}`);
    const calls = fixture.standIn.batchCalls();
    fixture.standIn.faults.notReady();
    expect(await failureOf(append(stream))).to.be.instanceOf(UnknownError);
    await append(stream);
    expect(fixture.standIn.batchCalls()).to.equal(calls);
  });

  it('an append whose deadline has passed is refused, as is one that the ACL denies', async () => {
    const stream = `denied-${randomUUID()}`;
    const late = fixture.client.appendToStream(stream, ticks(1), {
      expectedRevision: NO_STREAM,
      deadline: -1_000,
    });
    expect(await failureOf(late)).to.be.instanceOf(DeadlineExceededError);
    fixture.standIn.faults.deny('appends');
    expect(await failureOf(append(stream))).to.be.instanceOf(AccessDeniedError);
    fixture.standIn.faults.clear();
    await append(stream);
  });

  it('without BatchAppend a client that asks for features appends one by one', async () => {
    const stream = `single-${randomUUID()}`;
    fixture.standIn.faults.withoutBatchAppend();
    const calls = fixture.standIn.batchCalls();
    const client = EventStoreDBClient.connectionString(fixture.standIn.url);
    await client.appendToStream(stream, ticks(1), { expectedRevision: NO_STREAM });
    expect(await written(stream)).to.equal(1);
    expect(fixture.standIn.batchCalls()).to.equal(calls);
    await client.dispose();
  });

  it('a node that follows names the leader to an append that asks for one, and takes others', async () => {
    const stream = `led-${randomUUID()}`;
    fixture.standIn.faults.follow(2_113);
    const options = { expectedRevision: NO_STREAM, requiresLeader: true } as const;
    const client = EventStoreDBClient.connectionString(fixture.standIn.url);
    const refused = await failureOf(client.appendToStream(stream, ticks(1), options));
    expect(refused).to.be.instanceOf(NotLeaderError);
    expect((refused as NotLeaderError).leader).to.deep.equal({ address: '127.0.0.1', port: 2_113 });
    await append(stream);
    await client.dispose();
  });

  it('a delayed answer comes when its time has passed', async () => {
    const stream = `delayed-${randomUUID()}`;
    await append(`first-${stream}`);
    fixture.standIn.faults.delayAnswers(300);
    const start = performance.now();
    const pending = append(stream);
    await pending;
    expect(performance.now() - start).to.be.at.least(295);
  });

  it('frozen, nothing answers, connected or not; thawed, everything does', async () => {
    const stream = `frozen-${randomUUID()}`;
    await append(`first-${stream}`);
    fixture.standIn.faults.freeze();
    const another = EventStoreDBClient.connectionString(fixture.standIn.url);
    const answered: string[] = [];
    const pending = [
      append(stream).then(() => answered.push('append')),
      collect(another.readAll({ maxCount: 1 })).then(() => answered.push('read')),
    ];
    // The new client's connection is accepted, but nothing is answered.
    await until(() => fixture.standIn.connections() === 2);
    expect(answered).to.deep.equal([]);
    fixture.standIn.faults.thaw();
    await Promise.all(pending);
    expect([...answered].sort()).to.deep.equal(['append', 'read']);
    await another.dispose();
  });

  it('cut connections: one UnavailableError per subscription, and the client goes on with its next call', async () => {
    const { stream, heard } = await subscribed();
    fixture.standIn.faults.cutConnections();
    await until(() => heard.errors.length === 1);
    expect([heard.errors[0]?.type, heard.errors[0]?.code]).to.deep.equal(['unavailable', 14]);
    expect(await written(stream)).to.equal(1);
    await until(() => fixture.standIn.subscriptions() === 0);
  });

  const drops: Record<DropReason, readonly [string | undefined, number | undefined]> = {
    unavailable: ['unavailable', 14],
    cancelled: ['cancelled', 1],
    'too-slow': ['timeout', 10],
    end: [undefined, undefined],
  };
  for (const [how, [type, code]] of Object.entries(drops)) {
    it(`dropped subscriptions: ${how}`, async () => {
      const { heard } = await subscribed();
      fixture.standIn.faults.dropSubscriptions(how as DropReason);
      await until(() => heard.errors.length === 1 || heard.ended);
      expect([heard.errors[0]?.type, heard.errors[0]?.code]).to.deep.equal([type, code]);
      expect(fixture.standIn.subscriptions()).to.equal(0);
    });
  }

  it('a silenced subscription stays open and delivers nothing; a new one does', async () => {
    const { stream, heard } = await subscribed();
    fixture.standIn.faults.silenceSubscriptions();
    await fixture.client.appendToStream(stream, ticks(1), { expectedRevision: 0n });
    const fresh = hear(fixture.client.subscribeToStream(stream, { fromRevision: START }));
    await until(() => fresh.order.includes('caughtUp'));
    expect(fresh.revisions()).to.deep.equal([0, 1]);
    expect(heard.revisions()).to.deep.equal([0]);
    expect(heard.errors.length + Number(heard.ended)).to.equal(0);
    fixture.standIn.faults.dropSubscriptions('end');
  });

  it('a checkpoint is announced while the events before it still lie unread', async () => {
    const stream = `ahead-${randomUUID()}`;
    await append(stream, ticks(5));
    const announced: bigint[] = [];
    const subscription = fixture.client.subscribeToAll({
      filter: streamNameFilter({
        prefixes: [stream],
        checkpointReached: async (_subscription, { commit }) => void announced.push(commit),
      }),
    });
    const caughtUp = new Promise((resolve) => subscription.once('caughtUp', resolve));
    await caughtUp;
    fixture.standIn.faults.sendCheckpoint();
    await until(() => announced.length > 0);
    expect(subscription.readableLength).to.equal(5);
    const fifth = (await collect(fixture.client.readStream(stream))).at(-1);
    expect((announced.at(-1) ?? 0n) >= (fifth?.event?.position?.commit ?? 0n)).to.equal(true);
    await subscription.unsubscribe();
  });

  it('a restart cuts what is open; data and port stay, and the same client works at once', async () => {
    const { stream, heard } = await subscribed();
    await fixture.standIn.restart();
    await until(() => heard.errors.length === 1);
    expect(heard.errors[0]?.type).to.equal('unavailable');
    expect(await written(stream)).to.equal(1);
  });
});
