import { EventEmitter } from 'node:events';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import type { Append, Appended } from '../../../adapters/eventstoredb/append-messages.js';
import { createAppends, type SharedCall } from '../../../adapters/eventstoredb/appends.js';
import { isFinal, isUnimplemented, NoAnswer } from '../../../adapters/eventstoredb/errors.js';
import { failure, record } from '../../conformance/support.js';

/** A BatchAppend call whose server is the test. */
class FakeCall extends EventEmitter {
  readonly requests: streams.BatchAppendReq[] = [];
  writableNeedDrain = false;
  cancelled = false;
  current = true;
  readonly failures: Error[] = [];

  write(request: Buffer): boolean {
    this.requests.push(streams.BatchAppendReq.deserializeBinary(request));
    return !this.writableNeedDrain;
  }
  cancel(): void {
    this.cancelled = true;
    this.emit('error', Object.assign(new Error('cancelled'), { code: 1, metadata: {} }));
  }
  drain(): void {
    this.writableNeedDrain = false;
    this.emit('drain');
  }
  answer(index: number, revision: number, id = this.requests[index]!.getCorrelationId()!): void {
    const success = new streams.BatchAppendResp.Success().setCurrentRevision(String(revision));
    success.setPosition(new shared.AllStreamPosition().setCommitPosition('9').setPreparePosition('8'));
    this.emit('data', new streams.BatchAppendResp().setCorrelationId(id).setSuccess(success));
  }
  end(code: number): void {
    this.emit(
      'error',
      Object.assign(new Error('the end'), { code, details: 'the end', metadata: undefined }),
    );
  }
  streams(): string[] {
    return this.requests.map((request) =>
      Buffer.from(request.getOptions()!.getStreamIdentifier()!.getStreamName_asU8()).toString(),
    );
  }
}

/** The structured form of a UUID on the wire. */
function structured(id: shared.UUID): shared.UUID {
  const half = (text: string): string => String(BigInt.asIntN(64, BigInt(`0x${text}`)));
  const hex = id.getString().replaceAll('-', '');
  const bits = new shared.UUID.Structured()
    .setMostSignificantBits(half(hex.slice(0, 16)))
    .setLeastSignificantBits(half(hex.slice(16)));
  return new shared.UUID().setStructured(bits);
}

function setUp(inFlight = 100) {
  const calls: FakeCall[] = [];
  const alone: string[] = [];
  const open = async (): Promise<SharedCall> => {
    const call = new FakeCall();
    calls.push(call);
    return { call, isCurrent: () => call.current, failed: (error) => void call.failures.push(error) };
  };
  const single = async ({ stream }: Append): Promise<Appended> => {
    alone.push(stream);
    return { revision: 7, position: undefined };
  };
  const appends = createAppends({ open, single, inFlight });
  const begin = (stream: string, data: Record<string, unknown> = {}) => {
    let abandon: () => void = () => undefined;
    const outcome = appends.append(
      { stream, expected: 'no_stream', records: [record(data)] },
      { timeoutMs: 4_000, onAbandoned: (task) => (abandon = task) },
    );
    // The test awaits the outcome later; this prevents an unhandled rejection until then.
    outcome.catch(() => undefined);
    return { outcome, abandon: () => abandon() };
  };
  return { calls, alone, appends, begin };
}

