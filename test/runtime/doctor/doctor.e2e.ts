import { expect } from 'chai';
import { Database } from '../../../adapters/embedded/driver.js';
import { openRedoFile } from '../../../adapters/embedded/redo-file.js';
import { lifeOf, redoPath } from '../../../adapters/embedded/redo-life.js';
import { chmod, copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changeWebhookEndpoint } from '../../../application/provisioning/webhooks.js';
import { parkMessage } from '../../../application/parked-messages.js';
import { localFindings } from '../../../runtime/doctor/local.js';
import { adminEnv, commands } from '../../cli/commands.js';
import { runProcess } from '../../cli/process.js';
import { eventually, TEST_TIMEOUT_MS } from '../../support/e2e/eventually.js';
import { startProduct } from '../../support/e2e/product.js';
import { closedPort } from '../../support/closed-port.js';
import { opened } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';
import { webhookEndpoints } from '../../../read-models/webhook-endpoints.js';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly todo: string | null;
}

/** The redo log as a server that was killed leaves it. */
function leaveInRedoLog(path: string, writes: readonly string[]): void {
  const db = new Database(path, { readonly: true });
  const file = openRedoFile(redoPath(path));
  file.begin(lifeOf(db));
  for (const write of writes) file.append(Buffer.from(write), () => undefined);
  file.close(false);
  db.close();
}

const pick = (findings: readonly Finding[], check: string): readonly Finding[] =>
  findings.filter((finding) => finding.check === check);

