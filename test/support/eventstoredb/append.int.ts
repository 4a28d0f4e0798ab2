import { randomUUID } from 'node:crypto';
import {
  ANY,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
  binaryEvent,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { collect, failureOf, standInForSuite, tick, ticks } from './fixture.js';

const conflictOf = async (call: Promise<unknown>): Promise<WrongExpectedVersionError> => {
  const error = await failureOf(call);
  expect(error).to.be.instanceOf(WrongExpectedVersionError);
  return error as WrongExpectedVersionError;
};

describe("EventStoreDB's stand-in: appends", () => {
  const fixture = standInForSuite();
  const append = (stream: string, expectedRevision: AppendExpectation, events = ticks(1), options = {}) =>
    fixture.client.appendToStream(stream, events, { expectedRevision, ...options });
  type AppendExpectation = bigint | typeof ANY | typeof NO_STREAM | typeof STREAM_EXISTS;
  // With credentials on the call the client uses the unary append instead of the batch append.
  const paths = { batch: {}, unary: { credentials: { username: 'admin', password: 'changeit' } } };

  for (const [path, options] of Object.entries(paths)) {
    describe(`${path} append`, () => {
      it('answers the revision and position of the last event written', async () => {
        const stream = `append-${randomUUID()}`;
        const result = await append(stream, NO_STREAM, ticks(3), options);
        const next = await append(stream, 2n, ticks(1), options);
        const [first, , third, fourth] = await collect(fixture.client.readStream(stream));
        expect(result.success).to.equal(true);
        expect([result.nextExpectedRevision, next.nextExpectedRevision]).to.deep.equal([2n, 3n]);
        expect(result.position).to.deep.equal(third?.event?.position);
        expect(next.position).to.deep.equal(fourth?.event?.position);
        const [from, to] = [first?.event?.position?.commit ?? 0n, third?.event?.position?.commit ?? 0n];
        expect(to - from > 200n, 'positions grow by bytes').to.equal(true);
        expect(from > 3000n, 'the log does not begin with our events').to.equal(true);
      });

      it('a conflict says what was expected and what is there, without message or code', async () => {
        const stream = `append-${randomUUID()}`;
        const absent = await conflictOf(append(stream, 4n, ticks(1), options));
        expect(absent.actualVersion).to.equal('no_stream');
        expect(absent.expectedVersion).to.equal(4n);
        await append(stream, NO_STREAM, ticks(2), options);
        const present = await conflictOf(append(stream, NO_STREAM, ticks(1), options));
        expect(present.type).to.equal('wrong-expected-version');
        expect(present.streamName).to.equal(stream);
        expect(present.expectedVersion).to.equal('no_stream');
        expect(present.actualVersion).to.equal(1n);
        expect([present.message, present.code, present.name]).to.deep.equal(['', undefined, 'Error']);
        const ahead = await conflictOf(append(stream, 7n, ticks(1), options));
        expect([ahead.expectedVersion, ahead.actualVersion]).to.deep.equal([7n, 1n]);
        const missing = await conflictOf(append(`none-${stream}`, STREAM_EXISTS, ticks(1), options));
        expect([missing.expectedVersion, missing.actualVersion]).to.deep.equal([
          'stream_exists',
          'no_stream',
        ]);
        expect((await collect(fixture.client.readStream(stream))).length, 'nothing was written').to.equal(2);
      });

      it('the same ids again with the old expectation succeed with the old revision and position', async () => {
        const stream = `repeat-${randomUUID()}`;
        const [a, b, c] = [tick(0), tick(1), tick(2)];
        const first = await append(stream, NO_STREAM, [a, b], options);
        await append(stream, 1n, [c], options);
        await append(stream, 2n, ticks(1), options);
        expect(await append(stream, NO_STREAM, [a, b], options)).to.deep.equal(first);
        expect((await append(stream, NO_STREAM, [a], options)).nextExpectedRevision).to.equal(0n);
        expect((await append(stream, 0n, [b, c], options)).nextExpectedRevision).to.equal(2n);
        expect((await append(stream, ANY, [a, b], options)).nextExpectedRevision).to.equal(1n);
        expect((await collect(fixture.client.readStream(stream))).length).to.equal(4);
      });

      it('other ids, or only some of the same, are a conflict', async () => {
        const stream = `repeat-${randomUUID()}`;
        const [a, b] = [tick(0), tick(1)];
        await append(stream, NO_STREAM, [a, b], options);
        const overlap = await conflictOf(append(stream, NO_STREAM, [a, tick(9)], options));
        expect(overlap.actualVersion).to.equal(1n);
        await conflictOf(append(stream, NO_STREAM, [b, a], options));
        await conflictOf(append(stream, NO_STREAM, [a, b, tick(9)], options));
        expect((await conflictOf(append(stream, ANY, [a, tick(9)], options))).expectedVersion).to.equal(
          'any',
        );
      });

      it('the same id at the current revision is written again: ids are no keys', async () => {
        const stream = `repeat-${randomUUID()}`;
        const a = tick(0);
        await append(stream, NO_STREAM, [a], options);
        expect((await append(stream, 0n, [a], options)).nextExpectedRevision).to.equal(1n);
      });

      it('one MiB is the most that is taken at once', async () => {
        const stream = `large-${randomUUID()}`;
        const bytes = (length: number) => binaryEvent({ type: 'Bytes', data: new Uint8Array(length) });
        const write = (length: number) =>
          fixture.client.appendToStream(stream, [bytes(1000), bytes(length)], {
            expectedRevision: NO_STREAM,
            ...options,
          });
        const error = await failureOf(write(1_048_576 - 1000));
        expect(error).to.be.instanceOf(MaxAppendSizeExceededError);
        expect((error as MaxAppendSizeExceededError).maxAppendSize).to.equal(1_048_576);
        // The type names count too, with two bytes per letter.
        expect((await write(1_048_576 - 1000 - 20)).nextExpectedRevision).to.equal(1n);
      });

      it('a tombstoned stream refuses appends', async () => {
        const stream = `gone-${randomUUID()}`;
        await append(stream, NO_STREAM, ticks(1), options);
        await fixture.client.tombstoneStream(stream);
        const error = await failureOf(append(stream, 0n, ticks(1), options));
        expect(error).to.be.instanceOf(StreamDeletedError);
        expect((error as StreamDeletedError).streamName).to.equal(stream);
        expect((error as StreamDeletedError).type).to.equal('stream-deleted');
      });
    });
  }

  it('an append of nothing succeeds', async () => {
    const stream = `nothing-${randomUUID()}`;
    expect((await append(stream, ANY, [])).success).to.equal(true);
    await append(stream, NO_STREAM);
    expect((await append(stream, 0n, [])).nextExpectedRevision).to.equal(0n);
    expect((await conflictOf(append(stream, NO_STREAM, []))).actualVersion).to.equal(0n);
  });

  it('an append in several messages is one append', async () => {
    const stream = `parts-${randomUUID()}`;
    const result = await append(stream, NO_STREAM, ticks(20), { batchAppendSize: 200 });
    expect(result.nextExpectedRevision).to.equal(19n);
  });

  it('after a restart a repeat with an exact expectation is still known, and one with ANY is written twice', async () => {
    const exact = `exact-${randomUUID()}`;
    const any = `any-${randomUUID()}`;
    const a = tick(0);
    const first = await append(exact, NO_STREAM, [a]);
    await append(any, ANY, [a]);
    await fixture.standIn.restart();
    const [seen] = await collect(fixture.client.readStream(exact));
    expect(seen?.event?.id).to.equal(a.id);
    expect(await append(exact, NO_STREAM, [a])).to.deep.equal(first);
    expect((await append(any, ANY, [a])).nextExpectedRevision).to.equal(1n);
  });

  describe('deletion', () => {
    it('a soft-deleted stream reads as absent; NO_STREAM then goes on numbering', async () => {
      const stream = `soft-${randomUUID()}`;
      await append(stream, NO_STREAM, ticks(3));
      await fixture.client.deleteStream(stream, { expectedRevision: 2n });
      expect(await failureOf(fixture.client.readStream(stream))).to.be.instanceOf(StreamNotFoundError);
      expect((await append(stream, NO_STREAM, ticks(2))).nextExpectedRevision).to.equal(4n);
      const events = await collect(fixture.client.readStream(stream));
      expect(events.map(({ event }) => event?.revision)).to.deep.equal([3n, 4n]);
    });

    it('a conflict in a deletion is an error of the call: code 9 and a message', async () => {
      const stream = `soft-${randomUUID()}`;
      await append(stream, NO_STREAM, ticks(3));
      const error = await conflictOf(fixture.client.deleteStream(stream, { expectedRevision: 1n }));
      expect([error.code, error.expectedVersion, error.actualVersion]).to.deep.equal([9, 1n, 2n]);
      expect(error.message).to.contain('WrongExpectedVersion');
      expect((await collect(fixture.client.readStream(stream))).length).to.equal(3);
    });

    it('STREAM_EXISTS refuses a soft-deleted stream', async () => {
      const stream = `soft-${randomUUID()}`;
      await append(stream, NO_STREAM);
      await fixture.client.deleteStream(stream);
      expect(await failureOf(append(stream, STREAM_EXISTS))).to.be.instanceOf(StreamDeletedError);
    });

    it('a tombstoned stream can neither be read nor deleted again', async () => {
      const stream = `tomb-${randomUUID()}`;
      await append(stream, NO_STREAM);
      const { position } = await fixture.client.tombstoneStream(stream, { expectedRevision: 0n });
      expect(position?.commit).to.be.a('bigint');
      const read = await failureOf(fixture.client.readStream(stream));
      expect(read).to.be.instanceOf(StreamDeletedError);
      expect((read as StreamDeletedError).streamName).to.equal(stream);
      expect(await failureOf(fixture.client.deleteStream(stream))).to.be.instanceOf(StreamDeletedError);
      expect(await failureOf(fixture.client.tombstoneStream(stream))).to.be.instanceOf(StreamDeletedError);
    });
  });
});
