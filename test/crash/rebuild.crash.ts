/**
 * `kill -9` during a rebuild of read models: the next process finds the job, continues where the build was, and ends
 * with the documents of an undisturbed build. The kills come at random moments: CRASH_SEED, as in the other suites.
 */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../adapters/embedded/database.js';
import { Database } from '../../adapters/embedded/driver.js';
import { expect } from 'chai';
import { systemClock } from '../../adapters/clock/system.js';
import { loadMasterKey } from '../../adapters/crypto/master-key.js';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { tableOf } from '../../adapters/embedded/collection-table.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import { createCodec } from '../../application/codec.js';
import { createRegistry } from '../../domain/catalog.js';
import { exampleIds } from '../support/examples/example.js';
import { storedName } from '../../ports/read-models.js';
import type { ProjectionJobDoc } from '../../read-models/projection-rebuilds.js';
import { build } from '../../projections/build.js';
import { projections } from '../../projections/catalog.js';
import { writeHistory } from '../bench/long-history.js';
import { freePort } from '../support/free-port.js';
import { createChance } from './chance.js';
import { createProduct } from './product.js';

const SEED = process.env['CRASH_SEED'] ?? randomBytes(4).toString('hex');
/** SQLite commits every two seconds, and only then another program sees what a rebuild has done. */
const EVENTS = 30_000;
const ADMIN_TOKEN = 'crash-admin-token-crash-admin-token';
/** The work in progress at each kill. The first four belong to one build. */
const PLACES = ['building', 'building', 'verifying', 'flipping', 'dropping'] as const;
type Place = (typeof PLACES)[number];
/** Maximum number of rebuilds that may finish before the wanted phase is observed. */
const MAX_DONE = 40;
/** A generation number that is never used: the build for the comparison, made after everything has ended. */
const UNDISTURBED = 1_000_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe(`killed while read models are built anew (seed ${SEED})`, () => {
  const chance = createChance(SEED);
  const dir = mkdtempSync(join(tmpdir(), 'recado-crash-'));
  const dataDir = join(dir, 'data');
  after(() => rmSync(dir, { recursive: true, force: true }));

  it('goes on where it was, and ends as if nothing had happened', async () => {
    await fillFolder(dataDir);
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
    const admin = adminOf(url);
    try {
      await product.start();
      const file = createWatch(dataDir);
      let order = await admin<ProjectionJobDoc>('POST', '/projections/rebuilds', {});
      const done: ProjectionJobDoc[] = [];
      for (const [n, place] of PLACES.entries()) {
        let seen = file.order(order.uuid);
        // If a rebuild finishes before the chosen moment, the next one is killed earlier.
        for (let at = chance.next(); !file.isAt(place, order.uuid, at); seen = file.order(order.uuid)) {
          if (seen?.open === 0) {
            expect(seen, JSON.stringify(seen.error)).to.include({ status: 'done' });
            done.push(seen);
            expect(done.length, `rebuilds that were over without being seen ${place}`).to.be.below(MAX_DONE);
            at /= 2;
            order = await admin<ProjectionJobDoc>('POST', '/projections/rebuilds', {});
          }
          await wait(1);
        }
        await product.kill();
        const left = leftIn(dataDir, join(dir, `left-${n}`));
        const before = left.order(order.uuid)!;
        const stood = left.lowest(before);
        left.close();
        await product.start();
        const there = await admin<ProjectionJobDoc>('GET', `/projections/rebuilds/${order.uuid}`);
        expect(there.projections.map(({ name, generation }) => [name, generation])).to.deep.equal(
          before.projections.map(({ name, generation }) => [name, generation]),
        );
        await admin('POST', '/companies', { name: `Company ${n}` });
        if (place !== 'building') continue;
        expect(stood, 'something was built before the kill').to.be.greaterThan(0);
        // The kill came just after the last of them was built.
        if (stood === Infinity) continue;
        const built = await until(() => {
          const now = file.order(order.uuid)!;
          return now.status === 'building' || now.status === 'queued' ? null : now;
        });
        expect(built.progress.events).to.be.at.most(file.head() - stood);
      }
      const last = await until(() => {
        const now = file.order(order.uuid)!;
        return now.open === 0 ? now : null;
      });
      for (const { status, error, projections: each } of [...done, last]) {
        expect(status, String(error)).to.equal('done');
        for (const { name, state, verification } of each) {
          expect(state, name).to.equal('flipped');
          expect(verification, name).to.include({ full: true, different: 0 });
        }
      }
      file.close();
    } finally {
      await product.close();
    }
    const copies = await compare(dataDir, join(dir, 'copy'));
    expect(copies.different).to.deep.equal([]);
    // The live generation and the one before it. Removals that a kill interrupted are complete.
    for (const [name, generations] of copies.generations) expect(generations, name).to.have.length(2);
    expect(copies.leftovers).to.deep.equal([]);
    expect(copies.documents).to.be.greaterThan(EVENTS / 2);
  });
});

async function fillFolder(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const { key } = loadMasterKey({ dataDir });
  const embedded = await openEmbedded({ dataDir, secretBox: createSecretBox(key) });
  const { company, channel } = exampleIds;
  const codec = createCodec(createRegistry(), embedded.personalKeys);
  await writeHistory(embedded.eventStore, codec, { events: EVENTS, sealed: 'all', company, channel });
  await embedded.close();
}

