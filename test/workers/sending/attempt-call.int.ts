/**
 * The content of a call to the provider, its traces and logs, and when a process that is shutting down leaves it to
 * others.
 */
import { expect } from 'chai';
import type { ChannelCredentials, OutboundMessage } from '../../../ports/provider.js';
import type { App } from '../../../application/app.js';
import { outboundMessageId } from '../../../domain/message/decide.js';
import { messageStream, operationStream } from '../../../domain/streams.js';
import { failure } from '../../conformance/support.js';
import { anotherProcess } from '../../support/app.js';
import { answerIsLost } from '../../support/fakes/faulty-store.js';
import { accepted, rejected } from '../../support/fakes/provider.js';
import { fakeTracing } from '../../support/fakes/tracing.js';
import { attempt, eventsOf } from '../../support/sends/attempt.js';
import { sends } from './harness.js';

const DUE_AT = 1_234;

/** Another process that counts its requests to the store: whole streams read, and appends. */
function counted(app: App) {
  const read: string[] = [];
  const appended: string[] = [];
  const store: App['store'] = {
    ...app.store,
    read(stream, range) {
      if (range === undefined) read.push(stream);
      return app.store.read(stream, range);
    },
    append(stream, expected, records) {
      appended.push(stream);
      return app.store.append(stream, expected, records);
    },
  };
  const count = (streams: readonly string[]) => (name: string) =>
    streams.filter((stream) => stream === name).length;
  return { process: anotherProcess(app, { store }), reads: count(read), appends: count(appended) };
}

