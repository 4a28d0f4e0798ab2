/** `recado contacts`: tables in and out, merging, suppression. */
import { join } from 'node:path';
import { expect } from 'chai';
import { opened } from '../support/opened.js';
import { commands, openOffice, rowsOf } from './commands.js';
import type { Ran } from './run.js';

type Row = Readonly<Record<string, unknown>>;

describe('cli: contacts', () => {
  const office = opened(openOffice);
  const { recado, done, ends } = commands(() => office.env, 'contacts');
  const table = (name: string, ...lines: string[]) => office.file(name, lines.join('\n'));
  const statuses = (ran: Ran): unknown[] => rowsOf(ran).map(({ status }) => status);
  const contacts = async (): Promise<readonly Row[]> =>
    (await office.server.call('GET', `/companies/${office.company}/contacts?limit=100`)).list;

  it('imports, previews, repeats without a change, and keeps bad rows from nobody', async () => {
    const file = await table(
      'people.csv',
      '\uFEFFexternal_id;phone;name;email;tags;custom.utm_source;obs',
      'c1;11987650001;"Ana; a boa";ana@example.com;vip|novo;google;x',
      'c2;123;Sem Telefone;;;;',
      'c3;+553188880002;=SUM(A1);;;;',
      ';+5511987650003;Bia;errado;;;',
      'c9;;Ninguém;;;;',
    );
    const { server } = office;
    const people = `import ${file} --country-code 55 --json`;
    const expected = ['created', 'failed', 'created', 'failed', 'failed'];

    const mark = await server.mark();
    const preview = await recado(`${people} --preview`);
    expect(statuses(preview), preview.stderr).to.deep.equal(expected);
    expect(await server.recordsSince(mark), 'a preview writes nothing').to.deep.equal([]);

    const imported = await ends(people, 3);
    expect(statuses(imported)).to.deep.equal(expected);
    const [newest] = (await contacts()).filter(({ external_id: id }) => id === 'c1');
    expect(newest).to.deep.include({
      phone: '+5511987650001',
      name: 'Ana; a boa',
      tags: ['vip', 'novo'],
      custom_fields: { utm_source: 'google' },
    });

    const before = await server.mark();
    const again = await recado(people);
    expect(statuses(again)).to.deep.equal(['unchanged', 'failed', 'unchanged', 'failed', 'failed']);
    expect(await server.recordsSince(before)).to.deep.equal([]);

    const byId = await table('by-id.csv', 'external_id,name', 'c1,Ana B');
    expect(statuses(await recado(`import ${byId} --json`))).to.deep.equal(['updated']);
  });

  it('exports what can be imported again, with formulas guarded', async () => {
    const out = await done('export --custom utm_source');
    expect(out.stdout).to.match(/^external_id,phone,name,email,tags,custom\.utm_source\n/);
    expect(out.stdout).to.include("c3,'+553188880002,'=SUM(A1),,,");
    expect(out.stdout).to.include("c1,'+5511987650001,Ana B,ana@example.com,vip|novo,google");
    const mark = await office.server.mark();
    const back = await done(`import ${await table('back.csv', out.stdout)}`);
    expect(back.stderr).to.include('0 created, 0 updated, 2 unchanged, 0 failed');
    expect(await office.server.recordsSince(mark)).to.deep.equal([]);
  });

  it('exports texts as they are for programs: as CSV that names its guard away, and as JSON', async () => {
    const plain = (await done('export --no-guard --custom all')).stdout;
    expect(plain).to.match(/^external_id,phone,name,email,tags,custom\.utm_source\n/);
    expect(plain).to.include('c3,+553188880002,=SUM(A1),,,').and.not.include("'");
    const array = (await done('export --json')).json<Row[]>();
    expect(array).to.deep.equal(await contacts());
    expect(array.map(({ phone }) => phone)).to.include('+553188880002');
    expect((await done('export --json --query nobody-of-that-name')).json()).to.deep.equal([]);
    const mark = await office.server.mark();
    await done(`import ${await table('plain.csv', plain)}`);
    expect(await office.server.recordsSince(mark)).to.deep.equal([]);
  });

  it('says "1 row" of one row, and "2 rows" of two', async () => {
    await ends(`import ${await table('one.csv', 'phone', '12')}`, 3, /^recado: 1 row failed\.$/m);
    await ends(`import ${await table('two.csv', 'phone', '12', '13')}`, 3, /^recado: 2 rows failed\.$/m);
  });

  it('refuses a file without a usable column', async () => {
    await ends(`import ${await table('odd.csv', 'nome', 'Ana')}`, 2, /phone/);
    await ends(`import ${join(office.folder, 'none.csv')}`, 2);
  });

  it('suppresses, allows again, and merges', async () => {
    const [one, other] = (await contacts()).map(({ uuid }) => uuid as string);
    const out = await recado(`opt-out ${one!} --json`);
    expect(out.json()['marketing_opted_out']).to.equal(true);
    const merged = await recado(`merge ${one!} ${other!} --yes --json`);
    expect(merged.json(), merged.stderr).to.include({ marketing_opted_out: true });
    expect(await contacts()).to.have.length(1);
    for (const uuid of [one!, other!]) {
      const shown = await recado(`show ${uuid} --json`);
      expect(shown.json()['uuid']).to.equal(merged.json()['uuid']);
    }
    const back = await recado(`opt-in ${other!} --json`);
    expect(back.json()['marketing_opted_out']).to.equal(false);
    const choices = await recado(`choices ${other!}`);
    expect(choices.stdout, choices.stderr).to.match(/CHOICE.*\n.* in +manual +admin/);
    await ends('opt-out 00000000-0000-4000-8000-000000000000', 3);
  });

  it('erases all that were one person, and the words they were found by', async () => {
    const [left] = (await contacts()).map(({ uuid }) => uuid as string);
    const { server } = office;
    const mark = await server.mark();
    const erased = (await done(`erase ${left!} --yes --json`)).json<{ rewritten: { contacts: number } }>();
    expect(erased.rewritten.contacts, 'both that were one person').to.equal(2);
    expect((await server.eventsSince(mark)).filter(({ type }) => type === 'ContactErased')).to.have.length(2);
    for (const query of ['ana', '98765', 'c1', 'c3', 'vip', 'sum']) {
      const found = await server.call('GET', `/companies/${office.company}/contacts?query=${query}`);
      expect(found.list, query).to.deep.equal([]);
    }
    const all = await server.app.readModels.getMany(contacts.name, [left!]);
    expect(JSON.stringify(all)).to.not.match(/87650001|88880002|"Ana|vip|google|"c[13]"/);
  });
});
