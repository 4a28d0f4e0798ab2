import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '../../adapters/clock/system.js';
import { directCommand } from '../../application/app.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { SANDBOX_NUMBER } from '../application/provisioning/workspace.js';
import { closedPort } from '../support/closed-port.js';
import { eventually } from '../support/e2e/eventually.js';
import { opened } from '../support/opened.js';
import { acceptText } from '../support/sends/attempt.js';
import { serve } from '../support/servers.js';
import { adminEnv, commands, openOffice } from './commands.js';
import { runProcess } from './process.js';
import { run } from './run.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
type Row = Readonly<Record<string, unknown>>;

describe('cli', () => {
  const office = opened(openOffice);
  const { begin, recado, done, ends } = commands(() => office.env);
  const nobody = opened(closedPort);

  it('prints a table for people and JSON for programs, and nothing else on stdout', async () => {
    const { company } = office;
    const table = await recado('companies list');
    expect([table.code, table.stderr]).to.deep.equal([0, '']);
    expect(table.stdout).to.match(/^UUID +NAME +TIME ZONE +CREATED\n/);
    expect(table.stdout).to.include(`${company}  Loja`);
    const json = await recado('companies list --json');
    expect(json.json<Row[]>()[0]).to.deep.include({ uuid: company, name: 'Loja' });
    const one = await recado(`companies show ${company} --json`);
    expect(one.json()['uuid']).to.equal(company);
  });

  it('shows who holds which lease and how far each group is behind', async () => {
    const lease = await office.server.app.leases.acquire('relay@1');
    const { stdout } = await done('status');
    await lease!.release();
    expect(stdout).to.match(/\nLEASE +HOLDER +COUNT\nrelay@1 +this process +1\n/);
    expect(stdout).to.match(/\nTOPIC +GROUP +WAITING\nsends +sending +3\n/);
  });

  it('goes on to the next page until the limit', async () => {
    for (const name of ['A', 'B', 'C']) await office.server.call('POST', '/companies', { name });
    const some = await recado('companies list --limit 2 --json');
    expect(some.json<Row[]>()).to.have.length(2);
    expect((await recado('companies list --limit 2')).stderr).to.match(
      /^2 of \d+\. Show more with --limit\.\n$/,
    );
    const all = await recado('companies list --limit 1000 --json');
    expect(all.json<Row[]>().length).to.be.greaterThan(3);
  });

  it('takes address and token from the environment, and flags before it', async () => {
    const { url } = office.server;
    const env = adminEnv(`${url}/`);
    expect((await run(['status', '--json'], { env })).json()['api_version']).to.equal('1.8.0');
    const wrong = { ...env, RECADO_ADMIN_URL: `http://${nobody.address}/admin/v1` };
    const flag = await run(['status', '--json', '--admin-url', url], { env: wrong });
    expect(flag.code).to.equal(0);
  });

  it('makes a key, shows it once, and revokes it only when told twice', async () => {
    const made = await done('keys create --label site --scopes messages:send,operations:read --json');
    const { api_key, key_id, scopes } = made.json<{ api_key: string; key_id: string; scopes: unknown }>();
    expect(api_key).to.match(/^recado_api_/);
    expect(scopes).to.deep.equal(['messages:send', 'operations:read']);
    expect((await recado('keys list')).stdout)
      .to.include(key_id)
      .and.to.not.include(api_key);
    await ends(`keys revoke ${key_id}`, 2, '--yes');
    expect((await recado('keys list --json')).json<Row[]>()[0]!['revoked_at']).to.equal(null);
    expect((await done(`keys revoke ${key_id} --yes`)).stdout).to.equal('');
    expect((await recado('keys list --json')).json<Row[]>()[0]!['revoked_at']).to.be.a('string');
  });

  it('connects a channel with a token from stdin, a file or the environment, never from a flag', async () => {
    const connect = `channels connect --phone-number-id ${SANDBOX_NUMBER.phoneNumberId} --waba-id ${SANDBOX_NUMBER.wabaId}`;
    expect((await ends(connect, 2, 'RECADO_CHANNEL_TOKEN')).stdout).to.equal('');
    await ends(`${connect} --access-token x`, 2);
    const env = { RECADO_CHANNEL_TOKEN: 'EXPIRED-1' };
    const expired = await ends(connect, 3, /Request id: \S+/, { env });
    expect(expired.stderr).to.not.include('EXPIRED-1');
    const made = await done(`${connect} --access-token-file - --json`, { stdin: 'sandbox-token\n' });
    const uuid = made.json()['uuid'] as string;
    const synced = await recado(`templates sync ${uuid} --json`);
    expect(synced.json()['imported']).to.equal(office.server.sandbox.templates.length);
    const paused = await recado('templates list --status PAUSED --json');
    expect(paused.json<Row[]>().map(({ name }) => name)).to.deep.equal(['flash_sale']);
    const played = await recado('sandbox reply --from +5511987654321 --text "Oi, tudo bem?" --json');
    expect(played.json()['channel_uuid']).to.equal(uuid);
    expect((await recado('sandbox info')).stdout).to.include(uuid);
  });

  it('manages webhook endpoints', async () => {
    const made = await recado('webhooks create --url https://example.com/hook --events order.created --json');
    const uuid = made.json()['uuid'] as string;
    const updated = await recado(`webhooks update ${uuid} --all-events --json`);
    expect(updated.json()['event_types']).to.equal(null);
    expect((await recado(`webhooks test ${uuid} --json`)).json()['event_id']).to.be.a('string');
    await ends(`webhooks update ${uuid}`, 2);
    await ends(`webhooks update ${uuid} --enable --disable`, 2);
    await done(`webhooks delete ${uuid} --yes`);
    await ends(`webhooks show ${uuid}`, 3);
    await ends('webhooks create --url http://10.0.0.1/', 2, 'url:');
  });

  it('keeps what strangers wrote from steering the terminal', async () => {
    await office.server.call('POST', '/companies', { name: 'evil\u001b[2J\u0007\u202e name' });
    const { stdout } = await recado('companies list --limit 1000');
    expect(stdout).to.include('evil [2J');
    expect(stdout.replaceAll('\n', '')).to.not.match(/[\p{Cc}\p{Cf}]/u);
  });

  it('tails events from now on until it is interrupted', async () => {
    const running = runProcess(['events', 'tail', '--json', '--types', 'CompanyRegistered'], {
      env: office.env,
      interruptAfter: '"CompanyRegistered"',
    });
    // The tail starts at the current end of the history, so an event must follow whenever it starts.
    let ended = false;
    void running.finally(() => (ended = true));
    for (let n = 0; !ended; n += 1) {
      await office.server.call('POST', '/companies', { name: `T${n}` });
    }
    const { code, stdout } = await running;
    expect(code).to.equal(130);
    const [first] = stdout.split('\n');
    expect((JSON.parse(first!) as Row)['type']).to.equal('CompanyRegistered');
  });

  it('watches an operation to its end, or until it has waited long enough', async () => {
    const { company, integration, server } = office;
    const { app } = server;
    const person = { subject: app.newId(), phone: '+5511987654321' };
    const uuid = await acceptText(app, { company, integration, channel: app.newId() }, person, 'Oi');
    const waited = await begin(`operations watch ${uuid} --wait 600 --timeout 3600`).pass(200_000);
    expect([waited.code, waited.stdout]).to.deep.equal([5, '']);
    expect(waited.stderr).to.include('still queued after 600 seconds');
    const watching = recado(`operations watch ${uuid} --interval 50 --json`);
    const fail = {
      type: 'FailSend',
      code: 'recipient_unreachable',
      message: 'Nobody there.',
      details: {},
    } as const;
    const context = directCommand(app, { company, actor: 'test' }, person.subject);
    await app.executor.execute(operationAggregate, uuid, fail, context);
    const failed = await watching;
    expect(failed.code).to.equal(1);
    expect(failed.stderr).to.include('recipient_unreachable');
    expect(failed.json()).to.deep.include({ uuid, status: 'failed' });
  });

  it('lists projections, event types and the history', async () => {
    const rows = (await recado('projections list --json')).json<Row[]>();
    expect(rows.find(({ name }) => name === 'companies')).to.deep.include({ status: 'live', lag_events: 0 });
    expect((await recado('events types')).stdout).to.match(/ContactCreated +1 +contact +\/phone/);
    const list = await recado(`events list --stream company-${office.company} --json`);
    expect(list.json<Row[]>().map(({ type }) => type)).to.deep.equal(['CompanyRegistered']);
  });

  describe('exit codes', () => {
    const cases: readonly (readonly [number, string, RegExp])[] = [
      [0, '--help', /^$/],
      [0, 'operations watch --help', /^$/],
      [2, 'companis list', /Did you mean companies/],
      [2, 'companies lst', /Did you mean list/],
      [2, 'companies', /Usage/],
      [2, 'companies show', /missing required argument/],
      [2, 'companies create', /--name/],
      [2, 'companies list --limit 0', /whole number/],
      [2, 'companies list --limit ten', /whole number/],
      [2, 'companies list --colour', /unknown option/],
      [2, 'companies create --name X --timezone Mars/Base', /timezone/],
      [2, 'conversations list --status gone', /Allowed choices/],
      [2, `contacts erase ${NOBODY}`, /--yes/],
      [3, `contacts erase ${NOBODY} --yes`, /no such contact[^]*Request id: /],
      [3, `companies show ${NOBODY}`, /no such company[^]*Request id: /],
      [3, 'companies show not-a-uuid', /Request id: /],
      [3, 'companies show ../status', /Request id: /],
      [3, `operations watch ${NOBODY}`, /no such operation/],
      [0, 'operations list --held --json', /^$/],
      [0, 'operations release --held', /^$/],
      [0, 'operations end --held', /^$/],
      [2, 'operations list --held --status failed', /no --status/],
      [2, 'operations release', /one UUID, or --held/],
      [2, `operations end ${NOBODY} --held`, /one UUID, or --held/],
      [3, `operations release ${NOBODY}`, /Nothing is held/],
      [3, `operations end ${NOBODY}`, /Nothing is held/],
    ];
    for (const [code, args, message] of cases) {
      it(`${code}: recado ${args.replace(NOBODY, '<unknown>')}`, async () => {
        const ran = await ends(args, code, message);
        if (code !== 0) expect(ran.stdout).to.equal('');
      });
    }

    it('4: a wrong token, or none', async () => {
      const env = { RECADO_ADMIN_TOKEN: 'wrong' };
      const wrong = await ends('companies list', 4, 'RECADO_ADMIN_TOKEN', { env });
      expect(wrong.stderr).to.match(/Request id: /);
      const nothing = { RECADO_DATA_DIR: join(office.folder, 'nothing') };
      await ends('companies list', 4, 'credentials.json', { env: nothing });
    });

    it('5: nobody there', async () => {
      const env = { RECADO_ADMIN_URL: `http://${nobody.address}/admin/v1` };
      await ends('companies list', 5, 'npm start', { env });
    });

    describe('from a server that is not well', () => {
      let asked = 0;
      const other = opened(() =>
        serve(({ url }, res) => {
          asked += 1;
          if (url?.includes('/projections')) return;
          if (url?.includes('/sync')) {
            const data = { state: 'running', updated_at: 'an hour ago', listed: 1, expected: null };
            return void res.end(JSON.stringify({ data }));
          }
          if (url?.includes('/status')) return void res.writeHead(302, { location: office.server.url }).end();
          const error = { code: 'unavailable', message: 'Later.', details: {}, request_id: 'r-1' };
          if (url?.includes('/deliveries')) return void res.writeHead(200).end('<html>');
          res.writeHead(503).end(JSON.stringify({ error }));
        }),
      );
      const there = () => ({ env: { RECADO_ADMIN_URL: `${other.origin}/admin/v1` } });

      it('5: it never answers', async () => {
        asked = 0;
        const asking = begin('projections list --timeout 600', there());
        await eventually(() => asked > 0, { what: 'the question' });
        asking.clock.leap(600_000);
        const ran = await asking.ended;
        expect([ran.code, ran.stderr.includes('within 600 seconds')]).to.deep.equal([5, true]);
      });
      it('1: a sync that nobody works at', async () => {
        asked = 0;
        const syncing = begin('templates sync a-channel --timeout 3600', there());
        await eventually(() => asked > 1, { what: 'a second look' });
        syncing.clock.leap(45_000);
        const before = asked;
        await eventually(() => asked > before, { what: 'a look after half of its time' });
        const ran = await syncing.pass(45_000);
        expect([ran.code, ran.stderr.includes('makes no progress')]).to.deep.equal([1, true]);
      });
      it('5: it is unavailable', async () => {
        await ends('companies list', 5, 'Request id: r-1', there());
      });
      it('1: it answers something else than JSON, or sends the token elsewhere', async () => {
        await ends('deliveries list', 1, '', there());
        await ends('status', 1, '', there());
      });
    });

    it('2: credentials.json is broken', async () => {
      const broken = join(office.folder, 'broken');
      await mkdir(broken);
      await office.file('broken/credentials.json', '{"admin_token":');
      await ends('status', 2, 'is not JSON', { env: { RECADO_DATA_DIR: broken } });
    });
  });

  it('has examples in the help of every command', async () => {
    const { createProgram } = await import('../../cli/program.js');
    const { stdin, stdout, stderr } = process;
    const io = { env: {}, stdin, stdout, stderr, clock: systemClock };
    const walk = (command: ReturnType<typeof createProgram>): readonly string[] =>
      command.commands.length > 0
        ? command.commands.flatMap((each) => walk(each))
        : [`${command.parent?.name() ?? ''} ${command.name()}`];
    const program = createProgram(io);
    const names = walk(program);
    expect(names.length).to.be.greaterThan(40);
    const lacking: string[] = [];
    const check = (command: ReturnType<typeof createProgram>): void => {
      let text = '';
      command.configureOutput({ writeOut: (part) => (text += part) });
      if (command.commands.length === 0) {
        command.outputHelp();
        if (!/Examples:\n {2}\$ recado/.test(text) || command.description() === '')
          lacking.push(command.name());
      }
      command.commands.forEach(check);
    };
    check(program);
    expect(lacking).to.deep.equal([]);
  });
});
