import { expect } from 'chai';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { runProcess } from '../cli/process.js';
import { run, type Ran } from '../cli/run.js';
import { startProduct, type Product } from '../support/e2e/product.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import { readHorizon } from '../../application/restore/horizon.js';
import { ConfigError } from '../../runtime/config.js';
import { localFindings } from '../../runtime/doctor-local.js';

interface BackupRow {
  readonly uuid: string;
  readonly status: string;
  readonly file: string;
  readonly events: number;
  readonly sha256: string;
  readonly error: string | null;
  readonly blobs: { readonly count: number };
  readonly removed: readonly string[];
}

const names = async (folder: string): Promise<readonly string[]> => (await readdir(folder)).sort();

describe('backup and restore of the embedded store', function () {
  this.timeout(TEST_TIMEOUT_MS);
  if (process.env['RECADO_E2E_STACK'] === 'real') return;
  let product: Product;
  let folder: string;
  let operation: string;
  let blob: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recado-backup-'));
    product = await startProduct({ BACKUP_DIR: folder });
    operation = await product.accepted('+5511987650001');
    await product.settled(operation);
    ({ hash: blob } = await product.app.blobs.put(Buffer.from('a picture')));
  });
  after(async () => {
    await product.close();
    await rm(folder, { recursive: true, force: true });
  });

  const recado = (...args: readonly string[]): Promise<Ran> =>
    run(args, { env: { RECADO_DATA_DIR: product.dataDir } });
  /** Works without a server, by a program that is started for it. */
  const restore = (...args: readonly string[]): Promise<Ran> =>
    runProcess(['restore', ...args], { env: { RECADO_DATA_DIR: product.dataDir } });
  const head = async (): Promise<number> => product.app.store.sequenceOf(await product.app.store.head());

  it('writes a backup under load, verified, without the master key, and says where that is', async () => {
    const target = join(folder, 'one.db');
    let sending = true;
    const load = (async () => {
      let sent = 0;
      while (sending && sent < 40) {
        await product.accepted(`+55119876${String(10_000 + (sent += 1))}`);
      }
      return sent;
    })();
    const before = await head();
    const made = await recado('backup', '--to', target, '--json');
    sending = false;
    expect(await load).to.be.greaterThan(3);
    expect(made.stderr).to.equal('');
    const state = made.json<BackupRow & { master_key: string }>();
    expect(state).to.include({ status: 'succeeded', file: target });
    expect(state.events).to.be.at.least(before);
    expect(state.blobs.count).to.be.at.least(1);
    expect(state.master_key).to.include(join(product.dataDir, 'master.key'));
    expect(await names(folder)).to.deep.equal(['one.db', 'one.db.blobs', 'one.db.json']);
    expect((await stat(target)).mode & 0o777).to.equal(0o600);
    const key = (await readFile(join(product.dataDir, 'master.key'), 'utf8')).trim();
    for (const name of ['one.db', 'one.db.json']) {
      const bytes = await readFile(join(folder, name));
      expect(bytes.includes(key) || bytes.includes(Buffer.from(key, 'base64')), name).to.equal(false);
    }
    expect(product.errors).to.deep.equal([]);
  });

  it('restores it into a new folder, on which a server goes on where the backup was', async () => {
    const dataDir = join(folder, 'restored');
    const key = join(product.dataDir, 'master.key');
    const ran = await restore(
      join(folder, 'one.db'),
      '--data-dir',
      dataDir,
      '--master-key-file',
      key,
      '--json',
    );
    expect([ran.code, ran.stderr]).to.deep.equal([0, '']);
    expect(ran.json()).to.include({ master_key: 'opens it' });
    expect(ran.json()['warnings']).to.deep.equal([]);
    expect(await names(dataDir)).to.deep.equal(['blobs', 'master.key', 'recado.db']);

    const restored = await startProduct({}, dataDir);
    try {
      const answer = await restored.app.readModels.get<{ status: string }>('operations', operation);
      expect(answer?.doc.status).to.equal('succeeded');
      // Personal data opens: the keys are in the file and the master key fits.
      const contacts = await restored.app.store.readAll({
        after: '' as never,
        limit: 500,
        prefixes: ['contact-'],
      });
      const [first] = await restored.app.codec.decodeAll(contacts.records);
      expect(first!.event.data).to.have.property('phone', '+5511987650001');
      expect(Buffer.from((await restored.app.blobs.get(blob))!).toString()).to.equal('a picture');
      // And it goes on, behind the restore, which the history knows of.
      const horizon = (await readHorizon(restored.app.store))!;
      expect(restored.app.store.sequenceOf(horizon.position)).to.equal((ran.json()['events'] as number) + 1);
      expect(horizon.nothingRanSince).to.equal(false);
      const answered = await restored.app.store.head();
      expect(answered >= horizon.position).to.equal(true);
    } finally {
      await restored.stop();
    }
  });

  it('says in the history that nothing ran since, where the operator knows', async () => {
    const dataDir = join(folder, 'moved');
    const file = join(folder, 'one.db');
    const ran = await restore(file, '--data-dir', dataDir, '--nothing-ran-since', '--json');
    expect(ran.json()).to.include({ nothing_ran_since: true });
    const moved = await openEmbedded({ dataDir, secretBox: createSecretBox(Buffer.alloc(32)) });
    try {
      expect(await readHorizon(moved.eventStore)).to.include({ nothingRanSince: true });
    } finally {
      await moved.close();
    }
  });

  it('marks servers only, and takes a file or a mark', async () => {
    const noServers = await restore('--mark');
    expect([noServers.code, noServers.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 3 && text.includes('EVENTSTORE_URL'),
    );
    expect((await restore('--mark', join(folder, 'one.db'))).code).to.equal(2);
    expect((await restore('--data-dir', join(folder, 'nothing'))).code).to.equal(2);
  });

  it('overwrites nothing: neither a file, nor a folder that holds something or is in use', async () => {
    const target = join(folder, 'one.db');
    const bytes = await readFile(target);
    const again = await recado('backup', '--to', target);
    expect(again.code).to.equal(3);
    expect(again.stderr).to.match(/exists.*never overwrites/);
    await writeFile(join(folder, 'two.db.json'), 'mine');
    expect((await recado('backup', '--to', join(folder, 'two.db'))).stderr).to.include('two.db.json exists');
    expect(await readFile(join(folder, 'two.db.json'), 'utf8')).to.equal('mine');
    await rm(join(folder, 'two.db.json'));
    expect(await readFile(target)).to.deep.equal(bytes);

    const inUse = await restore(target, '--data-dir', product.dataDir);
    expect([inUse.code, inUse.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 3 && text.includes('in use by another Recado process'),
    );
    const used = join(folder, 'used');
    await mkdir(used);
    await writeFile(join(used, 'notes.txt'), 'mine');
    const refused = await restore(target, '--data-dir', used);
    expect(refused.code).to.equal(3);
    expect(refused.stderr).to.match(/not empty \(it holds notes\.txt\)/);
    expect(await names(used)).to.deep.equal(['notes.txt']);
  });

  it('refuses places that can not be written, with a sentence and nothing left', async () => {
    const nowhere = await recado('backup', '--to', join(folder, 'no', 'such', 'x.db'));
    expect(nowhere.code).to.equal(3);
    expect(nowhere.stderr).to.match(/does not exist\. Make it first/);
    for (const outside of ['/proc/x.db', `${folder}.db`, join(folder, '..', 'x.db'), folder]) {
      const refused = await recado('backup', '--to', outside);
      expect(refused.code, outside).to.equal(3);
      expect(refused.stderr, outside).to.include('set BACKUP_DIR');
    }
    expect((await names(folder)).filter((name) => name.includes('partial'))).to.deep.equal([]);
  });

  it('refuses a damaged, cut or foreign backup and leaves no folder behind', async () => {
    const target = join(folder, 'bad.db');
    for (const end of ['', '.json', '.blobs']) {
      await cp(join(folder, `one.db${end}`), target + end, { recursive: true });
    }
    const dataDir = join(folder, 'from-bad');
    const attempt = (): Promise<Ran> => restore(target, '--data-dir', dataDir);

    const size = (await stat(target)).size;
    const bytes = await readFile(target);
    bytes[Math.floor(size / 2)]! ^= 0xff;
    await writeFile(target, bytes);
    expect((await attempt()).stderr).to.include('is not the file that its manifest describes');
    // Without its manifest the damage must be found in the file itself.
    await rm(`${target}.json`);
    await truncate(target, size - 8192);
    const cut = await attempt();
    expect([cut.code, cut.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 3 && /damaged/.test(text),
    );
    await writeFile(target, 'not a database at all, but long enough to look like something'.repeat(100));
    expect((await attempt()).code).to.equal(3);

    await cp(join(folder, 'one.db'), target);
    await cp(join(folder, 'one.db.json'), `${target}.json`);
    await rm(join(`${target}.blobs`, blob.slice(0, 2), blob.slice(2, 4), blob));
    expect((await attempt()).stderr).to.include(`${target}.blobs`);

    const foreign = join(folder, 'foreign.key');
    await writeFile(foreign, Buffer.alloc(32, 9).toString('base64'));
    const wrongKey = await restore(
      join(folder, 'one.db'),
      '--data-dir',
      dataDir,
      '--master-key-file',
      foreign,
    );
    expect(wrongKey.stderr).to.include('does not open this backup');
    expect(existsSync(dataDir)).to.equal(false);
  });

  it('takes nothing for a backup that a killed server left, names it, and has the next one to that name replace it', async () => {
    const own = join(product.dataDir, 'backups');
    await mkdir(own, { recursive: true });
    // Killed when all but the name was there: nobody can tell that it was looked over.
    for (const target of [join(folder, 'killed.db'), join(own, 'killed.db')]) {
      await cp(join(folder, 'one.db'), `${target}.partial`);
      await writeFile(`${target}.partial-journal`, '');
      await cp(join(folder, 'one.db.json'), `${target}.json`);
      await cp(join(folder, 'one.db.blobs'), `${target}.blobs`, { recursive: true });
      await mkdir(`${target}.blobs.partial`);
    }
    const target = join(folder, 'killed.db');
    for (const [file, sentence] of [
      [target, 'There is no file'],
      [`${target}.partial`, 'was never completed'],
    ] as const) {
      const refused = await restore(file, '--data-dir', join(folder, 'from-killed'));
      expect([refused.code, refused.stderr]).to.satisfy(
        ([code, text]: [number, string]) => code === 3 && text.includes(sentence),
      );
    }
    const [found] = localFindings({}, product.dataDir, false).filter(({ check }) => check === 'backups');
    expect(found).to.include({ status: 'warn' });
    expect(found!.message).to.include('killed.db');
    const listed = (await recado('backup', 'list', '--json')).json<readonly BackupRow[]>();
    expect(listed.filter(({ file }) => file.includes('killed'))).to.deep.equal([]);

    const made = await recado('backup', '--to', target, '--json');
    expect(made.code, made.stderr).to.equal(0);
    expect((await names(folder)).filter((name) => name.startsWith('killed'))).to.deep.equal([
      'killed.db',
      'killed.db.blobs',
      'killed.db.json',
    ]);
    expect((await restore(target, '--check')).code).to.equal(0);
    // A database that was taken elsewhere leaves its manifest: that is nobody's leftover.
    await writeFile(join(folder, 'moved.db.json'), '{}');
    expect((await recado('backup', '--to', join(folder, 'moved.db'))).stderr).to.include('never overwrites');

    await writeFile(join(own, 'whole.db.json'), '{}');
    await product.stop();
    product = await startProduct({}, product.dataDir);
    expect(await names(own)).to.deep.equal(['whole.db.json']);
    await rm(own, { recursive: true });
    await product.stop();
    product = await startProduct({ BACKUP_DIR: folder }, product.dataDir);
  });

  it('does not start on a restored folder without its key, or with another one', async () => {
    const dataDir = join(folder, 'keyless');
    const ran = await restore(join(folder, 'one.db'), '--data-dir', dataDir);
    expect(ran.code).to.equal(0);
    expect(ran.stderr).to.include(`put it into ${join(dataDir, 'master.key')}`);
    const refusal = (env: Readonly<Record<string, string>>): Promise<unknown> =>
      startProduct(env, dataDir).then(
        () => 'it started',
        (error: unknown) => error,
      );
    const without = await refusal({});
    expect(without).to.be.instanceOf(ConfigError);
    expect((without as Error).message).to.include('no master.key');
    const other = await refusal({ RECADO_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') });
    expect((other as Error).message).to.include('not the key that this deployment was begun with');
  });

  it('keeps the newest, and links files that an earlier backup has', async () => {
    const made: BackupRow[] = [];
    for (const name of ['a.db', 'b.db', 'c.db']) {
      const ran = await recado('backup', '--to', join(folder, 'kept', name), '--keep', '2', '--json').catch(
        () => undefined,
      );
      // The folder is not made for the caller: a typing error would fill the wrong disk.
      if (ran?.code === 3) {
        await mkdir(join(folder, 'kept'));
        made.push(
          (
            await recado('backup', '--to', join(folder, 'kept', name), '--keep', '2', '--json')
          ).json<BackupRow>(),
        );
      } else made.push(ran!.json<BackupRow>());
    }
    expect(made[2]!.removed).to.deep.equal([join(folder, 'kept', 'a.db')]);
    const left = await names(join(folder, 'kept'));
    expect(left).to.deep.equal(['b.db', 'b.db.blobs', 'b.db.json', 'c.db', 'c.db.blobs', 'c.db.json']);
    const inode = async (name: string): Promise<number> =>
      (await stat(join(folder, 'kept', `${name}.blobs`, blob.slice(0, 2), blob.slice(2, 4), blob))).ino;
    expect(await inode('b.db')).to.equal(await inode('c.db'));
  });

  it('makes one at a time, in its own folder when none is named, and lists what it made', async () => {
    const admin = product.running.credentials['admin_url']!;
    const headers = { authorization: `Bearer ${product.running.credentials['admin_token']!}` };
    const [first, second] = await Promise.all([
      fetch(`${admin}/backups`, { method: 'POST', headers }),
      fetch(`${admin}/backups`, { method: 'POST', headers }),
    ]);
    expect([first.status, second.status].sort()).to.deep.equal([202, 409]);
    const { data } = (await (first.status === 202 ? first : second).json()) as { data: BackupRow };
    await eventually(async () => {
      const answer = await fetch(`${admin}/backups/${data.uuid}`, { headers });
      const { data: now } = (await answer.json()) as { data: BackupRow };
      return now.status === 'succeeded';
    });
    expect(basename(data.file)).to.match(/^recado-\d{8}T\d{6}Z\.db$/);
    expect(dirname(data.file)).to.equal(folder);
    const listed = (await recado('backup', 'list', '--json')).json<readonly BackupRow[]>();
    expect(listed[0]).to.include({ uuid: data.uuid, status: 'succeeded' });
  });
});
