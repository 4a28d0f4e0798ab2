/** People of a team who sign in by a password: invitations, guessing, second factor, sessions, access that ends. */
import { expect } from 'chai';
import { accessOf as accessOfContract, PROOF_MS } from '../../../api/admin/access.js';
import { loadContract } from '../../../api/contract.js';
import { directCommand } from '../../../application/app.js';
import { ACCOUNT_FROM_NETWORK } from '../../../application/console/guessing.js';
import { codeOf } from '../../../application/console/one-time-codes.js';
import { INVITATION_MS } from '../../../application/console/invitations.js';
import { teamAggregate } from '../../../domain/team/decide.js';
import { opened } from '../../support/opened.js';
import { browser, invite, PAGE, pageOf, PASSWORD, signedIn, type Headers, type Person } from './people.js';
import { newCompany, openAdmin } from './server.js';

describe('admin: people who sign in', function () {
  this.timeout(60_000);
  let now = Date.parse('2026-11-24T12:00:00.000Z');
  let monotonic = 0;
  const server = opened(() =>
    openAdmin({
      over: (app) => ({ ...app, clock: { ...app.clock, now: () => now, monotonic: () => monotonic } }),
    }),
  );
  let company: string;
  before(async () => {
    company = await newCompany(server);
  });
  // Each test is slowed for its own attempts only.
  beforeEach(() => {
    monotonic += 3_600_000;
  });

  const accept = (token: string, password = PASSWORD) =>
    browser(server, 'POST', '/session/invitation', PAGE, { token, password });
  const signIn = (email: string, password = PASSWORD, code?: string, headers: Headers = PAGE) =>
    browser(server, 'POST', '/session/password', headers, {
      email,
      password,
      ...(code === undefined ? {} : { code }),
    });
  const reads = (page: Headers) => browser(server, 'GET', `/companies/${company}`, page);
  const accessOf = ({ member }: { readonly member: string }) => `/companies/${company}/team/${member}/access`;

  it('are let in by an invitation, once, within a day, and then sign in by password', async () => {
    const invited = await invite(server, company, 'agent');
    expect((await signIn(invited.email)).code, 'no password yet').to.equal('sign_in_failed');
    const page = pageOf(await accept(invited.token));
    const { data } = await browser(server, 'GET', '/session', page);
    expect(data).to.include({
      actor: `user:${invited.member}`,
      role: 'agent',
      company_uuid: company,
      member_uuid: invited.member,
    });
    expect(data['name']).to.match(/^Pessoa/);
    const again = await accept(invited.token, 'another password');
    expect([again.status, again.code]).to.deep.equal([422, 'invitation_invalid']);
    const other = pageOf(await signIn(` ${invited.email.toUpperCase()} `));
    expect(other['cookie'], 'a session of its own').not.to.equal(page['cookie']);

    const late = await invite(server, company, 'agent');
    now += INVITATION_MS;
    expect((await accept(late.token)).code).to.equal('invitation_invalid');
    for (const wrong of ['x', late.token.replace(/\..*/, `.${'A'.repeat(43)}`)]) {
      expect((await accept(wrong)).code, wrong).to.equal('invitation_invalid');
    }
    expect((await accept(late.token, 'too short')).code).to.equal('validation_failed');
  });

  it('are in the history as their uuid, with neither name nor e-mail', async () => {
    const ana = await signedIn(server, company, 'owner');
    const mark = await server.mark();
    const made = await browser(server, 'POST', `/companies/${company}/team`, ana.page, {
      kind: 'group',
      name: 'Vendas',
    });
    expect(made.status).to.equal(201);
    const [added] = await server.recordsSince(mark);
    expect(added!.meta.actor).to.equal(`user:${ana.member}`);
    const texts = JSON.stringify(await server.app.store.read(`team-${company}`, { limit: 1000 }));
    expect(texts).to.include('TeamAccessGranted');
    expect(texts).not.to.include(ana.email);
  });

  it('get the same answer whether the e-mail, the password or the access is wrong', async () => {
    const ana = await signedIn(server, company, 'agent');
    const invited = await invite(server, company, 'agent');
    const gone = await signedIn(server, company, 'agent');
    expect((await server.call('DELETE', accessOf(gone))).status).to.equal(204);
    const answers = [
      await signIn(ana.email, 'wrong password'),
      await signIn('nobody@loja.example'),
      await signIn(invited.email),
      await signIn(gone.email),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.code, answer.cookies]).to.deep.equal([422, 'sign_in_failed', []]);
      expect(answer.message).to.equal(answers[0]!.message);
    }
  });

  it('are slowed when they guess, also at an account that does not exist; the right one may go on later', async () => {
    const ana = await signedIn(server, company, 'agent');
    const guesses = async (email: string) => {
      const codes: unknown[] = [];
      for (let n = 0; n <= ACCOUNT_FROM_NETWORK.burst; n += 1) {
        codes.push((await signIn(email, `guess ${n}`)).code);
      }
      return codes;
    };
    const known = await guesses(ana.email);
    expect(known.at(-1)).to.equal('sign_in_slowed');
    expect(known.slice(0, -1)).to.deep.equal(Array(ACCOUNT_FROM_NETWORK.burst).fill('sign_in_failed'));
    expect(await guesses('somebody@loja.example')).to.deep.equal(known);
    const right = await signIn(ana.email);
    expect([right.status, right.code, right.details]).to.deep.equal([
      429,
      'sign_in_slowed',
      { retry_after_seconds: ACCOUNT_FROM_NETWORK.intervalMs / 1000 },
    ]);
    monotonic += ACCOUNT_FROM_NETWORK.intervalMs;
    pageOf(await signIn(ana.email));
    expect((await signIn(ana.email, 'wrong')).code, 'starts anew').to.equal('sign_in_failed');
  });

  it('are slowed by network too, whichever account they try', async () => {
    const codes: unknown[] = [];
    for (let n = 0; n < 31; n += 1) codes.push((await signIn(`spray${n}@loja.example`)).code);
    expect(codes.at(-1)).to.equal('sign_in_slowed');
    expect(new Set(codes.slice(0, 30))).to.deep.equal(new Set(['sign_in_failed']));
  });

  it('get no session that was sent: signing in makes a new one', async () => {
    const ana = await signedIn(server, company, 'agent');
    const before = ana.page['cookie']!;
    const page = pageOf(await signIn(ana.email, PASSWORD, undefined, { ...PAGE, cookie: before }));
    expect(page['cookie']).not.to.equal(before);
    const foreign = { ...PAGE, cookie: 'recado_session=0198a6f0-e001-7000-8000-000000000001.AAAA' };
    expect(pageOf(await signIn(ana.email, PASSWORD, undefined, foreign))['cookie']).not.to.include('AAAA');
  });

  it('may use a second factor: a code works once, and a recovery code once', async () => {
    const ana = await signedIn(server, company, 'agent');
    const at = '/session/account/totp';
    const { data } = await browser(server, 'POST', at, ana.page);
    const secret = String(data['secret']);
    expect(data['uri']).to.include(secret);
    pageOf(await signIn(ana.email));
    const wrong = await browser(server, 'PUT', at, ana.page, { code: '000000' });
    expect([wrong.status, wrong.code]).to.deep.equal([422, 'code_invalid']);
    const confirmed = await browser(server, 'PUT', at, ana.page, { code: codeOf(secret, now) });
    const recovery = confirmed.data['recovery_codes'] as string[];
    expect(recovery).to.have.length(10);
    expect((await browser(server, 'POST', at, ana.page)).code).to.equal('totp_enrolled');

    expect((await signIn(ana.email)).code).to.equal('code_needed');
    expect((await signIn(ana.email, 'wrong password')).code, 'nothing of the code').to.equal(
      'sign_in_failed',
    );
    expect((await signIn(ana.email, PASSWORD, codeOf(secret, now))).code, 'used').to.equal('sign_in_failed');
    now += 60_000;
    const code = codeOf(secret, now);
    expect((await signIn(ana.email, 'wrong password', code)).code).to.equal('sign_in_failed');
    pageOf(await signIn(ana.email, PASSWORD, code));
    expect((await signIn(ana.email, PASSWORD, code)).code).to.equal('sign_in_failed');
    pageOf(await signIn(ana.email, PASSWORD, recovery[0]!.toUpperCase()));
    expect((await signIn(ana.email, PASSWORD, recovery[0])).code).to.equal('sign_in_failed');
    const own = await browser(server, 'GET', '/session/account', ana.page);
    expect(own.data).to.include({ totp: true, recovery_codes_left: 9, email: ana.email });

    expect((await browser(server, 'DELETE', at, ana.page)).status).to.equal(204);
    pageOf(await signIn(ana.email));
  });

  it('change their password with the present one, which ends their other sessions', async () => {
    const ana = await signedIn(server, company, 'agent');
    const elsewhere = pageOf(await signIn(ana.email));
    const change = (present: string) =>
      browser(server, 'PUT', '/session/account/password', ana.page, {
        present: { password: present },
        password: 'another password',
      });
    expect((await change('wrong password')).code).to.equal('sign_in_failed');
    expect((await reads(elsewhere)).status).to.equal(200);
    expect((await change(PASSWORD)).status).to.equal(204);
    expect((await reads(elsewhere)).code).to.equal('unauthenticated');
    expect((await reads(ana.page)).status).to.equal(200);
    expect((await signIn(ana.email)).code).to.equal('sign_in_failed');
    pageOf(await signIn(ana.email, 'another password'));
  });

  it('see and end their own sessions, and nobody else’s', async () => {
    const ana = await signedIn(server, company, 'agent');
    const bia = await signedIn(server, company, 'agent');
    const elsewhere = pageOf(await signIn(ana.email));
    const uuidOf = async (page: Headers) =>
      String((await browser(server, 'GET', '/session', page)).data['uuid']);
    const { list } = await browser(server, 'GET', '/session/account/sessions', ana.page);
    expect(list.map(({ uuid }) => uuid)).to.have.members([await uuidOf(ana.page), await uuidOf(elsewhere)]);
    const end = (uuid: string) => browser(server, 'DELETE', `/session/account/sessions/${uuid}`, ana.page);
    expect((await end(await uuidOf(bia.page))).status).to.equal(404);
    expect((await end(await uuidOf(elsewhere))).status).to.equal(204);
    expect((await reads(elsewhere)).code).to.equal('unauthenticated');
    expect((await reads(bia.page)).status).to.equal(200);
  });

  it('get a forgotten password reset by another invitation, which ends sessions and the second factor', async () => {
    const ana = await signedIn(server, company, 'agent');
    const { data } = await browser(server, 'POST', '/session/account/totp', ana.page);
    const code = codeOf(String(data['secret']), now);
    await browser(server, 'PUT', '/session/account/totp', ana.page, { code });
    const reset = await server.call('POST', accessOf(ana), { role: 'agent', email: ana.email });
    expect((await reads(ana.page)).status, 'until the link is used').to.equal(200);
    pageOf(await accept(String(reset.data['token']), 'another password'));
    expect((await reads(ana.page)).code).to.equal('unauthenticated');
    pageOf(await signIn(ana.email, 'another password'));
  });

  it('show the password again for keys, secrets, access and erasure, once in ten minutes', async () => {
    const ana = await signedIn(server, company, 'owner');
    const make = (at = company) =>
      browser(server, 'POST', `/companies/${at}/integrations`, ana.page, { name: 'ERP' });
    const confirm = (password: string) =>
      browser(server, 'POST', '/session/confirmation', ana.page, { password });
    now += PROOF_MS - 1;
    expect((await make()).status, 'signed in just now').to.equal(201);
    now += 1;
    const asked = await make();
    expect([asked.status, asked.code]).to.deep.equal([403, 'password_needed']);
    expect((await make(await newCompany(server, 'Outra'))).status, 'says nothing of a foreign one').to.equal(
      404,
    );
    expect((await reads(ana.page)).status).to.equal(200);
    expect((await confirm('wrong password')).code).to.equal('sign_in_failed');
    expect((await make()).code).to.equal('password_needed');
    expect((await confirm(PASSWORD)).status).to.equal(204);
    expect((await make()).status).to.equal(201);
    // Programs have no password.
    expect(
      (await server.call('POST', `/companies/${company}/integrations`, { name: 'ERP' })).status,
    ).to.equal(201);
  });

  it('are asked so by exactly these operations', () => {
    const asking = [...accessOfContract(loadContract('admin').document)].filter(
      ([, { asksPassword }]) => asksPassword,
    );
    expect(asking.map(([name]) => name).sort()).to.deep.equal([
      'changePrivacy',
      'changeTeamRole',
      'connectChannel',
      'createApiKey',
      'createIntegration',
      'enrolTotp',
      'eraseContact',
      'grantTeamAccess',
      'linkOidc',
      'removeTeamMember',
      'removeTotp',
      'replaceChannelToken',
      'revokeApiKey',
      'revokeTeamAccess',
      'rotateWebhookSecret',
      'unlinkOidc',
    ]);
  });

  it('have the role of now: a change holds from the next call', async () => {
    const ana = await signedIn(server, company, 'viewer');
    const add = () =>
      browser(server, 'POST', `/companies/${company}/team`, ana.page, { kind: 'group', name: 'Vendas' });
    expect((await add()).code).to.equal('insufficient_role');
    const changed = await server.call('PATCH', accessOf(ana), { role: 'owner' });
    expect(changed.data).to.include({ role: 'owner', email: ana.email });
    expect((await add()).status).to.equal(201);
    await signedIn(server, company, 'owner');
    await server.call('PATCH', accessOf(ana), { role: 'viewer' });
    expect((await add()).code).to.equal('insufficient_role');
  });

  async function streamOf({ page }: Person): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const response = await fetch(`${server.url}/companies/${company}/live`, { headers: page });
    expect(response.status).to.equal(200);
    const reader = response.body!.getReader();
    await reader.read();
    return reader;
  }

  for (const [what, end] of [
    ['revoked', (ana: Person) => server.call('DELETE', accessOf(ana))],
    ['removed', (ana: Person) => server.call('DELETE', `/companies/${company}/team/${ana.member}`)],
  ] as const) {
    it(`are out at once when they are ${what}, with their open streams, and nothing of them is kept`, async () => {
      const ana = await signedIn(server, company, 'agent');
      const stream = await streamOf(ana);
      expect((await end(ana)).status).to.equal(204);
      while (!(await stream.read()).done);
      expect((await reads(ana.page)).code).to.equal('unauthenticated');
      expect((await signIn(ana.email)).code).to.equal('sign_in_failed');
      const kept = await server.app.readModels.scan('console_accounts', {
        after: null,
        limit: 1000,
        order: 'asc',
      });
      expect(JSON.stringify(kept)).not.to.include(ana.member);
    });
  }

  it('are out even where a process ended between the history and their sessions', async () => {
    const ana = await signedIn(server, company, 'agent');
    await server.app.executor.execute(
      teamAggregate,
      company,
      { type: 'RevokeTeamAccess', memberUuid: ana.member },
      directCommand(server.app, { company, actor: 'admin' }),
    );
    expect((await reads(ana.page)).code).to.equal('unauthenticated');
    expect((await signIn(ana.email)).code).to.equal('sign_in_failed');
  });

  it('share no e-mail; the last owner stays; groups can not sign in', async () => {
    const own = await newCompany(server, 'Outra');
    const ana = await signedIn(server, own, 'owner');
    const at = `/companies/${own}/team`;
    const { data } = await server.call('POST', at, { kind: 'agent', name: 'Bia' });
    const bia = `${at}/${String(data['uuid'])}/access`;
    const taken = await server.call('POST', bia, { role: 'agent', email: ana.email });
    expect([taken.status, taken.code]).to.deep.equal([409, 'email_taken']);
    expect((await server.call('PATCH', bia, { role: 'agent' })).code).to.equal('no_access');
    for (const [method, path, body] of [
      ['DELETE', `${at}/${ana.member}/access`, undefined],
      ['DELETE', `${at}/${ana.member}`, undefined],
      ['PATCH', `${at}/${ana.member}/access`, { role: 'agent' }],
      ['POST', `${at}/${ana.member}/access`, { role: 'viewer', email: ana.email }],
    ] as const) {
      const refused = await server.call(method, path, body);
      expect([refused.status, refused.code], `${method} ${path}`).to.deep.equal([409, 'last_owner']);
    }
    expect((await browser(server, 'GET', '/session/account', ana.page)).data['role']).to.equal('owner');
    const group = await server.call('POST', at, { kind: 'group', name: 'Vendas' });
    const asGroup = await server.call('POST', `${at}/${String(group.data['uuid'])}/access`, {
      role: 'agent',
      email: 'vendas@loja.example',
    });
    expect([asGroup.status, asGroup.code]).to.deep.equal([422, 'not_a_person']);
  });

  it('leave nothing in the store that signs anybody in, and no e-mail', async () => {
    const ana = await signedIn(server, company, 'agent');
    const { data } = await browser(server, 'POST', '/session/account/totp', ana.page);
    const reset = await server.call('POST', accessOf(ana), { role: 'agent', email: ana.email });
    const scan = async (name: string) =>
      JSON.stringify(await server.app.readModels.scan(name, { after: null, limit: 1000, order: 'asc' }));
    const texts = (await scan('console_accounts')) + (await scan('console_sessions'));
    expect(texts).to.include(ana.member);
    for (const secret of [
      PASSWORD,
      ana.email,
      String(data['secret']),
      String(reset.data['token']).split('.')[1]!,
      ana.page['cookie']!.split('.')[1]!,
    ]) {
      expect(texts).not.to.include(secret);
    }
  });

  it('is a matter of people: programs and operators by a link have no account', async () => {
    const program = await server.call('GET', '/session/account');
    expect([program.status, program.code]).to.deep.equal([409, 'no_account']);
  });
});
