/** `recado contacts`: tables in and out, merging, suppression. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMIN_TOKEN, openAdmin, type AdminServer } from '../api/admin/server.js';
import { run, type Ran } from './run.js';

type Row = Readonly<Record<string, unknown>>;

describe('cli: contacts', function () {
  this.timeout(120_000);
  let server: AdminServer;
  let folder: string;
  let company: string;

  before(async () => {
    server = await openAdmin();
    folder = await mkdtemp(join(tmpdir(), 'recado-cli-'));
    company = (await server.call('POST', '/companies', { name: 'Loja' })).data['uuid'] as string;
    const made = await server.call('POST', `/companies/${company}/integrations`, { name: 'ERP' });
    const credentials = {
      admin_url: server.url,
      admin_token: ADMIN_TOKEN,
      company_uuid: company,
      integration_uuid: made.data['uuid'],
    };
    await writeFile(join(folder, 'credentials.json'), JSON.stringify(credentials));
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const recado = (...args: string[]): Promise<Ran> => run(args, { env: { RECADO_DATA_DIR: folder } });
  const table = async (name: string, ...lines: string[]): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, lines.join('\n'));
    return file;
  };
  const contacts = async (): Promise<readonly Row[]> =>
    (await server.call('GET', `/companies/${company}/contacts?limit=100`)).list;

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
    const flags = [file, '--country-code', '55', '--json'];
    const statuses = (ran: Ran): unknown[] =>
      ran.stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as Row)['status']);
    const expected = ['created', 'failed', 'created', 'failed', 'failed'];

    const mark = await server.mark();
    const preview = await recado('contacts', 'import', ...flags, '--preview');
    expect(statuses(preview), preview.stderr).to.deep.equal(expected);
    expect(await server.recordsSince(mark), 'a preview writes nothing').to.deep.equal([]);

    const done = await recado('contacts', 'import', ...flags);
    expect(done.code).to.equal(3);
    expect(statuses(done)).to.deep.equal(expected);
    const [newest] = (await contacts()).filter(({ external_id: id }) => id === 'c1');
    expect(newest).to.deep.include({
      phone: '+5511987650001',
      name: 'Ana; a boa',
      tags: ['vip', 'novo'],
      custom_fields: { utm_source: 'google' },
    });

    const before = await server.mark();
    const again = await recado('contacts', 'import', ...flags);
    expect(statuses(again)).to.deep.equal(['unchanged', 'failed', 'unchanged', 'failed', 'failed']);
    expect(await server.recordsSince(before)).to.deep.equal([]);

    const byId = await table('by-id.csv', 'external_id,name', 'c1,Ana B');
    expect(statuses(await recado('contacts', 'import', byId, '--json'))).to.deep.equal(['updated']);
  });

  it('exports what can be imported again, with formulas guarded', async () => {
    const out = await recado('contacts', 'export', '--custom', 'utm_source');
    expect(out.code, out.stderr).to.equal(0);
    expect(out.stdout).to.match(/^external_id,phone,name,email,tags,custom\.utm_source\n/);
    expect(out.stdout).to.include("c3,'+553188880002,'=SUM(A1),,,");
    expect(out.stdout).to.include("c1,'+5511987650001,Ana B,ana@example.com,vip|novo,google");
    const mark = await server.mark();
    const back = await recado('contacts', 'import', await table('back.csv', out.stdout));
    expect(back.code, back.stderr).to.equal(0);
    expect(back.stderr).to.include('0 created, 0 updated, 2 unchanged, 0 failed');
    expect(await server.recordsSince(mark)).to.deep.equal([]);
  });

  it('refuses a file without a usable column', async () => {
    const ran = await recado('contacts', 'import', await table('odd.csv', 'nome', 'Ana'));
    expect([ran.code, ran.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 2 && /phone/.test(text),
    );
    expect((await recado('contacts', 'import', join(folder, 'none.csv'))).code).to.equal(2);
  });

  it('suppresses, allows again, and merges', async () => {
    const [one, other] = (await contacts()).map(({ uuid }) => uuid as string);
    const out = await recado('contacts', 'opt-out', one!, '--json');
    expect(out.json()['marketing_opted_out']).to.equal(true);
    const merged = await recado('contacts', 'merge', one!, other!, '--yes', '--json');
    expect(merged.json(), merged.stderr).to.include({ marketing_opted_out: true });
    expect(await contacts()).to.have.length(1);
    for (const uuid of [one!, other!]) {
      expect((await recado('contacts', 'show', uuid, '--json')).json()['uuid']).to.equal(
        merged.json()['uuid'],
      );
    }
    const back = await recado('contacts', 'opt-in', other!, '--json');
    expect(back.json()['marketing_opted_out']).to.equal(false);
    const missing = await recado('contacts', 'opt-out', '00000000-0000-4000-8000-000000000000');
    expect(missing.code).to.equal(3);
  });

  it('erases all that were one person, and the words they were found by', async () => {
    const [left] = (await contacts()).map(({ uuid }) => uuid as string);
    const mark = await server.mark();
    const erased = await recado('contacts', 'erase', left!, '--yes', '--json');
    expect(erased.code, erased.stderr).to.equal(0);
    expect((await server.eventsSince(mark)).filter(({ type }) => type === 'ContactErased')).to.have.length(2);
    for (const query of ['ana', '98765', 'c1', 'c3', 'vip', 'sum']) {
      const found = await server.call('GET', `/companies/${company}/contacts?query=${query}`);
      expect(found.list, query).to.deep.equal([]);
    }
    const all = await server.app.readModels.getMany<Row>('contacts', [left!]);
    expect(JSON.stringify(all)).to.not.match(/8765|8888|Ana|vip|google|"c[13]"/);
  });
});
