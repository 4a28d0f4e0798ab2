/** The specification of a send and its operation, over the running product (spec §2, §4, §7). */
import { expect } from 'chai';
import { issueApiKey } from '../../application/provisioning/api-keys.js';
import { registerIntegration } from '../../application/provisioning/integrations.js';
import { SCOPES } from '../../application/provisioning/vocabulary.js';
import { dataOf, outcomeOf, type Answer } from '../support/api/client.js';
import { eventually } from '../support/e2e/eventually.js';
import { openedProduct } from '../support/e2e/opened-product.js';
import { callsOf, freshKey, type OperationBody } from '../support/e2e/product.js';
import { order, template } from '../support/e2e/templates.js';

type Row = Record<string, unknown>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const by = { actor: 'test' };
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe('sends by the specification', () => {
  const product = openedProduct(() => ({ driven: true }));

  const put = async (externalId: string, phone: string): Promise<Row> =>
    dataOf(await product.ask('PUT', `/contacts/external/${externalId}`, { json: { phone } }));
  const contact = (uuid: unknown) => product.get(`/contacts/${String(uuid)}`);
  const sentTo = (phone: string, externalId: string): Promise<OperationBody> =>
    product.sent(phone, { body: { recipient: { phone, external_id: externalId } } });
  const keyOf = async (integrationUuid: string): Promise<string> =>
    (await issueApiKey(product.app, { integrationUuid, label: 'x', scopes: SCOPES }, by)).apiKey;
  /** Another integration of the company; returns an API key of it. */
  async function otherIntegration(): Promise<string> {
    const integration = { companyUuid: product.company, name: 'ERP' };
    return keyOf((await registerIntegration(product.app, integration, by)).integrationUuid);
  }

  describe('an operation', () => {
    it('is polled where Location points, from queued to succeeded, with exactly the promised fields', async () => {
      const accepted = await product.send('+5511987660001');
      expect(accepted.status).to.equal(202);
      const { pathname } = new URL(accepted.headers.location!, product.running.url);
      expect(pathname).to.match(/^\/api\/v1\/operations\//);
      const path = pathname.slice('/api/v1'.length);
      const polled = async (): Promise<Row> => (await product.ask('GET', path)).body.data as Row;
      const seen = new Set<unknown>([(accepted.body.data as Row)['status']]);
      const done = await eventually(async () => {
        const operation = await polled();
        seen.add(operation['status']);
        return operation['status'] === 'succeeded' && operation;
      });
      expect(['queued', 'processing', 'waiting', 'succeeded']).to.include.members([...seen]);
      expect(done).to.have.all.keys(
        'uuid',
        'type',
        'status',
        'result',
        'error',
        'created_at',
        'started_at',
        'completed_at',
      );
      expect(done).to.include({ type: 'message.send', error: null });
      expect(done['uuid']).to.match(UUID);
      const times = ['created_at', 'started_at', 'completed_at'].map((field) => String(done[field]));
      for (const time of times) expect(time).to.match(INSTANT);
      expect(times).to.deep.equal([...times].sort());
      const result = done['result'] as Row;
      expect(result).to.have.all.keys('message_uuid', 'conversation_uuid', 'contact_uuid', 'status', 'text');
      for (const field of ['message_uuid', 'conversation_uuid', 'contact_uuid']) {
        expect(result[field], field).to.match(UUID);
      }
      expect(result).to.include({ status: 'sent', text: 'Olá!' });
      const [message] = await product.messages(String(result['conversation_uuid']));
      expect(message?.uuid).to.equal(result['message_uuid']);
    });

    it('that failed has an error of code, English message and details, and no result', async () => {
      const operation = await product.sent('+5511966131026');
      expect(operation).to.include({ status: 'failed', result: null });
      expect(operation.error).to.have.all.keys('code', 'message', 'details');
      expect(operation.error?.message).to.match(/^[\x20-\x7e]+\.$/);
    });

    it('is that of another company or of nobody: 404', async () => {
      for (const uuid of ['0198a6f0-dead-4000-8000-000000000009', 'nope']) {
        const answer = await product.ask('GET', `/operations/${uuid}`);
        expect(outcomeOf(answer)).to.deep.equal([404, 'not_found']);
      }
    });

    it('carries the template body as the recipient reads it', async () => {
      const content = { name: 'order_confirmation', language: 'pt_BR', parameters: ['{{2}}', '$& 1042'] };
      const { result } = await product.sent('+5511987660002', { body: template(content) });
      expect(result?.text).to.equal('Olá {{2}}, seu pedido $& 1042 foi confirmado. Obrigado!');
      const messages = await product.messages(result!.conversation_uuid);
      expect(messages.map(({ type }) => type)).to.deep.equal(['template']);
    });
  });

  describe('recipient.external_id', () => {
    it('of another phone’s contact fails the operation, and the record is not moved', async () => {
      const owner = await put('erp-id-1', '+5511987660010');
      const { uuid, status, error, result } = await sentTo('+5511987660011', 'erp-id-1');
      expect([status, error?.code, result]).to.deep.equal(['failed', 'external_contact_conflict', null]);
      expect(error?.message).to.match(/external_id/);
      expect(error?.details).to.include({ contact_uuid: owner['uuid'] });
      expect(callsOf(product.sandbox, uuid), 'nothing was sent').to.deep.equal([]);
      expect(await contact(owner['uuid'])).to.deep.equal(owner);
      const found = await product.get<Row[]>('/contacts?query=erp-id-1');
      expect(found.map((row) => row['uuid'])).to.deep.equal([owner['uuid']]);
    });

    it('of the same person is no conflict, with or without the ninth digit', async () => {
      const owner = await put('erp-id-2', '+5511987660020');
      for (const phone of ['+5511987660020', '+551187660020']) {
        const { status, result } = await sentTo(phone, 'erp-id-2');
        expect([status, result?.contact_uuid]).to.deep.equal(['succeeded', owner['uuid']]);
      }
    });

    it('that nobody has links the contact to this integration, and to no other', async () => {
      const { result } = await sentTo('+5511987660030', 'erp-id-3');
      expect(await contact(result!.contact_uuid)).to.include({ external_id: 'erp-id-3' });
      const key = await otherIntegration();
      const seen = dataOf(await product.ask('GET', `/contacts/${result!.contact_uuid}`, { key }));
      expect(seen['external_id']).to.equal(null);
      // The other integration's identifier of the same name is independent, and may belong to another person.
      const phone = '+5511987660031';
      const body = { recipient: { phone, external_id: 'erp-id-3' } };
      const theirs = dataOf<OperationBody>(await product.send(phone, { key, body }), 202);
      const settled = await product.settled(theirs.uuid);
      expect(settled.status).to.equal('succeeded');
    });

    it('does not take the place of the one that PUT has linked', async () => {
      const linked = await put('erp-id-5', '+5511987660045');
      const operation = await sentTo('+5511987660045', 'erp-id-6');
      expect([operation.status, operation.result?.contact_uuid]).to.deep.equal(['succeeded', linked['uuid']]);
      expect(await contact(linked['uuid'])).to.deep.include({ external_id: 'erp-id-5' });
      const free = await put('erp-id-6', '+5511987660046');
      expect(free['uuid']).to.not.equal(linked['uuid']);
      expect(await contact(linked['uuid'])).to.deep.include({ external_id: 'erp-id-5' });
    });

    it('goes to the new phone once PUT has repointed it', async () => {
      await put('erp-id-4', '+5511987660040');
      const moved = await put('erp-id-4', '+5511987660041');
      const { status, result } = await sentTo('+5511987660041', 'erp-id-4');
      expect([status, result?.contact_uuid]).to.deep.equal(['succeeded', moved['uuid']]);
      const old = await sentTo('+5511987660040', 'erp-id-4');
      expect(old.error?.code).to.equal('external_contact_conflict');
    });
  });

  describe('Idempotency-Key', () => {
    const expectReplay = ({ status, headers, text }: Answer, first: Answer): void => {
      expect([status, headers['idempotent-replayed'], text]).to.deep.equal([202, 'true', first.text]);
    };

    it('belongs to the integration: another key of it replays, another integration does not', async () => {
      const idempotencyKey = freshKey();
      const request = (key: string) => product.send('+5511987660050', { key, idempotencyKey });
      const first = await request(product.key);
      expectReplay(await request(await keyOf(product.integration)), first);
      const theirs = await request(await otherIntegration());
      expect(theirs.status).to.equal(202);
      expect(theirs.headers).to.not.have.property('idempotent-replayed');
      expect(theirs.headers.location).to.not.equal(first.headers.location);
    });

    it('is told apart by case and by every character, up to 128 of them', async () => {
      const base = freshKey();
      const keys = [base, base.toUpperCase(), `${base} x`, base.padEnd(128, 'k'), base.padEnd(127, 'k')];
      const locations = new Set<unknown>();
      for (const idempotencyKey of keys) {
        const answer = await product.send('+5511987660051', { idempotencyKey });
        expect(answer.status, idempotencyKey).to.equal(202);
        locations.add(answer.headers.location);
      }
      expect(locations.size).to.equal(keys.length);
    });

    it('still answers the original operation when the request would be refused by now', async () => {
      const idempotencyKey = freshKey();
      const more = { idempotencyKey, body: order('77') };
      const first = await product.send('+5511987660052', more);
      const { uuid } = dataOf<OperationBody>(first, 202);
      await product.settled(uuid);
      // The identical message is a duplicate within 24 hours: under a new key it is refused, or will be.
      expectReplay(await product.send('+5511987660052', more), first);
      expect(callsOf(product.sandbox, uuid)).to.have.length(1);
    });
  });

  describe('a template', () => {
    const name = 'order_confirmation';
    for (const [what, content, status, code] of [
      ['an unknown name', { name: 'nao_ha' }, 404, 'template_not_found'],
      ['a name in other case', { name: name.toUpperCase(), language: 'pt_BR' }, 404, 'template_not_found'],
      ['an unknown language', { name, language: 'xx_XX' }, 422, 'template_language_invalid'],
      ['no parameters', { name, language: 'pt_BR' }, 422, 'template_parameters_invalid'],
      ['one too few', { name, language: 'pt_BR', parameters: ['a'] }, 422, 'template_parameters_invalid'],
      [
        'one too many',
        { name, language: 'pt_BR', parameters: ['a', 'b', 'c'] },
        422,
        'template_parameters_invalid',
      ],
      [
        'a parameter that is no string',
        { name, language: 'pt_BR', parameters: ['a', 1] },
        422,
        'validation_failed',
      ],
    ] as const) {
      it(`with ${what} is refused on the call, and leaves no operation under its key`, async () => {
        const idempotencyKey = freshKey();
        const body = template(content);
        const refused = await product.send('+5511987660060', { idempotencyKey, body });
        expect(outcomeOf(refused)).to.deep.equal([status, code]);
        expect(refused.headers).to.not.have.property('location');
        const other = await product.send('+5511987660060', { idempotencyKey });
        expect(other.status, 'the key is free').to.equal(202);
      });
    }
  });

  it('channel_uuid is a uuid in whatever case, and the same request in both', async () => {
    const idempotencyKey = freshKey();
    const { channel } = product;
    const upper = { channel_uuid: channel.toUpperCase() };
    const first = await product.send('+5511987660080', { idempotencyKey, body: upper });
    expect(first.status, first.text).to.equal(202);
    const again = await product.send('+5511987660080', { idempotencyKey, body: { channel_uuid: channel } });
    expect([again.status, again.headers['idempotent-replayed']]).to.deep.equal([202, 'true']);
  });

  it('a customer’s answer shows as inbound, with every field of the specification', async () => {
    const phone = '+5511987660070';
    const operation = await product.sent(phone);
    await product.messageStatus(operation, 'read');
    product.reply(phone, 'Sim');
    const messages = await eventually(async () => {
      const found = await product.messages(operation.result!.conversation_uuid);
      return found.length === 2 && found;
    });
    for (const message of messages) {
      expect(message).to.include.all.keys(
        'uuid',
        'direction',
        'type',
        'status',
        'content',
        'provider_message_id',
        'created_at',
        'updated_at',
        'transcript',
        'deleted_at',
        'deleted_by',
        'edited_at',
      );
      expect(message).to.include({ transcript: null, deleted_at: null, deleted_by: null, edited_at: null });
      expect(message.provider_message_id).to.match(/^wamid\./);
    }
    expect(messages.map(({ direction }) => direction)).to.deep.equal(['inbound', 'outbound']);
    const path = `/conversations/${operation.result!.conversation_uuid}`;
    expect((await product.get<{ contact: Row }>(path)).contact['last_interaction_at']).to.match(INSTANT);
  });
});
