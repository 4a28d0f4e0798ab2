/** Tests that need the built program as a separate process: exit codes, signals, pipes, working folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { ADMIN_TOKEN, openAdmin } from '../api/admin/server.js';
import { built } from '../support/built.js';
import { opened } from '../support/opened.js';
import { projectFile } from '../support/root.js';
import { serve } from '../support/servers.js';
import { tempFolder } from '../support/temp-folder.js';
import { adminEnv } from './commands.js';
import { runProcess } from './process.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('cli: as a process', () => {
  let program: string;
  let env: Readonly<Record<string, string>>;

  const server = opened(openAdmin);
  /** Contains data/credentials.json. */
  const folder = opened(tempFolder);
  before(async () => {
    program = await built('cli/main.ts');
    env = adminEnv(server.url);
    const data = join(folder.path, 'data');
    await mkdir(data);
    const credentials = { admin_url: server.url, admin_token: ADMIN_TOKEN };
    await writeFile(join(data, 'credentials.json'), JSON.stringify(credentials));
  });

  const recado = (args: readonly string[], environment: Readonly<Record<string, string>>) =>
    spawn(process.execPath, [program, ...args], { env: environment });
  const shell = async (script: string): Promise<readonly [number | null, string, string]> => {
    const child = spawn('sh', ['-c', script, 'sh', process.execPath, program], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await once(child, 'close')) as [number | null];
    return [code, ...(await said)] as const;
  };

  it('writes help to stdout and ends with 0', async () => {
    const { code, stdout, stderr } = await runProcess(['--help']);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout)
      .to.match(/^Usage: recado /)
      .and.to.include('130  interrupted');
  });

  it('ends with 2 and writes nothing to stdout on a command that there is not', async () => {
    const { code, stdout, stderr } = await runProcess(['companis', 'list', '--json'], { env });
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.include('Did you mean companies');
  });

  it('finds ./data of the folder that it runs in, and prints without colours where there is no terminal', async () => {
    const { code, stdout, stderr } = await runProcess(['companies', 'list'], { cwd: folder.path });
    expect([code, stdout, stderr]).to.deep.equal([0, '', 'Nothing found.\n']);
    const elsewhere = await runProcess(['companies', 'list']);
    expect([elsewhere.code, elsewhere.stdout]).to.deep.equal([4, '']);
    await server.call('POST', '/companies', { name: 'Loja' });
    const table = await runProcess(['companies', 'list'], { cwd: folder.path });
    expect(table.stdout).to.match(/^UUID +NAME/);
  });

  it('says on stderr what failed and what to do, with the request id; with --json as one object', async () => {
    const { code, stdout, stderr } = await runProcess(['companies', 'show', NOBODY], { env });
    expect([code, stdout]).to.deep.equal([3, '']);
    expect(stderr).to.match(
      /^recado: [^\n]*no such company[^\n]*\nSee what exists with "recado companies list"\.\nRequest id: \S+\n$/,
    );
    const json = await runProcess(['companies', 'show', NOBODY, '--json'], { env });
    expect([json.code, json.stdout]).to.deep.equal([3, '']);
    const { error } = JSON.parse(json.stderr) as { readonly error: Readonly<Record<string, unknown>> };
    expect(error).to.include({ code: 'not_found', exit_code: 3 });
    expect(error['request_id']).to.be.a('string');
  });

  it('prints the version of the package, before it looks for a server', async () => {
    const { version } = JSON.parse(await readFile(projectFile('package.json'), 'utf8')) as {
      version: string;
    };
    const { code, stdout, stderr } = await runProcess(['--version']);
    expect([code, stdout, stderr]).to.deep.equal([0, `${version}\n`, '']);
    expect((await runProcess(['--json', '-V'])).json()).to.deep.equal({ version });
  });

  it('ends with 5 where nobody is', async () => {
    const gone = await serve(() => undefined);
    await gone.close();
    const nobody = adminEnv(`${gone.origin}/admin/v1`);
    const { code, stdout, stderr } = await runProcess(['status'], { env: nobody });
    expect([code, stdout]).to.deep.equal([5, '']);
    expect(stderr).to.include('npm start');
  });

  it('asks nobody where there is no terminal', async () => {
    const { code, stdout, stderr } = await runProcess(['contacts', 'erase', NOBODY], { env, stdin: 'yes\n' });
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.include('There is no terminal to ask on.').and.to.include('--yes');
  });

  it('says what is missing where stdin is empty, closed or a folder', async () => {
    const connect = '"$1" "$2" channels connect --phone-number-id 1 --waba-id 1 --company x';
    for (const stdin of ['</dev/null', '<&-', '</']) {
      const [code, stdout, stderr] = await shell(`${connect} --access-token-file - ${stdin}`);
      expect([code, stdout], stdin).to.deep.equal([2, '']);
      expect(stderr, stdin)
        .to.include('stdin holds no access token')
        .and.to.include('Give a file with --access-token-file');
    }
  });

  it('is interrupted by SIGINT: 130, and what that means for the server', async () => {
    const heard: (() => void)[] = [];
    const asked = new Promise<void>((resolve) => heard.push(resolve));
    const heardAgain = new Promise<void>((resolve) => heard.push(resolve));
    const silent = await serve(() => heard.shift()?.());
    try {
      const child = recado(['status'], adminEnv(`${silent.origin}/admin/v1`));
      const ended = once(child, 'close') as Promise<[number | null]>;
      const stderr = text(child.stderr);
      await asked;
      child.kill('SIGINT');
      expect([(await ended)[0], await stderr]).to.deep.equal([
        130,
        '\nInterrupted. The server continues what it was asked to do.\n',
      ]);
      const other = recado(['status', '--json'], adminEnv(`${silent.origin}/admin/v1`));
      const end = once(other, 'close') as Promise<[number | null]>;
      const said = text(other.stderr);
      await heardAgain;
      other.kill('SIGINT');
      expect((await end)[0]).to.equal(130);
      expect(JSON.parse(await said)).to.have.nested.property('error.code', 'interrupted');
    } finally {
      await silent.close();
    }
  });

  it('ends with 0 and without a word when its reader has seen enough', async () => {
    const [code, stdout, stderr] = await shell('"$1" "$2" events types --json | head -c 1; exit 0');
    expect([code, stdout, stderr]).to.deep.equal([0, '[', '']);
    const child = recado(['events', 'tail', '--json'], env);
    const complaint = text(child.stderr);
    let ended = false;
    const end = once(child, 'close').finally(() => (ended = true)) as Promise<[number | null]>;
    child.stdout.once('data', () => child.stdout.destroy());
    for (let n = 0; n < 2_000 && !ended; n += 1) await server.call('POST', '/companies', { name: `T${n}` });
    expect([(await end)[0], await complaint]).to.deep.equal([0, '']);
  });

  it('ends with 1 where its output has no room', async function () {
    if (!existsSync('/dev/full')) return this.skip();
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, [program, '--help'], { stdio: ['ignore', full.fd, 'ignore'] });
    const [code] = (await once(child, 'close')) as [number | null];
    await full.close();
    expect(code).to.equal(1);
  });
});
