/** Several channels, several companies: who may use what, and who sees what. */
import { expect } from 'chai';
import { startSandbox } from '../../adapters/whatsapp/sandbox/sandbox.js';
import { DEMO_PHONE_NUMBERS, DEMO_TEMPLATES, DEMO_WABA_ID } from '../../adapters/whatsapp/sandbox/seeds.js';
import type { Sandbox } from '../../adapters/whatsapp/sandbox/types.js';
import { issueApiKey } from '../../application/provisioning/api-keys.js';
import { connectChannel, disconnectChannel } from '../../application/provisioning/channels.js';
import { registerCompany } from '../../application/provisioning/companies.js';
import { registerIntegration } from '../../application/provisioning/integrations.js';
import { SCOPES } from '../../application/provisioning/vocabulary.js';
import { addWebhookEndpoint } from '../../application/provisioning/webhooks.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import {
  APP_SECRET,
  callsOf,
  freshKey,
  startProduct,
  type OperationBody,
  type Product,
} from '../support/e2e/product.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/e2e/receiver.js';

const by = { actor: 'test' };
const SECOND = '20002';
const OTHERS = '30003';

describe('several channels and companies', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let product: Product;
  let sandbox: Sandbox;
  let ours: WebhookReceiver;
  let theirs: WebhookReceiver;
  let otherKey: string;

  before(async () => {
    const [number] = DEMO_PHONE_NUMBERS;
    sandbox = await startSandbox({
      appSecret: APP_SECRET,
      webhookUrl: null,
      templates: DEMO_TEMPLATES,
      phoneNumbers: [
        number!,
        { ...number!, id: SECOND, displayPhoneNumber: '+55 11 4002-0002' },
        { ...number!, id: OTHERS, displayPhoneNumber: '+55 11 4002-0003' },
      ],
    });
    product = await startProduct({ WHATSAPP_API_URL: sandbox.url });
    sandbox.setWebhookUrl(`${product.running.url}/providers/whatsapp/webhooks`);
    ours = await startWebhookReceiver();
    theirs = await startWebhookReceiver();
    const { app } = product;
    await addWebhookEndpoint(
      app,
      { integrationUuid: product.running.credentials['integration_uuid']!, url: ours.url },
      by,
    );
    const { companyUuid } = await registerCompany(app, { name: 'Other' }, by);
    const { integrationUuid } = await registerIntegration(app, { companyUuid, name: 'Other' }, by);
    otherKey = (await issueApiKey(app, { integrationUuid, label: 'other', scopes: SCOPES }, by)).apiKey;
    await connectChannel(
      app,
      { companyUuid, phoneNumberId: OTHERS, wabaId: DEMO_WABA_ID, accessToken: 'token' },
      by,
    );
    await addWebhookEndpoint(app, { integrationUuid, url: theirs.url }, by);
  });
  after(async () => {
    await product.close();
    await sandbox.close();
    await ours.close();
    await theirs.close();
    expect(product.errors).to.deep.equal([]);
  });

  it('another company sees nothing of ours, and the same key of theirs is another operation', async () => {
    const phone = '+5511987653001';
    const idempotencyKey = freshKey();
    const first = await product.send(phone, { idempotencyKey });
    const { uuid } = first.body.data as OperationBody;
    const operation = await product.settled(uuid);
    await product.messageStatus(operation, 'read');
    sandbox.reply({
      phoneNumberId: product.running.credentials['phone_number_id']!,
      from: phone,
      text: 'Oi',
    });
    await eventually(() => ours.of('message.received').length === 1);

    const { conversation_uuid, contact_uuid } = operation.result!;
    for (const path of [
      `/operations/${uuid}`,
      `/conversations/${conversation_uuid}`,
      `/conversations/${conversation_uuid}/messages`,
      `/contacts/${contact_uuid}`,
    ]) {
      expect((await product.ask('GET', path)).status, path).to.equal(200);
      const answer = await product.ask('GET', path, { key: otherKey });
      expect(answer.status, path).to.equal(404);
      expect(answer.body.error?.code).to.equal('not_found');
    }
    expect((await product.ask('GET', '/conversations', { key: otherKey })).body.data).to.deep.equal([]);
    const ourChannel = product.running.credentials['channel_uuid']!;
    const channels = (await product.ask('GET', '/channels', { key: otherKey })).body.data as {
      uuid: string;
    }[];
    expect(channels).to.have.length(1);
    expect(channels[0]!.uuid).to.not.equal(ourChannel);

    const withOurs = await product.ask('POST', '/messages', {
      key: otherKey,
      headers: { 'idempotency-key': freshKey() },
      json: { recipient: { phone }, type: 'text', content: { text: 'Oi' }, channel_uuid: ourChannel },
    });
    expect(withOurs.status).to.equal(404);
    expect(withOurs.body.error?.code).to.equal('channel_not_found');

    const same = await product.ask('POST', '/messages', {
      key: otherKey,
      headers: { 'idempotency-key': idempotencyKey },
      json: { recipient: { phone }, type: 'text', content: { text: 'Olá!' } },
    });
    expect(same.status).to.equal(202);
    expect(same.headers).to.not.have.property('idempotent-replayed');
    const other = (same.body.data as OperationBody).uuid;
    expect(other).to.not.equal(uuid);
    await eventually(() =>
      theirs.of('message.status.updated').some(({ event }) => event.data.operation_uuid === other),
    );
    expect(theirs.deliveries.some(({ raw }) => raw.includes(uuid))).to.equal(false);
    expect(ours.deliveries.some(({ raw }) => raw.includes(other))).to.equal(false);
    // One person, two companies, two contacts.
    expect(theirs.deliveries.some(({ raw }) => raw.includes(contact_uuid))).to.equal(false);
  });

  it('two channels: a send names one, and each is its own way to the recipient', async () => {
    const { app } = product;
    const companyUuid = product.running.credentials['company_uuid']!;
    const { channelUuid } = await connectChannel(
      app,
      { companyUuid, phoneNumberId: SECOND, wabaId: DEMO_WABA_ID, accessToken: 'token' },
      by,
    );
    const phone = '+5511987653010';
    const unnamed = await product.send(phone);
    expect(unnamed.status).to.equal(422);
    expect(unnamed.body.error?.code).to.equal('channel_required');

    const first = await product.settled(
      await product.accepted(phone, { body: { channel_uuid: product.running.credentials['channel_uuid'] } }),
    );
    const second = await product.settled(
      await product.accepted(phone, { body: { channel_uuid: channelUuid } }),
    );
    expect(callsOf(sandbox, second.uuid).map(({ phoneNumberId }) => phoneNumberId)).to.deep.equal([SECOND]);
    expect(second.result!.contact_uuid).to.equal(first.result!.contact_uuid);
    expect(second.result!.conversation_uuid).to.not.equal(first.result!.conversation_uuid);

    await disconnectChannel(app, { channelUuid }, by);
    const gone = await product.send(phone, { body: { channel_uuid: channelUuid } });
    expect(gone.status).to.equal(422);
    expect(gone.body.error?.code).to.equal('channel_not_connected');
    // Only one is connected again: it need not be named.
    expect((await product.send(phone)).status).to.equal(202);
  });
});
