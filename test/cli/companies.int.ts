/** A company's settings and the sending controls of its channels, as an operator types them. */
import { expect } from 'chai';
import { newChannel } from '../api/admin/server.js';
import { opened } from '../support/opened.js';
import { commands, openOffice } from './commands.js';

describe('cli: companies and their channels', function () {
  this.timeout(240_000);
  const office = opened(openOffice);
  const { recado, done, ends } = commands(() => office.env);
  const stored = async (): Promise<Readonly<Record<string, unknown>>> =>
    (await office.server.call('GET', `/companies/${office.company}`)).data;

  it('marketing switches it on, changes the caps that are named, and refuses contradictions', async () => {
    const caps = '--per-contact-per-day 1 --per-contact-per-week 4 --per-day 5000';
    const on = await done(`companies marketing --enable ${caps} --json`);
    const marketing = { enabled: true, per_contact_per_day: 1, per_contact_per_week: 4, per_day: 5000 };
    expect(on.json()['marketing']).to.deep.equal(marketing);
    await done(`companies marketing ${office.company} --per-day 7`);
    expect((await stored())['marketing']).to.deep.equal({ ...marketing, per_day: 7 });
    await done('companies marketing --disable');
    expect((await stored())['marketing']).to.deep.equal({ ...marketing, enabled: false, per_day: 7 });
    for (const wrong of ['--enable --disable', '--per-day -1', '--per-day many']) {
      expect((await recado(`companies marketing ${wrong}`)).code, wrong).to.equal(2);
    }
    expect((await stored())['marketing']).to.deep.equal({ ...marketing, enabled: false, per_day: 7 });
  });

  it('words shows and chooses what stops and resumes marketing', async () => {
    const chosen = await done('companies words --stop "SAIR, não quero mais" --json');
    expect(chosen.json()).to.deep.equal({ stop: ['SAIR', 'não quero mais'], resume: [] });
    await done('companies words --resume voltei');
    expect((await recado('companies words --json')).json()).to.deep.equal({
      stop: ['SAIR', 'não quero mais'],
      resume: ['voltei'],
    });
    await done('companies words --stop ""');
    expect((await stored())['opt_out_words']).to.deep.equal({ stop: [], resume: ['voltei'] });
    await ends('companies words --stop ...', 2, 'stop[0]');
  });

  it('person-words shows and chooses what calls a person', async () => {
    const chosen = await done('companies person-words --words "vendedor, chama a Ana" --json');
    expect(chosen.json()).to.deep.equal({ words: ['vendedor', 'chama a Ana'] });
    expect((await recado('companies person-words --json')).json()).to.deep.equal(chosen.json());
    await ends('companies person-words --words "vendedor, ?!"', 2, 'words[1]');
    await done('companies person-words --words ""');
    const letting = await done('companies privacy --viewers-may-reveal on --json');
    expect(letting.json()).to.deep.equal({ viewers_may_reveal: true });
    expect((await recado('companies privacy --json')).json()).to.deep.equal(letting.json());
    expect((await done('companies privacy --viewers-may-reveal off --json')).json()).to.deep.equal({
      viewers_may_reveal: false,
    });
    expect((await stored())['person_words']).to.deep.equal([]);
  });

  it('channels stop, limit and resume; sending shows how it is let send', async () => {
    const channel = await newChannel(office.server, office.company);
    const sending = async () => (await recado(`channels sending ${channel} --json`)).json();
    expect(await sending()).to.deep.include({
      channel_uuid: channel,
      stopped: 'nothing',
      max_per_second: null,
      waiting: { service: 0, marketing: 0 },
    });
    await done(`channels stop ${channel} --marketing`);
    expect((await sending())['stopped']).to.equal('marketing');
    await done(`channels stop ${channel}`);
    await done(`channels limit ${channel} --per-second 15`);
    expect(await sending()).to.include({ stopped: 'everything', max_per_second: 15 });
    await done(`channels resume ${channel}`);
    await done(`channels limit ${channel} --per-second none`);
    expect(await sending()).to.include({ stopped: 'nothing', max_per_second: null });
    for (const wrong of ['', '--per-second 0', '--per-second 1001']) {
      expect((await recado(`channels limit ${channel} ${wrong}`)).code, wrong).to.equal(2);
    }
    await ends('channels sending 00000000-0000-4000-8000-000000000000', 3);
  });
});
