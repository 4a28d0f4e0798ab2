/** A command that names no company or integration takes the only one there is. */
import { expect } from 'chai';
import { newCompany, openAdmin } from '../api/admin/server.js';
import { opened } from '../support/opened.js';
import { adminEnv, commands } from './commands.js';

describe('cli: the only company', () => {
  const server = opened(openAdmin);
  const { recado, done, ends } = commands(() => adminEnv(server.url));

  it('is asked for where there is none, is meant where there is one, and has to be named beside another', async () => {
    await ends('contacts list', 2, 'recado companies create --name');

    const first = await newCompany(server, 'Loja da Ana');
    expect((await done('contacts list --json')).json()).to.deep.equal([]);
    expect((await done('companies marketing --enable --json')).json()['uuid']).to.equal(first);
    const store = await done('store open --json');
    expect(store.json()['name']).to.equal('Loja da Ana');
    for (const line of [
      'integrations list',
      'channels list',
      'templates list',
      'flows list',
      'conversations list',
      'conversations team list',
      'store show',
      'store products list',
      'store orders list',
      'store categories list',
      'companies words',
      'companies person-words',
      'contacts export',
    ]) {
      await done(line);
    }

    await ends('keys list', 2, 'recado integrations create --name');
    const made = await done('integrations create --name ERP --json');
    expect((await done('keys list --json')).json()).to.deep.equal([]);
    expect((await done('webhooks list --json')).json()).to.deep.equal([]);
    await done('integrations create --name Site');
    const which = await ends('keys list', 2, '--integration UUID');
    expect(which.stderr)
      .to.include(`${String(made.json()['uuid'])}  ERP`)
      .and.to.include('Site');

    const second = await newCompany(server, 'Outra');
    const { stderr } = await ends('contacts list', 2, 'there are 2');
    expect(stderr)
      .to.include(`${first}  Loja da Ana`)
      .and.to.include(`${second}  Outra`)
      .and.to.include('Name one with --company UUID, or set RECADO_COMPANY.');
    const { error } = JSON.parse((await ends('contacts list --json', 2)).stderr) as {
      readonly error: { readonly details: { readonly companies: readonly object[] } };
    };
    expect(error.details.companies).to.have.deep.members([
      { uuid: first, name: 'Loja da Ana' },
      { uuid: second, name: 'Outra' },
    ]);
    await done(`contacts list --company ${second}`);
    expect((await recado('contacts list', { env: { RECADO_COMPANY: first } })).code).to.equal(0);
  });
});
