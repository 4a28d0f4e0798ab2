import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../adapters/clock/system.js';
import { createCallLog } from './call-log.js';
import { createFaults } from './faults.js';
import { createIncoming } from './incoming.js';
import { type Behaviour, ORDINARY } from './magic.js';
import { createMediaServer } from './media.js';
import { createNumberBook } from './number-book.js';
import { createOutcomes } from './outcomes.js';
import { createPlays } from './plays.js';
import { DEMO_PHONE_NUMBERS, DEMO_TEMPLATES } from './seeds.js';
import { createSending } from './sending.js';
import { createSandboxServer } from './server.js';
import { createTemplateBook } from './template-book.js';
import { notifyStatus } from './template-moves.js';
import { cancellable } from './timers.js';
import type { Sandbox, SandboxOptions } from './types.js';
import { RETRY_DELAYS_MS } from './webhook-conduct.js';
import { createWebhookSender, type WebhookItem } from './webhook-sender.js';

/** Meta: the address of a file is valid for five minutes. */
const MEDIA_ADDRESS_MS = 300_000;
const DROPPED: Behaviour = { steps: [{ status: 'failed', at: 'delivered', code: 132015 }] };

/**
 * A WhatsApp Cloud API server: Meta's wire format in, signed webhooks out. Everything is in memory and lost after
 * `close`. docs/sandbox.md lists recipients with special meanings.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, cancelAll } = cancellable(options.clock ?? systemClock);
  const slowMs = options.slowAnswerMs ?? 2_000;
  const numbers = createNumberBook(options.phoneNumbers ?? DEMO_PHONE_NUMBERS);
  const log = createCallLog(options.maxCalls ?? 10_000);
  const faults = createFaults();
  const quiet = createQuiet(() => outcomes.pending() > 0 || sender.pending() > 0);
  const sender = createWebhookSender({
    appSecret: options.appSecret,
    clock,
    concurrency: options.webhookConcurrency ?? 32,
    maxUpdatesPerPost: options.maxUpdatesPerPost ?? 50,
    retryDelaysMs: options.webhookRetryDelaysMs ?? RETRY_DELAYS_MS,
    warn: (fields, message) => options.logger?.warn(fields, message),
    onSettled: quiet.look,
  });
  sender.setUrl(options.webhookUrl);
  const push = (item: WebhookItem): void => sender.push(item);
  const emit: Sandbox['emit'] = (change) => push({ kind: 'change', ...change });
  const media = createMediaServer({
    clock,
    url: () => sandbox.url,
    tokenFault: (authorization) => sending.tokenFault(authorization),
    addressLifeMs: MEDIA_ADDRESS_MS,
    slowMs,
  });
  const { receive, reply, windowOpen } = createIncoming({ numbers, media, clock, push });
  const outcomes = createOutcomes({
    delays: { sent: 50, delivered: 150, read: 400, ...options.statusDelaysMs },
    clock,
    push,
    reply,
    emit,
    onSettled: quiet.look,
  });
  const templates = createTemplateBook({
    initial: options.templates ?? DEMO_TEMPLATES,
    clock,
    emit,
    settle: (message, outcome) => outcomes.deliver(message, outcome === 'released' ? ORDINARY : DROPPED),
  });
  const sending = createSending({
    options,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    number: (id) => numbers.find(id),
    templates: () => templates.all,
    faults,
    windowOpen,
    record: (call) => log.record(call),
    deliver(message, behaviour) {
      if (!templates.hold(message)) outcomes.deliver(message, behaviour);
    },
  });
  const { controlToken: token } = options;
  const server = createSandboxServer(
    {
      ...sending,
      media,
      phoneNumbers: () => numbers.all,
      templates: () => templates.all,
      slowAnswerMs: slowMs,
      clock,
      control: token === undefined ? null : { token, play: (name, body) => sandbox.play(name, body) },
    },
    () => sandbox.url,
  );
  const url = await listen(server, options);

  const sandbox: Sandbox = {
    url,
    calls: log.calls,
    media,
    phoneNumbers: numbers.all,
    templates: templates.all,
    totals() {
      const { posts, updates, failures, dropped } = sender.totals();
      return {
        ...log.totals(),
        webhookPosts: posts,
        webhookUpdates: updates,
        webhookFailures: failures,
        webhooksDropped: dropped,
      };
    },
    setWebhookUrl: (to) => sender.setUrl(to),
    verifyWebhook: () => sender.verify(options.verifyToken ?? ''),
    reply,
    receive,
    emit,
    putTemplate: (template) => templates.put(template),
    setTemplateStatus({ wabaId, name, language, status, reason }) {
      const template = templates.find(name, language, wabaId);
      templates.put({ ...template, status });
      notifyStatus(emit, template, status, { reason: reason ?? 'NONE' });
    },
    moveTemplate: (move) => templates.move(move),
    injectFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    setWebhookConduct: (conduct) => sender.setConduct(conduct),
    play: async (name, body) => plays(name, body),
    putPhoneNumber: (number) => numbers.put(number),
    setPhoneNumber: (id, change) => numbers.put({ ...numbers.get(id), ...change }),
    idle: quiet.reached,
    async close() {
      cancelAll();
      quiet.release();
      await sender.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  const plays = createPlays({
    sandbox,
    now: () => clock.now(),
    waiting: () => ({ faults: faults.count(), heldMessages: templates.heldMessages() }),
  });
  return sandbox;
}

/** Those who wait until nothing is pending. */
function createQuiet(busy: () => boolean) {
  let waiters: (() => void)[] = [];
  let released = false;
  const look = (): void => {
    if (!released && busy()) return;
    for (const waiter of waiters) waiter();
    waiters = [];
  };
  return {
    /** Called when something may have been the last that was pending. */
    look,
    reached: (): Promise<void> =>
      new Promise((resolve) => {
        waiters.push(resolve);
        look();
      }),
    /** Nobody waits any more, whatever is pending. */
    release(): void {
      released = true;
      look();
    },
  };
}

/** @returns the address at which it is called */
async function listen(server: Server, at: Pick<SandboxOptions, 'port' | 'host'>): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port ?? 0, at.host ?? '127.0.0.1', resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
