/** Sign-in to the console by a link, the session's cookie, and what a browser is refused. */
import { expect } from 'chai';
import { IDLE_MS, SESSION_MS } from '../../../application/console/sessions.js';
import { LINK_MS } from '../../../application/console/sign-in-links.js';
import { opened } from '../../support/opened.js';
import { browser, PAGE, type Headers } from './people.js';
import { openAdmin } from './server.js';

describe('admin: sign-in to the console', () => {
  let now = Date.parse('2026-11-24T12:00:00.000Z');
  const server = opened(() =>
    openAdmin({ over: (app) => ({ ...app, clock: { ...app.clock, now: () => now } }) }),
  );

  const link = async (): Promise<string> =>
    (await server.call('POST', '/session/links')).data['token'] as string;
  const signIn = (token: string, headers = PAGE) =>
    browser(server, 'POST', '/session', headers, { link_token: token });
  const signedIn = async (): Promise<Headers> => {
    const { status, cookies } = await signIn(await link());
    expect(status).to.equal(201);
    return { ...PAGE, cookie: cookies[0]!.split(';')[0]! };
  };
  const reads = (headers: Headers) => browser(server, 'GET', '/companies', headers);

  it('exchanges a link for a cookie that scripts and other sites do not get', async () => {
    const made = await server.call('POST', '/session/links');
    expect(made.data['expires_at']).to.equal(new Date(now + LINK_MS).toISOString());
    const { status, data, cookies } = await signIn(made.data['token'] as string);
    expect([status, data['actor']]).to.deep.equal([201, 'admin']);
    expect(cookies).to.have.length(1);
    expect(cookies[0]).to.match(
      /^recado_session=[^;]{80}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    const elsewhere = await signIn(await link(), { ...PAGE, host: 'console.example' });
    expect(elsewhere.cookies[0], 'beyond this machine').to.include('; Secure');
  });

  it('signs in once by a link, also when two try at once, and not after ten minutes', async () => {
    const token = await link();
    const both = await Promise.all([signIn(token), signIn(token)]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([201, 422]);
    const again = await signIn(token);
    expect([again.status, again.code, again.cookies]).to.deep.equal([422, 'sign_in_link_invalid', []]);
    const late = await link();
    now += LINK_MS;
    expect((await signIn(late)).code).to.equal('sign_in_link_invalid');
    for (const wrong of ['x', `${late.slice(0, -1)}!`, late.replace(/\..*/, `.${'A'.repeat(43)}`)]) {
      expect((await signIn(wrong)).code, wrong).to.equal('sign_in_link_invalid');
    }
  });

  it('does what the admin token may do, and shows whose session it is', async () => {
    const session = await signedIn();
    expect((await reads(session)).status).to.equal(200);
    const mark = await server.mark();
    const made = await browser(server, 'POST', '/companies', session, { name: 'Loja' });
    expect(made.status).to.equal(201);
    const [registered] = await server.recordsSince(mark);
    expect(registered!.meta.actor).to.equal('admin');
    const own = await browser(server, 'GET', '/session', session);
    expect(own.data['uuid']).to.be.a('string');
    const all = await server.call('GET', '/sessions');
    expect(all.list.map(({ uuid }) => uuid)).to.include(own.data['uuid']);
    expect((await server.call('GET', '/session')).data).to.deep.equal({
      uuid: null,
      actor: 'admin',
      role: 'operator',
      company_uuid: null,
      api_url: 'https://recado.example/api/v1',
      live_after: await server.app.store.head(),
    });
  });

  it('refuses pages of other sites, other names of this address, and a call without the header', async () => {
    const session = await signedIn();
    const { 'x-recado-console': _header, ...without } = session;
    for (const [method, headers, code] of [
      ['POST', without, 'cross_site_request'],
      ['POST', { ...session, 'sec-fetch-site': 'cross-site' }, 'cross_site_request'],
      ['POST', { ...session, 'sec-fetch-site': 'same-site' }, 'cross_site_request'],
      ['GET', { ...session, 'sec-fetch-site': 'cross-site' }, 'cross_site_request'],
      ['GET', { ...session, host: 'evil.example' }, 'host_not_allowed'],
      ['GET', { ...session, host: '127.0.0.1.evil.example:80' }, 'host_not_allowed'],
    ] as const) {
      const body = method === 'POST' ? { name: 'Loja' } : undefined;
      const refused = await browser(server, method, '/companies', headers, body);
      expect([refused.status, refused.code], JSON.stringify(headers)).to.deep.equal([403, code]);
    }
    const token = await link();
    expect((await signIn(token, {})).code).to.equal('cross_site_request');
    expect((await signIn(token, { ...PAGE, host: 'evil.example' })).code).to.equal('host_not_allowed');
    expect((await signIn(token)).status, 'the link was not used up').to.equal(201);
  });

  it('ends: signed out, ended by somebody else, after twelve idle hours, after seven days', async () => {
    const refused = async (session: Headers) => (await reads(session)).code;
    const out = await signedIn();
    const left = await browser(server, 'DELETE', '/session', out);
    expect([left.status, left.cookies[0]]).to.deep.equal([
      204,
      'recado_session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict',
    ]);
    expect(await refused(out)).to.equal('unauthenticated');

    const ended = await signedIn();
    const { data } = await browser(server, 'GET', '/session', ended);
    expect((await server.call('DELETE', `/sessions/${String(data['uuid'])}`)).status).to.equal(204);
    expect(await refused(ended)).to.equal('unauthenticated');

    const idle = await signedIn();
    const busy = await signedIn();
    const end = now + SESSION_MS;
    now += IDLE_MS - 1;
    expect((await reads(busy)).status).to.equal(200);
    now += 1;
    expect(await refused(idle)).to.equal('unauthenticated');
    for (; now < end; now += IDLE_MS / 2) expect((await reads(busy)).status).to.equal(200);
    expect(await refused(busy)).to.equal('unauthenticated');
    expect(await refused({ ...PAGE, cookie: 'recado_session=x' })).to.equal('unauthenticated');
  });

  it('stores nothing that signs in, and forgets what has ended', async () => {
    const token = await link();
    const { readModels } = server.app;
    const texts = async (): Promise<string> =>
      JSON.stringify([
        await readModels.scan('sign_in_links', { after: null, limit: 100, order: 'asc' }),
        await readModels.scan('console_sessions', { after: null, limit: 100, order: 'asc' }),
      ]);
    const session = await signedIn();
    for (const secret of [token, session['cookie']!].map((text) => text.split('.')[1]!)) {
      expect(await texts()).not.to.include(secret);
    }
    now += SESSION_MS;
    await link();
    expect(
      await readModels.scan('console_sessions', { after: null, limit: 100, order: 'asc' }),
    ).to.deep.equal([]);
    expect(
      (await readModels.scan('sign_in_links', { after: null, limit: 100, order: 'asc' })).length,
    ).to.equal(1);
  });

  describe('that is switched off', () => {
    const off = opened(() => openAdmin({ console: 'off' }));

    it('refuses links and cookies', async () => {
      const refused = await off.call('POST', '/session/links');
      expect([refused.status, refused.code]).to.deep.equal([404, 'console_off']);
      const without = await browser(off, 'POST', '/session', PAGE, { link_token: 'x' });
      expect(without.code).to.equal('unauthenticated');
      expect(
        (await browser(off, 'GET', '/companies', { ...PAGE, cookie: 'recado_session=x' })).code,
      ).to.equal('unauthenticated');
    });
  });
});