describe('the call of an attempt', () => {
  const { app, world, given, when, then } = sends();

  /**
   * A `mayCall` that is true this many times. It is asked before the contact is resolved, before the attempt begins,
   * and after that.
   */
  const mayCallFor = (times: number) => {
    let asked = 0;
    return () => (asked += 1) <= times;
  };

  it('names the recipient, the content and the operation, with the credentials of the channel', async () => {
    const { operation } = await given.accepted();
    const credentials: unknown[] = [];
    const provider = {
      ...app.provider,
      send: (channel: ChannelCredentials, message: OutboundMessage) => {
        credentials.push(channel);
        return app.provider.send(channel, message);
      },
    };
    await attempt(anotherProcess(app, { provider }), operation);
    const { to, opaque, content } = then.sent()[0]!;
    expect({ opaque, content }).to.deep.equal({
      opaque: operation,
      content: { type: 'text', text: 'Olá', previewUrl: false },
    });
    expect(to).to.have.property('phone');
    expect(credentials[0]).to.have.all.keys('phoneNumberId', 'wabaId', 'accessToken');
    expect(Object.values(credentials[0] as object)).to.not.include(undefined);
  });

  it('is on record under the trace of its acceptance, as what the worker did', async () => {
    const { operation } = await given.accepted();
    await attempt(app, operation, { fence: 7 });
    const [first, ...rest] = await app.store.read(operationStream.toName(operation));
    for (const { meta } of rest) {
      expect(meta).to.include({
        company: world.company,
        actor: 'worker:sending',
        correlation_id: first!.meta.correlation_id,
        causation_id: first!.eventId,
      });
    }
    expect(rest[0]!.meta.command_id).to.equal(`${first!.eventId}/attempt/1/7`);
  });

  for (const [answer, attributes, error] of [
    [accepted(), { 'recado.outcome': 'accepted' }, undefined],
    [
      rejected(131_026),
      { 'recado.outcome': 'rejected', 'recado.provider_code': 131_026 },
      'provider code 131026',
    ],
    [{ kind: 'not_sent', reason: 'refused' }, { 'recado.outcome': 'not_sent' }, 'not_sent'],
  ] as const) {
    it(`is a span of that trace: ${answer.kind}`, async () => {
      const { operation } = await given.accepted();
      given.answer(() => answer);
      const { tracing, begun, ended } = fakeTracing();
      await attempt(anotherProcess(app, { tracing }), operation);
      const [first] = await app.store.read(operationStream.toName(operation));
      expect(begun).to.deep.equal([
        {
          name: 'whatsapp send',
          kind: 'client',
          correlationId: first!.meta.correlation_id,
          attributes: {
            'recado.operation_uuid': operation,
            'recado.channel_uuid': world.channel,
            'recado.attempt': 1,
          },
        },
      ]);
      expect(ended).to.deep.equal([{ attributes, error }]);
    });
  }

  for (const times of [0, 1]) {
    it(`is not begun by a process that is to end, asked ${times + 1} times`, async () => {
      const { operation } = await given.accepted();
      const step = await attempt(app, operation, { mayCall: mayCallFor(times), dueAt: DUE_AT });
      expect(step).to.deep.equal({ kind: 'again', at: DUE_AT, judged: null });
      expect(await eventsOf(app, operation)).to.deep.equal(['SendAccepted']);
      expect(then.calls()).to.equal(0);
    });
  }

  it('is put off, in its place, by a process that has begun it and is to end', async () => {
    const { operation } = await given.accepted();
    const step = await attempt(app, operation, { mayCall: mayCallFor(2), dueAt: DUE_AT });
    expect(step).to.deep.equal({ kind: 'again', at: DUE_AT, judged: null });
    expect(await eventsOf(app, operation)).to.deep.equal(['SendAccepted', 'SendAttempted', 'SendPostponed']);
    const [, , postponed] = await app.store.read(operationStream.toName(operation));
    expect(postponed!.data).to.include({ reason: 'not_called', provider_code: null });
    expect(postponed!.meta.command_id).to.match(/\/attempt\/1\/1\/not-called$/);
    expect(then.calls()).to.equal(0);
  });

  for (const times of [0, 1]) {
    it(`is put off as well by the process that was to resume it and is to end, asked ${times + 1} times`, async () => {
      const send = await given.accepted();
      given.faults('SendAttempted', answerIsLost);
      await failure(when.claimed(send, 1));
      const claim = { begun: send.begun, fence: 2, mayCall: mayCallFor(times), dueAt: DUE_AT };
      const step = await attempt(app, send.operation, claim);
      expect(step).to.deep.equal({ kind: 'again', at: DUE_AT, judged: null });
      await then.is(send, { calls: 0, events: ['SendAccepted', 'SendAttempted', 'SendPostponed'] });
    });
  }

  it('is over, not put off, when its window has ended by the time that its process is to end', async () => {
    const send = await given.accepted();
    given.faults('SendAttempted', async (write) => {
      const written = await write();
      given.ahead(app.settings.pacingWindowMs + 1);
      return written;
    });
    const step = await attempt(app, send.operation, { mayCall: mayCallFor(2), dueAt: DUE_AT });
    expect(step).to.deep.equal({ kind: 'done', judged: null });
    await then.is(send, { calls: 0, status: 'failed', message: 'failed' });
  });

  it('names its loss apart from what else the claim that found it records', async () => {
    const send = await given.accepted();
    given.faults('SendAttempted', answerIsLost);
    await failure(when.claimed(send, 1));
    await when.claimedElsewhere(send, 2);
    const [, , lost] = await app.store.read(operationStream.toName(send.operation));
    expect(lost!.meta.command_id).to.match(/\/attempt\/2\/2\/lost$/);
  });

  it('costs one read of its operation and none of its message, which is new', async () => {
    const { operation } = await given.accepted();
    const { process, reads } = counted(app);
    await attempt(process, operation);
    expect(reads(operationStream.toName(operation))).to.equal(1);
    expect(reads(messageStream.toName(outboundMessageId(operation)))).to.equal(0);
    expect(then.calls()).to.equal(1);
  });

  it('that comes second reads its message and does not take it for new', async () => {
    const { operation } = await given.accepted();
    given.answer(() => rejected(130_429, { httpStatus: 429 }));
    await attempt(app, operation);
    given.answer(() => accepted());
    const { process, reads, appends } = counted(app);
    await attempt(process, operation, { fence: 2 });
    const message = messageStream.toName(outboundMessageId(operation));
    expect([reads(message), appends(message)]).to.deep.equal([1, 1]);
  });
});