/** Opening the call takes a few promises. */
const opened = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('EventStoreDB: appends that share a call', () => {
  it('are told apart by ids of ours, whichever is answered first and in whichever form', async () => {
    const { calls, begin } = setUp();
    const [a, b, c] = [begin('a-1'), begin('b-1'), begin('c-1')];
    await opened();
    expect(calls).to.have.length(1);
    expect(calls[0]!.streams()).to.deep.equal(['a-1', 'b-1', 'c-1']);
    expect(new Set(calls[0]!.requests.map((one) => one.getCorrelationId()!.getString())).size).to.equal(3);
    calls[0]!.answer(2, 12);
    calls[0]!.answer(1, 11, structured(calls[0]!.requests[1]!.getCorrelationId()!));
    calls[0]!.answer(0, 10);
    const position = { commit: 9n, prepare: 8n };
    expect(await a.outcome).to.deep.equal({ revision: 10, position });
    expect(await b.outcome).to.deep.equal({ revision: 11, position });
    expect(await c.outcome).to.deep.equal({ revision: 12, position });
  });

  it('name no moment until which they are good: clocks of machines differ', async () => {
    const { calls, begin } = setUp();
    begin('a-1');
    await opened();
    expect(calls[0]!.requests[0]!.getOptions()!.hasDeadline()).to.equal(false);
  });

  it('ignore an answer after their time, a second one, and one to nobody', async () => {
    const { calls, begin } = setUp();
    const [late, other] = [begin('a-1'), begin('b-1')];
    await opened();
    late.abandon();
    expect(await failure(late.outcome)).to.be.instanceOf(NoAnswer);
    const [call] = calls;
    call!.answer(0, 1);
    call!.answer(1, 2);
    call!.answer(1, 3);
    call!.emit('data', new streams.BatchAppendResp());
    expect((await other.outcome).revision).to.equal(2);
    const next = begin('c-1');
    call!.answer(2, 4);
    expect((await next.outcome).revision).to.equal(4);
    expect(calls).to.have.length(1);
  });

  it('are so many at once; the others wait, and one whose time ends meanwhile is never sent', async () => {
    const { calls, begin } = setUp(2);
    const all = ['a-1', 'b-1', 'c-1', 'd-1', 'e-1'].map((stream) => begin(stream));
    await opened();
    const [call] = calls;
    expect(call!.streams()).to.deep.equal(['a-1', 'b-1']);
    all[2]!.abandon();
    expect(await failure(all[2]!.outcome)).to.be.instanceOf(NoAnswer);
    call!.answer(1, 0);
    expect(call!.streams()).to.deep.equal(['a-1', 'b-1', 'd-1']);
    // An abandoned append also frees its place.
    all[0]!.abandon();
    expect(call!.streams()).to.deep.equal(['a-1', 'b-1', 'd-1', 'e-1']);
  });

  it('wait while the connection takes no more', async () => {
    const { calls, begin } = setUp();
    begin('a-1');
    await opened();
    const [call] = calls;
    call!.writableNeedDrain = true;
    begin('b-1');
    begin('c-1');
    expect(call!.streams()).to.deep.equal(['a-1']);
    call!.drain();
    expect(call!.streams()).to.deep.equal(['a-1', 'b-1', 'c-1']);
  });

  it('are rejected by the end of their own call and by no other', async () => {
    const [dying, living] = [setUp(1), setUp()];
    const [sent, waiting, elsewhere] = [dying.begin('a-1'), dying.begin('b-1'), living.begin('c-1')];
    await opened();
    dying.calls[0]!.end(14);
    for (const { outcome } of [sent, waiting]) {
      const error = await failure(outcome);
      expect(error).to.have.property('type', 'unavailable');
      expect(isFinal(error)).to.equal(false);
    }
    expect(dying.calls[0]!.failures).to.have.length(1);
    living.calls[0]!.answer(0, 3);
    expect((await elsewhere.outcome).revision).to.equal(3);
    const next = dying.begin('d-1');
    await opened();
    expect(dying.calls).to.have.length(2);
    dying.calls[1]!.answer(0, 1);
    expect((await next.outcome).revision).to.equal(1);
  });

  it('have an unknown outcome when the server ends the call, whatever status it ends with', async () => {
    for (const code of [3, 8, 13, 16, undefined]) {
      const { calls, begin } = setUp();
      const { outcome } = begin('a-1');
      await opened();
      if (code === undefined) calls[0]!.emit('end');
      else calls[0]!.end(code);
      expect(isFinal(await failure(outcome)), `status ${code}`).to.equal(false);
    }
  });

  it('move to another call once the channel was given up; those under way end on the old one', async () => {
    const { calls, begin } = setUp();
    const before = begin('a-1');
    await opened();
    calls[0]!.current = false;
    const after = begin('b-1');
    await opened();
    expect(calls.map((call) => call.streams())).to.deep.equal([['a-1'], ['b-1']]);
    expect(calls[0]!.cancelled).to.equal(false);
    calls[0]!.answer(0, 5);
    expect((await before.outcome).revision).to.equal(5);
    expect(calls[0]!.cancelled).to.equal(true);
    calls[1]!.answer(0, 6);
    expect((await after.outcome).revision).to.equal(6);
    expect(calls[1]!.cancelled).to.equal(false);
  });

  it('go by calls of their own where the server knows no BatchAppend, until the channel is another one', async () => {
    const { calls, alone, begin } = setUp();
    const [a, b] = [begin('a-1'), begin('b-1')];
    await opened();
    calls[0]!.end(12);
    expect((await a.outcome).revision).to.equal(7);
    expect((await b.outcome).revision).to.equal(7);
    expect((await begin('c-1').outcome).revision).to.equal(7);
    expect(alone).to.deep.equal(['a-1', 'b-1', 'c-1']);
    expect(calls).to.have.length(1);
    expect(calls[0]!.failures).to.deep.equal([]);
    calls[0]!.current = false;
    begin('d-1');
    await opened();
    expect(calls[1]!.streams()).to.deep.equal(['d-1']);
  });

  it('do not wait behind one that is larger than a server takes', async () => {
    const { alone, begin } = setUp();
    const { outcome } = begin('large-1', { text: 'x'.repeat(1_048_576) });
    expect((await outcome).revision).to.equal(7);
    expect(alone).to.deep.equal(['large-1']);
  });

  it('that JSON can not hold reject alone', async () => {
    const { calls, begin } = setUp();
    const good = begin('a-1');
    expect(await failure(begin('b-1', { n: 1n }).outcome)).to.be.instanceOf(TypeError);
    await opened();
    calls[0]!.answer(0, 0);
    expect((await good.outcome).revision).to.equal(0);
  });

  it('live on after an answer that can not be read', async () => {
    const { calls, begin } = setUp();
    const [none, odd, broken] = [begin('a-1'), begin('b-1'), begin('c-1')];
    await opened();
    const [call] = calls;
    const answerTo = (index: number) =>
      new streams.BatchAppendResp().setCorrelationId(call!.requests[index]!.getCorrelationId());
    call!.emit('data', answerTo(0));
    call!.emit('data', answerTo(1).setError(new status.Status().setCode(13).setMessage('odd')));
    const position = new shared.AllStreamPosition();
    position.getCommitPosition = () => 'x';
    call!.emit(
      'data',
      answerTo(2).setSuccess(
        new streams.BatchAppendResp.Success().setCurrentRevision('1').setPosition(position),
      ),
    );
    for (const { outcome } of [none, odd, broken]) expect(isFinal(await failure(outcome))).to.equal(false);
    expect((await failure(odd.outcome)).message).to.equal('odd');
    expect(isUnimplemented(await failure(broken.outcome))).to.equal(false);
  });

  it('end before their connection closes', async () => {
    const { calls, appends, begin } = setUp();
    const { outcome } = begin('a-1');
    const [closing, again] = [appends.close(), appends.close()];
    await opened();
    expect(calls[0]!.cancelled).to.equal(false);
    calls[0]!.answer(0, 0);
    await Promise.all([closing, again]);
    expect((await outcome).revision).to.equal(0);
    expect(calls[0]!.cancelled).to.equal(true);
  });
});
