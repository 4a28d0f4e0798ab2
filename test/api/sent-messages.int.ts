import { expect } from 'chai';
import { mergeContacts } from '../../application/people/primary-contact.js';
import { eraseContact } from '../../application/provisioning/erase-contact.js';
import { directCommand } from '../../application/app.js';
import { messageAggregate, outboundMessageId } from '../../domain/message/decide.js';
import { ask, dataOf, type Answer } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectInvalid, expectRefused } from '../support/api/refused.js';
import { addIntegration, issueKey, makeWorld } from '../support/api/world.js';
import { deliveries } from '../../read-models/deliveries.js';
import { deliveryAttempts } from '../../read-models/delivery-attempts.js';
import { opened } from '../support/opened.js';
import { rejected } from '../support/fakes/provider.js';
import { makeSendWorld } from '../support/sends/send-world.js';

const PHONE = '+5511987654321';
const OLD_SPELLING = '%2B551187654321';
const MINUTE = 60_000;

interface Sent {
  readonly operation_uuid: string;
  readonly conversation_uuid: string | null;
  readonly contact_uuid: string | null;
  readonly waiting: unknown;
  readonly message: {
    readonly uuid: string;
    readonly status: string;
    readonly content: unknown;
    readonly metadata?: unknown;
    readonly error: { readonly code: string } | null;
  };
}

const sentIn = (answer: Answer) => dataOf<readonly Sent[]>(answer);

