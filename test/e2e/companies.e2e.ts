/** Several channels and several companies: permissions, and visibility of data. */
import { expect } from 'chai';
import { startSandbox } from '../../sandbox/sandbox.js';
import { DEMO_PHONE_NUMBERS, DEMO_TEMPLATES, DEMO_WABA_ID } from '../../sandbox/seeds.js';
import type { Sandbox } from '../../sandbox/types.js';
import { issueApiKey } from '../../application/provisioning/api-keys.js';
import { connectChannel, disconnectChannel } from '../../application/provisioning/channels.js';
import { registerCompany } from '../../application/provisioning/companies.js';
import { registerIntegration } from '../../application/provisioning/integrations.js';
import { SCOPES } from '../../application/provisioning/vocabulary.js';
import { addWebhookEndpoint } from '../../application/provisioning/webhooks.js';
import { dataOf, outcomeOf } from '../support/api/client.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';
import { APP_SECRET, callsOf, freshKey, type OperationBody } from '../support/e2e/product.js';
import { startWebhookReceiver } from '../support/e2e/receiver.js';
import { doorOf } from '../support/e2e/whatsapp.js';
import { opened } from '../support/opened.js';

const by = { actor: 'test' };
const SECOND = '20002';
const OTHERS = '30003';

describe('several channels and companies', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let sandbox: Sandbox;
  let otherKey: string;

  const [number] = DEMO_PHONE_NUMBERS;
  before(async () => {
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
  });
  const product = openedWithReceiver(() => ({ env: { WHATSAPP_API_URL: sandbox.url } }));
  after(() => sandbox.close());
  const theirs = opened(startWebhookReceiver);
  before(async () => {
    sandbox.setWebhookUrl(doorOf(product));
    const { app } = product;
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

  it('another company sees nothing of ours, and the same key of theirs is another operation', async () => {
    const phone = '+5511987653001';
    const idempotencyKey = freshKey();
    const first = await product.send(phone, { idempotencyKey });
    const { uuid } = first.body.data as OperationBody;
    const operation = await product.settled(uuid);
    await product.messageStatus(operation, 'read');
    const ours = product.receiver;
    sandbox.reply({ phoneNumberId: number!.id, from: phone, text: 'Oi' });
    await eventually(() => ours.of('message.received').length === 1);

    const { conversation_uuid, contact_uuid } = operation.result!;
    for (const path of [
      `/operations/${uuid}`,
      `/conversations/${conversation_uuid}`,
      `/conversations/${conversation_uuid}/messages`,
      `/contacts/${contact_uuid}`,
    ]) {
      await product.get(path);
      const answer = await product.ask('GET', path, { key: otherKey });
      expect(outcomeOf(answer), path).to.deep.equal([404, 'not_found']);
    }
    const seen = async (path: string) =>
      dataOf<{ uuid: string }[]>(await product.ask('GET', path, { key: otherKey }));
    expect(await seen('/conversations')).to.deep.equal([]);
    const channels = await seen('/channels');
    expect(channels).to.have.length(1);
    expect(channels[0]!.uuid).to.not.equal(product.channel);

    const body = { channel_uuid: product.channel };
    const withOurs = await product.send(phone, { key: otherKey, body });
    expect(outcomeOf(withOurs)).to.deep.equal([404, 'channel_not_found']);

    const same = await product.send(phone, { key: otherKey, idempotencyKey });
    expect(same.headers).to.not.have.property('idempotent-replayed');
    const other = dataOf<OperationBody>(same, 202).uuid;
    expect(other).to.not.equal(uuid);
    await eventually(() =>
      theirs.of('message.status.updated').some(({ event }) => event.data.operation_uuid === other),
    );
    expect(theirs.deliveries.some(({ raw }) => raw.includes(uuid))).to.equal(false);
    expect(ours.deliveries.some(({ raw }) => raw.includes(other))).to.equal(false);
    // The same person is a separate contact in each of the two companies.
    expect(theirs.deliveries.some(({ raw }) => raw.includes(contact_uuid))).to.equal(false);
  });

  it('two channels: a send names one, and each is its own way to the recipient', async () => {
    const { app, company: companyUuid } = product;
    const { channelUuid } = await connectChannel(
      app,
      { companyUuid, phoneNumberId: SECOND, wabaId: DEMO_WABA_ID, accessToken: 'token' },
      by,
    );
    const phone = '+5511987653010';
    expect(outcomeOf(await product.send(phone))).to.deep.equal([422, 'channel_required']);

    const first = await product.sent(phone, { body: { channel_uuid: product.channel } });
    const second = await product.sent(phone, { body: { channel_uuid: channelUuid } });
    expect(callsOf(sandbox, second.uuid).map(({ phoneNumberId }) => phoneNumberId)).to.deep.equal([SECOND]);
    expect(second.result!.contact_uuid).to.equal(first.result!.contact_uuid);
    expect(second.result!.conversation_uuid).to.not.equal(first.result!.conversation_uuid);

    await disconnectChannel(app, { channelUuid }, by);
    const gone = await product.send(phone, { body: { channel_uuid: channelUuid } });
    expect(outcomeOf(gone)).to.deep.equal([422, 'channel_not_connected']);
    // Only one channel is connected again, so the request need not name it.
    expect((await product.send(phone)).status).to.equal(202);
  });
});
