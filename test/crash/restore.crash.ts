/**
 * A backup is made under load; the system continues, is killed and restored. It is killed once more while an operator
 * decides about held work, and then runs until all work is done. The judge checks what the outside saw of both lives
 * together (docs/testing.md).
 *
 * CRASH_SEED, CRASH_MINUTES (above 2: several drills, each complete).
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { runProcess } from '../cli/process.js';
import { freePort } from '../support/free-port.js';
import type { HeldKind } from '../../read-models/held-work.js';
import { createChance } from './chance.js';
import { seenOutside, type Facts } from './facts.js';
import { readDataFolder, unwrittenProjections, waitingWork } from './data-folder.js';
import { startIntegrators } from './integrator.js';
import { judgeRestored } from './judge-restore.js';
import { createProduct } from './product.js';
import { startProvider } from './provider.js';
import { changeOf, startReceiver, type ReceiverStandIn } from './receiver.js';
import { makeWorkspace } from './workspace.js';

const SEED = process.env['CRASH_SEED'] ?? randomBytes(4).toString('hex');
const LONG = Number(process.env['CRASH_MINUTES'] ?? 12) > 2;
const DRILLS = LONG ? 4 : 1;
const APP_SECRET = 'crash-app-secret';
const ADMIN_TOKEN = 'crash-admin-token-crash-admin-token';
/** Number of the second life's first message. */
const SECOND_LIFE = 1_000_000;
const QUIET_TIMEOUT_MS = 300_000;
/**
 * Work that may be left: unanswered questions, and statuses of messages that this history does not contain. A lost
 * outcome is reconciled more than half a minute after a start; only the long run has the time for that.
 */
const MAY_BE_LEFT: readonly string[] = ['flow-timers', 'retry:inbound', ...(LONG ? [] : ['reconcile'])];

interface Held {
  readonly uuid: string;
  readonly kind: HeldKind;
}

describe(`restored from a backup made under load (seed ${SEED})`, () => {
  for (let drill = 1; drill <= DRILLS; drill += 1) {
    it(`repeats nothing, holds what may have happened, and leaves nothing behind: drill ${drill}`, () =>
      drillWith(`${SEED}/${drill}`));
  }
});

