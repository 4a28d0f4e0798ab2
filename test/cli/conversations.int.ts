import { expect } from 'chai';
import { ADMIN_TOKEN, openAdmin, type AdminServer } from '../api/admin/server.js';
import { run, type Ran } from './run.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('cli: conversations', function () {
  this.timeout(120_000);
  let server: AdminServer;
  let company: string;

  before(async () => {
    server = await openAdmin();
    company = (await server.call('POST', '/companies', { name: 'Loja' })).data['uuid'] as string;
  });
  after(() => server.close());

  const recado = (...args: readonly string[]): Promise<Ran> =>
    run(['conversations', ...args], {
      env: { RECADO_ADMIN_URL: server.url, RECADO_ADMIN_TOKEN: ADMIN_TOKEN, RECADO_COMPANY: company },
    });

  it('keeps the team', async () => {
    const added = await recado('team', 'add', 'agent', 'Ana Lima', '--json');
    expect(added.code, added.stderr).to.equal(0);
    const uuid = added.json()['uuid'] as string;
    await recado('team', 'rename', uuid, 'Ana Souza');
    expect((await recado('team', 'list')).stdout).to.include(`${uuid}  agent  Ana Souza`);
    expect((await recado('team', 'remove', uuid)).code).to.equal(0);
    expect((await recado('team', 'list', '--json')).json()).to.deep.equal([]);
  });

  it('says what is not there, and what is missing', async () => {
    for (const args of [
      ['show', NOBODY],
      ['pending', NOBODY],
      ['assign', NOBODY, '--agent', 'none'],
      ['note', NOBODY, '--text', 'x'],
    ]) {
      expect((await recado(...args)).code, args[0]).to.equal(3);
    }
    expect((await recado('assign', NOBODY)).code).to.equal(2);
  });
});
