import type { AddressInfo } from 'node:net';
import { systemClock } from '../adapters/clock/system.js';
import { cancellable } from './timers.js';
import { createFaults } from './faults.js';
import { type Behaviour, behaviourOf, ORDINARY } from './magic.js';
import { createMediaServer } from './media.js';
import { userById, userByPhone } from './numbers.js';
import { DEMO_PHONE_NUMBERS, DEMO_TEMPLATES } from './seeds.js';
import { createSending, newMessageId } from './sending.js';
import { preference } from './people.js';
import { createPlays } from './plays.js';
import { createSandboxServer } from './server.js';
import {
  type AcceptedMessage,
  contactOf,
  digitsOf,
  metadataOf,
  scheduleStatuses,
  secondsOf,
} from './statuses.js';
import type {
  InboundMessage,
  Sandbox,
  SandboxCall,
  SandboxOptions,
  SandboxPhoneNumber,
  StatusDelays,
} from './types.js';
import { createTemplateBook } from './template-book.js';
import { notifyStatus } from './template-moves.js';
import { RETRY_DELAYS_MS } from './webhook-conduct.js';
import { createWebhookSender } from './webhook-sender.js';

const DAY_MS = 86_400_000;
/** Meta: the address of a file is valid for five minutes. */
const MEDIA_ADDRESS_MS = 300_000;
const DROPPED: Behaviour = { steps: [{ status: 'failed', at: 'delivered', code: 132015 }] };

