/** Statuses of sent messages: the message that each belongs to, and its effects. */
import { expect } from 'chai';
import { directCommand } from '../../../../application/app.js';
import { outboundMessageId, messageAggregate } from '../../../../domain/message/decide.js';
import { messageEventExamples } from '../../../support/examples/message.js';
import { operationAggregate } from '../../../../domain/operation/decide.js';
import { messageStream, operationStream } from '../../../../domain/streams.js';
import { operationEventExamples } from '../../../support/examples/operation.js';
import type { Span } from '../../../../ports/tracing.js';
import { openedForEach } from '../../../support/opened.js';
import { memoryNumber, only, typesOf, WABA, type Told } from '../memory-number.js';

const WAMID = 'wamid.out.1';

interface Send {
  readonly operation: string;
  readonly message: string;
}

describe('a status of a message', () => {
  const number = openedForEach(memoryNumber);
  const status = (more: object = {}): Told => ({ kind: 'status', ...more });

  /** A template sent to a person who has written before; `known`: the message's id at WhatsApp is recorded. */
  async function sent({ known = true, held = false, company = number.company } = {}): Promise<Send> {
    const { app } = number;
    const { events } = await number.told({ kind: 'message', messageId: 'wamid.before' });
    const { conversation_uuid, contact_uuid } = only(events, 'MessageReceived').data;
    const place = { conversation_uuid: String(conversation_uuid), contact_uuid: String(contact_uuid) };
    const operation = app.newId();
    const message = outboundMessageId(operation);
    const context = () =>
      directCommand(app, { company, actor: 'test', correlationId: 'of the send' }, 'somebody');
    const operate = (command: Parameters<typeof operationAggregate.decide>[0]) =>
      app.executor.execute(operationAggregate, operation, command, context());
    const { data } = operationEventExamples.accepted;
    const accepted = {
      ...data,
      company_uuid: company,
      channel_uuid: number.channel,
      template_category: 'MARKETING',
      deadline: new Date(number.clock.now() + 900_000).toISOString(),
    };
    await operate({ type: 'AcceptSend', data: accepted });
    if (held) await operate({ type: 'HoldSend' });
    else {
      await operate({
        type: 'BeginAttempt',
        contactUuid: place.contact_uuid,
        conversationUuid: place.conversation_uuid,
        messageUuid: message,
        channelIntervalMs: 1,
      });
      const queued = {
        ...messageEventExamples.queued.data,
        ...place,
        company_uuid: company,
        channel_uuid: number.channel,
        operation_uuid: operation,
      };
      await app.executor.execute(
        messageAggregate,
        message,
        { type: 'QueueMessage', data: queued },
        context(),
      );
    }
    if (known) {
      const data = { provider_message_id: WAMID, held: false };
      await app.executor.execute(messageAggregate, message, { type: 'AcceptMessage', data }, context());
      await number.show('messages');
    }
    return { operation, message };
  }
  const phase = async ({ operation }: Send): Promise<string> =>
    (await number.app.executor.load(operationAggregate, operation)).state.phase;

  it('is recorded with its time, its price and its id', async () => {
    const send = await sent();
    const pricing = { billable: true, category: 'utility' };
    const { applied, events } = await number.told(status({ pricing, opaque: send.operation }));
    expect(applied).to.equal('ok');
    const { stream, data, meta } = only(events, 'MessageStatusReported');
    expect(stream).to.equal(messageStream.toName(send.message));
    expect(data).to.deep.equal({
      status: 'delivered',
      at: number.at(),
      provider_message_id: WAMID,
      errors: [],
      pricing,
    });
    expect(meta).to.include({ company: number.company, command_id: 'w2' });
  });

  for (const told of ['sent', 'delivered', 'read', 'failed']) {
    it(`is recorded where it is "${told}"`, async () => {
      const { operation } = await sent({ known: false });
      const { events } = await number.told(status({ status: told, opaque: operation }));
      expect(only(events, 'MessageStatusReported').data).to.include({ status: told });
    });
  }

  it('says that it was read where a voice note was played', async () => {
    await sent();
    const { events } = await number.told(status({ status: 'played' }));
    expect(only(events, 'MessageStatusReported').data).to.include({ status: 'read' });
  });

  it('that nobody knows is parked by its name, cut short', async () => {
    await sent();
    const { applied, events } = await number.told(status({ status: 'x'.repeat(80) }));
    expect(applied).to.deep.equal({ park: `unknown status "${'x'.repeat(64)}"` });
    expect(events).to.deep.equal([]);
  });

  it('keeps the reasons of a failure, each with a title', async () => {
    await sent();
    const errors = [
      { code: 131026, title: 'Message undeliverable', message: 'said otherwise', details: 'why' },
      { code: 131047, title: null, message: 'Re-engagement message', details: null },
      { code: 1, title: null, message: null, details: null },
    ];
    const { events } = await number.told(status({ status: 'failed', errors }));
    expect(only(events, 'MessageStatusReported').data['errors']).to.deep.equal([
      { code: 131026, title: 'Message undeliverable', details: 'why' },
      { code: 131047, title: 'Re-engagement message', details: null },
      { code: 1, title: 'WhatsApp error 1', details: null },
    ]);
  });

  describe('belongs', () => {
    it('to the send that it names, whose answer never came', async () => {
      const send = await sent({ known: false });
      expect(await phase(send)).to.equal('processing');
      const { applied, events } = await number.told(status({ opaque: send.operation }));
      expect(applied).to.equal('ok');
      expect(typesOf(events)).to.have.members(['MessageStatusReported', 'SendSucceeded']);
      const { data, meta } = only(events, 'SendSucceeded');
      expect(data).to.include({ provider_message_id: WAMID, status: 'delivered', evidence: 'status' });
      expect(meta.command_id).to.equal('w2/settle');
    });

    it('to the message with its id, and to the send of that', async () => {
      const send = await sent();
      const { events } = await number.told(status());
      expect(only(events, 'MessageStatusReported').stream).to.equal(messageStream.toName(send.message));
      expect(only(events, 'SendSucceeded').stream).to.equal(operationStream.toName(send.operation));
    });

    it('to what was written in the app, which no send is about', async () => {
      await number.told({ kind: 'echo', messageId: WAMID });
      const { applied, events } = await number.told(status());
      expect(applied).to.equal('ok');
      expect(typesOf(events)).to.deep.equal(['MessageStatusReported']);
    });

    it('to no send of another company', async () => {
      const other = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c3005';
      const send = await sent({ known: false, company: other });
      const { applied, events } = await number.told(status({ opaque: send.operation }));
      expect(applied).to.deep.equal({ retry: `no message is known for the provider message id ${WAMID}` });
      expect(events).to.deep.equal([]);
    });

    it('to nothing yet where it names a send whose message is not there, and never to another system', async () => {
      const { applied } = await number.told(status({ opaque: number.app.newId() }));
      expect(applied).to.deep.equal({ retry: `no message is known for the provider message id ${WAMID}` });
    });

    for (const opaque of [null, 'order 12']) {
      it(`to another system in the end, where it bears ${opaque ?? 'nothing'}`, async () => {
        const { applied } = await number.told(status({ opaque }));
        expect(applied).to.include({ retry: `no message is known for the provider message id ${WAMID}` });
        const { lastly } = applied as { lastly: () => Promise<unknown> };
        expect(await lastly()).to.equal('foreign');
      });
    }
  });

  describe('of a send that a restore holds', () => {
    it('ends it, since it was sent before', async () => {
      const send = await sent({ known: false, held: true });
      const { applied, events } = await number.told(status({ opaque: send.operation }));
      expect(applied).to.have.property('retry');
      const { data, meta } = only(events, 'SendFailed');
      expect(data).to.include({ code: 'send_outcome_unknown' });
      expect(meta).to.include({ company: number.company, command_id: 'w2/held' });
    });

    it('leaves that of another company held', async () => {
      const send = await sent({ known: false, held: true });
      const other = await number.connect('106540352242923', '102290129340399');
      const { events } = await number.told(
        status({ opaque: send.operation, phoneNumberId: '106540352242923', wabaId: WABA }),
      );
      expect(other).not.to.equal(number.channel);
      expect([events, await phase(send)]).to.deep.equal([[], 'held']);
    });
  });

  describe('of a failure', () => {
    const failed = (code: number): Told =>
      status({ status: 'failed', errors: [{ code, title: null, message: null, details: null }] });

    it('stops marketing where the person stopped it in WhatsApp', async () => {
      const send = await sent();
      const { data, meta } = only((await number.told(failed(131050))).events, 'ContactOptedOut');
      expect(data).to.include({
        source: 'provider_131050',
        at: number.at(),
        message_uuid: send.message,
      });
      expect(meta.command_id).to.match(/^w2\/opt-out\//);
    });

    it('closes marketing to the person for a day where WhatsApp has had enough of it', async () => {
      const send = await sent();
      const { data } = only((await number.told(failed(131049))).events, 'RecipientLimited');
      expect(data).to.include({ operation_uuid: send.operation });
    });

    it('says nothing of the person otherwise', async () => {
      await sent();
      const { events } = await number.told(failed(131026));
      expect(typesOf(events)).not.to.include('ContactOptedOut');
      expect(typesOf(events)).not.to.include('RecipientLimited');
    });

    it('is not noted of a delivery that had errors', async () => {
      await sent();
      const { events } = await number.told({ ...failed(131049), status: 'delivered' });
      expect(typesOf(events)).not.to.include('RecipientLimited');
    });
  });

  it('is part of the trace that its message began with', async () => {
    const send = await sent();
    const spans: Parameters<NonNullable<typeof number.app.tracing>['begin']>[0][] = [];
    let ended = 0;
    const span = { end: () => void (ended += 1) } as unknown as Span;
    Object.assign(number.app, {
      tracing: {
        begin(options: (typeof spans)[number]) {
          spans.push(options);
          return span;
        },
      },
    });
    await number.told(status());
    expect(spans).to.deep.equal([
      {
        name: 'whatsapp status',
        kind: 'consumer',
        correlationId: 'of the send',
        attributes: { 'recado.status': 'delivered', 'recado.operation_uuid': send.operation },
      },
    ]);
    expect(ended).to.equal(1);
  });
});
