/** Who did what, as an operator types it. */
import { expect } from 'chai';
import { signedIn } from '../api/admin/people.js';
import { newCompany } from '../api/admin/server.js';
import { opened } from '../support/opened.js';
import { commands, openOffice } from './commands.js';

type Entry = Readonly<Record<string, unknown>> & { readonly actor: Readonly<Record<string, unknown>> };

describe('cli: audit', function () {
  this.timeout(240_000);
  const office = opened(openOffice);
  const { recado, done, ends } = commands(() => office.env);
  const entries = async (line: string): Promise<readonly Entry[]> =>
    (await done(`${line} --json`)).json<readonly Entry[]>();
  const typesOf = (list: readonly Entry[]): readonly unknown[] => list.map(({ type }) => type);

  it('lists who did what, newest first, with people by name', async () => {
    const ana = await signedIn(office.server, office.company, 'agent');
    await done('companies marketing --enable');
    const table = (await done('audit')).stdout;
    expect(table).to.match(/^TIME +WHO +KIND +WHAT +STREAM/);
    expect(table).to.match(/admin +setting +MarketingSettingsChanged/);
    expect(table).to.match(/user Pessoa \d+ +sign_in +SignedIn/);
    expect(typesOf(await entries('audit'))[0]).to.equal('MarketingSettingsChanged');
    const hers = await entries(`audit --actor user:${ana.member}`);
    expect(typesOf(hers)).to.deep.equal(['SignedIn', 'PasswordSet']);
    expect(hers[0]!.actor).to.include({ kind: 'user', id: ana.member });
  });

  it('narrows by kind and time, and by the number of lines', async () => {
    expect(typesOf(await entries('audit --kind key'))).to.deep.equal(['IntegrationRegistered']);
    expect(typesOf(await entries('audit --kind access --actor admin --limit 1'))).to.deep.equal([
      'TeamAccessGranted',
    ]);
    expect(await entries('audit --to 2020-01-01T00:00:00Z')).to.deep.equal([]);
    expect(await entries('audit --from 2099-01-01T00:00:00Z')).to.deep.equal([]);
    await ends('audit --kind nothing', 2, 'kind');
    await ends('audit --from yesterday-ish', 2, 'from');
  });

  it('is of the company that is named, or of the server itself', async () => {
    const other = await newCompany(office.server, 'Outra');
    expect(typesOf(await entries(`audit ${other}`))).to.deep.equal(['CompanyRegistered']);
    expect(typesOf(await entries('audit --server'))).not.to.include('CompanyRegistered');
    await done('console open');
    await recado('projections flip orders --generation 77');
    const table = (await done('audit --server')).stdout;
    expect(table).to.match(/admin +server +UpkeepRequested flipProjection +upkeep-/);
    expect(table).to.match(/admin +sign_in +UpkeepRequested makeSignInLink +upkeep-/);
    expect(typesOf(await entries('audit'))).not.to.include('UpkeepRequested');
    expect((await recado('audit 00000000-0000-4000-8000-000000000000 --json')).json()).to.deep.equal([]);
  });
});
