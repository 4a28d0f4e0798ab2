import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../adapters/embedded/driver.js';
import { expect } from 'chai';
import { newId } from '../../../adapters/clock/system.js';
import { createSecretBox } from '../../../adapters/crypto/secret-box.js';
import { BackupFailed } from '../../../adapters/embedded/backup.js';
import { FileDamaged, inspectFile } from '../../../adapters/embedded/inspect.js';
import { openEmbedded, type Embedded } from '../../../adapters/embedded/open.js';
import { checkBackup, restoreInto, RestoreRefused } from '../../../adapters/embedded/restore.js';
import { readHorizon, RESTORE_STREAM, restoredRecord } from '../../../application/restore/horizon.js';

const META = {
  correlation_id: 'c',
  causation_id: 'c',
  command_id: 'c',
  actor: 'test',
  company: 'k',
  occurred_at: '2026-11-21T12:00:00.000Z',
  schema_version: 1,
};

describe('backups of the embedded store', function () {
  this.timeout(120_000);
  let dir: string;
  let embedded: Embedded;
  let streams = 0;

  const add = (events: number) =>
    embedded.eventStore.append(
      `thing-${(streams += 1)}`,
      'no_stream',
      Array.from({ length: events }, () => ({
        eventId: randomUUID(),
        type: 'T',
        data: { text: 'x'.repeat(800) },
        meta: META,
      })),
    );
  const names = async (): Promise<readonly string[]> =>
    (await readdir(dir)).filter((name) => name.startsWith('b.')).sort();

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'recado-backup-'));
    embedded = await openEmbedded({
      dataDir: join(dir, 'data'),
      secretBox: createSecretBox(Buffer.alloc(32, 1)),
    });
    for (let i = 0; i < 20; i += 1) await add(50);
  });
  afterEach(async () => {
    await embedded.close();
    await rm(dir, { recursive: true });
  });

  it('holds what was committed while it was made, whole, and in one file', async () => {
    const target = join(dir, 'b.db');
    const during: Promise<unknown>[] = [];
    const facts = await embedded.backup({
      target,
      onProgress: () => {
        if (during.length < 5) during.push(add(3));
      },
    });
    await Promise.all(during);
    expect(during.length).to.be.greaterThan(1);
    expect(facts.head).to.be.at.least(1_000);
    expect(facts.counts.events).to.equal(facts.head);
    expect(await names()).to.deep.equal(['b.db']);
    expect(inspectFile(target)).to.deep.equal(facts);
  });

  it('finds an event that was changed, and one that is missing, in a file that SQLite finds whole', async () => {
    const target = join(dir, 'b.db');
    await embedded.backup({ target });
    const db = new Database(target);
    db.prepare("UPDATE events SET data = replace(data, 'xxx', 'xyx') WHERE position = 77").run();
    expect(() => inspectFile(target)).to.throw(FileDamaged, 'position 77 does not match its checksum');
    db.prepare('DELETE FROM events WHERE position = 77').run();
    expect(() => inspectFile(target)).to.throw(FileDamaged, 'lacks the event at position 77');
    db.prepare('DELETE FROM events WHERE position >= 77').run();
    expect(() => inspectFile(target)).to.throw(FileDamaged, 'ends at position 76 and should end at 1000');
    db.exec('DROP TABLE personal_keys');
    expect(() => inspectFile(target)).to.throw(FileDamaged, 'no table personal_keys');
    db.close();
  });

  it('reports a file that SQLite does not recognise as no database, or damaged at its beginning', async () => {
    const target = join(dir, 'notes.txt');
    await writeFile(target, 'no database, but as long as a page of one '.repeat(200));
    expect(() => inspectFile(target)).to.throw(
      FileDamaged,
      'no database of Recado, or its beginning is damaged',
    );
  });

  it('leaves nothing when it is given up, when what belongs to it fails, or when the name is taken meanwhile', async () => {
    const target = join(dir, 'b.db');
    const refused = async (options: Partial<Parameters<Embedded['backup']>[0]>): Promise<BackupFailed> =>
      embedded.backup({ target, ...options }).then(
        () => expect.fail('it was made'),
        (error: unknown) => error as BackupFailed,
      );
    let pages = 0;
    const stopped = await refused({ stopping: () => (pages += 1) > 1 });
    expect(stopped).to.be.instanceOf(BackupFailed).with.property('message').that.includes('stopping');
    expect(await names()).to.deep.equal([]);

    await writeFile(`${target}.partial`, 'of a server that was killed');
    const broken = await refused({ complete: () => Promise.reject(new Error('no room for the files')) });
    expect(broken.message).to.include('no room for the files');
    expect(await names()).to.deep.equal([]);

    const taken = await refused({ complete: () => writeFile(target, 'mine') });
    expect(taken.message).to.include('never overwrites');
    expect(await names()).to.deep.equal(['b.db']);
  });

  const restored = () =>
    restoredRecord({ source: 'backup', nothing_ran_since: false }, { now: Date.parse('2026-03-02'), newId });

  it('puts a restore at the end of the history, each time', async () => {
    await add(3);
    const target = join(dir, 'first.db');
    await embedded.backup({ target });
    let source = { file: target, blobsDir: null, expected: null };
    for (const round of [1, 2]) {
      const facts = checkBackup(source);
      const dataDir = join(dir, `life-${round}`);
      const record = restored();
      restoreInto(dataDir, source, facts, { stream: RESTORE_STREAM, record });
      const life = await openEmbedded({ dataDir, secretBox: createSecretBox(Buffer.alloc(32, 1)) });
      try {
        const horizon = (await readHorizon(life.eventStore))!;
        expect(horizon).to.include({ eventId: record.eventId, at: Date.parse('2026-03-02') });
        expect(life.eventStore.sequenceOf(horizon.position)).to.equal(facts.head + 1);
        expect(await life.eventStore.head()).to.equal(horizon.position);
        expect(await life.eventStore.read(RESTORE_STREAM)).to.have.length(round);
        const next = join(dir, `life-${round}.db`);
        await life.backup({ target: next });
        source = { ...source, file: next };
      } finally {
        await life.close();
      }
    }
  });

  it('refuses to restore what a newer release has written', async () => {
    const target = join(dir, 'b.db');
    await embedded.backup({ target });
    const source = { file: target, blobsDir: null, expected: null };
    const facts = checkBackup(source);
    restoreInto(join(dir, 'restored'), source, facts, { stream: RESTORE_STREAM, record: restored() });
    expect(await readdir(join(dir, 'restored'))).to.deep.equal(['recado.db']);
    const db = new Database(target);
    db.pragma('user_version = 999');
    db.close();
    expect(() => checkBackup(source)).to.throw(RestoreRefused, 'newer release');
  });
});
