import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMIN_TOKEN, openAdmin, type AdminServer } from '../api/admin/server.js';
import { run, type Ran } from './run.js';

const good = { schema: 1, start: 'a', blocks: { a: { type: 'send_text', text: 'Oi', next: null } } };
const bad = { schema: 1, start: 'a', blocks: { a: { type: 'send_text', text: 'Oi', next: 'x' } } };

describe('cli: flows', function () {
  this.timeout(120_000);
  let server: AdminServer;
  let company: string;
  let folder: string;

  before(async () => {
    server = await openAdmin();
    company = (await server.call('POST', '/companies', { name: 'Loja' })).data['uuid'] as string;
    folder = mkdtempSync(join(tmpdir(), 'recado-flows-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server.close();
  });

  const recado = (...args: readonly string[]): Promise<Ran> =>
    run(['flows', ...args], {
      env: { RECADO_ADMIN_URL: server.url, RECADO_ADMIN_TOKEN: ADMIN_TOKEN, RECADO_COMPANY: company },
    });
  const file = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  it('goes from a file to a published version, and back to a file', async () => {
    const made = await recado('create', 'Boas-vindas', '--file', file('good.json', good), '--json');
    expect(made.code, made.stderr).to.equal(0);
    const uuid = made.json()['uuid'] as string;
    expect((await recado('publish', uuid)).code).to.equal(0);
    expect((await recado('list', '--status', 'active')).stdout).to.match(/Boas-vindas +active +1/);
    expect((await recado('export', uuid, '--flow-version', '1')).json()).to.deep.equal(good);
    await recado(
      'save',
      uuid,
      file('other.json', { ...good, blocks: { a: { ...good.blocks.a, text: 'Olá' } } }),
    );
    expect((await recado('diff', uuid)).stdout).to.match(/changed +a +text +Oi +Olá/);
    expect((await recado('render', uuid)).stdout).to.match(/^flowchart TD\n/);
    expect((await recado('delete', uuid)).code).to.equal(2);
    expect((await recado('delete', uuid, '--yes')).code).to.equal(0);
    expect((await recado('show', uuid)).code).to.equal(3);
  });

  it('says what is wrong, block by block', async () => {
    const checked = await recado('check', file('bad.json', bad));
    expect(checked.code).to.equal(1);
    expect(checked.stdout).to.match(/error +a +next +leads to "x", and there is no such block/);
    const made = await recado('create', 'Ruim', '--file', file('bad.json', bad), '--json');
    const published = await recado('publish', made.json()['uuid'] as string);
    expect(published.code).to.equal(3);
    expect(published.stderr).to.include('a.next: leads to "x", and there is no such block.');
    expect((await recado('check', file('text.json', '{'))).code).to.equal(2);
    expect((await recado('check', join(folder, 'none.json'))).code).to.equal(2);
  });

  it('plays a flow through, with a line for each answer', async () => {
    const question = { type: 'ask', text: 'Oi {{contact.name}}, qual cor?', save_as: 'color', next: 'b' };
    const asking = file('ask.json', {
      schema: 1,
      start: 'a',
      blocks: { a: question, b: { type: 'send_text', text: '{{answer.color}} do {{vars.utm}}', next: null } },
    });
    const args = ['try', asking, '--contact', 'name=Ana', '--var', 'utm=ig'];
    const env = { RECADO_ADMIN_URL: server.url, RECADO_ADMIN_TOKEN: ADMIN_TOKEN, RECADO_COMPANY: company };
    const played = await run(['flows', ...args], { env, stdin: 'Azul\n' });
    expect(played.code, played.stderr).to.equal(0);
    expect(played.stdout).to.equal(
      'a  ask  Oi Ana, qual cor?\nb  send_text  Azul do ig\nthe flow ended: completed\n',
    );
    const json = await run(['flows', ...args, '--json'], { env, stdin: '' });
    expect(json.json()).to.include({ waiting: 'ask', ended: null });
    expect((await recado('try', file('bad.json', bad))).code).to.equal(3);
    expect((await recado('try', asking, '--var', 'utm')).code).to.equal(2);
  });
});
