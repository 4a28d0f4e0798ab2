import { expect } from 'chai';
import { ask } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectRefused } from '../support/api/refused.js';
import { issueKey, makeWorld } from '../support/api/world.js';
import { opened } from '../support/opened.js';

const TEXT = { recipient: { phone: '+5511987654321' }, type: 'text', content: { text: 'Olá' } };

describe('quotas', () => {
  const api = opened(() => makeApi({ limits: { reads: 5, sends: 2 } }));
  const world = opened(() => makeWorld(api.app));

  it('count down, refuse with Retry-After, and are separate for reads, sends and keys', async () => {
    const key = world.key;
    for (const left of [4, 3, 2, 1, 0]) {
      const { status, headers } = await ask(api, 'GET', '/channels', { key });
      expect(status).to.equal(200);
      expect(headers['ratelimit']).to.match(new RegExp(`^"reads";r=${left};t=\\d+$`));
      expect(headers['ratelimit-policy']).to.equal('"reads";q=5;w=60');
    }
    const refused = await expectRefused(api, ['GET', '/templates', { key }], 429, 'rate_limited');
    const wait = Number(refused.headers['retry-after']);
    // Five per minute: the next request passes after 12 seconds.
    expect(wait).to.be.within(1, 12);
    expect(refused.body.error?.details['retry_after_seconds']).to.equal(wait);
    expect(refused.headers['ratelimit']).to.match(/^"reads";r=0;t=\d+$/);

    const send = (n: number) =>
      ['POST', '/messages', { key, json: TEXT, headers: { 'idempotency-key': `q-${n}` } }] as const;
    expect((await ask(api, ...send(1))).status).to.equal(202);
    const second = await ask(api, ...send(2));
    expect(second.status).to.equal(202);
    expect(second.headers['ratelimit']).to.match(/^"sends";r=0;t=\d+$/);
    await expectRefused(api, send(3), 429, 'rate_limited');

    const another = await issueKey(api.app, world.integration, ['channels:read']);
    expect((await ask(api, 'GET', '/channels', { key: another.apiKey })).status).to.equal(200);
  });

  it('are not spent by requests without the scope, and not told to those without a key', async () => {
    const { apiKey } = await issueKey(api.app, world.integration, ['channels:read']);
    for (let i = 0; i < 10; i += 1) {
      await expectRefused(api, ['GET', '/templates', { key: apiKey }], 403, 'insufficient_scope');
    }
    expect((await ask(api, 'GET', '/channels', { key: apiKey })).headers['ratelimit']).to.match(
      /^"reads";r=4;/,
    );
    const anonymous = await expectRefused(api, ['GET', '/channels'], 401, 'unauthenticated');
    expect(anonymous.headers).to.not.have.property('ratelimit');
  });

  it('are silent when switched off', async () => {
    const open = await makeApi();
    try {
      const { key } = await makeWorld(open.app);
      const { headers } = await ask(open, 'GET', '/channels', { key });
      expect(headers).to.not.have.any.keys('ratelimit', 'ratelimit-policy');
    } finally {
      await open.close();
    }
  });
});
