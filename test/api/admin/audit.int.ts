/** Who did what: people's decisions of a company, from the history. */
import { expect } from 'chai';
import { auditKindOf, AUDITED } from '../../../domain/policies/audit.js';
import { eventDefinitions } from '../../../domain/catalog.js';
import { eventually } from '../../support/e2e/eventually.js';
import { opened } from '../../support/opened.js';
import { browser, PAGE, PASSWORD, signedIn, type Person } from './people.js';
import { newCompany, openAdmin } from './server.js';

describe('admin: audit', function () {
  this.timeout(60_000);
  const server = opened(openAdmin);
  let company: string;
  let owner: Person;

  before(async () => {
    company = await newCompany(server);
    owner = await signedIn(server, company, 'owner');
  });

  const entries = async (query = '', page = owner.page) =>
    (await browser(server, 'GET', `/audit?limit=100${query}`, page)).list;
  const typesOf = async (query = ''): Promise<readonly unknown[]> =>
    (await entries(query)).map(({ type }) => type);

  it('names only types of the catalogue, each of one kind', () => {
    const known = new Set(eventDefinitions.map(({ type }) => type));
    expect(AUDITED.filter((type) => !known.has(type))).to.deep.equal([]);
    for (const type of AUDITED) expect(auditKindOf(type)).to.be.a('string');
  });

  it('has sign-ins, failed ones and passwords, of the person, without address or e-mail', async () => {
    const ana = await signedIn(server, company, 'agent');
    const tries = (password: string) =>
      browser(server, 'POST', '/session/password', PAGE, { email: ana.email, password });
    expect((await tries('wrong password')).code).to.equal('sign_in_failed');
    expect((await tries(PASSWORD)).status).to.equal(201);
    await eventually(async () => {
      const found = await entries('&kind=sign_in');
      const about = found.filter(
        ({ details }) => (details as { member_uuid?: string }).member_uuid === ana.member,
      );
      expect(about.map(({ type }) => type).sort()).to.deep.equal([
        'PasswordSet',
        'SignInFailed',
        'SignedIn',
        'SignedIn',
      ]);
      expect(JSON.stringify(about)).not.to.include(ana.email);
      const failed = about.find(({ type }) => type === 'SignInFailed');
      expect(failed!['actor']).to.deep.equal({ kind: 'visitor', name: null });
      return true;
    });
  });

  it('records at most 20 failed sign-ins of a person in a day, and none of unknown accounts', async () => {
    const before = (await typesOf('&kind=sign_in')).length;
    await browser(server, 'POST', '/session/password', PAGE, {
      email: 'nobody@x.example',
      password: 'guess guess',
    });
    expect((await typesOf('&kind=sign_in')).length).to.equal(before);
  });

  it('has access, keys and settings with who did them by name, and the name is in no event', async () => {
    const at = `/companies/${company}`;
    await browser(server, 'PATCH', `${at}/privacy`, owner.page, { viewers_may_reveal: true });
    await browser(server, 'POST', `${at}/integrations`, owner.page, { name: 'ERP' });
    const mine = await entries(`&actor=user:${owner.member}`);
    expect(mine.map(({ type }) => type)).to.include.members([
      'IntegrationRegistered',
      'PrivacySettingsChanged',
      'SignedIn',
    ]);
    const { name } = mine[0]!['actor'] as { readonly name: string };
    expect(name).to.match(/^Pessoa \d+$/);
    const kept = await server.app.readModels.scan('audit', { after: null, limit: 1000, order: 'asc' });
    expect(JSON.stringify(kept)).not.to.include(name);
    await server.call('PATCH', `${at}/team/${owner.member}`, { name: 'Ana Lima' });
    const renamed = await entries(`&actor=user:${owner.member}`);
    expect(renamed[0]!['actor']).to.deep.equal({ kind: 'user', id: owner.member, name: 'Ana Lima' });
    expect(await typesOf('&kind=setting')).to.include('PrivacySettingsChanged');
    expect(await typesOf(`&kind=key&actor=user:${owner.member}`)).to.deep.equal(['IntegrationRegistered']);
  });

  it('narrows by time and position, newest first, and pages without a gap', async () => {
    const all = await entries();
    const positions = all.map(({ position }) => String(position));
    expect(positions).to.deep.equal([...positions].sort().reverse());
    const paged: unknown[] = [];
    for (let after: string | null = ''; after !== null;) {
      const { list, next } = await server.call('GET', `/audit?company=${company}&limit=2${after}`);
      paged.push(...list.map(({ event_id: id }) => id));
      after = next === null ? null : `&after=${encodeURIComponent(next)}`;
    }
    expect(paged).to.deep.equal(all.map(({ event_id: id }) => id));
    const [third, second] = [all[2]!, all[1]!];
    const between = await entries(
      `&from=${encodeURIComponent(String(third['position']))}&to=${encodeURIComponent(String(second['position']))}`,
    );
    expect(between.map(({ event_id: id }) => id)).to.deep.equal([second['event_id']]);
  });

  it('is of the own company; operators without one see what concerns the server', async () => {
    const other = await newCompany(server, 'Outra');
    const asked = await browser(server, 'GET', `/audit?company=${other}`, owner.page);
    expect(asked.status).to.equal(404);
    expect(JSON.stringify(await entries())).not.to.include(other);
    expect((await server.call('GET', '/audit')).list).to.deep.equal([]);
    expect((await server.call('GET', `/audit?company=${other}`)).list).to.have.length(1);
    const agent = await signedIn(server, company, 'agent');
    expect((await browser(server, 'GET', '/audit', agent.page)).code).to.equal('insufficient_role');
  });
});