/**
 * A WhatsApp Cloud API server: Meta's wire format in, signed webhooks out. Everything is in memory and lost after
 * `close`. docs/sandbox.md lists recipients with special meanings.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, cancelAll } = cancellable(options.clock ?? systemClock);
  const delays: StatusDelays = { sent: 50, delivered: 150, read: 400, ...options.statusDelaysMs };
  const maxCalls = options.maxCalls ?? 10_000;
  const phoneNumbers = [...(options.phoneNumbers ?? DEMO_PHONE_NUMBERS)];
  const templates = createTemplateBook({
    initial: options.templates ?? DEMO_TEMPLATES,
    clock,
    emit: (change) => sandbox.emit(change),
    settle: (message, outcome) => deliver(message, outcome === 'released' ? ORDINARY : DROPPED),
  });
  const faults = createFaults();
  const calls: SandboxCall[] = [];
  const totals = { calls: 0, accepted: 0, refused: 0 };
  const lastInbound = new Map<string, number>();
  let pendingStatuses = 0;
  let idleWaiters: (() => void)[] = [];
  let closed = false;

  const settled = (): void => {
    if (!closed && (pendingStatuses > 0 || sender.pending() > 0)) return;
    for (const waiter of idleWaiters) waiter();
    idleWaiters = [];
  };

  const sender = createWebhookSender({
    appSecret: options.appSecret,
    clock,
    concurrency: options.webhookConcurrency ?? 32,
    maxUpdatesPerPost: options.maxUpdatesPerPost ?? 50,
    retryDelaysMs: options.webhookRetryDelaysMs ?? RETRY_DELAYS_MS,
    warn: (fields, message) => options.logger?.warn(fields, message),
    onSettled: settled,
  });
  sender.setUrl(options.webhookUrl);

  const numberById = (id: string): SandboxPhoneNumber => {
    const number = phoneNumbers.find((candidate) => candidate.id === id);
    if (number === undefined) throw new Error(`the sandbox has no phone number ${id}`);
    return number;
  };

  function record(call: Omit<SandboxCall, 'sequence'>): void {
    totals.calls += 1;
    totals[call.accepted ? 'accepted' : 'refused'] += 1;
    calls.push({ sequence: totals.calls, ...call });
    // Dropped in blocks: dropping one by one would copy the whole list on every call.
    if (calls.length > maxCalls * 1.1) calls.splice(0, calls.length - maxCalls);
  }

  function accept(message: AcceptedMessage, behaviour: Behaviour): void {
    if (!templates.hold(message)) deliver(message, behaviour);
  }

  function deliver(message: AcceptedMessage, behaviour: Behaviour): void {
    pendingStatuses += 1;
    scheduleStatuses(
      message,
      behaviour,
      delays,
      clock,
      (item) => sender.push(item),
      () => {
        pendingStatuses -= 1;
        react(message, behaviour);
        settled();
      },
    );
  }

  function react({ number, user }: AcceptedMessage, { reaction }: Behaviour): void {
    if (reaction === undefined) return;
    const phoneNumberId = number.id;
    const from = `+${user.key}`;
    if (reaction === 'reply' || reaction === 'stop_word') {
      sandbox.reply({
        phoneNumberId,
        from,
        text: reaction === 'reply' ? 'Oi! Recebi, obrigado 🙂' : 'PARAR',
      });
      return;
    }
    sandbox.emit(preference(number, user, reaction === 'native_stop' ? 'stop' : 'resume', clock.now()));
  }

  function receive({ phoneNumberId, from, name, message, ...inbound }: InboundMessage): string {
    const number = numberById(phoneNumberId);
    const user = userByPhone(from) ?? userById(from);
    if (user === null) throw new Error('`from` is neither a phone nor a user id');
    const now = clock.now();
    const hidden = inbound.hidden === true || behaviourOf(user.key).hidden === true || user.waId === null;
    const id = newMessageId();
    if (message.type !== 'system') lastInbound.set(`${number.id} ${user.key}`, now);
    sender.push({
      kind: 'messages',
      wabaId: number.wabaId,
      metadata: metadataOf(number),
      item: {
        ...(hidden ? {} : { from: user.waId }),
        from_user_id: user.userId,
        id,
        timestamp: secondsOf(now),
        ...media.announce(message),
      },
      // Meta: system messages have no `contacts`.
      contact: message.type === 'system' ? null : contactOf(user, name, hidden),
    });
    return id;
  }

  const sending = createSending({
    options,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    number: (id) => phoneNumbers.find((candidate) => candidate.id === id),
    templates: () => templates.all,
    faults,
    windowOpen: (numberId, userKey, now) =>
      now - (lastInbound.get(`${numberId} ${userKey}`) ?? -Infinity) <= DAY_MS,
    record,
    deliver: accept,
  });
  const media = createMediaServer({
    clock,
    url: () => sandbox.url,
    tokenFault: (authorization) => sending.tokenFault(authorization),
    addressLifeMs: MEDIA_ADDRESS_MS,
    slowMs: options.slowAnswerMs ?? 2_000,
  });
  const server = createSandboxServer(
    {
      ...sending,
      media,
      phoneNumbers: () => phoneNumbers,
      templates: () => templates.all,
      slowAnswerMs: options.slowAnswerMs ?? 2_000,
      clock,
      control:
        options.controlToken === undefined
          ? null
          : { token: options.controlToken, play: (name, body) => sandbox.play(name, body) },
    },
    () => sandbox.url,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;

  const sandbox: Sandbox = {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    calls,
    media,
    phoneNumbers,
    templates: templates.all,
    totals: () => {
      const webhooks = sender.totals();
      return {
        ...totals,
        webhookPosts: webhooks.posts,
        webhookUpdates: webhooks.updates,
        webhookFailures: webhooks.failures,
        webhooksDropped: webhooks.dropped,
      };
    },
    setWebhookUrl: (url) => sender.setUrl(url),
    verifyWebhook: () => sender.verify(options.verifyToken ?? ''),
    reply: ({ phoneNumberId, from, text, name, replyTo }) =>
      receive({
        phoneNumberId,
        from,
        ...(name === undefined ? {} : { name }),
        message: {
          ...(replyTo === undefined
            ? {}
            : { context: { from: digitsOf(numberById(phoneNumberId).displayPhoneNumber), id: replyTo } }),
          type: 'text',
          text: { body: text },
        },
      }),
    receive,
    emit: (change) => sender.push({ kind: 'change', ...change }),
    putTemplate: (template) => templates.put(template),
    setTemplateStatus({ wabaId, name, language, status, reason }) {
      const template = templates.find(name, language, wabaId);
      templates.put({ ...template, status });
      notifyStatus((change) => sandbox.emit(change), template, status, { reason: reason ?? 'NONE' });
    },
    moveTemplate: (move) => templates.move(move),
    injectFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    setWebhookConduct: (conduct) => sender.setConduct(conduct),
    play: async (name, body) => plays(name, body),
    putPhoneNumber(number) {
      const index = phoneNumbers.findIndex(({ id }) => id === number.id);
      if (index < 0) phoneNumbers.push(number);
      else phoneNumbers[index] = number;
    },
    setPhoneNumber(id, change) {
      phoneNumbers[phoneNumbers.indexOf(numberById(id))] = { ...numberById(id), ...change };
    },
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        settled();
      }),
    async close() {
      closed = true;
      cancelAll();
      settled();
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
