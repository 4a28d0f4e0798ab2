/** Keys, webhook secrets and endpoints of an integration, as an operator types them. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { SCOPES as SERVED } from '../../application/provisioning/vocabulary.js';
import { GAP } from '../../application/event-feed/envelopes.js';
import { eventEnvelopes, eventGaps } from '../../read-models/event-envelopes.js';
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

  it('creates an endpoint that gets earlier events too, and refuses a beginning that is too early', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString();
    for (const [more, begin] of [
      [`--from ${from}`, { from, from_sequence: null }],
      ['--from-sequence 0', { from: null, from_sequence: 0 }],
    ] as const) {
      const made = await done(`webhooks create --url https://example.com/hook ${more} --json`);
      const uuid = String(made.json()['uuid']);
      expect(made.stderr).to.include(`recado webhooks replays ${uuid}`);
      const jobs = (await done(`webhooks replays ${uuid} --json`)).json<readonly object[]>();
      expect(jobs).to.have.length(1);
      expect(jobs[0]).to.include({ kind: 'back_fill', status: 'running', ...begin });
    }
    const before = (await done('webhooks list --json')).json<readonly object[]>().length;
    await ends('webhooks create --url https://example.com/hook --from 2001-01-01T00:00:00Z', 2, 'days ago');
    await ends(
      `webhooks create --url https://example.com/hook --from ${from} --from-sequence 1`,
      2,
      'not both',
    );
    expect((await done('webhooks list --json')).json<readonly object[]>()).to.have.length(before);
  });

  it('lists the gaps of events feeds, and leaves an event out', async () => {
    const { readModels } = office.server.app;
    for (const spec of [eventGaps, eventEnvelopes]) await readModels.define(spec);
    const gap = {
      gap_uuid: '4a6f9a52-6f0e-5a3b-9d6e-0d1f6d0a7c11',
      company_uuid: office.company,
      integration_uuid: office.integration,
      event_id: '0190a0b0-1111-7000-8000-000000000001',
      event_type: 'order.created',
      sequence: 7,
      stream: 'order-1',
      revision: 0,
      recorded_id: '0190a0b0-1111-7000-8000-000000000002',
      position: '7',
      left_out: '{"sequence":7,"data":{}}',
      reason: 'it can not be made',
      since: '2026-11-20T14:03:11.482Z',
    };
    const { gap_uuid: id } = gap;
    await readModels.write(eventGaps.name, [{ id, doc: gap, version: GAP }]);
    expect((await done('integrations gaps')).stdout)
      .to.include(id)
      .and.include('it can not be made');
    await ends(`integrations leave-out ${id}`, 2, '--yes');
    const left = await done(`integrations leave-out ${id} --yes --json`);
    expect(left.json()).to.include({ uuid: id, event_type: 'order.created', sequence: 7 });
    expect((await readModels.get(eventEnvelopes.name, id))?.doc.body).to.equal(gap.left_out);
    expect((await done('integrations gaps --json')).stdout).to.not.include(id);
    await ends(`integrations leave-out ${id} --yes`, 3);
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
