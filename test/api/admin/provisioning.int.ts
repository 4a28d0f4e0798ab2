import { expect } from 'chai';
import type { Position } from '../../../ports/event-store.js';
import { ADMIN_TOKEN, openAdmin, newCompany, CHANNEL } from './server.js';
import { opened } from '../../support/opened.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('admin API: provisioning', () => {
  let company: string;
  let integration: string;

  const server = opened(openAdmin);
  before(async () => {
    company = await newCompany(server);
    const made = await server.call('POST', `/companies/${company}/integrations`, { name: 'ERP' });
    integration = made.data['uuid'] as string;
  });

  const typesSince = async (mark: Position): Promise<readonly string[]> =>
    (await server.eventsSince(mark)).map(({ type }) => type);

  for (const [what, token] of [
    ['no token', null],
    ['another token', 'wrong'],
    ['the beginning of the token', ADMIN_TOKEN.slice(0, -1)],
    ['an API key', 'recado_api_abc_def'],
  ] as const) {
    it(`answers 401 to ${what}, for known and unknown paths alike`, async () => {
      const mark = await server.mark();
      for (const path of ['/companies', '/nothing']) {
        const answer = await server.call('POST', path, { name: 'X' }, token);
        expect([answer.status, answer.code]).to.deep.equal([401, 'unauthenticated']);
        expect(answer.headers.get('www-authenticate')).to.match(/^Bearer/);
      }
      expect(await typesSince(mark)).to.deep.equal([]);
    });
  }

  it('records who registered a company, and by which request', async () => {
    const mark = await server.mark();
    const made = await server.call('POST', '/companies', { name: 'Outra', timezone: 'America/Recife' });
    expect(made.status).to.equal(201);
    const [record] = await server.recordsSince(mark);
    expect(record!.meta.actor).to.equal('admin');
    expect(record!.meta.correlation_id).to.equal(made.headers.get('x-request-id'));
    const read = await server.call('GET', `/companies/${made.data['uuid'] as string}`);
    expect(read.data).to.deep.include({ name: 'Outra', timezone: 'America/Recife' });
  });

  it('pages through companies, and refuses a cursor that is none', async () => {
    await server.call('POST', '/companies', { name: 'Mais uma' });
    const pages = await server.pages('/companies?limit=1');
    for (const page of pages) expect(page).to.have.length(1);
    const seen = pages.flat().map(({ uuid }) => uuid);
    const { list } = await server.call('GET', '/companies');
    expect(seen).to.deep.equal(list.map(({ uuid }) => uuid));
    expect(seen.length).to.be.greaterThan(1);
    const refused = await server.call('GET', '/companies?after=nonsense');
    expect([refused.status, refused.code]).to.deep.equal([422, 'invalid_cursor']);
  });

  for (const [body, path] of [
    [{}, 'name'],
    [{ name: 'X', colour: 'red' }, 'colour'],
    [{ name: 'X', timezone: 'Mars/Base' }, 'timezone'],
  ] as const) {
    it(`names the wrong field ${path} of a company`, async () => {
      const answer = await server.call('POST', '/companies', body);
      expect([answer.status, answer.code]).to.deep.equal([422, 'validation_failed']);
      const { details } = answer.body['error'] as { details: { fields: { path: string }[] } };
      expect(details.fields.map((field) => field.path)).to.deep.equal([path]);
    });
  }

  it('answers 404 for what does not exist, wherever it is asked for', async () => {
    const asked: readonly (readonly [string, string, unknown?])[] = [
      ['GET', `/companies/${NOBODY}`],
      ['GET', `/companies/${NOBODY}/integrations`],
      ['GET', `/companies/${NOBODY}/channels`],
      ['GET', `/companies/${NOBODY}/templates`],
      ['GET', `/companies/${NOBODY}/contacts`],
      ['GET', `/companies/${NOBODY}/conversations`],
      ['POST', `/companies/${NOBODY}/integrations`, { name: 'X' }],
      ['POST', `/companies/${NOBODY}/channels`, CHANNEL],
      ['GET', `/integrations/${NOBODY}`],
      ['GET', `/integrations/${NOBODY}/keys`],
      ['GET', `/integrations/${NOBODY}/webhooks`],
      ['POST', `/integrations/${NOBODY}/keys`, { label: 'x', scopes: ['messages:send'] }],
      ['POST', `/integrations/${NOBODY}/webhooks`, { url: 'https://example.com/' }],
      ['POST', `/integrations/${NOBODY}/webhook-secret/rotate`],
      ['DELETE', `/integrations/${integration}/keys/nokey`],
      ['GET', `/webhooks/${NOBODY}`],
      ['PATCH', `/webhooks/${NOBODY}`, { enabled: false }],
      ['DELETE', `/webhooks/${NOBODY}`],
      ['POST', `/webhooks/${NOBODY}/test`],
      ['GET', `/channels/${NOBODY}`],
      ['DELETE', `/channels/${NOBODY}`],
      ['PUT', `/channels/${NOBODY}/token`, { access_token: 'x' }],
      ['POST', `/channels/${NOBODY}/check`],
      ['POST', `/channels/${NOBODY}/templates/sync`],
      ['GET', `/operations/${NOBODY}`],
      ['POST', `/conversations/${NOBODY}/resolve`],
      ['POST', `/conversations/${NOBODY}/reopen`],
      ['POST', `/conversations/${NOBODY}/read`],
      ['GET', `/contacts/${NOBODY}`],
      ['POST', `/contacts/${NOBODY}/erase`],
      ['GET', `/deliveries/${NOBODY}`],
      ['POST', `/deliveries/${NOBODY}/redeliver`],
      ['GET', `/intake/parked/${NOBODY}`],
    ];
    const mark = await server.mark();
    for (const [method, path, body] of asked) {
      const answer = await server.call(method, path, body);
      expect([`${method} ${path}`, answer.status, answer.code]).to.deep.equal([
        `${method} ${path}`,
        404,
        'not_found',
      ]);
    }
    // That somebody wanted to redeliver what is not there is on record.
    expect(await typesSince(mark)).to.deep.equal(['UpkeepRequested']);
  });

  it('shows the webhook secret when it is made and when it is rotated, and never again', async () => {
    const made = await server.call('POST', `/companies/${company}/integrations`, { name: 'Site' });
    const uuid = made.data['uuid'] as string;
    expect(made.data['webhook_secret']).to.match(/^whsec_/);
    const rotated = await server.call('POST', `/integrations/${uuid}/webhook-secret/rotate`, {
      grace_seconds: 60,
    });
    expect(rotated.status).to.equal(200);
    expect(rotated.data['webhook_secret']).to.not.equal(made.data['webhook_secret']);
    const read = await server.call('GET', `/integrations/${uuid}`);
    expect(read.data['previous_secret_expires_at']).to.equal(rotated.data['previous_expires_at']);
    expect(JSON.stringify(read.body)).to.not.include('whsec_').and.to.not.include('v1.');
  });

  it('issues, lists and revokes API keys', async () => {
    const made = await server.call('POST', `/integrations/${integration}/keys`, {
      label: 'site',
      scopes: ['messages:send'],
    });
    expect(made.status).to.equal(201);
    const id = made.data['key_id'] as string;
    const key = made.data['api_key'] as string;
    expect(key.startsWith(made.data['prefix'] as string)).to.equal(true);
    const listed = await server.call('GET', `/integrations/${integration}/keys`);
    expect(listed.list[0]).to.deep.include({ key_id: id, revoked_at: null, last_used_at: null });
    expect(JSON.stringify(listed.body)).to.not.include(key.split('_').pop());
    const mark = await server.mark();
    expect((await server.call('DELETE', `/integrations/${integration}/keys/${id}`)).status).to.equal(204);
    expect(await typesSince(mark)).to.deep.equal(['ApiKeyRevoked']);
    const after = await server.call('GET', `/integrations/${integration}/keys`);
    expect(after.list[0]!['revoked_at']).to.be.a('string');
  });

  it('manages webhook endpoints', async () => {
    const path = `/integrations/${integration}/webhooks`;
    const made = await server.call('POST', path, { url: 'https://example.com/a' });
    expect(made.status).to.equal(201);
    expect(made.data).to.deep.include({ event_types: null, enabled: true, integration_uuid: integration });
    const uuid = made.data['uuid'] as string;
    const changed = await server.call('PATCH', `/webhooks/${uuid}`, {
      event_types: ['message.received'],
      enabled: false,
    });
    expect(changed.data).to.deep.include({ url: 'https://example.com/a', enabled: false });
    expect((await server.call('POST', `/webhooks/${uuid}/test`)).code).to.equal('webhook_disabled');
    await server.call('PATCH', `/webhooks/${uuid}`, { enabled: true });
    const mark = await server.mark();
    const tested = await server.call('POST', `/webhooks/${uuid}/test`);
    expect(tested.status).to.equal(202);
    expect(await typesSince(mark)).to.deep.equal(['WebhookTestRequested']);
    expect((await server.call('GET', path)).list.map((each) => each['uuid'])).to.deep.equal([uuid]);
    expect((await server.call('DELETE', `/webhooks/${uuid}`)).status).to.equal(204);
    expect((await server.call('GET', path)).list).to.deep.equal([]);
    const refused = await server.call('POST', path, { url: 'http://192.168.0.10/hook' });
    expect([refused.status, refused.code]).to.deep.equal([422, 'validation_failed']);
  });

  it('connects a channel, syncs its templates, replaces its token, and lets it go', async () => {
    const path = `/companies/${company}/channels`;
    const made = await server.call('POST', path, CHANNEL);
    expect(made.status).to.equal(201);
    expect(made.data).to.deep.include({ status: 'connected', quality: 'GREEN', company_uuid: company });
    const uuid = made.data['uuid'] as string;
    const synced = await server.call('POST', `/channels/${uuid}/templates/sync`);
    expect(synced.data).to.deep.include({ imported: server.sandbox.templates.length, removed: 0 });
    const templates = await server.call('GET', `/companies/${company}/templates?status=PAUSED`);
    expect(templates.list.map(({ name }) => name)).to.deep.equal(['flash_sale']);
    expect((await server.call('POST', `/channels/${uuid}/check`)).status).to.equal(200);
    const bad = await server.call('PUT', `/channels/${uuid}/token`, { access_token: 'EXPIRED-secret' });
    expect([bad.status, bad.code]).to.deep.equal([422, 'provider_rejected']);
    expect(JSON.stringify(bad.body)).to.not.include('EXPIRED-secret');
    const noToken = await server.call('PUT', `/channels/${uuid}/token`, { access_token: 'a\nb' });
    expect([noToken.status, noToken.code]).to.deep.equal([422, 'validation_failed']);
    expect((await server.call('PUT', `/channels/${uuid}/token`, { access_token: 'new' })).status).to.equal(
      200,
    );
    const other = await newCompany(server, 'Rival');
    const taken = await server.call('POST', `/companies/${other}/channels`, CHANNEL);
    expect([taken.status, taken.code]).to.deep.equal([409, 'channel_already_connected']);
    expect((await server.call('DELETE', `/channels/${uuid}`)).status).to.equal(204);
    expect((await server.call('GET', `/channels/${uuid}`)).data['status']).to.equal('disconnected');
    expect((await server.call('POST', `/channels/${uuid}/check`)).code).to.equal('channel_not_connected');
    expect(JSON.stringify((await server.call('GET', path)).body)).to.not.match(/token/);
  });
});
