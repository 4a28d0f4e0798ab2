import { expect } from 'chai';
import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import sharp from 'sharp';
import { commands } from '../../cli/commands.js';
import { runProcess } from '../../cli/process.js';
import { startProduct, type Product } from '../../support/e2e/product.js';
import { eventually, TEST_TIMEOUT_MS } from '../../support/e2e/eventually.js';
import { createSecretBox } from '../../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../../adapters/embedded/open.js';
import { resolveImages } from '../../../application/store/images.js';
import { uploadImage } from '../../../application/store/uploaded-images.js';
import { readHorizon } from '../../../application/restore/horizon.js';
import { opened } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';
import { ConfigError } from '../../../runtime/config.js';
import { localFindings } from '../../../runtime/doctor/local.js';
import { operations } from '../../../read-models/operations.js';

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
  let operation: string;
  let blob: string;
  /** Path of a picture that no product shows yet. */
  let uploaded: string;

  const folder = opened(tempFolder);
  const at = (...names: string[]): string => join(folder.path, ...names);
  before(async () => {
    product = await startProduct({ BACKUP_DIR: folder.path });
    operation = (await product.sent('+5511987650001')).uuid;
    ({ hash: blob } = await product.app.blobs.put(Buffer.from('a picture')));
    const photo = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#0b6b53' } })
      .png()
      .toBuffer();
    uploaded = new URL((await uploadImage(product.app, product.company, photo)).url).pathname;
  });
  after(() => product.close());

  const env = () => ({ RECADO_DATA_DIR: product.dataDir });
  const { recado, done, ends } = commands(env, 'backup');
  /** Needs no server, and runs in a process of its own. */
  const restore = commands(env, 'restore', runProcess);
  const head = async (): Promise<number> => product.app.store.sequenceOf(await product.app.store.head());

  it('writes a backup under load, verified, without the master key, and says where that is', async () => {
    const target = at('one.db');
    let sending = true;
    const load = (async () => {
      let sent = 0;
      while (sending && sent < 40) {
        await product.accepted(`+55119876${String(10_000 + (sent += 1))}`);
      }
      return sent;
    })();
    const before = await head();
    const made = await recado(`--to ${target} --json`);
    sending = false;
    expect(await load).to.be.greaterThan(3);
    expect(made.stderr).to.equal('');
    const state = made.json<BackupRow & { master_key: string }>();
    expect(state).to.include({ status: 'succeeded', file: target });
    expect(state.events).to.be.at.least(before);
    expect(state.blobs.count).to.be.at.least(1);
    expect(state.master_key).to.include(join(product.dataDir, 'master.key'));
    expect(await names(folder.path)).to.deep.equal(['one.db', 'one.db.blobs', 'one.db.json']);
    expect((await stat(target)).mode & 0o777).to.equal(0o600);
    const key = (await readFile(join(product.dataDir, 'master.key'), 'utf8')).trim();
    for (const name of ['one.db', 'one.db.json']) {
      const bytes = await readFile(at(name));
      expect(bytes.includes(key) || bytes.includes(Buffer.from(key, 'base64')), name).to.equal(false);
    }
    expect(product.errors).to.deep.equal([]);
  });

  it('restores it into a new folder, on which a server goes on where the backup was', async () => {
    const dataDir = at('restored');
    const key = join(product.dataDir, 'master.key');
    const ran = await restore.done(`${at('one.db')} --data-dir ${dataDir} --master-key-file ${key} --json`);
    expect(ran.stderr).to.equal('');
    expect(ran.json()).to.include({ master_key: 'opens it' });
    expect(ran.json()['warnings']).to.deep.equal([]);
    expect(await names(dataDir)).to.deep.equal(['blobs', 'master.key', 'recado.db']);

    const restored = await startProduct({}, dataDir);
    try {
      const answer = await restored.app.readModels.get(operations.name, operation);
      expect(answer?.doc.status).to.equal('succeeded');
      // Personal data can be read: the keys are in the file, and the master key fits.
      const contacts = await restored.app.store.readAll({
        after: '' as never,
        limit: 500,
        prefixes: ['contact-'],
      });
      const [first] = await restored.app.codec.decodeAll(contacts.records);
      expect(first!.event.data).to.have.property('phone', '+5511987650001');
      expect(Buffer.from((await restored.app.blobs.get(blob))!).toString()).to.equal('a picture');
      const [image] = await resolveImages(restored.app, {
        companyUuid: product.company,
        storeUuid: product.company,
        urls: [restored.app.publicUrl() + uploaded],
        known: [],
      });
      expect(image, 'the upload').to.include({ width: 90, height: 60 });
      // It continues after the restore, which the history records.
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
    const dataDir = at('moved');
    const ran = await restore.recado(`${at('one.db')} --data-dir ${dataDir} --nothing-ran-since --json`);
    expect(ran.json()).to.include({ nothing_ran_since: true });
    const moved = await openEmbedded({ dataDir, secretBox: createSecretBox(Buffer.alloc(32)) });
    try {
      expect(await readHorizon(moved.eventStore)).to.include({ nothingRanSince: true });
    } finally {
      await moved.close();
    }
  });

  it('marks servers only, and takes a file or a mark', async () => {
    await restore.ends('--mark', 3, 'EVENTSTORE_URL');
    await restore.ends(`--mark ${at('one.db')}`, 2);
    await restore.ends(`--data-dir ${at('nothing')}`, 2);
  });

  it('overwrites nothing: neither a file, nor a folder that holds something or is in use', async () => {
    const target = at('one.db');
    const bytes = await readFile(target);
    await ends(`--to ${target}`, 3, /exists.*never overwrites/);
    await writeFile(at('two.db.json'), 'mine');
    expect((await recado(`--to ${at('two.db')}`)).stderr).to.include('two.db.json exists');
    expect(await readFile(at('two.db.json'), 'utf8')).to.equal('mine');
    await rm(at('two.db.json'));
    expect(await readFile(target)).to.deep.equal(bytes);

    await restore.ends(`${target} --data-dir ${product.dataDir}`, 3, 'in use by another Recado process');
    const used = at('used');
    await mkdir(used);
    await writeFile(join(used, 'notes.txt'), 'mine');
    await restore.ends(`${target} --data-dir ${used}`, 3, /not empty \(it holds notes\.txt\)/);
    expect(await names(used)).to.deep.equal(['notes.txt']);
  });

  it('refuses places that can not be written, with a sentence and nothing left', async () => {
    await ends(`--to ${at('no', 'such', 'x.db')}`, 3, /does not exist\. Make it first/);
    for (const outside of ['/proc/x.db', `${folder.path}.db`, at('..', 'x.db'), folder.path]) {
      await ends(`--to ${outside}`, 3, 'set BACKUP_DIR');
    }
    expect((await names(folder.path)).filter((name) => name.includes('partial'))).to.deep.equal([]);
  });

  it('refuses the database of a data folder, whose newest events are in another file, and what is no file', async () => {
    const dataDir = at('from-open');
    const database = join(product.dataDir, 'recado.db');
    await product.accepted('+5511987650077');
    expect((await stat(`${database}-wal`)).size).to.be.greaterThan(0);
    await restore.ends(`${database} --data-dir ${dataDir}`, 3, 'recado.db-wal');
    await restore.ends(`${database} --check`, 3, 'recado backup');
    await restore.ends(`${folder.path} --data-dir ${dataDir}`, 3, 'is a folder. Name the backup itself');
    await restore.ends(`/dev/null --data-dir ${dataDir}`, 3, 'is no file');
    expect(existsSync(dataDir)).to.equal(false);
  });

  it('refuses a damaged, cut or foreign backup and leaves no folder behind', async () => {
    const target = at('bad.db');
    for (const end of ['', '.json', '.blobs']) {
      await cp(at(`one.db${end}`), target + end, { recursive: true });
    }
    const dataDir = at('from-bad');
    const damaged = `${target} --data-dir ${dataDir}`;

    const size = (await stat(target)).size;
    const bytes = await readFile(target);
    bytes[Math.floor(size / 2)]! ^= 0xff;
    await writeFile(target, bytes);
    const said = async () => (await restore.recado(damaged)).stderr;
    expect(await said()).to.include('is not the file that its manifest describes');
    // Without its manifest, the damage must be detected in the file itself.
    await rm(`${target}.json`);
    await truncate(target, size - 8192);
    await restore.ends(damaged, 3, /damaged/);
    await writeFile(target, 'not a database at all, but long enough to look like something'.repeat(100));
    await restore.ends(damaged, 3);

    await cp(at('one.db'), target);
    await cp(at('one.db.json'), `${target}.json`);
    await rm(join(`${target}.blobs`, blob.slice(0, 2), blob.slice(2, 4), blob));
    expect(await said()).to.include(`${target}.blobs`);

    const foreign = at('foreign.key');
    await writeFile(foreign, Buffer.alloc(32, 9).toString('base64'));
    const wrongKey = `${at('one.db')} --data-dir ${dataDir} --master-key-file ${foreign}`;
    expect((await restore.recado(wrongKey)).stderr).to.include('does not open this backup');
    expect(existsSync(dataDir)).to.equal(false);
  });

  it('takes nothing for a backup that a killed server left, names it, and has the next one to that name replace it', async () => {
    const own = join(product.dataDir, 'backups');
    await mkdir(own, { recursive: true });
    // Killed when only the final name was missing: nothing proves that the copy was verified.
    for (const target of [at('killed.db'), join(own, 'killed.db')]) {
      await cp(at('one.db'), `${target}.partial`);
      await writeFile(`${target}.partial-journal`, '');
      await cp(at('one.db.json'), `${target}.json`);
      await cp(at('one.db.blobs'), `${target}.blobs`, { recursive: true });
      await mkdir(`${target}.blobs.partial`);
    }
    const target = at('killed.db');
    for (const [file, sentence] of [
      [target, 'There is no file'],
      [`${target}.partial`, 'was never completed'],
    ] as const) {
      await restore.ends(`${file} --data-dir ${at('from-killed')}`, 3, sentence);
    }
    const [found] = localFindings({}, product.dataDir, false).filter(({ check }) => check === 'backups');
    expect(found).to.include({ status: 'warn' });
    expect(found!.message).to.include('killed.db');
    const listed = (await recado('list --json')).json<readonly BackupRow[]>();
    expect(listed.filter(({ file }) => file.includes('killed'))).to.deep.equal([]);

    await done(`--to ${target} --json`);
    const kept = (await names(folder.path)).filter((name) => name.startsWith('killed'));
    expect(kept).to.deep.equal(['killed.db', 'killed.db.blobs', 'killed.db.json']);
    await restore.done(`${target} --check`);
    // A database that was moved leaves its manifest behind: that is not the remainder of a killed server.
    await writeFile(at('moved.db.json'), '{}');
    expect((await recado(`--to ${at('moved.db')}`)).stderr).to.include('never overwrites');

    await writeFile(join(own, 'whole.db.json'), '{}');
    await product.stop();
    product = await startProduct({}, product.dataDir);
    expect(await names(own)).to.deep.equal(['whole.db.json']);
    await rm(own, { recursive: true });
    await product.stop();
    product = await startProduct({ BACKUP_DIR: folder.path }, product.dataDir);
  });

  it('does not start on a restored folder without its key, or with another one', async () => {
    const dataDir = at('keyless');
    const ran = await restore.done(`${at('one.db')} --data-dir ${dataDir}`);
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
    const keepTwo = (name: string) => `--to ${at('kept', name)} --keep 2 --json`;
    // The folder is not created for the caller: a typing error would fill the wrong disk.
    await ends(keepTwo('a.db'), 3);
    await mkdir(at('kept'));
    await done(keepTwo('a.db'));
    await done(keepTwo('b.db'));
    const last = await done(keepTwo('c.db'));
    expect(last.json<BackupRow>().removed).to.deep.equal([at('kept', 'a.db')]);
    const left = await names(at('kept'));
    expect(left).to.deep.equal(['b.db', 'b.db.blobs', 'b.db.json', 'c.db', 'c.db.blobs', 'c.db.json']);
    const inode = async (name: string): Promise<number> =>
      (await stat(at('kept', `${name}.blobs`, blob.slice(0, 2), blob.slice(2, 4), blob))).ino;
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
      const now = await product.admin<BackupRow>('GET', `/backups/${data.uuid}`);
      return now.status === 'succeeded';
    });
    expect(basename(data.file)).to.match(/^recado-\d{8}T\d{6}Z\.db$/);
    expect(dirname(data.file)).to.equal(folder.path);
    const listed = (await recado('list --json')).json<readonly BackupRow[]>();
    expect(listed[0]).to.include({ uuid: data.uuid, status: 'succeeded' });
  });
});
