import { expect } from 'chai';
import { revokeApiKey } from '../../application/provisioning/api-keys.js';
import { SCOPES } from '../../application/provisioning/vocabulary.js';
import { changeStorePlan } from '../../application/store/settings.js';
import { loadContract, operationsOf } from '../../api/contract.js';
import { ask } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectRefused } from '../support/api/refused.js';
import { issueKey, makeWorld } from '../support/api/world.js';
import { opened } from '../support/opened.js';
import { keyUsage } from '../../read-models/key-usage.js';

const concrete = (path: string): string =>
  path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');

describe('authentication and scopes (spec §5)', () => {
  const api = opened(makeApi);
  const world = opened(() => makeWorld(api.app));
  before(async () => {
    await changeStorePlan(api.app, { companyUuid: world.company, allowed: true }, { actor: 'admin' });
  });

  it('answers the same 401 to every credential that does not hold', async () => {
    const flipped = world.key.slice(0, -1) + (world.key.endsWith('0') ? '1' : '0');
    const credentials: Record<string, string | undefined> = {
      missing: undefined,
      empty: '',
      'no scheme': world.key,
      'other scheme': `Basic ${world.key}`,
      'no secret': `Bearer recado_api_${world.keyId}`,
      'empty secret': `Bearer recado_api_${world.keyId}_`,
      'unknown id': `Bearer recado_api_${'0'.repeat(16)}_${'a'.repeat(64)}`,
      'wrong secret': `Bearer ${flipped}`,
      'two tokens': `Bearer ${world.key} ${world.key}`,
      'foreign prefix': `Bearer ${world.key.replace('recado', 'other')}`,
    };
    const answers = [];
    for (const authorization of Object.values(credentials)) {
      const headers = authorization === undefined ? {} : { authorization };
      const { body, headers: got } = await expectRefused(
        api,
        ['GET', '/channels', { headers }],
        401,
        'unauthenticated',
      );
      expect(got['www-authenticate']).to.match(/^Bearer/);
      answers.push({ ...body.error, request_id: '' });
    }
    for (const answer of answers) expect(answer).to.deep.equal(answers[0]);
  });

  it('takes the scheme in any case', async () => {
    const { status } = await ask(api, 'GET', '/channels', {
      headers: { authorization: `bearer ${world.key}` },
    });
    expect(status).to.equal(200);
  });

  it('says 401 before it says anything about path, method, body or parameters', async () => {
    await expectRefused(api, ['GET', '/no/such/path'], 401, 'unauthenticated');
    await expectRefused(api, ['DELETE', '/messages'], 401, 'unauthenticated');
    await expectRefused(api, ['POST', '/messages', { raw: '{' }], 401, 'unauthenticated');
    await expectRefused(api, ['GET', '/contacts/none'], 401, 'unauthenticated');
  });

  it('refuses a revoked key from the next request on', async () => {
    const { keyId, apiKey } = await issueKey(api.app, world.integration, ['channels:read']);
    expect((await ask(api, 'GET', '/channels', { key: apiKey })).status).to.equal(200);
    await revokeApiKey(api.app, { integrationUuid: world.integration, keyId }, { actor: 'admin' });
    await expectRefused(api, ['GET', '/channels', { key: apiKey }], 401, 'unauthenticated');
  });

  for (const operation of operationsOf(loadContract().document)) {
    const { method, path, requiredScope } = operation;
    it(`${method} ${path} needs ${requiredScope}, and says so before it looks at the request`, async () => {
      const others = SCOPES.filter((scope) => scope !== requiredScope);
      const { apiKey } = await issueKey(api.app, world.integration, others);
      const json = method === 'GET' ? undefined : { surely: 'wrong' };
      const { body } = await expectRefused(
        api,
        [method, concrete(path), { key: apiKey, json }],
        403,
        'insufficient_scope',
      );
      expect(body.error?.details['required_scope']).to.equal(requiredScope);
      const right = await issueKey(api.app, world.integration, [requiredScope]);
      const passed = await ask(api, method, concrete(path), { key: right.apiKey, json });
      expect(passed.status, passed.text).to.not.be.oneOf([401, 403, 500]);
    });
  }

  it('notes when a key was last used, and not on every request', async () => {
    const { keyId, apiKey } = await issueKey(api.app, world.integration, ['channels:read']);
    const usage = async () => (await api.app.readModels.get(keyUsage.name, keyId))?.doc;
    expect(await usage()).to.equal(undefined);
    const earliest = new Date().toISOString();
    await ask(api, 'GET', '/channels', { key: apiKey });
    // The usage record goes through the same queue as every write. When this empty write resolves, it has been written.
    await api.app.readModels.write(keyUsage.name, []);
    const first = await usage();
    expect(first?.last_used_at).to.be.a('string');
    expect(first!.last_used_at >= earliest).to.equal(true);
    await ask(api, 'GET', '/channels', { key: apiKey });
    await api.app.readModels.write(keyUsage.name, []);
    expect(await usage()).to.deep.equal(first);
  });

  it('writes no secret to the log', () => {
    const log = JSON.stringify(api.log);
    expect(log).to.contain(world.keyId);
    expect(log).to.not.contain(world.key);
    expect(log).to.not.contain(world.key.split('_').at(-1));
  });
});
