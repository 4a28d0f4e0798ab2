/** What viewers reveal: of one thing, recorded before, for some minutes, in one session. */
import { expect } from 'chai';
import { REVEAL_MS, REVEALS_AN_HOUR } from '../../../domain/account/reveals.js';
import { accessOf } from '../../../api/admin/access.js';
import { loadContract } from '../../../api/contract.js';
import type { App } from '../../../application/app.js';
import { addChannel, addCustomer, addInboundMessage } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';
import { browser, pageOf, PAGE, PASSWORD, signedIn, type Headers, type Person } from './people.js';
import { newCompany, openAdmin, type AdminServer } from './server.js';

const PHONE = '+5511987654321';
const TEXT = 'Quero a camiseta azul';
const REASON = { reason: 'complaint', reference: 'T-1042' };

/** While it is true, nothing can be recorded. */
let failing = false;
const breakable = (executor: App['executor']): App['executor'] => ({
  ...executor,
  execute: (...command) =>
    failing ? Promise.reject(new Error('the disk is full')) : executor.execute(...command),
});

let now = Date.parse('2026-11-20T12:00:00.000Z');
const open = (): Promise<AdminServer> =>
  openAdmin({
    over: (app) => ({ ...app, clock: { ...app.clock, now: () => now }, executor: breakable(app.executor) }),
  });

