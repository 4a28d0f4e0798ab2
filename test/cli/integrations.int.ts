/** Keys, webhook secrets and endpoints of an integration, as an operator types them. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { SCOPES as SERVED } from '../../application/provisioning/vocabulary.js';
import { SCOPES } from '../../cli/scopes.js';
import { opened } from '../support/opened.js';
import { commands, openOffice } from './commands.js';
import { bareProgram, helpOf } from './tree.js';

describe('cli: integrations', () => {
  const office = opened(openOffice);
  const { recado, done, ends } = commands(() => office.env);
  const credentials = () => join(office.folder, 'credentials.json');
  const stored = async () =>
    JSON.parse(await readFile(credentials(), 'utf8')) as Readonly<Record<string, string>>;

  it('makes a key that may do everything, whose scopes the help names', async () => {
    expect(SCOPES).to.deep.equal(SERVED);
    const keys = bareProgram().commands.find((noun) => noun.name() === 'keys')!;
    const help = helpOf(keys.commands.find((verb) => verb.name() === 'create')!);
    for (const scope of SERVED) expect(help).to.include(scope);
    const made = await done('keys create --label erp --scopes all --json');
    expect(made.json()['scopes']).to.have.members([...SERVED]);
    expect((await done('keys list')).stdout).to.match(/ erp +all /);
    const [one, two] = SERVED;
    await done(`keys create --label site --scopes ${one},${two}`);
    expect((await done('keys list')).stdout).to.include(`${one}, ${two} `);
    await ends('keys create --label none --scopes ,', 2, 'Name scopes');
  });

  it('says "all" of an endpoint that every event goes to', async () => {
    const made = await done('webhooks create --url https://example.com/hook --json');
    const uuid = String(made.json()['uuid']);
    expect(made.json()['event_types']).to.equal(null);
    expect((await done(`webhooks show ${uuid}`)).stdout).to.match(/^event_types +all$/m);
    expect((await done('webhooks list')).stdout).to.match(/example\.com\/hook +all +yes/);
    const some = await done(`webhooks update ${uuid} --events order.created`);
    expect(some.stdout).to.match(/^event_types +order\.created$/m);
  });

  it('puts a rotated webhook secret into the credentials.json that is about the integration', async () => {
    const before = await stored();
    await writeFile(credentials(), JSON.stringify({ ...before, webhook_secret: 'whsec_old' }), {
      mode: 0o600,
    });
    const rotated = await done(`integrations rotate-secret ${office.integration} --json`);
    const secret = rotated.json<{ webhook_secret: string }>().webhook_secret;
    expect(await stored()).to.deep.equal({ ...before, webhook_secret: secret });
    expect((await stat(credentials())).mode & 0o777).to.equal(0o600);
    const told = await done(`integrations rotate-secret ${office.integration.toUpperCase()}`);
    expect(told.stderr).to.include(`${credentials()} holds it too.`);
    expect(told.stdout).to.include((await stored())['webhook_secret']!);
  });

  it('leaves a file alone that is about another integration, or holds no secret', async () => {
    const other = (await done('integrations create --name Site --json')).json()['uuid'] as string;
    const before = await stored();
    await done(`integrations rotate-secret ${other}`);
    expect(await stored()).to.deep.equal(before);
    const { webhook_secret: _secret, ...rest } = before;
    await writeFile(credentials(), JSON.stringify(rest));
    expect((await recado(`integrations rotate-secret ${office.integration}`)).stderr).to.not.include('too');
    expect(await stored()).to.deep.equal(rest);
  });
});