/** What a killed server left, as its next start finds it: with what is in the redo log. Works on a copy. */
function leftIn(dataDir: string, copyDir: string) {
  cpSync(dataDir, copyDir, { recursive: true });
  openDatabase(join(copyDir, 'recado.db')).close();
  return createWatch(copyDir);
}

/** Reads the database file of a server that is running or has just been killed. */
function createWatch(dataDir: string) {
  const db = new Database(join(dataDir, 'recado.db'), { readonly: true, timeout: 5_000 });
  const orderText = db.prepare('SELECT doc FROM rm_projection_rebuilds_v1 WHERE id = ?').pluck();
  const checkpoint = db.prepare('SELECT position FROM checkpoints WHERE projection = ?').pluck();
  const isLive = db
    .prepare('SELECT live FROM generations WHERE name = ? AND version = ? AND generation = ?')
    .pluck();
  const going = db.prepare('SELECT count(*) FROM generations WHERE live = -1').pluck();
  const newest = db.prepare('SELECT max(position) FROM events').pluck();
  let since: number | null = null;

  const order = (uuid: string): ProjectionJobDoc | undefined => {
    const text = orderText.get(uuid) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as ProjectionJobDoc);
  };
  /** The position up to which all projections that are being built have been written. */
  const lowest = (of: ProjectionJobDoc): number =>
    Math.min(
      ...of.projections
        .filter(({ state }) => state === 'building')
        .map(({ name, version, generation }) =>
          Number(checkpoint.get(storedName({ name, version }, generation!)) ?? 0),
        ),
    );
  /** True once a condition has been true for `ms`. */
  function lasts(so: boolean, ms: number): boolean {
    if (!so) since = null;
    else since ??= performance.now();
    if (since === null || performance.now() - since < ms) return false;
    since = null;
    return true;
  }
  return {
    order,
    lowest,
    head: () => newest.get() as number,
    isAt(place: Place, uuid: string, chance: number): boolean {
      const now = order(uuid);
      if (!now) return false;
      if (place === 'building')
        return lasts(now.status === 'building' && lowest(now) > 0 && lowest(now) < Infinity, chance * 200);
      if (place === 'verifying') return lasts(now.status === 'verifying', chance * 300);
      if (place === 'dropping') return lasts((going.get() as number) > 0, chance * 30);
      const flipped = now.projections.filter(
        ({ name, version, generation }) => generation !== null && isLive.get(name, version, generation) === 1,
      );
      return flipped.length > chance * now.projections.length;
    },
    close: () => void db.close(),
  };
}

const adminOf =
  (url: string) =>
  async <T>(method: string, path: string, json?: object): Promise<T> => {
    const answer = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    expect(answer.status, `${method} ${path}: ${text}`).to.be.below(300);
    return (JSON.parse(text) as { data: T }).data;
  };

/** Polls for as long as a slow machine may take. */
async function until<T>(look: () => T | null): Promise<T> {
  const deadline = performance.now() + 240_000;
  for (;;) {
    const found = look();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error('waited in vain');
    await wait(5);
  }
}

/** Compares every copy of every projection with one that is built from the start in a copy of the folder. */
async function compare(dataDir: string, copyDir: string) {
  cpSync(dataDir, copyDir, { recursive: true });
  const { key } = loadMasterKey({ dataDir: copyDir });
  const embedded = await openEmbedded({ dataDir: copyDir, secretBox: createSecretBox(key) });
  const codec = createCodec(createRegistry(), embedded.personalKeys);
  const generations = new Map<string, readonly number[]>();
  for (const projection of projections) {
    await embedded.readModels.define(projection);
    generations.set(projection.name, (await embedded.readModels.generations(projection.name)).all);
  }
  const built = await build(
    projections.map((projection) => ({ projection, generation: UNDISTURBED })),
    {
      store: embedded.eventStore,
      readModels: embedded.readModels,
      codec,
      pause: () => Promise.resolve(),
      clock: systemClock,
    },
  );
  expect([built.complete, built.failed.size]).to.deep.equal([true, 0]);
  await embedded.close();

  const db = new Database(join(copyDir, 'recado.db'), { readonly: true });
  const different: string[] = [];
  let documents = 0;
  const known = new Set<string>();
  const rows = (table: string) =>
    db.prepare(`SELECT id, version, doc FROM ${table} ORDER BY id`).all() as readonly Record<
      string,
      string | null
    >[];
  for (const projection of projections) {
    const expected = rows(tableOf({ ...projection, generation: UNDISTURBED }));
    documents += expected.length;
    for (const generation of [...generations.get(projection.name)!, UNDISTURBED]) {
      const table = tableOf({ ...projection, generation });
      known.add(table);
      const found = JSON.stringify(rows(table));
      if (found !== JSON.stringify(expected)) different.push(table);
    }
  }
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'rm_*_g[0-9]*'")
    .pluck()
    .all();
  db.close();
  const leftovers = (tables as string[]).filter((name) => !known.has(name) && !name.includes('__'));
  return { different, documents, generations, leftovers };
}
