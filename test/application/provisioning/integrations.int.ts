import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { integrationStream } from '../../../domain/streams.js';
import { issueApiKey, revokeApiKey } from '../../../application/provisioning/api-keys.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { registerIntegration, rotateWebhookSecret } from '../../../application/provisioning/integrations.js';
import {
  addWebhookEndpoint,
  changeWebhookEndpoint,
  removeWebhookEndpoint,
  testWebhookEndpoint,
  webhookEventId,
} from '../../../application/provisioning/webhooks.js';
import { admin, openWorkspace, refusalOf } from './workspace.js';
import { opened } from '../../support/opened.js';
import { companies } from '../../../read-models/companies.js';
import { integrations } from '../../../read-models/integrations.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('provisioning: companies, integrations, keys, webhook endpoints', () => {
  let companyUuid: string;
  let integrationUuid: string;
  let webhookSecret: string;

  const space = opened(openWorkspace);
  before(async () => {
    ({ companyUuid } = await registerCompany(space.app, { name: 'Loja' }, admin));
    const made = await registerIntegration(space.app, { companyUuid, name: 'ERP' }, admin);
    ({ integrationUuid, webhookSecret } = made);
  });

  const fieldOf = (details: Readonly<Record<string, unknown>>): unknown =>
    (details['fields'] as { path: string }[]).map(({ path }) => path);

  it('registers a company in its own name, in Brazil unless told otherwise', async () => {
    const mark = await space.mark();
    const made = await registerCompany(space.app, { name: 'Outra', timezone: 'Europe/Lisbon' }, admin);
    const [record] = await space.recordsSince(mark);
    expect(record).to.deep.include({ type: 'CompanyRegistered', position: made.position });
    expect(record!.data).to.deep.equal({ name: 'Outra', timezone: 'Europe/Lisbon' });
    expect(record!.meta).to.deep.include({ company: made.companyUuid, actor: 'admin' });
    const first = await space.app.readModels.get(companies.name, companyUuid);
    expect(first?.doc.timezone).to.equal('America/Sao_Paulo');
  });

  for (const timezone of ['Brazil/Nowhere', '+03:00', '']) {
    it(`refuses the time zone "${timezone}"`, async () => {
      const refusal = await refusalOf(registerCompany(space.app, { name: 'X', timezone }, admin));
      expect(refusal.code).to.equal('validation_failed');
      expect(fieldOf(refusal.details)).to.deep.equal(['timezone']);
    });
  }

  it('gives an integration a Standard Webhooks secret of 32 bytes and keeps it sealed', async () => {
    expect(webhookSecret).to.match(/^whsec_/);
    expect(Buffer.from(webhookSecret.slice(6), 'base64')).to.have.length(32);
    const { doc } = (await space.app.readModels.get(integrations.name, integrationUuid))!;
    expect(doc.webhook_secret_sealed).to.not.include(webhookSecret.slice(6));
    expect(space.app.secrets.open(doc.webhook_secret_sealed, 'webhook-secret')).to.equal(webhookSecret);
  });

  it('refuses an integration of a company that does not exist', async () => {
    const mark = await space.mark();
    const refusal = await refusalOf(
      registerIntegration(space.app, { companyUuid: NOBODY, name: 'X' }, admin),
    );
    expect([refusal.code, refusal.details['resource']]).to.deep.equal(['not_found', 'company']);
    expect(await space.eventsSince(mark)).to.deep.equal([]);
  });

  it('shows an API key once and keeps only the hash of its secret', async () => {
    const mark = await space.mark();
    const input = { integrationUuid, label: 'site', scopes: ['messages:send', 'messages:send'] };
    const { apiKey, keyId } = await issueApiKey(space.app, input, admin);
    const [, id, secret] = /^recado_api_([A-Za-z0-9-]{12,})_([A-Za-z0-9]{43,})$/.exec(apiKey)!;
    expect(id).to.equal(keyId);
    const [event] = await space.eventsSince(mark);
    expect(event!.data).to.deep.equal({
      key_id: keyId,
      label: 'site',
      scopes: ['messages:send'],
      secret_hash: createHash('sha256').update(secret!).digest('hex'),
    });
    expect(JSON.stringify(await space.recordsSince(mark))).to.not.include(secret);
  });

  it('refuses a scope that does not exist', async () => {
    const input = { integrationUuid, label: 'x', scopes: ['messages:send', 'root'] };
    const refusal = await refusalOf(issueApiKey(space.app, input, admin));
    expect(refusal.code).to.equal('validation_failed');
    expect(fieldOf(refusal.details)).to.deep.equal(['scopes']);
  });

  it('revokes a key once, and says so when there is none', async () => {
    const { keyId } = await issueApiKey(space.app, { integrationUuid, label: 'x', scopes: [] }, admin);
    const mark = await space.mark();
    await revokeApiKey(space.app, { integrationUuid, keyId }, admin);
    await revokeApiKey(space.app, { integrationUuid, keyId }, admin);
    expect((await space.eventsSince(mark)).map(({ type }) => type)).to.deep.equal(['ApiKeyRevoked']);
    const refusal = await refusalOf(revokeApiKey(space.app, { integrationUuid, keyId: 'nokey' }, admin));
    expect([refusal.code, refusal.details['resource']]).to.deep.equal(['not_found', 'api_key']);
  });

  it('rotates the webhook secret with 24 hours of overlap, or none for one that leaked', async () => {
    const own = await registerIntegration(space.app, { companyUuid, name: 'Rotating' }, admin);
    const input = { integrationUuid: own.integrationUuid };
    const first = await rotateWebhookSecret(space.app, input, admin);
    const rotated = (await space.app.store.read(integrationStream.toName(own.integrationUuid))).at(-1)!;
    const overlap = Date.parse(first.previousExpiresAt!) - Date.parse(rotated.meta.occurred_at);
    expect(overlap).to.equal(86_400_000);
    const stored = await space.app.readModels.get(integrations.name, own.integrationUuid);
    const open = (field: 'webhook_secret_sealed' | 'previous_secret_sealed'): string =>
      space.app.secrets.open(stored!.doc[field]!, 'webhook-secret');
    expect(open('webhook_secret_sealed')).to.equal(first.webhookSecret);
    expect(open('previous_secret_sealed')).to.equal(own.webhookSecret);
    const second = await rotateWebhookSecret(space.app, { ...input, graceSeconds: 0 }, admin);
    expect(second.previousExpiresAt).to.equal(null);
    const refusal = await refusalOf(
      rotateWebhookSecret(space.app, { ...input, graceSeconds: 604_801 }, admin),
    );
    expect(fieldOf(refusal.details)).to.deep.equal(['grace_seconds']);
  });

  it('adds, changes and removes a webhook endpoint', async () => {
    const mark = await space.mark();
    const url = 'https://example.com/hook';
    const made = await addWebhookEndpoint(space.app, { integrationUuid, url }, admin);
    const ref = { integrationUuid, endpointUuid: made.endpointUuid };
    const change = { ...ref, eventTypes: ['message.received'], enabled: false };
    await changeWebhookEndpoint(space.app, change, admin);
    await changeWebhookEndpoint(space.app, change, admin);
    await changeWebhookEndpoint(space.app, { ...ref, eventTypes: null }, admin);
    await removeWebhookEndpoint(space.app, ref, admin);
    const same = { endpoint_uuid: made.endpointUuid, url };
    expect((await space.eventsSince(mark)).map(({ type, data }) => ({ type, data }))).to.deep.equal([
      { type: 'WebhookEndpointAdded', data: { ...same, event_types: null, enabled: true } },
      {
        type: 'WebhookEndpointChanged',
        data: { ...same, event_types: ['message.received'], enabled: false },
      },
      { type: 'WebhookEndpointChanged', data: { ...same, event_types: null, enabled: false } },
      { type: 'WebhookEndpointRemoved', data: { endpoint_uuid: made.endpointUuid } },
    ]);
    const refusal = await refusalOf(removeWebhookEndpoint(space.app, ref, admin));
    expect([refusal.code, refusal.details['resource']]).to.deep.equal(['not_found', 'webhook']);
  });

  for (const url of ['http://10.0.0.1/hook', 'http://169.254.169.254/', 'ftp://example.com/', 'not a url']) {
    it(`refuses the webhook address ${url}`, async () => {
      const mark = await space.mark();
      const refusal = await refusalOf(addWebhookEndpoint(space.app, { integrationUuid, url }, admin));
      expect(refusal.code).to.equal('validation_failed');
      expect(fieldOf(refusal.details)).to.deep.equal(['url']);
      expect(await space.eventsSince(mark)).to.deep.equal([]);
    });
  }

  it('refuses an event type that the contract does not have', async () => {
    const input = { integrationUuid, url: 'https://example.com/', eventTypes: ['message.sent'] };
    const refusal = await refusalOf(addWebhookEndpoint(space.app, input, admin));
    expect(fieldOf(refusal.details)).to.deep.equal(['event_types']);
  });

  it('names the webhook event of a test before it is sent, and refuses one that would go nowhere', async () => {
    const { endpointUuid } = await addWebhookEndpoint(
      space.app,
      { integrationUuid, url: 'https://example.com/' },
      admin,
    );
    const ref = { integrationUuid, endpointUuid };
    const mark = await space.mark();
    const { eventId } = await testWebhookEndpoint(space.app, ref, admin);
    const [record] = await space.recordsSince(mark);
    expect(record!.type).to.equal('WebhookTestRequested');
    expect(eventId).to.equal(webhookEventId(record!.eventId));
    await changeWebhookEndpoint(space.app, { ...ref, enabled: false }, admin);
    expect((await refusalOf(testWebhookEndpoint(space.app, ref, admin))).code).to.equal('webhook_disabled');
  });
});