async function drillWith(seed: string): Promise<void> {
  const chance = createChance(seed);
  const dir = mkdtempSync(join(tmpdir(), 'recado-restore-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const provider = await startProvider({ chance, appSecret: APP_SECRET });
  let secret = '';
  const receiver = await startReceiver({ chance, secret: () => secret });
  provider.setWebhookUrls(`${url}/providers/whatsapp/webhooks`);
  const envOf = (dataDir: string) => ({
    DATA_DIR: dataDir,
    PORT: new URL(url).port,
    DEMO: 'off',
    LOG_LEVEL: 'warn',
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    WHATSAPP_API_URL: provider.url,
    WHATSAPP_APP_SECRET: APP_SECRET,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    // Slower than the clients send, so that some sends are waiting when the backup is made.
    CHANNEL_RATE_PER_SECOND: '20',
    RECIPIENT_PACING: 'off',
    RATE_LIMIT_SENDS_PER_MINUTE: 'off',
    RECONCILE_WINDOW_SECONDS: '5',
  });
  const [lostDir, dataDir] = [join(dir, 'lost'), join(dir, 'restored')];
  const workspace = await makeWorkspace(envOf(lostDir), receiver.url);
  secret = workspace.webhookSecret;
  const logPath = join(dir, 'product.log');
  const productIn = (folder: string) => createProduct({ url, env: envOf(folder), logPath, loadAhead: false });
  const integrate = (first: number, clients: number) =>
    startIntegrators({ chance, apiUrls: [`${url}/api/v1`], apiKey: workspace.apiKey, first, clients });
  const kills: number[] = [];
  const lost = productIn(lostDir);
  const product = productIn(dataDir);
  let integrators = integrate(0, 6);
  let keep = true;
  try {
    await lost.start();
    const customers = setInterval(() => lost.alive() && provider.writeInbound(), 150);
    const words = setInterval(() => provider.writeFlowWord(), 500);
    await pause(chance.between(2_000, 5_000));
    // No keywords after this point. A webhook that is repeated to the second life would start a flow again that the
    // lost life had started.
    clearInterval(words);
    const { file } = await admin<{ readonly file: string }>(url, 'POST', '/backups');
    while (!existsSync(file)) await pause(20);
    await pause(chance.between(1_000, 4_000));
    await lost.kill();
    kills.push(Date.now());
    clearInterval(customers);
    integrators.abandon();
    const callsOfTheLost = new Set(provider.calls.map(({ opaque }) => opaque));

    const keyFile = join(lostDir, 'master.key');
    const restored = await runProcess(['restore', file, '--data-dir', dataDir, '--master-key-file', keyFile]);
    expect(restored.code, restored.stderr).to.equal(0);
    await product.start();
    integrators = integrate(SECOND_LIFE, 2);
    const heldOf = () => admin<readonly Held[]>(url, 'GET', '/held-work?limit=100');
    const held = await heldOf();
    // An operator compares the held work with the calls that WhatsApp received.
    const decide = async ({ uuid, kind }: Held): Promise<void> => {
      const released = kind === 'delivery' || (kind === 'send' && !callsOfTheLost.has(uuid));
      await admin(url, 'POST', `/held-work/${uuid}/${released ? 'release' : 'end'}`);
    };
    for (const work of held.slice(0, held.length / 2)) await decide(work);
    await pause(chance.between(0, 1_000));
    await product.kill();
    kills.push(Date.now());
    await product.start();
    for (let left = await heldOf(); left.length > 0; left = await heldOf()) {
      for (const work of left) await decide(work);
    }
    await pause(chance.between(500, 2_000));
    await integrators.finish();

    const leftOver = (): readonly string[] => [
      ...Object.keys(waitingWork(dataDir)).filter((queue) => !MAY_BE_LEFT.includes(queue)),
      ...unwrittenProjections(dataDir),
    ];
    const quietBy = performance.now() + QUIET_TIMEOUT_MS;
    while ((provider.pending() > 0 || leftOver().length > 0) && performance.now() < quietBy) await pause(200);
    const notQuiet = leftOver().map((queue) => `never quiet: something is left in ${queue}`);
    await product.kill();
    const folder = await readDataFolder(dataDir, join(dir, 'copy'));
    const { violations: judged, figures } = judgeRestored({
      companyUuid: workspace.companyUuid,
      accepted: integrators.accepted,
      ...seenOutside(provider, receiver),
      kills,
      handovers: null,
      forgotten: [],
      folder,
    });
    console.log(JSON.stringify({ seed, calls_of_the_lost: callsOfTheLost.size, ...figures }));
    const violations = [...notQuiet, ...integrators.violations, ...told(receiver, folder), ...judged];
    expect(violations.slice(0, 40), `run again with CRASH_SEED=${SEED}`).to.deep.equal([]);
    expect(figures.released).to.be.greaterThan(0);
    keep = process.env['CRASH_KEEP'] === 'on';
  } finally {
    integrators.abandon();
    await Promise.all([lost.close(), product.close(), provider.close(), receiver.close()]);
    if (keep) console.log(`kept: ${dir}`);
    else rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * Violations that the receiver saw, except expected ones. A customer's message that WhatsApp delivers to both lives
 * after the backup is recorded in both: one event id, but with each life's own sequence and times.
 */
function told({ violations, changed }: ReceiverStandIn, { events }: Facts['folder']): readonly string[] {
  const horizon = Number(events.find(({ event }) => event.type === 'HistoryRestored')?.record.position);
  const inBoth = changed.filter(({ sequences }) => sequences.every((sequence) => sequence > horizon));
  const allowed = new Set(inBoth.map(changeOf));
  return violations.filter((violation) => !allowed.has(violation));
}

async function admin<T>(url: string, method: 'GET' | 'POST', path: string): Promise<T> {
  const answer = await fetch(`${url}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: '{}' } : {}),
  });
  const text = await answer.text();
  expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`).to.equal(true);
  return (JSON.parse(text) as { readonly data: T }).data;
}