describe('doctor', function () {
  const nobody = opened(closedPort);
  this.timeout(TEST_TIMEOUT_MS);
  if (process.env['RECADO_E2E_STACK'] === 'real') return;
  const product = opened(() => startProduct());

  const examine = async (): Promise<readonly Finding[]> =>
    (await product.admin<{ findings: readonly Finding[] }>('GET', '/doctor', undefined, 200)).findings;

  it('finds nothing that has failed on a healthy server, says what is missing, and ends with 0', async () => {
    const ran = await runProcess(['doctor', '--json'], { env: { RECADO_DATA_DIR: product.dataDir } });
    const { findings } = ran.json<{ findings: readonly (Finding & { from: string })[] }>();
    expect(findings.filter(({ status }) => status === 'fail')).to.deep.equal([]);
    expect(ran.code).to.equal(0);
    const checks = new Set(findings.map(({ check }) => check));
    for (const check of [
      'settings',
      'data_folder',
      'disk',
      'permissions',
      'master_key',
      'lock',
      'wal',
      'database',
      'schema',
      'pragmas',
      'indexes',
      'server',
      'clock',
      'proxies',
      'projections',
      'workers',
      'parked',
      'webhooks',
      'provider',
      'durability',
    ]) {
      expect(checks, check).to.include(check);
    }
    expect(new Set(findings.map(({ from }) => from))).to.have.keys('machine', 'server');
    expect(pick(findings, 'backups')[0]).to.include({ status: 'warn' });
    for (const { status, todo, message } of findings) {
      expect(todo === null, message).to.equal(status === 'ok');
    }
  });

  it('sees work that was given up, endpoints that are off, and a provider that does not answer', async () => {
    const { app } = product;
    await parkMessage(app, { id: '1', group: 'inbound', value: {}, reason: 'x' });
    const { documents } = await app.readModels.find(webhookEndpoints.name, {
      index: 'by_company',
      equals: [product.company],
      order: 'asc',
      limit: 1,
    });
    const { endpoint_uuid: endpointUuid, integration_uuid: integrationUuid } = documents[0]!.doc;
    await changeWebhookEndpoint(app, { integrationUuid, endpointUuid, enabled: false }, { actor: 'test' });
    const findings = await eventually(async () => {
      const found = await examine();
      return pick(found, 'webhooks')[0]!.status === 'warn' && found;
    });
    expect(pick(findings, 'parked')[0]).to.deep.include({ status: 'warn' });
    expect(pick(findings, 'parked')[0]!.message).to.include('1 pieces');
    expect(pick(findings, 'provider')[0]).to.deep.include({ status: 'ok' });
    await product.sandbox.close();
    expect(pick(await examine(), 'provider')[0]).to.deep.include({ status: 'fail' });
  });

  it('warns of a proxy that TRUSTED_PROXIES does not count', async () => {
    expect(pick(await examine(), 'proxies')[0]).to.include({ status: 'ok' });
    await fetch(`${product.running.url}/robots.txt`, { headers: { 'X-Forwarded-For': '203.0.113.1' } });
    expect(pick(await examine(), 'proxies')[0]).to.include({ status: 'warn' });
  });

  it('says what is wrong with settings, files and the database, without a server', async () => {
    const env = { DEMO: 'off' };
    const temporary = await tempFolder();
    const folder = temporary.path;
    try {
      const of = (check: string, more: Readonly<Record<string, string>> = {}, deep = false): Finding => {
        const [found] = pick(localFindings({ ...env, ...more }, folder, deep), check);
        expect(found, `a finding of ${check}`).not.to.equal(undefined);
        return found!;
      };
      expect(of('settings', { PORT: 'eighty' })).to.include({ status: 'fail' });
      expect(of('data_folder')).to.include({ status: 'warn' });
      await product.running.core.embedded!.backup({ target: join(folder, 'recado.db') });
      expect(of('master_key').message).to.include('There is no master key');
      await copyFile(join(product.dataDir, 'master.key'), join(folder, 'master.key'));
      expect(of('master_key')).to.include({ status: 'ok' });
      const other = { RECADO_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') };
      expect(of('master_key', other).message).to.include('not the one');
      await chmod(join(folder, 'master.key'), 0o644);
      expect(of('permissions')).to.include({ status: 'fail' });
      await chmod(folder, 0o755);
      expect(of('data_folder').todo).to.include('chmod 700');
      expect(of('exposure', { DEMO: 'on', HOST: '0.0.0.0' })).to.include({ status: 'warn' });

      const path = join(folder, 'recado.db');
      expect(of('redo_log')).to.include({ status: 'ok', message: 'No write waits in recado.db-redo.' });
      leaveInRedoLog(path, ['first write', 'second write']);
      expect(of('redo_log').message).to.include('the next start applies 2 writes');
      const left = await readFile(redoPath(path));
      left[left.indexOf('first write')] = 0x58;
      await writeFile(redoPath(path), left);
      expect(of('redo_log')).to.satisfy(
        ({ status, message, todo }: Finding) =>
          status === 'fail' && message.includes('is damaged') && String(todo).includes('recado restore'),
      );
      await rm(redoPath(path));
      const db = new Database(path);
      const index = db
        .prepare(
          "SELECT name FROM sqlite_master WHERE name LIKE 'rm_contacts_v%\\_\\_%' ESCAPE '\\' AND type = 'index'",
        )
        .pluck()
        .get() as string;
      db.exec(`DROP INDEX ${index}`);
      db.close();
      const indexes = of('indexes');
      expect([indexes.status, indexes.message]).to.satisfy(
        ([status, message]: [string, string]) => status === 'warn' && message.includes(index),
      );
      expect(of('history', {}, true)).to.include({ status: 'ok' });
      const damaged = new Database(path);
      damaged.exec("UPDATE events SET meta = meta || ' ' WHERE position = 3");
      const table = damaged
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'rm_companies_v[0-9]*'")
        .pluck()
        .get() as string;
      damaged.exec(`UPDATE ${table} SET doc = substr(doc, 1, 30)`);
      damaged.close();
      expect(pick(localFindings(env, folder, false), 'history'), 'not without --deep').to.deep.equal([]);
      expect(of('history', {}, true)).to.include({
        status: 'fail',
        message: 'recado.db: the event at position 3 does not match its checksum.',
      });
      expect(of('documents', {}, true).todo).to.include('recado projections rebuild companies');
      const newer = new Database(path);
      newer.pragma('user_version = 999');
      newer.close();
      expect(of('schema').message).to.include('newer release');
      // Only a read of the whole file detects this.
      const bytes = await readFile(path);
      bytes.fill(0x5a, bytes.length - 40_960, bytes.length - 8_192);
      await writeFile(path, bytes);
      expect(of('database', {}, true)).to.include({ status: 'fail' });
    } finally {
      await temporary.close();
    }
  });

  it('tells that the server is not there, and ends with 1', async () => {
    const env = adminEnv(`http://${nobody.address}/admin/v1`);
    const ran = await commands(() => env).ends('doctor --no-local', 1);
    expect(ran.stdout).to.match(/FAIL {2}server: .*can't be reached.*\n +-> Start the server/);
  });
});
