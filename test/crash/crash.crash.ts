/**
 * `kill -9` at random moments under load, many times. No accepted operation is lost and none is sent twice. Every event
 * is delivered at least once. Read models equal a fresh rebuild. Every flow takes the same course as without kills. See
 * docs/testing.md.
 *
 * CRASH_ROUNDS (200), CRASH_MINUTES (12; the first limit ends the run), CRASH_SEED, CRASH_DIST (dist), CRASH_KEEP=on.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createChance } from './chance.js';
import { openErasures, readDataFolder, waitingWork } from './data-folder.js';
import { seenOutside, type Facts } from './facts.js';
import { judgeFlows, startFlowClients } from './flows.js';
import { startForgetting } from './forgotten.js';
import { startIntegrators } from './integrator.js';
import { cutOffBeforeTheCall, expectedWebhooks, judge } from './judge.js';
import { createProduct } from './product.js';
import { startProvider } from './provider.js';
import { startReceiver } from './receiver.js';
import { makeWorkspace } from './workspace.js';
import { freePort } from '../support/free-port.js';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 200);
const MINUTES = Number(process.env['CRASH_MINUTES'] ?? 12);
const SEED = process.env['CRASH_SEED'] ?? randomBytes(4).toString('hex');
const APP_SECRET = 'crash-app-secret';
const ADMIN_TOKEN = 'crash-admin-token-crash-admin-token';
/** If nothing reaches the place of the kill within this time, the round ends with a kill anyway. */
const LONGEST_ROUND_MS = 3_000;
/** Long, because the third attempt of a delivery comes minutes after the second. */
const QUIET_TIMEOUT_MS = 900_000;

