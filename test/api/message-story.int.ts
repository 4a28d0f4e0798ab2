import { expect } from 'chai';
import { webhookEventId } from '../../application/provisioning/webhooks.js';
import { GATE_CODES, gatesAt } from '../../application/send/gate-order.js';
import { outboundMessageId } from '../../domain/message/decide.js';
import { messageStream } from '../../domain/streams.js';
import { deliveries, type DeliveryDoc } from '../../read-models/deliveries.js';
import { ask, dataOf } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectRefused } from '../support/api/refused.js';
import { addCustomer, addInboundMessage, addIntegration, makeWorld } from '../support/api/world.js';
import { opened } from '../support/opened.js';
import { rejected } from '../support/fakes/provider.js';
import { makeSendWorld } from '../support/sends/send-world.js';

interface Story {
  readonly operation_uuid: string | null;
  readonly message: { readonly uuid: string; readonly status: string };
  readonly timeline: readonly (Readonly<Record<string, unknown>> & { readonly kind: string })[];
}

describe('GET /messages/{message_uuid}', () => {
  const api = opened(async () => {
    const made = await makeApi();
    await made.app.readModels.define(deliveries);
    return made;
  });
  const sends = opened(() => makeSendWorld(api));

  const story = async (uuid: string, key = sends.world.key): Promise<Story> =>
    dataOf<Story>(await ask(api, 'GET', `/messages/${uuid}`, { key }));
  const kinds = ({ timeline }: Story) => timeline.map(({ kind }) => kind);

  it('shows acceptance, gates, attempts with their answers, waits and statuses, in order', async () => {
    sends.provider.answer = () => rejected(130429, { traceId: 'Af3' });
    const uuid = await sends.send(sends.somebody(), 'promo_1');
    sends.provider.answer = () => ({
      kind: 'accepted',
      messageId: 'wamid.x',
      waId: null,
      userId: null,
      held: false,
    });
    sends.time.now += 60_000;
    await sends.attempt(uuid);
    const shown = await story(outboundMessageId(uuid));
    expect(shown.operation_uuid).to.equal(uuid);
    expect(kinds(shown)).to.deep.equal([
      'gates',
      'accepted',
      'gates',
      'attempt',
      'wait',
      'gates',
      'attempt',
      'status',
    ]);
    const [atCall, , atDispatch, first, wait, , second, status] = shown.timeline;
    expect(atCall).to.deep.include({
      stage: 'acceptance',
      passed: gatesAt('acceptance', 'MARKETING'),
      refused: null,
    });
    expect(atDispatch).to.deep.include({ stage: 'dispatch', passed: gatesAt('dispatch', 'MARKETING') });
    expect(first).to.include({ number: 1, result: 'refused', provider_code: 130429, trace_id: 'Af3' });
    expect(wait).to.include({ reason: 'provider_retry', until: '2026-03-10T12:00:01.000Z' });
    expect(second).to.include({ number: 2, result: 'accepted', ended_at: '2026-03-10T12:01:00.000Z' });
    expect(status).to.include({ status: 'sent', provider_at: null });
    expect(JSON.stringify(shown.timeline)).to.not.include('Ana');
  });

  it("shows WhatsApp's code and trace of a final refusal, not its request", async () => {
    sends.provider.answer = () => rejected(131026, { traceId: 'AbC' });
    const shown = await story(await sends.send(sends.somebody(), null));
    expect(kinds(shown)).to.deep.equal(['accepted', 'attempt', 'failed', 'status']);
    expect(shown.timeline[1]).to.include({ result: 'refused', provider_code: 131026, trace_id: 'AbC' });
    expect(shown.timeline[2]).to.include({ code: 'recipient_unreachable' });
  });

  it('shows a gate that refused at dispatch, what it saw, and the gates before it as passed', async () => {
    sends.provider.answer = () => ({
      kind: 'accepted',
      messageId: 'wamid.y',
      waId: null,
      userId: null,
      held: false,
    });
    const phone = sends.somebody();
    const [first, second] = [await sends.accept(phone, 'promo_2'), await sends.accept(phone, 'promo_2')];
    await sends.attempt(first);
    await sends.attempt(second);
    // The message never reached a conversation: both uuids lead to it.
    for (const uuid of [second, outboundMessageId(second)]) {
      const shown = await story(uuid);
      expect(shown.message).to.include({ uuid: outboundMessageId(second), status: 'failed' });
      expect(kinds(shown)).to.deep.equal(['gates', 'accepted', 'gates', 'failed']);
      const gates = shown.timeline[2];
      const refused = gates?.['refused'];
      expect(refused).to.deep.include({ code: 'duplicate_template_send' });
      expect(refused).to.have.nested.property('details.earlier_events[0].operation_uuid', first);
      const all = gatesAt('dispatch', 'MARKETING');
      expect(gates?.['passed']).to.deep.equal(all.slice(0, all.indexOf('duplicate_template_send')));
    }
  });

  it('knows the order of every gate', () => {
    expect(new Set(gatesAt('dispatch', 'MARKETING'))).to.deep.equal(GATE_CODES);
    expect(gatesAt('acceptance', null)).to.deep.equal([]);
  });

  it('shows a message that waits, before there is any attempt', async () => {
    const uuid = await sends.accept(sends.somebody(), null);
    const shown = await story(outboundMessageId(uuid));
    expect(shown.message).to.include({ uuid: outboundMessageId(uuid), status: 'queued' });
    expect(kinds(shown)).to.deep.equal(['accepted']);
  });

  it('shows the deliveries of its webhooks to endpoints of the own integration only', async () => {
    sends.provider.answer = () => ({
      kind: 'accepted',
      messageId: 'wamid.z',
      waId: null,
      userId: null,
      held: false,
    });
    const uuid = await sends.send(sends.somebody(), null);
    const message = outboundMessageId(uuid);
    const records = await api.app.store.read(messageStream.toName(message));
    const event = records.find(({ type }) => type === 'MessageAccepted');
    const other = await addIntegration(api.app, sends.world);
    const doc = (integration: string): DeliveryDoc => ({
      delivery_id: api.app.newId(),
      company_uuid: sends.world.company,
      integration_uuid: integration,
      endpoint_uuid: api.app.newId(),
      event_id: webhookEventId(String(event?.eventId)),
      event_type: 'message.status.updated',
      trigger: 'auto',
      redelivery_of: null,
      status: 'failed',
      body: '{"personal":"Ana"}',
      body_sha256: '0',
      attempts: 3,
      created_at: new Date(sends.time.now + 5).toISOString(),
      updated_at: new Date(sends.time.now + 9).toISOString(),
      next_attempt_at: null,
      last_status: 503,
      last_error: 'http_status',
    });
    const [mine, theirs] = [doc(sends.world.integration), doc(other.integration)];
    await api.app.readModels.write(
      deliveries.name,
      [mine, theirs].map((each) => ({ id: each.delivery_id, doc: each, version: '1' })),
    );
    const own = (await story(message)).timeline.filter(({ kind }) => kind === 'delivery');
    expect(own).to.have.length(1);
    expect(own[0]).to.include({
      delivery_id: mine.delivery_id,
      status: 'failed',
      attempts: 3,
      last_status: 503,
    });
    const [others] = (await story(message, other.key)).timeline.filter(({ kind }) => kind === 'delivery');
    expect(others).to.include({ delivery_id: theirs.delivery_id });
  });

  it('shows a received message', async () => {
    const customer = await addCustomer(api.app, sends.world, { phone: sends.somebody() });
    const shown = await story(await addInboundMessage(api.app, sends.world, customer, 'Chegou!'));
    expect(shown).to.deep.include({ operation_uuid: null });
    expect(kinds(shown)).to.deep.equal(['recorded']);
  });

  it('answers 404 for what is unknown, of another company, or no message', async () => {
    const other = await makeWorld(api.app, 'Outra');
    const uuid = await sends.accept(sends.somebody(), null);
    const refused = (id: string, key: string) =>
      expectRefused(api, ['GET', `/messages/${id}`, { key }], 404, 'not_found');
    await refused(uuid, other.key);
    await refused(outboundMessageId(uuid), other.key);
    await refused(api.app.newId(), sends.world.key);
    await refused(sends.world.channel, sends.world.key);
  });
});
