/** People who sign in at an identity provider: a stand-in of our own, over real sockets. */
import { expect } from 'chai';
import { PROOF_MS } from '../../../api/admin/access.js';
import { createOidcProvider } from '../../../adapters/oidc/provider.js';
import { OIDC_FROM_NETWORK } from '../../../application/console/oidc.js';
import { ATTEMPT_MS } from '../../../application/console/oidc-attempts.js';
import { messageOf } from '../../../ports/thrown.js';
import { opened } from '../../support/opened.js';
import { CLIENT, openIdProvider, type Faults, type OpenIdProvider } from '../../support/openid-provider.js';
import {
  browser,
  invite,
  PAGE,
  pageOf,
  PASSWORD,
  signedIn,
  type BrowserReply,
  type Headers,
} from './people.js';
import { CONSOLE_URL, newCompany, openAdmin } from './server.js';

describe('admin: sign-in at an identity provider', function () {
  this.timeout(60_000);
  let now = Date.parse('2026-11-24T12:00:00.000Z');
  let monotonic = 0;
  const logged: string[] = [];
  let provider: OpenIdProvider;
  before(async () => {
    provider = await openIdProvider([], () => now);
  });
  after(() => provider.close());
  const log = (fields: object, message: string): void => void logged.push(message + JSON.stringify(fields));
  const server = opened(() =>
    openAdmin({
      over: (app) => ({
        ...app,
        clock: { ...app.clock, now: () => now, monotonic: () => monotonic },
        logger: { debug: log, info: log, warn: log, error: log },
      }),
      oidc: (app) =>
        createOidcProvider(
          { issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, name: 'Loja ID' },
          app.clock,
          2,
        ),
    }),
  );
  let company: string;
  before(async () => {
    company = await newCompany(server);
  });
  beforeEach(() => {
    // Each test is slowed for its own attempts only; the provider is asked anew what it is.
    monotonic += 3_600_000;
    now += 1_000;
    for (const name of Object.keys(provider.faults) as (keyof Faults)[]) delete provider.faults[name];
  });

  /** A sign-in that a browser began: where it goes, and what it keeps. */
  interface Begun {
    readonly url: string;
    readonly page: Headers;
  }
  function begunBy(reply: BrowserReply, page: Headers = PAGE): Begun {
    expect([reply.status, reply.code]).to.deep.equal([201, undefined]);
    const attempt = reply.cookies[0]!.split(';')[0]!;
    const cookie = [page['cookie'], attempt].filter((one) => one !== undefined).join('; ');
    return { url: String(reply.data['url']), page: { ...page, cookie } };
  }
  const begin = (body: object = {}, page: Headers = PAGE) =>
    browser(server, 'POST', '/session/oidc', page, body);
  const answer = (back: URL, page: Headers) =>
    browser(server, 'POST', '/session/oidc/answer', page, { answer: back.search.slice(1) });
  /** The whole way of a browser. */
  async function through(reply: BrowserReply, subject: string, page: Headers = PAGE): Promise<BrowserReply> {
    const begun = begunBy(reply, page);
    return answer(await provider.choose(begun.url, subject), begun.page);
  }
  const signIn = async (subject: string) => through(await begin(), subject);

  let people = 0;
  /** Somebody who accepted the invitation at the provider. */
  async function linked(role = 'agent') {
    people += 1;
    const subject = `subject-${people}`;
    const invited = await invite(server, company, role);
    const page = pageOf(await through(await begin({ invitation: invited.token }), subject));
    return { ...invited, subject, page };
  }
  const own = (page: Headers) => browser(server, 'GET', '/session/account', page);
  const reads = (page: Headers) => browser(server, 'GET', `/companies/${company}`, page);
  const refusal = ({ status, code, cookies }: BrowserReply) => [status, code, cookies.length];

  it('sends the browser away with state, nonce and PKCE, to come back to an address that no caller chose', async () => {
    const reply = await begin();
    expect(reply.cookies[0]).to.match(
      /^recado_oidc=v1\.[\w-]+; Path=\/admin\/v1\/session\/oidc; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(reply.cookies[0]!.length).to.be.lessThan(1_500);
    expect(reply.data['expires_at']).to.equal(new Date(now + ATTEMPT_MS).toISOString());
    const url = new URL(String(reply.data['url']));
    expect(url.origin + url.pathname).to.equal(`${provider.issuer}/authorize`);
    const asked = Object.fromEntries(url.searchParams);
    expect(asked).to.include({
      client_id: CLIENT.id,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: `${CONSOLE_URL}/console/signed-in`,
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(asked[name], name).to.match(/^[\w-]{43}$/);
    const again = new URL(begunBy(await begin()).url);
    expect(again.searchParams.get('state')).not.to.equal(asked['state']);
    // Other names of this server are no address that the provider knows.
    const elsewhere = await begin({}, { ...PAGE, host: 'console.example' });
    expect([elsewhere.status, elsewhere.code]).to.deep.equal([403, 'host_not_allowed']);
    expect(elsewhere.message).to.include(`${CONSOLE_URL}/console`);
  });

  it('lets an invited person in, once, and signs in from then on as what the history says', async () => {
    const invited = await invite(server, company, 'agent');
    const token = { invitation: invited.token };
    expect(refusal(await signIn('ana')), 'not known before').to.deep.equal([422, 'oidc_subject_unknown', 0]);
    const reply = await through(await begin(token), 'ana');
    expect(reply.data['purpose']).to.equal('invitation');
    expect(reply.data['session']).to.include({
      actor: `user:${invited.member}`,
      role: 'agent',
      company_uuid: company,
      signed_in_by: 'oidc',
    });
    const page = pageOf(reply);
    expect((await begin(token)).code).to.equal('invitation_invalid');
    const { data } = await own(page);
    expect(data).to.include({ email: invited.email, password_at: null, totp: false });
    expect(data['oidc_at']).to.equal(new Date(now).toISOString());

    const again = pageOf(await signIn('ana'));
    expect(again['cookie'], 'a session of its own').not.to.equal(page['cookie']);
    const session = await browser(server, 'GET', '/session', again);
    expect(session.data).to.include({ member_uuid: invited.member, role: 'agent', signed_in_by: 'oidc' });
    await server.call('PATCH', `/companies/${company}/team/${invited.member}/access`, { role: 'viewer' });
    expect((await browser(server, 'GET', '/session', again)).data['role']).to.equal('viewer');
  });

  it('lets nobody in by an e-mail: the subject alone counts, and of this issuer', async () => {
    const ana = await signedIn(server, company, 'agent');
    provider.faults.claims = { email: ana.email, email_verified: true };
    expect(refusal(await signIn('somebody'))).to.deep.equal([422, 'oidc_subject_unknown', 0]);
    expect(refusal(await signIn(ana.email))).to.deep.equal([422, 'oidc_subject_unknown', 0]);
  });

  it('takes an answer in the browser that began, once, within ten minutes, with its own state', async () => {
    const ana = await linked();
    // So what it does not check, we do.
    provider.faults.careless = true;
    const invalid = [422, 'oidc_answer_invalid', 0];
    const mine = begunBy(await begin());
    const other = begunBy(await begin());
    const back = await provider.choose(mine.url, ana.subject);
    expect(refusal(await answer(back, PAGE)), 'no cookie').to.deep.equal(invalid);
    expect(refusal(await answer(back, other.page)), 'another browser').to.deep.equal(invalid);
    expect(refusal(await answer(back, { ...PAGE, cookie: 'recado_oidc=v1.AAAA' }))).to.deep.equal(invalid);
    const altered = new URL(back);
    altered.searchParams.set('state', 'x'.repeat(43));
    expect(refusal(await answer(altered, mine.page)), 'another state').to.deep.equal(invalid);
    const foreign = { ...mine.page, 'sec-fetch-site': 'cross-site' };
    expect((await answer(back, foreign)).code).to.equal('cross_site_request');

    const both = await Promise.all([answer(back, mine.page), answer(back, mine.page)]);
    expect(both.map(({ status }) => status).sort(), 'one of two at once').to.deep.equal([201, 422]);
    expect(refusal(await answer(back, mine.page)), 'again').to.deep.equal(invalid);
    // A code of somebody else, put into the answer of one's own sign-in.
    const theirs = begunBy(await begin());
    const code = (await provider.choose(theirs.url, ana.subject)).searchParams.get('code')!;
    const swapped = begunBy(await begin());
    const injected = await provider.choose(swapped.url, 'mallory');
    injected.searchParams.set('code', code);
    expect(refusal(await answer(injected, swapped.page)), 'an injected code').to.deep.equal(invalid);

    const late = begunBy(await begin());
    const lateBack = await provider.choose(late.url, ana.subject);
    now += ATTEMPT_MS;
    expect(refusal(await answer(lateBack, late.page)), 'too late').to.deep.equal(invalid);
  });

  it('takes a token of this provider, for us, of this sign-in and of now only', async () => {
    const ana = await linked();
    const past = Math.floor(now / 1000) - 3_600;
    for (const [what, faults] of [
      ['nonce', { claims: { nonce: 'another' } }],
      ['no nonce', { claims: { nonce: undefined } }],
      ['audience', { claims: { aud: 'another client' } }],
      ['issuer', { claims: { iss: 'https://another.example' } }],
      ['expired', { claims: { exp: past, iat: past - 60 } }],
      ['no subject', { claims: { sub: undefined } }],
      ['signature', { forged: true }],
    ] as const) {
      Object.assign(provider.faults, { claims: {}, forged: false }, faults);
      expect(refusal(await signIn(ana.subject)), what).to.deep.equal([422, 'oidc_answer_invalid', 0]);
    }
    Object.assign(provider.faults, { claims: {}, forged: false });
    // Of another provider (mix-up).
    const begun = begunBy(await begin());
    const back = await provider.choose(begun.url, ana.subject);
    back.searchParams.set('iss', 'https://another.example');
    expect((await answer(back, begun.page)).code).to.equal('oidc_answer_invalid');
    // A clock that is half a minute off is no fault.
    const seconds = Math.floor(now / 1000);
    provider.faults.claims = { iat: seconds + 30, nbf: seconds + 30, exp: seconds - 30 };
    expect((await signIn(ana.subject)).status).to.equal(201);
  });

  it('signs in after the provider changed its keys', async () => {
    const ana = await linked();
    expect((await signIn(ana.subject)).status).to.equal(201);
    provider.rotate();
    expect((await signIn(ana.subject)).status).to.equal(201);
  });

  it('says that the provider refused, is down, or is slow, in words of its own', async () => {
    provider.faults.error = 'access_denied';
    const denied = await signIn('ana');
    expect(refusal(denied)).to.deep.equal([422, 'oidc_refused', 0]);
    expect(denied.details).to.deep.equal({ reason: 'access_denied' });
    provider.faults.error = '<script>';
    expect((await signIn('ana')).details).to.deep.equal({ reason: 'other' });
    delete provider.faults.error;

    const begun = begunBy(await begin());
    const back = await provider.choose(begun.url, 'ana');
    provider.faults.hangs = true;
    const slow = await answer(back, begun.page);
    expect(refusal(slow)).to.deep.equal([503, 'oidc_unreachable', 0]);
    expect(slow.message).to.include('Loja ID');
    provider.faults.down = true;
    monotonic += 3_600_000;
    expect(refusal(await begin())).to.deep.equal([503, 'oidc_unreachable', 0]);
    provider.faults.down = false;
    expect((await begin()).status, 'again, at once').to.equal(201);
  });

  it('is over with the access: revoked and removed people do not come in, and nothing of them is kept', async () => {
    const ana = await linked();
    const bia = await linked();
    const team = `/companies/${company}/team`;
    const begun = begunBy(await begin());
    const back = await provider.choose(begun.url, ana.subject);
    expect((await server.call('DELETE', `${team}/${ana.member}/access`)).status).to.equal(204);
    expect((await reads(ana.page)).code).to.equal('unauthenticated');
    expect(refusal(await answer(back, begun.page)), 'already on the way').to.deep.equal([
      422,
      'oidc_subject_unknown',
      0,
    ]);
    expect((await server.call('DELETE', `${team}/${bia.member}`)).status).to.equal(204);
    expect((await signIn(bia.subject)).code).to.equal('oidc_subject_unknown');
    const kept = await server.app.readModels.scan('oidc_subjects', {
      after: null,
      limit: 1000,
      order: 'asc',
    });
    expect(JSON.stringify(kept)).not.to.include(ana.member).and.not.to.include(bia.member);
  });

  it('is connected and disconnected by the person, with the password, and belongs to one person', async () => {
    const ana = await signedIn(server, company, 'agent');
    const at = '/session/account/oidc';
    const connect = async (subject: string, page = ana.page) =>
      through(await browser(server, 'POST', at, page), subject, page);
    const done = await connect('ana-at-work');
    expect([done.status, done.data['purpose'], done.cookies.length]).to.deep.equal([201, 'link', 0]);
    expect((await signIn('ana-at-work')).status).to.equal(201);

    const bia = await signedIn(server, company, 'agent');
    const taken = await connect('ana-at-work', bia.page);
    expect([taken.status, taken.code]).to.deep.equal([409, 'oidc_subject_taken']);
    now += 1_000;
    expect((await connect('ana-at-home')).status, 'takes the place of the other').to.equal(201);
    expect((await signIn('ana-at-work')).code).to.equal('oidc_subject_unknown');

    now += PROOF_MS;
    expect((await browser(server, 'POST', at, ana.page)).code).to.equal('password_needed');
    expect((await browser(server, 'DELETE', at, ana.page)).code).to.equal('password_needed');
    await browser(server, 'POST', '/session/confirmation', ana.page, { password: PASSWORD });
    expect((await browser(server, 'DELETE', at, ana.page)).status).to.equal(204);
    expect((await signIn('ana-at-home')).code).to.equal('oidc_subject_unknown');
    expect((await own(ana.page)).data['oidc_at']).to.equal(null);

    const carla = await linked();
    const refused = await browser(server, 'DELETE', at, carla.page);
    expect([refused.status, refused.code]).to.deep.equal([409, 'oidc_only_way']);
  });

  it('connects nothing for a session that has ended meanwhile', async () => {
    const ana = await signedIn(server, company, 'agent');
    const begun = begunBy(await browser(server, 'POST', '/session/account/oidc', ana.page), ana.page);
    const back = await provider.choose(begun.url, 'ana-later');
    await browser(server, 'DELETE', '/session', ana.page);
    expect((await answer(back, begun.page)).code).to.equal('oidc_answer_invalid');
    expect((await signIn('ana-later')).code).to.equal('oidc_subject_unknown');
  });

  it('ends what signed a person in before, when an invitation is accepted either way', async () => {
    const ana = await signedIn(server, company, 'agent');
    const access = `/companies/${company}/team/${ana.member}/access`;
    const renewed = async () =>
      String((await server.call('POST', access, { role: 'agent', email: ana.email })).data['token']);
    const byPassword = () =>
      browser(server, 'POST', '/session/password', PAGE, { email: ana.email, password: PASSWORD });
    pageOf(await through(await begin({ invitation: await renewed() }), 'ana-renewed'));
    expect((await reads(ana.page)).code, 'sessions of before').to.equal('unauthenticated');
    expect((await byPassword()).code).to.equal('sign_in_failed');
    expect((await signIn('ana-renewed')).status).to.equal(201);
    now += 1_000;
    const token = await renewed();
    pageOf(await browser(server, 'POST', '/session/invitation', PAGE, { token, password: PASSWORD }));
    expect((await signIn('ana-renewed')).code).to.equal('oidc_subject_unknown');
    expect((await byPassword()).status).to.equal(201);
  });

  it('accepts no invitation that was replaced while the person was at the provider', async () => {
    const invited = await invite(server, company, 'agent');
    const begun = begunBy(await begin({ invitation: invited.token }));
    const back = await provider.choose(begun.url, 'dora');
    const access = `/companies/${company}/team/${invited.member}/access`;
    await server.call('POST', access, { role: 'agent', email: invited.email });
    expect(refusal(await answer(back, begun.page))).to.deep.equal([422, 'invitation_invalid', 0]);
    expect((await signIn('dora')).code).to.equal('oidc_subject_unknown');
  });

  it('asks the provider again where others are asked for the password, and believes only a new proof', async () => {
    const ana = await linked('owner');
    const make = () =>
      browser(server, 'POST', `/companies/${company}/integrations`, ana.page, { name: 'ERP' });
    const confirm = async (subject: string) =>
      through(await browser(server, 'POST', '/session/confirmation/oidc', ana.page), subject, ana.page);
    expect((await make()).status, 'signed in just now').to.equal(201);
    now += PROOF_MS;
    expect((await make()).code).to.equal('password_needed');
    provider.faults.claims = { auth_time: Math.floor((now - PROOF_MS) / 1000) };
    expect((await confirm(ana.subject)).code, 'an old session there').to.equal('oidc_not_shown');
    provider.faults.claims = { auth_time: undefined };
    expect((await confirm(ana.subject)).code, 'it does not say').to.equal('oidc_not_shown');
    provider.faults.claims = {};
    expect((await confirm('another account')).code).to.equal('oidc_subject_unknown');
    expect((await make()).code).to.equal('password_needed');
    const done = await confirm(ana.subject);
    expect([done.status, done.data['purpose'], done.cookies.length]).to.deep.equal([201, 'confirm', 0]);
    expect(provider.asked().get('prompt')).to.equal('login');
    expect(provider.asked().get('max_age')).to.equal('0');
    expect((await make()).status).to.equal(201);
  });

  it('counts an old session at the provider as signed in, and not as a proof of now', async () => {
    const ana = await linked('owner');
    provider.faults.claims = { auth_time: Math.floor((now - PROOF_MS) / 1000) };
    const page = pageOf(await signIn(ana.subject));
    expect((await reads(page)).status).to.equal(200);
    const made = await browser(server, 'POST', `/companies/${company}/integrations`, page, { name: 'ERP' });
    expect(made.code).to.equal('password_needed');
  });

  it('is slowed by network, apart from those who guess passwords', async () => {
    const codes: unknown[] = [];
    for (let n = 0; n <= OIDC_FROM_NETWORK.burst; n += 1) codes.push((await begin()).code);
    expect(codes.at(-1)).to.equal('sign_in_slowed');
    expect(new Set(codes.slice(0, -1))).to.deep.equal(new Set([undefined]));
    const byPassword = await browser(server, 'POST', '/session/password', PAGE, {
      email: 'nobody@loja.example',
      password: PASSWORD,
    });
    expect(byPassword.code).to.equal('sign_in_failed');
  });

  it('leaves neither code, state nor token in the log or the store, and no name of the provider', async () => {
    const ana = await linked();
    logged.length = 0;
    const begun = begunBy(await begin());
    const back = await provider.choose(begun.url, ana.subject);
    expect((await answer(back, begun.page)).status).to.equal(201);
    provider.faults.forged = true;
    const failed = begunBy(await begin());
    const failedBack = await provider.choose(failed.url, ana.subject);
    expect((await answer(failedBack, failed.page)).code).to.equal('oidc_answer_invalid');
    const kept = await Promise.all(
      ['oidc_subjects', 'oidc_answers', 'console_sessions', 'console_accounts'].map((name) =>
        server.app.readModels.scan(name, { after: null, limit: 1000, order: 'asc' }),
      ),
    );
    const texts = JSON.stringify(kept) + logged.join('\n');
    expect(logged.join('\n')).to.include('a person signed in').and.to.include('failed');
    for (const url of [back, failedBack]) {
      for (const name of ['code', 'state'] as const)
        expect(texts).not.to.include(url.searchParams.get(name)!);
    }
    expect(texts).not.to.include(ana.subject).and.not.to.include(CLIENT.secret);
  });

  it('is off where no provider is set up', async () => {
    const without = await openAdmin();
    try {
      for (const [path, body] of [
        ['/session/oidc', {}],
        ['/session/oidc/answer', { answer: 'code=x' }],
      ] as const) {
        const reply = await browser(without, 'POST', path, PAGE, body);
        expect([reply.status, reply.code], path).to.deep.equal([409, 'oidc_off']);
      }
    } finally {
      await without.close();
    }
  });

  it('does not begin with a provider that calls itself something else', async () => {
    const other = await openIdProvider([], () => now);
    try {
      const wrong = createOidcProvider(
        {
          issuer: other.issuer.replace('localhost', '127.0.0.1'),
          clientId: CLIENT.id,
          clientSecret: CLIENT.secret,
          name: 'X',
        },
        server.app.clock,
      );
      const failed = await wrong.check().catch((error: unknown) => error);
      expect(messageOf(failed)).to.include('unreachable');
    } finally {
      await other.close();
    }
  });
});
