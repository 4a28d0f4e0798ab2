/** A dead endpoint, as its operator sees it and catches it up: health, doctor, metric, and the commands. */
import { expect } from 'chai';
import { systemClock } from '../../../adapters/clock/system.js';
import type { App } from '../../../application/app.js';
import type { HttpResult } from '../../../ports/http-sender.js';
import { pause } from '../../../ports/waiting.js';
import { deliveries } from '../../../read-models/deliveries.js';
import { deadEndpoints } from '../../../runtime/doctor/webhooks.js';
import { healthOfEndpoints } from '../../../runtime/observe.js';
import { startWebhookJobs } from '../../../workers/webhook-jobs/worker.js';
import { startWebhookDispatcher } from '../../../workers/webhooks/dispatcher.js';
import { createEndpointDirectory } from '../../../workers/webhooks/endpoint-directory.js';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { createHealthKeeper } from '../../../workers/webhooks/health.js';
import { newCompany, openAdmin } from '../../api/admin/server.js';
import { adminEnv, commands } from '../../cli/commands.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { answer } from '../webhooks/dispatching.js';

type Row = Readonly<Record<string, unknown>>;

const WAITING = 500;
const HOUR = 3_600_000;

async function open() {
  const clock = manualClock();
  let app: App | undefined;
  const server = await openAdmin({ over: (other) => (app = { ...other, clock }) });
  if (!app) throw new Error('the server has no app');
  const { readModels } = app;
  const sent: string[] = [];
  let respond = (): HttpResult => answer(500);
  const health = createHealthKeeper(app);
  const endpoints = createEndpointDirectory(app);
  const dispatcher = startWebhookDispatcher({
    ...app,
    sender: {
      ...app.sender,
      post: async ({ headers }) => {
        sent.push(headers['Service-Event-Id'] ?? '');
        return respond();
      },
    },
    endpoints,
    schedule: [0, HOUR, HOUR, HOUR],
    random: () => 0,
    onOutcome: (endpoint, outcome) => health.note(endpoint, outcome),
    limits: { gatherMs: 0 },
  });
  const over = app;
  const enqueue = (orders: Parameters<typeof enqueueDeliveries>[1]) => enqueueDeliveries(over, orders);
  const jobs = startWebhookJobs(app, { endpoints, enqueue });
  const company = await newCompany(server);
  const made = await server.call('POST', `/companies/${company}/integrations`, { name: 'ERP' });
  const integration = String(made.data['uuid']);
  const { done } = commands(() => adminEnv(server.url));
  return {
    app,
    clock,
    sent,
    done,
    integration,
    respond: (next: () => HttpResult) => (respond = next),
    async endpoint(): Promise<string> {
      const ran = await done(
        `webhooks create --integration ${integration} --url https://erp.example.com/hook --json`,
      );
      return String(ran.json()['uuid']);
    },
    enqueue: (endpointUuid: string, count: number) =>
      enqueue(
        Array.from({ length: count }, () => ({
          deliveryId: server.app.newId(),
          companyUuid: company,
          integrationUuid: integration,
          endpointUuid,
          eventId: server.app.newId(),
          eventType: 'order.created',
          body: '{}',
        })),
      ),
    /** Advances the clock, and lets the store answer, until the condition holds. */
    async until(holds: () => boolean | Promise<boolean>, stepMs = 1_000): Promise<void> {
      for (let turn = 0; turn < 1_000; turn += 1) {
        if (await holds()) return;
        await clock.advance(stepMs);
        await pause(systemClock, 10);
      }
      throw new Error('the condition does not come to hold');
    },
    count: (endpoint: string, status: string) =>
      readModels.count(deliveries.name, 'by_endpoint_status', [endpoint, status], 1_000),
    async close() {
      await Promise.all([dispatcher.stop(), jobs.stop(), health.stop()]);
      await server.close();
    },
  };
}

describe('a dead endpoint', () => {
  const w = openedForEach(open);

  it('with 500 waiting deliveries is seen, keeps their attempts while it is dead, and is caught up by one command', async () => {
    const endpoint = await w.endpoint();
    await w.enqueue(endpoint, WAITING);
    await w.until(() => w.sent.length === WAITING, 100);
    await w.until(async () => (await healthOfEndpoints(w.app))['failing'] === 1);

    const shown = (await w.done(`webhooks show ${endpoint}`)).stdout;
    expect(shown).to.match(/status +failing|"status":"failing"/);
    expect(shown).to.match(/waiting\D+500/);
    expect(shown).to.include('status 500');
    expect((await w.done(`webhooks list --integration ${w.integration}`)).stdout).to.match(/failing .* 500/);
    const [finding] = await deadEndpoints(w.app);
    expect(finding).to.include({ check: 'webhooks', status: 'warn' });
    expect(finding?.message).to.match(/status 500\. 500 deliveries wait for it/);
    expect(finding?.todo).to.include(`recado webhooks redeliver-failed ${endpoint}`);
    expect(await healthOfEndpoints(w.app)).to.include({ failing: 1, waiting_deliveries: WAITING });

    // Still dead: only a try now and then.
    const started = await w.done(`webhooks redeliver-failed ${endpoint} --per-second 100 --json`);
    const hence = w.clock.now() + 100_000;
    await w.until(() => w.clock.now() >= hence);
    const tries = w.sent.length - WAITING;
    expect(tries).to.be.within(4, 6);
    const waits = await w.done(`webhooks replays ${endpoint}`);
    expect(waits.stdout).to.match(/redeliver_failed +running +endpoint_answers/);
    const { uuid } = started.json();
    const ended = await w.done(`webhooks cancel-replay ${endpoint} ${String(uuid)}`);
    expect(ended.stdout + ended.stderr).to.include('It is cancelled');
    const [cancelled] = (await w.done(`webhooks replays ${endpoint} --json`)).json<readonly Row[]>();
    expect(cancelled).to.include({ uuid, status: 'cancelled' });

    const dead = w.sent.length;
    w.respond(() => answer(200));
    await w.done(`webhooks redeliver-failed ${endpoint} --per-second 100`);
    await w.until(async () => (await w.count(endpoint, 'delivered')) === WAITING);
    const arrived = w.sent.slice(dead);
    expect([arrived.length, new Set(arrived).size]).to.deep.equal([WAITING, WAITING]);
    expect(await w.count(endpoint, 'pending')).to.equal(0);
    expect(await deadEndpoints(w.app)).to.have.nested.property('[0].status', 'ok');
  });

  it('is caught up by the command that was given while it was dead, its tries included', async () => {
    const endpoint = await w.endpoint();
    await w.enqueue(endpoint, 20);
    await w.until(() => w.sent.length === 20);
    await w.until(async () => (await healthOfEndpoints(w.app))['failing'] === 1);
    await w.done(`webhooks redeliver-failed ${endpoint} --per-second 100`);
    await w.until(() => w.sent.length === 24);
    w.respond(() => answer(200));
    const begun = w.clock.now();
    await w.until(async () => (await w.count(endpoint, 'delivered')) === 20);
    expect(w.clock.now() - begun).to.be.below(HOUR / 10);
    const [job] = (await w.done(`webhooks replays ${endpoint} --json`)).json<readonly Row[]>();
    expect(job).to.include({ status: 'done', again: 24 });
    expect(w.sent).to.have.length(44);
  });
});
