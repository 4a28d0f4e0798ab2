/** `kill -9` during a backup: the remains never pass for a backup, and the next start and the next backup work. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadMasterKey } from '../../adapters/crypto/master-key.js';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import { createCodec } from '../../application/codec.js';
import { createRegistry } from '../../domain/catalog.js';
import { exampleIds } from '../support/examples/example.js';
import { writeHistory } from '../bench/long-history.js';
import { runProcess } from '../cli/process.js';
import { freePort } from '../support/free-port.js';
import { createChance } from './chance.js';
import { createProduct } from './product.js';

const SEED = process.env['CRASH_SEED'] ?? randomBytes(4).toString('hex');
const EVENTS = 4_000;
const ADMIN_TOKEN = 'crash-admin-token-crash-admin-token';
/**
 * Suffixes of the backup's files. The kill comes a random time after such a file appears, or at once for the final
 * name.
 */
const BEHIND = ['.partial', '.json', ''] as const;
const LONGEST_MS = 400;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface BackupRow {
  readonly status: string;
  readonly file: string;
  readonly error: string | null;
}

describe(`killed while a backup is made (seed ${SEED})`, () => {
  it('leaves a backup that can be restored, or none', async () => {
    const chance = createChance(SEED);
    const dir = mkdtempSync(join(tmpdir(), 'recado-crash-'));
    const dataDir = join(dir, 'data');
    mkdirSync(dataDir);
    const { key } = loadMasterKey({ dataDir });
    const embedded = await openEmbedded({ dataDir, secretBox: createSecretBox(key) });
    const { company, channel } = exampleIds;
    await writeHistory(embedded.eventStore, createCodec(createRegistry(), embedded.personalKeys), {
      events: EVENTS,
      sealed: 'all',
      company,
      channel,
    });
    await embedded.close();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      DATA_DIR: dataDir,
      PORT: String(port),
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    };
    const product = createProduct({ url, env, logPath: join(dir, 'product.log') });
    const admin = async <T>(method: string, path: string): Promise<T> => {
      const answer = await fetch(`${url}/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expect(answer.ok, `${method} ${path}: ${answer.status}`).to.equal(true);
      return ((await answer.json()) as { data: T }).data;
    };
    const check = (file: string) =>
      runProcess(['restore', file, '--check', '--master-key-file', join(dataDir, 'master.key'), '--json']);
    const folder = join(dataDir, 'backups');
    /**
     * Starts a backup and waits until the file with this suffix exists. If the backup finishes first, starts another
     * one.
     */
    async function backedUpTo(behind: string): Promise<string> {
      for (let tries = 0; tries < 20; tries += 1) {
        const { file } = await admin<BackupRow>('POST', '/backups');
        for (const until = Date.now() + 240_000; Date.now() < until; await wait(1)) {
          if (existsSync(file + behind)) return file;
          if (existsSync(file)) break;
        }
      }
      return expect.fail(`${behind} was never seen`);
    }
    try {
      await product.start();
      for (const behind of BEHIND) {
        const file = await backedUpTo(behind);
        if (behind !== '') await wait(chance.between(0, LONGEST_MS));
        await product.kill();
        const complete = existsSync(file);
        const partial = existsSync(`${file}.partial`);
        if (partial) expect((await check(`${file}.partial`)).stderr).to.include('was never completed');
        if (complete) expect((await check(file)).code).to.equal(0);

        await product.start();
        const left = existsSync(folder)
          ? readdirSync(folder).filter((name) => name.includes('.partial'))
          : [];
        expect(left).to.deep.equal([]);
        if (!complete) expect(existsSync(`${file}.json`) || existsSync(`${file}.blobs`)).to.equal(false);
        const listed = await admin<readonly BackupRow[]>('GET', '/backups');
        expect(listed.some((one) => one.file === file)).to.equal(complete);
      }
      const { file } = await admin<BackupRow>('POST', '/backups');
      for (const until = Date.now() + 240_000; !existsSync(file); await wait(20)) {
        expect(Date.now()).to.be.lessThan(until);
      }
      expect((await check(file)).code).to.equal(0);
    } finally {
      await product.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