describe('GET /messages', () => {
  const api = opened(() => makeApi());
  const sends = opened(() => makeSendWorld(api));
  const other = opened(() => makeWorld(api.app, 'Outra'));

  const find = (query: string, key = sends.world.key) => ask(api, 'GET', `/messages?${query}`, { key });
  const foundBy = async (query: string, key?: string): Promise<readonly string[]> =>
    sentIn(await find(query, key)).map(({ operation_uuid }) => operation_uuid);

  let count = 0;
  async function post(metadata: unknown, phone = PHONE, key = `meta-${(count += 1)}`): Promise<string> {
    const answer = await ask(api, 'POST', '/messages', {
      key: sends.world.key,
      headers: { 'idempotency-key': key },
      json: { recipient: { phone }, type: 'text', content: { text: 'Oi' }, metadata },
    });
    return String(dataOf(answer, 202)['uuid']);
  }

  describe('by recipient', () => {
    const found = opened(async () => {
      const phone = sends.somebody();
      const sent = await sends.send(phone, 'order');
      sends.time.now += MINUTE;
      const queued = await sends.accept(phone, null);
      sends.time.now += MINUTE;
      sends.provider.answer = () => rejected(131026);
      const failed = await sends.send(phone, null);
      sends.provider.answer = () => rejected(131047);
      return { phone: encodeURIComponent(phone), contact: await sends.resolve(phone), sent, queued, failed };
    });

    it('finds by phone what was sent, what waits and what failed, newest first', async () => {
      const all = sentIn(await find(`phone=${found.phone}`));
      expect(all.map(({ operation_uuid, message }) => [operation_uuid, message.status])).to.deep.equal([
        [found.failed, 'failed'],
        [found.queued, 'queued'],
        [found.sent, 'sent'],
      ]);
      const [failed, queued, sent] = all;
      expect(failed?.message.error?.code).to.equal('recipient_unreachable');
      expect(queued).to.deep.include({ conversation_uuid: null, waiting: null });
      expect(queued?.message).to.deep.include({
        uuid: outboundMessageId(found.queued),
        content: { text: 'Oi' },
      });
      expect(sent?.contact_uuid).to.equal(found.contact.uuid);
    });

    it('finds the same by the contact, and by a status among them', async () => {
      const all = await foundBy(`phone=${found.phone}`);
      expect(await foundBy(`contact_uuid=${found.contact.uuid}`)).to.deep.equal(all);
      expect(await foundBy(`contact_uuid=${found.contact.uuid}&status=sent`)).to.deep.equal([found.sent]);
    });

    it('reads a + that was not encoded', async () => {
      expect(await foundBy(`phone=${found.phone.replace('%2B', '+')}`)).to.have.length(3);
    });

    it('pages, and keeps to a time range', async () => {
      const first = await find(`phone=${found.phone}&limit=2`);
      const next = first.body.meta?.next_cursor ?? '';
      const second = await find(`phone=${found.phone}&limit=2&after=${next}`);
      expect([...sentIn(first), ...sentIn(second)].map(({ operation_uuid }) => operation_uuid)).to.deep.equal(
        [found.failed, found.queued, found.sent],
      );
      expect(second.body.meta).to.deep.equal({ next_cursor: null });
      const at = (ms: number): string => new Date(ms).toISOString();
      const { now } = sends.time;
      const middle = `from=${at(now - MINUTE)}&to=${at(now)}`;
      expect(await foundBy(`phone=${found.phone}&${middle}`)).to.deep.equal([found.queued]);
      const other = { key: sends.world.key };
      await expectRefused(
        api,
        ['GET', `/messages?phone=${found.phone}&status=sent&after=${next}`, other],
        422,
        'invalid_cursor',
      );
    });

    it('finds failures by their code, and all of them by their status', async () => {
      expect(await foundBy('error_code=recipient_unreachable')).to.deep.equal([found.failed]);
      expect(await foundBy('status=failed')).to.deep.equal([found.failed]);
      expect(await foundBy('error_code=send_pacing_timeout')).to.deep.equal([]);
    });

    it('finds what WhatsApp reported as failed later, and no longer by status once it was delivered', async () => {
      const context = directCommand(api.app, { company: sends.world.company, actor: 'provider' });
      const report = (status: 'failed' | 'delivered', code?: number) =>
        sends.app.executor.execute(
          messageAggregate,
          outboundMessageId(found.sent),
          {
            type: 'ReportStatus',
            data: {
              status,
              at: '2026-03-10T12:00:00.000Z',
              provider_message_id: 'wamid.late',
              errors: code === undefined ? [] : [{ code, title: 'Error', details: null }],
              pricing: null,
            },
          },
          { ...context, commandId: sends.app.newId() },
        );
      await report('failed', 131049);
      expect(await foundBy('error_code=recipient_marketing_limit_reached')).to.deep.equal([found.sent]);
      expect(await foundBy('status=failed')).to.have.members([found.sent, found.failed]);
      await report('delivered');
      expect(await foundBy('status=failed')).to.deep.equal([found.failed]);
      expect(await foundBy('error_code=recipient_marketing_limit_reached')).to.deep.equal([found.sent]);
    });

    it('finds by template, by what waits, and everything', async () => {
      expect(await foundBy('template=order')).to.deep.equal([found.sent]);
      expect(await foundBy('status=queued'))
        .to.include(found.queued)
        .and.not.include(found.sent);
      expect(await foundBy('')).to.include.members([found.failed, found.queued, found.sent]);
    });
  });

  describe('by metadata', () => {
    it('echoes the pairs in the operation and the message, and finds by one of them', async () => {
      const metadata = { order_id: '4711', 'erp.source': 'Loja Açaí #1' };
      const uuid = await post(metadata);
      await sends.attempt(uuid);
      const [found, second] = sentIn(await find('metadata_key=order_id&metadata_value=4711'));
      expect(second).to.equal(undefined);
      expect(found?.operation_uuid).to.equal(uuid);
      expect(found?.message.metadata).to.deep.equal(metadata);
      expect(
        await foundBy(`metadata_key=erp.source&metadata_value=${encodeURIComponent('Loja Açaí #1')}`),
      ).to.deep.equal([uuid]);
      expect(await foundBy('metadata_key=order_id&metadata_value=471')).to.deep.equal([]);
      const operation = await ask(api, 'GET', `/operations/${uuid}`, { key: sends.world.key });
      expect(dataOf(operation)['metadata']).to.deep.equal(metadata);
      expect(JSON.stringify(sends.provider.sent)).to.not.include('4711');
    });

    it('is part of the request that an Idempotency-Key stands for', async () => {
      await post({ order_id: '1' }, PHONE, 'meta-key');
      const again = await ask(api, 'POST', '/messages', {
        key: sends.world.key,
        headers: { 'idempotency-key': 'meta-key' },
        json: {
          recipient: { phone: PHONE },
          type: 'text',
          content: { text: 'Oi' },
          metadata: { order_id: '2' },
        },
      });
      expect(again.body.error?.code).to.equal('idempotency_key_reused');
    });

    it('leaves no pair of an erased person, in no document and in no list', async () => {
      const phone = sends.somebody();
      const uuid = await post({ order_id: 'secret-9' }, phone);
      await sends.attempt(uuid);
      const waiting = await post({ order_id: 'secret-9' }, phone);
      const { uuid: contactUuid } = await sends.resolve(phone);
      expect(await foundBy('metadata_key=order_id&metadata_value=secret-9')).to.have.members([uuid, waiting]);
      for (const log of [deliveries, deliveryAttempts]) await api.app.readModels.define(log);
      await eraseContact(api.app, { contactUuid }, { actor: 'admin' });
      expect(await foundBy('metadata_key=order_id&metadata_value=secret-9')).to.deep.equal([]);
      expect(await foundBy(`phone=${encodeURIComponent(phone)}`)).to.deep.equal([]);
      for (const model of ['messages', 'operations', 'send_labels', 'sends']) {
        const rows = await api.app.readModels.scan(model, { after: null, limit: 1000, order: 'asc' });
        expect(rows.map(({ text }) => text).join(), model).to.not.include('secret-9');
      }
    });

    const body = (metadata: unknown) => ({
      key: sends.world.key,
      headers: { 'idempotency-key': `bad-${(count += 1)}` },
      json: { recipient: { phone: PHONE }, type: 'text', content: { text: 'Oi' }, metadata },
    });
    const many = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v']));

    it('takes 16 pairs and refuses more, long ones, other keys and other values, naming each', async () => {
      await post(many(16));
      const refused = async (metadata: unknown, ...fields: [string, string][]) =>
        expectInvalid(api, ['POST', '/messages', body(metadata)], ...fields);
      await refused(many(17), ['metadata', 'max_properties']);
      await refused({ order_id: 4711 }, ['metadata.order_id', 'type']);
      await refused({ order_id: 'x'.repeat(201) }, ['metadata.order_id', 'max_length']);
      await refused({ 'Order Id': 'x' }, ['metadata.Order Id', 'key_invalid']);
      await refused({ '': 'x', ok: 'x' }, ['metadata.', 'key_invalid']);
      await refused(null, ['metadata', 'type']);
    });
  });

  it('finds by the Idempotency-Key of the own integration only', async () => {
    const uuid = await post(undefined, PHONE, 'pedido-4711');
    expect(await foundBy('idempotency_key=pedido-4711')).to.deep.equal([uuid]);
    const { key } = await addIntegration(api.app, sends.world);
    expect(await foundBy('idempotency_key=pedido-4711', key)).to.deep.equal([]);
    expect(await foundBy('idempotency_key=pedido-4711', other.key)).to.deep.equal([]);
  });

  it('shows nothing of another company', async () => {
    await post({ order_id: 'mine' });
    const contact = (await sends.resolve(PHONE)).uuid;
    for (const query of [
      '',
      `phone=${OLD_SPELLING}`,
      'metadata_key=order_id&metadata_value=mine',
      'status=failed',
      'status=queued',
      'template=order',
    ]) {
      expect(await foundBy(query, other.key), query).to.deep.equal([]);
    }
    expect(await foundBy(`phone=${OLD_SPELLING}`)).to.not.be.empty;
    await expectRefused(
      api,
      ['GET', `/messages?contact_uuid=${contact}`, { key: other.key }],
      404,
      'not_found',
    );
  });

  it('says which filters do not go together', async () => {
    const refused = (query: string, field: string, code: string) =>
      expectInvalid(api, ['GET', `/messages?${query}`, { key: sends.world.key }], [`query.${field}`, code]);
    await refused('phone=%2B5511987654321&template=order', 'template', 'filters_not_combined');
    await refused('template=order&status=failed', 'status', 'filters_not_combined');
    await refused('status=read', 'status', 'filters_not_combined');
    await refused('idempotency_key=a&from=2026-01-01T00:00:00Z', 'from', 'filters_not_combined');
    await refused('metadata_key=order_id', 'metadata_value', 'filters_not_combined');
    await refused('metadata_value=4711', 'metadata_value', 'filters_not_combined');
    await refused('from=yesterday', 'from', 'format');
    await refused('to=0.5', 'to', 'format');
    await refused('to=2016-12-31T23:59:60Z', 'to', 'format');
    await refused('from=2026-02-30T00:00:00Z', 'from', 'format');
    await refused('phone=4711', 'phone', 'phone_invalid');
    await refused('from=2026-01-02T00:00:00Z&to=2026-01-01T23:59:59.999Z', 'to', 'range_not_possible');
    // By what the times are, not by their text.
    await refused('from=2026-01-02T00:00:00-03:00&to=2026-01-02T02:00:00Z', 'to', 'range_not_possible');
    const empty = 'from=2026-01-02T00:00:00Z&to=2026-01-01T21:00:00-03:00';
    const { status } = await ask(api, 'GET', `/messages?${empty}`, { key: sends.world.key });
    expect(status).to.equal(200);
  });

  it('needs the scope conversations:read', async () => {
    const { apiKey } = await issueKey(api.app, sends.world.integration, ['messages:send']);
    await expectRefused(api, ['GET', '/messages', { key: apiKey }], 403, 'insufficient_scope');
  });

  it('finds all of a person who was two contacts by each of their uuids', async () => {
    const sent: string[] = [];
    const uuids: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const phone = sends.somebody();
      sends.time.now += MINUTE;
      sent.unshift(await sends.accept(phone, null));
      uuids.push((await sends.resolve(phone)).uuid);
    }
    const context = directCommand(api.app, { company: sends.world.company, actor: 'admin' });
    await mergeContacts(api.app, sends.world.company, [uuids[0]!, uuids[1]!], 'manual', context);
    for (const uuid of uuids) expect(await foundBy(`contact_uuid=${uuid}`), uuid).to.deep.equal(sent);
  });
});