describe('admin: revealing to viewers', function () {
  this.timeout(60_000);
  const server = opened(open);
  let company: string;
  let maria: { readonly contact: string; readonly conversation: string; readonly message: string };
  let joana: { readonly contact: string; readonly conversation: string };
  let viewer: Person;

  const allow = (viewers_may_reveal: boolean) =>
    server.call('PATCH', `/companies/${company}/privacy`, { viewers_may_reveal });
  const reveal = (page: Headers, thing: string, uuid: string, why: object = REASON) =>
    browser(server, 'POST', `/companies/${company}/reveals`, page, { thing, thing_uuid: uuid, ...why });
  const phoneOf = async (page: Headers, uuid: string): Promise<unknown> =>
    (await browser(server, 'GET', `/contacts/${uuid}`, page)).data['phone'];
  const recorded = async () =>
    (await server.call('GET', `/events?company=${company}&types=PersonalDataRevealed&limit=100`)).list;

  before(async () => {
    const { app } = server;
    company = await newCompany(server);
    const place = {
      company,
      channel: await addChannel(app, company, '102290129340398', { phoneNumberId: '106540352240001' }),
    };
    const first = await addCustomer(app, place, { phone: PHONE, name: 'Maria' });
    maria = { ...first, message: String(await addInboundMessage(app, place, first, TEXT)) };
    joana = await addCustomer(app, place, { phone: '+5511987654322', name: 'Joana' });
  });
  beforeEach(async () => {
    now += 24 * 3_600_000;
    await allow(true);
    viewer = await signedIn(server, company, 'viewer');
  });

  it('is off until an owner allows it, and then off again', async () => {
    expect(
      (await server.call('GET', `/companies/${await newCompany(server)}`)).data['privacy'],
    ).to.deep.equal({
      viewers_may_reveal: false,
    });
    await allow(false);
    const refused = await reveal(viewer.page, 'contact', maria.contact);
    expect([refused.status, refused.code]).to.deep.equal([403, 'revealing_off']);
    const before = (await recorded()).length;
    await allow(true);
    expect((await reveal(viewer.page, 'contact', maria.contact)).status).to.equal(201);
    expect((await recorded()).length).to.equal(before + 1);
  });

  it('records who, what, when and why, and nothing personal', async () => {
    await reveal(viewer.page, 'conversation', maria.conversation);
    const [event] = (await recorded()).slice(-1);
    expect(event).to.deep.include({
      type: 'PersonalDataRevealed',
      actor: { kind: 'user', id: viewer.member },
    });
    const { act_uuid, ...data } = event!['data'] as Record<string, unknown>;
    expect(act_uuid).to.be.a('string');
    expect(data).to.deep.equal({
      member_uuid: viewer.member,
      thing: 'conversation',
      thing_uuid: maria.conversation,
      ...REASON,
      at: new Date(now).toISOString(),
      until: new Date(now + REVEAL_MS).toISOString(),
    });
    expect(JSON.stringify(event)).not.to.match(/987654321|Maria|camiseta|@/);
  });

  it('shows nothing when it can not be recorded', async () => {
    failing = true;
    try {
      expect((await reveal(viewer.page, 'contact', maria.contact)).status).to.equal(500);
    } finally {
      failing = false;
    }
    expect(await phoneOf(viewer.page, maria.contact)).to.equal('+•••••••••••21');
  });

  it('shows the thing that was named, and masks all else, lists and searches too', async () => {
    await reveal(viewer.page, 'contact', maria.contact);
    expect(await phoneOf(viewer.page, maria.contact)).to.equal(PHONE);
    expect(await phoneOf(viewer.page, joana.contact)).to.equal('+•••••••••••22');
    for (const path of [
      `/companies/${company}/contacts`,
      `/companies/${company}/search?query=Maria`,
      `/companies/${company}/conversations`,
      `/conversations/${maria.conversation}`,
      `/conversations/${maria.conversation}/messages`,
    ]) {
      const { data } = await browser(server, 'GET', path, viewer.page);
      expect(JSON.stringify(data), path).not.to.include(PHONE.slice(1)).and.not.to.include(TEXT);
    }
    await reveal(viewer.page, 'conversation', maria.conversation);
    const messages = await browser(
      server,
      'GET',
      `/conversations/${maria.conversation}/messages`,
      viewer.page,
    );
    expect(JSON.stringify(messages.data)).to.include(TEXT);
  });

  it('is refused for a thing under another name', async () => {
    const { code } = await reveal(viewer.page, 'order', maria.contact);
    expect(code).to.equal('not_found');
    // A grant for a message does not open a conversation with the same uuid, nor the reverse.
    await reveal(viewer.page, 'message', maria.message);
    const { data } = await browser(
      server,
      'GET',
      `/conversations/${maria.conversation}/messages`,
      viewer.page,
    );
    expect(JSON.stringify(data)).not.to.include(TEXT);
  });

  it('ends after ten minutes', async () => {
    const { data } = await reveal(viewer.page, 'contact', maria.contact);
    expect(data['until']).to.equal(new Date(now + REVEAL_MS).toISOString());
    now += REVEAL_MS - 1;
    expect(await phoneOf(viewer.page, maria.contact)).to.equal(PHONE);
    const session = await browser(server, 'GET', '/session', viewer.page);
    expect(session.data['reveals']).to.have.length(1);
    now += 1;
    expect(await phoneOf(viewer.page, maria.contact)).to.equal('+•••••••••••21');
    expect((await browser(server, 'GET', '/session', viewer.page)).data['reveals']).to.deep.equal([]);
  });

  it('is of one session: not of another one of the person, and over with it', async () => {
    await reveal(viewer.page, 'contact', maria.contact);
    const other = pageOf(
      await browser(server, 'POST', '/session/password', PAGE, { email: viewer.email, password: PASSWORD }),
    );
    expect(await phoneOf(other, maria.contact)).to.equal('+•••••••••••21');
    await browser(server, 'DELETE', '/session', viewer.page);
    expect((await browser(server, 'GET', `/contacts/${maria.contact}`, viewer.page)).code).to.equal(
      'unauthenticated',
    );
  });

  it('is over for a person who was revoked', async () => {
    await reveal(viewer.page, 'contact', maria.contact);
    await server.call('DELETE', `/companies/${company}/team/${viewer.member}/access`);
    expect((await browser(server, 'GET', `/contacts/${maria.contact}`, viewer.page)).code).to.equal(
      'unauthenticated',
    );
    expect((await reveal(viewer.page, 'contact', maria.contact)).code).to.equal('unauthenticated');
  });

  it('is limited by the hour, also for many calls at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: REVEALS_AN_HOUR + 5 }, () => reveal(viewer.page, 'contact', maria.contact)),
    );
    const codes = answers.map(({ status, code }) => code ?? status);
    expect(codes.filter((code) => code === 201)).to.have.length(REVEALS_AN_HOUR);
    expect(codes.filter((code) => code === 'reveals_exhausted')).to.have.length(5);
    const other = await signedIn(server, company, 'viewer');
    expect((await reveal(other.page, 'contact', maria.contact)).status, 'counts by person').to.equal(201);
  });

  it('takes a word for the reason, and a reference that is no phone and no e-mail address', async () => {
    for (const why of [
      {},
      { reason: 'curious' },
      { reason: 'complaint', reference: '5511987654321' },
      { reason: 'complaint', reference: 'maria@cliente.example' },
      { reason: 'complaint', reference: 'Maria Souza' },
    ]) {
      const { code } = await reveal(viewer.page, 'contact', maria.contact, why);
      expect(code, JSON.stringify(why)).to.equal('validation_failed');
    }
    expect((await reveal(viewer.page, 'contact', maria.contact, { reason: 'complaint' })).status).to.equal(
      201,
    );
  });

  it('is nothing for who sees it unmasked, so that no record says otherwise', async () => {
    const before = (await recorded()).length;
    const agent = await signedIn(server, company, 'agent');
    const refused = await reveal(agent.page, 'contact', maria.contact);
    expect([refused.status, refused.code]).to.deep.equal([409, 'nothing_masked']);
    const program = await server.call('POST', `/companies/${company}/reveals`, {
      thing: 'contact',
      thing_uuid: maria.contact,
      reason: 'complaint',
    });
    expect(program.code).to.equal('nothing_masked');
    expect((await recorded()).length).to.equal(before);
  });

  it('is honoured by exactly the calls that read one thing', () => {
    const revealing = [...accessOf(loadContract('admin').document)].filter(([, one]) => one.reveals !== null);
    expect(revealing.map(([name, { reveals }]) => [name, reveals]).sort()).to.deep.equal([
      ['getCompanyMessage', 'message'],
      ['getCompanyOrder', 'order'],
      ['getContact', 'contact'],
      ['getConversation', 'conversation'],
      ['listConversationMessages', 'conversation'],
    ]);
  });
});
