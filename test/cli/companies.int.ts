/** A company's settings and how its channels are let send, as an operator types them. */
import { expect } from 'chai';
import { SANDBOX_NUMBER } from '../application/provisioning/workspace.js';
import { ADMIN_TOKEN, openAdmin, type AdminServer } from '../api/admin/server.js';
import { run, type Ran } from './run.js';

describe('cli: companies and their channels', function () {
  this.timeout(240_000);
  let server: AdminServer;
  let company: string;
  let channel: string;

  before(async () => {
    server = await openAdmin();
    company = (await server.call('POST', '/companies', { name: 'Loja' })).data['uuid'] as string;
    const connected = await server.call('POST', `/companies/${company}/channels`, {
      phone_number_id: SANDBOX_NUMBER.phoneNumberId,
      waba_id: SANDBOX_NUMBER.wabaId,
      access_token: SANDBOX_NUMBER.accessToken,
    });
    channel = connected.data['uuid'] as string;
  });
  after(() => server.close());

  const recado = (...args: readonly string[]): Promise<Ran> =>
    run(args, {
      env: { RECADO_ADMIN_URL: server.url, RECADO_ADMIN_TOKEN: ADMIN_TOKEN, RECADO_COMPANY: company },
    });
  const stored = async (): Promise<Readonly<Record<string, unknown>>> =>
    (await server.call('GET', `/companies/${company}`)).data;

  it('marketing switches it on, changes the caps that are named, and refuses contradictions', async () => {
    const caps = ['--per-contact-per-day', '1', '--per-contact-per-week', '4', '--per-day', '5000'];
    const on = await recado('companies', 'marketing', '--enable', ...caps, '--json');
    expect(on.code, on.stderr).to.equal(0);
    const marketing = { enabled: true, per_contact_per_day: 1, per_contact_per_week: 4, per_day: 5000 };
    expect(on.json()['marketing']).to.deep.equal(marketing);
    expect((await recado('companies', 'marketing', company, '--per-day', '7')).code).to.equal(0);
    expect((await stored())['marketing']).to.deep.equal({ ...marketing, per_day: 7 });
    expect((await recado('companies', 'marketing', '--disable')).code).to.equal(0);
    expect((await stored())['marketing']).to.deep.equal({ ...marketing, enabled: false, per_day: 7 });
    for (const wrong of [
      ['--enable', '--disable'],
      ['--per-day', '-1'],
      ['--per-day', 'many'],
    ]) {
      expect((await recado('companies', 'marketing', ...wrong)).code, wrong.join(' ')).to.equal(2);
    }
    expect((await stored())['marketing']).to.deep.equal({ ...marketing, enabled: false, per_day: 7 });
  });

  it('words shows and chooses what stops and resumes marketing', async () => {
    const chosen = await recado('companies', 'words', '--stop', 'SAIR, não quero mais', '--json');
    expect(chosen.code, chosen.stderr).to.equal(0);
    expect(chosen.json()).to.deep.equal({ stop: ['SAIR', 'não quero mais'], resume: [] });
    expect((await recado('companies', 'words', '--resume', 'voltei')).code).to.equal(0);
    expect((await recado('companies', 'words', '--json')).json()).to.deep.equal({
      stop: ['SAIR', 'não quero mais'],
      resume: ['voltei'],
    });
    expect((await recado('companies', 'words', '--stop', '')).code).to.equal(0);
    expect((await stored())['opt_out_words']).to.deep.equal({ stop: [], resume: ['voltei'] });
    const wrong = await recado('companies', 'words', '--stop', '...');
    expect([wrong.code, wrong.stderr.includes('stop[0]')]).to.deep.equal([2, true]);
  });

  it('person-words shows and chooses what calls a person', async () => {
    const chosen = await recado('companies', 'person-words', '--words', 'vendedor, chama a Ana', '--json');
    expect(chosen.code, chosen.stderr).to.equal(0);
    expect(chosen.json()).to.deep.equal({ words: ['vendedor', 'chama a Ana'] });
    expect((await recado('companies', 'person-words', '--json')).json()).to.deep.equal(chosen.json());
    const wrong = await recado('companies', 'person-words', '--words', 'vendedor, ?!');
    expect([wrong.code, wrong.stderr.includes('words[1]')]).to.deep.equal([2, true]);
    expect((await recado('companies', 'person-words', '--words', '')).code).to.equal(0);
    expect((await stored())['person_words']).to.deep.equal([]);
  });

  it('channels stop, limit and resume; sending shows how it is let send', async () => {
    const sending = async () => (await recado('channels', 'sending', channel, '--json')).json();
    expect(await sending()).to.deep.include({
      channel_uuid: channel,
      stopped: 'nothing',
      max_per_second: null,
      waiting: { service: 0, marketing: 0 },
    });
    expect((await recado('channels', 'stop', channel, '--marketing')).code).to.equal(0);
    expect((await sending())['stopped']).to.equal('marketing');
    expect((await recado('channels', 'stop', channel)).code).to.equal(0);
    expect((await recado('channels', 'limit', channel, '--per-second', '15')).code).to.equal(0);
    expect(await sending()).to.include({ stopped: 'everything', max_per_second: 15 });
    expect((await recado('channels', 'resume', channel)).code).to.equal(0);
    expect((await recado('channels', 'limit', channel, '--per-second', 'none')).code).to.equal(0);
    expect(await sending()).to.include({ stopped: 'nothing', max_per_second: null });
    for (const wrong of [[channel], [channel, '--per-second', '0'], [channel, '--per-second', '1001']]) {
      expect((await recado('channels', 'limit', ...wrong)).code, wrong.join(' ')).to.equal(2);
    }
    const nobody = await recado('channels', 'sending', '00000000-0000-4000-8000-000000000000');
    expect(nobody.code).to.equal(3);
  });
});
