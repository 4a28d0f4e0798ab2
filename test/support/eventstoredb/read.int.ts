import { randomUUID } from 'node:crypto';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  NO_STREAM,
  START,
  StreamNotFoundError,
  UnknownError,
  binaryEvent,
  jsonEvent,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { collect, failureOf, standInForSuite, ticks } from './fixture.js';

describe("EventStoreDB's stand-in: reads", () => {
  const fixture = standInForSuite();
  const revisions = async (stream: string, options = {}) =>
    (await collect(fixture.client.readStream(stream, options))).map(({ event }) => Number(event?.revision));
  const written = async (count: number): Promise<string> => {
    const stream = `read-${randomUUID()}`;
    await fixture.client.appendToStream(stream, ticks(count), { expectedRevision: NO_STREAM });
    return stream;
  };

  it('gives an event back as it was written', async () => {
    const stream = `shape-ação-${randomUUID()}`;
    const [id, other] = [randomUUID(), randomUUID()];
    const before = Date.now();
    await fixture.client.appendToStream(
      stream,
      [
        jsonEvent({ id, type: 'Said', data: { text: 'olá' }, metadata: { by: 'ana' } }),
        binaryEvent({ id: other, type: 'Bytes', data: Uint8Array.of(0, 255) }),
      ],
      { expectedRevision: NO_STREAM },
    );
    const [said, bytes] = await collect(fixture.client.readStream(stream));
    const event = said?.event;
    expect([event?.streamId, event?.id, event?.type, event?.revision]).to.deep.equal([
      stream,
      id,
      'Said',
      0n,
    ]);
    expect([event?.data, event?.metadata, event?.isJson]).to.deep.equal([
      { text: 'olá' },
      { by: 'ana' },
      true,
    ]);
    expect(event?.position?.commit).to.equal(event?.position?.prepare).and.to.equal(said?.commitPosition);
    expect(event?.created.getTime()).to.be.within(before, Date.now());
    expect([bytes?.event?.id, bytes?.event?.isJson]).to.deep.equal([other, false]);
    expect([...(bytes?.event?.data as Uint8Array)]).to.deep.equal([0, 255]);
  });

  it('a stream forwards and backwards, from a revision that is included, so many', async () => {
    const stream = await written(6);
    expect(await revisions(stream)).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(await revisions(stream, { fromRevision: 4n })).to.deep.equal([4, 5]);
    expect(await revisions(stream, { fromRevision: 1n, maxCount: 2 })).to.deep.equal([1, 2]);
    expect(await revisions(stream, { fromRevision: 9n })).to.deep.equal([]);
    expect(await revisions(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 2 })).to.deep.equal([
      5, 4,
    ]);
    expect(await revisions(stream, { direction: BACKWARDS, fromRevision: 1n })).to.deep.equal([1, 0]);
  });

  it('a stream that is not there: StreamNotFoundError, while iterating', async () => {
    const error = await failureOf(fixture.client.readStream('read-none'));
    expect(error).to.be.instanceOf(StreamNotFoundError);
    expect((error as StreamNotFoundError).streamName).to.equal('read-none');
    expect((error as StreamNotFoundError).type).to.equal('stream-not-found');
  });

  it('$all forwards includes the record at the position, backwards gives what lies before it', async () => {
    const stream = await written(3);
    const all = await collect(fixture.client.readAll());
    const positions = all.map(({ event }) => event?.position?.commit ?? 0n);
    expect(
      [...positions].sort((a, b) => (a < b ? -1 : 1)),
      'in order',
    ).to.deep.equal(positions);
    const [first, second] = all.filter(({ event }) => event?.streamId === stream);
    const from = second?.event?.position ?? START;
    const onwards = await collect(fixture.client.readAll({ fromPosition: from, maxCount: 2 }));
    expect(onwards.map(({ event }) => event?.revision)).to.deep.equal([1n, 2n]);
    const back = await collect(
      fixture.client.readAll({ fromPosition: from, direction: BACKWARDS, maxCount: 1 }),
    );
    expect(back.map(({ event }) => event?.id)).to.deep.equal([first?.event?.id]);
    const newest = await collect(
      fixture.client.readAll({ fromPosition: END, direction: BACKWARDS, maxCount: 1 }),
    );
    expect(newest[0]?.event?.position?.commit).to.equal(positions.at(-1));
  });

  it('$all has the records of the server itself between ours', async () => {
    await written(150);
    const types = (await collect(fixture.client.readAll())).map(({ event }) => event?.type);
    expect(types.slice(0, 1)).to.deep.equal(['$metadata']);
    expect(types.lastIndexOf('$statsCollected')).to.be.greaterThan(types.indexOf('Tick'));
  });

  it('a position that is no start of a record: UnknownError 2; beyond the end: nothing', async () => {
    await written(1);
    const last = (
      await collect(fixture.client.readAll({ fromPosition: END, direction: BACKWARDS, maxCount: 1 }))
    )[0];
    const commit = last?.event?.position?.commit ?? 0n;
    const read = (at: bigint) => fixture.client.readAll({ fromPosition: { commit: at, prepare: at } });
    for (const off of [commit - 1n, commit + 1n, 17n]) {
      const error = await failureOf(read(off));
      expect(error, `at ${off}`).to.be.instanceOf(UnknownError);
      expect((error as UnknownError).code).to.equal(2);
    }
    expect(await collect(read(commit + 1_000_000n))).to.deep.equal([]);
  });

  it('a client that discovers a cluster finds one node that leads', async () => {
    const stream = await written(1);
    const { port } = fixture.standIn;
    const discovering = EventStoreDBClient.connectionString(
      `esdb://127.0.0.1:${port},127.0.0.1:${port}?tls=false`,
    );
    expect((await collect(discovering.readStream(stream))).length).to.equal(1);
    await discovering.dispose();
  });

  describe('retention, which acts when a stream is read', () => {
    it('maxCount keeps the newest, truncateBefore hides the oldest, and $all has them all', async () => {
      const stream = await written(5);
      await fixture.client.setStreamMetadata(stream, { maxCount: 2 });
      expect(await revisions(stream)).to.deep.equal([3, 4]);
      expect(await revisions(stream, { direction: BACKWARDS, fromRevision: END })).to.deep.equal([4, 3]);
      await fixture.client.setStreamMetadata(stream, { truncateBefore: 1 });
      expect(await revisions(stream)).to.deep.equal([1, 2, 3, 4]);
      const kept = (await collect(fixture.client.readAll())).filter(
        ({ event }) => event?.streamId === stream,
      );
      expect(kept.length).to.equal(5);
    });

    it('a stream that has expired altogether reads as empty', async () => {
      const stream = await written(2);
      await fixture.client.setStreamMetadata(stream, { truncateBefore: 2 });
      expect(await revisions(stream)).to.deep.equal([]);
      const aged = await written(2);
      await fixture.client.setStreamMetadata(aged, { maxAge: -1 });
      expect(await revisions(aged)).to.deep.equal([]);
      await fixture.client.setStreamMetadata(aged, { maxAge: 3600 });
      expect(await revisions(aged)).to.deep.equal([0, 1]);
    });

    it('metadata reads back, with a commit position in the place of its revision', async () => {
      const stream = await written(1);
      expect((await fixture.client.getStreamMetadata(stream)).metadata).to.equal(undefined);
      await fixture.client.setStreamMetadata(stream, { maxCount: 9, owner: 'loja' });
      const { metadata, metastreamRevision } = await fixture.client.getStreamMetadata(stream);
      expect(metadata).to.deep.equal({ maxCount: 9, owner: 'loja' });
      expect(Number(metastreamRevision)).to.be.greaterThan(3000);
    });

    it('deletion keeps the other limits, and the next append lifts it', async () => {
      const stream = await written(3);
      await fixture.client.setStreamMetadata(stream, { maxCount: 1 });
      await fixture.client.deleteStream(stream);
      await fixture.client.appendToStream(stream, ticks(2), { expectedRevision: NO_STREAM });
      expect(await revisions(stream)).to.deep.equal([4]);
      expect((await fixture.client.getStreamMetadata(stream)).metadata).to.deep.equal({
        maxCount: 1,
        truncateBefore: 3,
      });
    });
  });
});
