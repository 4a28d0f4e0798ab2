import { expect } from 'chai';
import { addWebhookEndpoint } from '../../application/provisioning/webhooks.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { SandboxControl } from '../../ports/sandbox-control.js';
import { ask, dataOf } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectInvalid, expectRefused, type Request } from '../support/api/refused.js';
import {
  addChannel,
  addCustomer,
  addIntegration,
  addTemplate,
  disconnectChannel,
  issueKey,
  makeWorld,
  type World,
} from '../support/api/world.js';
import { openedForEach } from '../support/opened.js';
import { recordsSince } from '../support/records.js';

type Row = Readonly<Record<string, unknown>>;

const PHONE = '+5511987654321';

describe('POST /sandbox/trigger', () => {
  let world: World;
  let numbers: string[];
  let disabled: boolean;
  let played: Row[];
  const sandbox: SandboxControl = {
    url: 'http://sandbox.example',
    play(name, body) {
      if (disabled) return Promise.reject(new Refusal('sandbox_disabled', 'No sandbox is there.'));
      if (name === 'info') {
        return Promise.resolve({ phone_numbers: numbers.map((id) => ({ phone_number_id: id })) });
      }
      played.push(body);
      return Promise.resolve({ message_id: `wamid.${played.length}` });
    },
  };
  const api = openedForEach(() => makeApi({ sandbox }));
  beforeEach(async () => {
    world = await makeWorld(api.app);
    numbers = [world.channel];
    [disabled, played] = [false, []];
  });

  const asked = (json: object, key = world.key): Request => ['POST', '/sandbox/trigger', { key, json }];
  async function triggered(json: object): Promise<Row> {
    const answer = await ask(api, ...asked(json));
    expect(answer.status, answer.text).to.equal(202);
    return answer.body.data as Row;
  }
  const recorded = async (after: Awaited<ReturnType<typeof api.app.store.head>>) =>
    (await recordsSince(api.app.store, after)).map(({ type }) => type);
  const impossible = async (json: object, said: string): Promise<void> => {
    const { body } = await expectRefused(api, asked(json), 409, 'trigger_not_possible');
    expect(body.error?.message).to.include(said);
    expect(played).to.deep.equal([]);
  };

  it('has the customer write on the only channel of the sandbox, which may have others beside it', async () => {
    await addChannel(api.app, world.company, 'waba-2');
    const shown = await triggered({ type: 'message.received', phone: '+55 11 98765-0001', text: 'Oi' });
    expect(shown).to.deep.equal({
      type: 'message.received',
      channel_uuid: world.channel,
      phone: '+5511987650001',
      provider_message_id: 'wamid.1',
      operation_uuid: null,
      conversation_uuid: null,
      event_ids: [],
    });
    expect(played).to.deep.equal([
      { from: '+5511987650001', phone_number_id: world.channel, type: 'text', text: 'Oi' },
    ]);
  });

  it('refuses channels that are on WhatsApp, of others, disconnected, or not named', async () => {
    const real = await addChannel(api.app, world.company, 'waba-2');
    const type = 'message.received';
    await expectRefused(api, asked({ type, channel_uuid: real }), 409, 'not_a_sandbox_channel');
    numbers.push(real);
    await expectRefused(api, asked({ type }), 422, 'channel_required');
    await disconnectChannel(api.app, world, real);
    await expectRefused(api, asked({ type, channel_uuid: real }), 404, 'channel_not_found');
    const other = await makeWorld(api.app, 'Outra');
    numbers.push(other.channel);
    await expectRefused(api, asked({ type, channel_uuid: other.channel }), 404, 'channel_not_found');
    disabled = true;
    for (const body of [{ type }, { type, channel_uuid: world.channel }]) {
      await expectRefused(api, asked(body), 409, 'not_a_sandbox_channel');
    }
    await expectRefused(api, asked({ type: 'webhook.test' }), 409, 'not_a_sandbox_channel');
    expect(played).to.deep.equal([]);
  });

  it('needs its scope, and takes only what the type uses', async () => {
    const { apiKey } = await issueKey(api.app, world.integration, ['messages:send', 'webhooks:read']);
    await expectRefused(api, asked({ type: 'webhook.test' }, apiKey), 403, 'insufficient_scope');
    await expectInvalid(api, asked({ type: 'order.created', text: 'Oi' }), ['text', 'not_used']);
    await expectInvalid(api, asked({ type: 'webhook.test', phone: PHONE }), ['phone', 'not_used']);
    await expectInvalid(api, asked({ type: 'message.received', phone: '12' }), ['phone', 'phone_invalid']);
    await expectInvalid(api, asked({ type: 'message.sent' }), ['type', 'enum']);
  });

  it('sends a template, or a text where one is given, through the gates', async () => {
    await impossible({ type: 'message.status.updated' }, 'order_confirmation');
    await addTemplate(api.app, world, { name: 'order_confirmation' });
    const before = await api.app.store.head();
    const { operation_uuid: uuid } = await triggered({ type: 'message.status.updated' });
    expect(await recorded(before)).to.include('SendAccepted');
    const operation = dataOf<Row>(await ask(api, 'GET', `/operations/${String(uuid)}`, { key: world.key }));
    expect(operation).to.include({ type: 'message.send', status: 'queued' });
    const text = { type: 'message.status.updated', text: 'Oi' };
    expect(await triggered(text))
      .to.have.property('operation_uuid')
      .that.is.a('string');
  });

  it('tests the enabled endpoints of this integration alone', async () => {
    await impossible({ type: 'webhook.test' }, 'no enabled webhook endpoint');
    const by = { actor: 'test' };
    const url = 'https://erp.example/hook';
    const { integration } = await addIntegration(api.app, world);
    await addWebhookEndpoint(api.app, { integrationUuid: integration, url }, by);
    const off = { integrationUuid: world.integration, url, enabled: false };
    await addWebhookEndpoint(api.app, off, by);
    await impossible({ type: 'webhook.test' }, 'no enabled webhook endpoint');
    for (let n = 0; n < 2; n += 1) {
      await addWebhookEndpoint(api.app, { integrationUuid: world.integration, url: `${url}${n}` }, by);
    }
    const before = await api.app.store.head();
    const shown = await triggered({ type: 'webhook.test' });
    expect(shown['event_ids']).to.have.length(2);
    expect(shown['phone']).to.equal(null);
    expect(await recorded(before)).to.deep.equal(['WebhookTestRequested', 'WebhookTestRequested']);
  });

  it('changes the conversation of a customer, each time', async () => {
    const type = 'conversation.updated';
    await impossible({ type }, 'Trigger message.received first');
    const { conversation } = await addCustomer(api.app, world, { phone: PHONE });
    const before = await api.app.store.head();
    for (let n = 0; n < 2; n += 1) {
      expect(await triggered({ type })).to.include({ conversation_uuid: conversation });
    }
    expect(await recorded(before)).to.deep.equal(['ConversationMarkedPending', 'ConversationReopened']);
    await impossible({ type: 'conversation.created', phone: PHONE }, 'Leave phone out');
  });

  it('has somebody new write for conversation.created', async () => {
    const phones = new Set<unknown>();
    for (let n = 0; n < 3; n += 1) phones.add((await triggered({ type: 'conversation.created' }))['phone']);
    expect(phones.size).to.equal(3);
    for (const phone of phones) expect(phone).to.match(/^\+551198\d{7}$/);
  });

  it('plays edits and deletions of the message that the customer just wrote', async () => {
    await triggered({ type: 'message.updated', text: 'Novo' });
    await triggered({ type: 'message.deleted' });
    const sent = { from: PHONE, phone_number_id: world.channel };
    const text = { ...sent, type: 'text', text: 'Oi! Isto é um teste.' };
    const edit = { original_message_id: 'wamid.1', message: { type: 'text', text: { body: 'Novo' } } };
    const revoke = { original_message_id: 'wamid.3' };
    expect(played).to.deep.equal([
      text,
      { ...sent, type: 'raw', message: { type: 'edit', edit } },
      text,
      { ...sent, type: 'raw', message: { type: 'revoke', revoke } },
    ]);
  });

  it('refuses what nothing here can cause, and says what to do', async () => {
    await impossible({ type: 'message.transcribed' }, 'TRANSCRIPTION_URL');
    await impossible({ type: 'flow.execution.updated' }, 'no active flow');
    await impossible({ type: 'order.created' }, 'no store');
  });
});