const PLACES = [
  'starting',
  'running',
  'provider called',
  'half answered',
  'answered 202',
  'webhook kept',
  'delivery',
] as const;
type Place = (typeof PLACES)[number];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe(`killed at any moment (seed ${SEED})`, () => {
  it('loses nothing, sends nothing twice, tells everything', async () => {
    const chance = createChance(SEED);
    const dir = mkdtempSync(join(tmpdir(), 'recado-crash-'));
    const dataDir = join(dir, 'data');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const provider = await startProvider({ chance, appSecret: APP_SECRET });
    let secret = '';
    const receiver = await startReceiver({ chance, secret: () => secret });
    provider.setWebhookUrls(`${url}/providers/whatsapp/webhooks`);
    const env = {
      DATA_DIR: dataDir,
      PORT: String(port),
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      WHATSAPP_API_URL: provider.url,
      WHATSAPP_APP_SECRET: APP_SECRET,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      CHANNEL_RATE_PER_SECOND: 'off',
      RECIPIENT_PACING: 'off',
      RATE_LIMIT_READS_PER_MINUTE: 'off',
      RATE_LIMIT_SENDS_PER_MINUTE: 'off',
      RECONCILE_WINDOW_SECONDS: '20',
    };
    const workspace = await makeWorkspace(env, receiver.url);
    secret = workspace.webhookSecret;

    const logPath = join(dir, 'product.log');
    const product = createProduct({ url, env, logPath });
    const kills: number[] = [];
    const killedAt = new Map<string, number>();
    const kill = (place: Place): void => {
      if (!product.alive()) return;
      count(killedAt, place);
      void product.kill().then(() => kills.push(Date.now()));
    };

    const began = performance.now();
    await product.start();
    const integrators = startIntegrators({ chance, apiUrls: [`${url}/api/v1`], apiKey: workspace.apiKey });
    const { flowUuid, channelUuid } = workspace;
    const flows = startFlowClients({ chance, apiUrl: `${url}/api/v1`, apiKey: workspace.apiKey, flowUuid });
    const forgetting = startForgetting({
      chance,
      provider,
      url,
      apiKey: workspace.apiKey,
      adminToken: ADMIN_TOKEN,
    });
    const customers = setInterval(() => product.alive() && provider.writeInbound(), 150);
    const called = setInterval(() => product.alive() && provider.writeFlowWord(), 1_500);
    let rounds = 0;
    while (rounds < ROUNDS && performance.now() - began < MINUTES * 60_000) {
      rounds += 1;
      // The kill is armed at one place and happens at the n-th pass through it.
      const place = chance.pick(PLACES);
      let countdown = Math.floor(chance.between(1, 40));
      const passes = (): void => {
        countdown -= 1;
        if (countdown === 0) kill(place);
      };
      integrators.onAccepted = place === 'answered 202' ? passes : null;
      provider.onKept = place === 'webhook kept' ? passes : null;
      receiver.onDelivery = place === 'delivery' ? passes : null;
      if (chance.next() < 0.25) provider.holdBack(chance.between(1_000, 6_000));
      if (place === 'provider called') await sleep(chance.between(0, 500));
      if (place === 'provider called') provider.interruptNext('call', () => kill(place));
      if (place === 'half answered') provider.interruptNext('half', () => kill(place));
      if (place === 'running') await sleep(chance.between(20, 900)).then(() => kill(place));
      const deadline = performance.now() + LONGEST_ROUND_MS;
      while (product.alive() && place !== 'starting' && performance.now() < deadline) await sleep(5);
      if (place !== 'starting' && product.alive()) kill('running');
      if (place === 'starting') kill('running');
      // Disarm the triggers first: a kill during the last start would leave no running process.
      integrators.onAccepted = provider.onKept = receiver.onDelivery = null;
      provider.clearInterrupt();
      await product.kill();
      if (place === 'starting') {
        const starting = product.start();
        await sleep(chance.between(0, median(product.startTimes)));
        kill('starting');
        await starting;
        await product.kill();
      }
      await product.start();
    }
    clearInterval(customers);
    clearInterval(called);
    await Promise.all([integrators.finish(), flows.finish(), forgetting.finish()]);
    const minutes = (performance.now() - began) / 60_000;

    const quietBy = performance.now() + QUIET_TIMEOUT_MS;
    const left = (): Readonly<Record<string, number>> => {
      const erasing = openErasures(dataDir);
      return { ...waitingWork(dataDir), ...(erasing > 0 ? { erasures: erasing } : {}) };
    };
    let work = left();
    while ((provider.pending() > 0 || Object.keys(work).length > 0) && performance.now() < quietBy) {
      await sleep(200);
      work = left();
    }
    await backUp(url);
    await product.kill();
    const folder = await readDataFolder(dataDir, join(dir, 'copy'));
    const facts: Facts = {
      companyUuid: workspace.companyUuid,
      accepted: [...integrators.accepted, ...forgetting.accepted],
      ...seenOutside(provider, receiver),
      kills,
      handovers: null,
      forgotten: forgetting.forgotten,
      folder,
    };
    const violations = [
      ...(provider.pending() > 0 ? [`${provider.pending()} provider webhooks were never answered 200`] : []),
      ...Object.entries(work).map(([queue, n]) => `never quiet: ${n} left in ${queue}`),
      ...integrators.violations,
      ...receiver.violations,
      ...flows.violations,
      ...forgetting.violations,
      ...judgeFlows({
        accepted: flows.accepted,
        words: provider.flowWords,
        channelUuid,
        calls: provider.calls,
        cutOff: cutOffBeforeTheCall(facts),
        folder,
      }),
      ...judge(facts),
    ];

    const ends = new Map<string, number>();
    for (const { event } of folder.events) {
      if (event.type === 'SendSucceeded') count(ends, `succeeded by ${String(event.data['evidence'])}`);
      if (event.type === 'SendFailed') count(ends, `failed ${String(event.data['code'])}`);
      if (event.type === 'SendOutcomeUnknown') count(ends, 'passed through an unknown outcome');
    }
    const deliveries = [...receiver.seen.values()].flatMap((events) => [...events.values()]);
    const figures = {
      seed: SEED,
      rounds,
      minutes: Number(minutes.toFixed(2)),
      start_ms_median: Math.round(median(product.startTimes)),
      kills: kills.length,
      killed_at: Object.fromEntries(killedAt),
      operations_accepted: integrators.accepted.length,
      requests: integrators.totals,
      executions: { by_api: flows.accepted.length, by_word: provider.flowWords.length },
      people_erased: forgetting.forgotten.length,
      provider_calls: provider.calls.length,
      ends: Object.fromEntries(ends),
      provider_webhooks: { kept: provider.kept.size, ...provider.totals },
      customers_messages: provider.inbound.length,
      events: folder.events.length,
      webhook_events_expected: expectedWebhooks(folder.events, workspace.companyUuid).size,
      webhook_deliveries: deliveries.reduce((sum, { deliveries: n }) => sum + n, 0),
      webhook_duplicates: deliveries.reduce((sum, { deliveries: n }) => sum + n - 1, 0),
      documents_compared: folder.documents.size,
      errors_logged: errorsIn(logPath),
      violations: violations.length,
    };
    console.log(JSON.stringify(figures, null, 2));
    await product.close();
    await provider.close();
    await receiver.close();
    const keep = violations.length > 0 || process.env['CRASH_KEEP'] === 'on';
    if (keep) console.log(`kept: ${dir}`);
    else rmSync(dir, { recursive: true, force: true });
    expect(violations.slice(0, 40), `run again with CRASH_SEED=${SEED}`).to.deep.equal([]);
    expect(integrators.accepted.length).to.be.greaterThan(rounds);
    expect(Math.min(flows.accepted.length, provider.flowWords.length)).to.be.greaterThan(0);
    expect(forgetting.forgotten.length).to.be.greaterThan(0);
  });
});

/** Backs up into the data folder, where the later checks read every file. */
async function backUp(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/admin/v1/backups`, { method: 'POST', headers, body: '{}' });
  const { data } = (await answer.json()) as { readonly data: { readonly file: string } };
  const deadline = performance.now() + 60_000;
  while (!existsSync(data.file)) {
    if (performance.now() > deadline) throw new Error(`the backup ${data.file} was not made in a minute`);
    await sleep(20);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Number of log lines of level error and above, by message. */
function errorsIn(path: string): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (!line.startsWith('{"level":5') && !line.startsWith('{"level":6')) continue;
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message?: string } };
    count(counts, `${msg}: ${err?.message ?? ''}`.slice(0, 160));
  }
  return Object.fromEntries(counts);
}
