import { randomInt } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Clock } from '../ports/clock.js';
import { systemClock } from '../adapters/clock/system.js';
import { signWebhook } from '../adapters/whatsapp/webhook-signature.js';
import { toMetaJson } from './meta-json.js';
import { ORDERLY, type WebhookConduct } from './webhook-conduct.js';

/** One item to send to the receiver; items of one POST are grouped as Meta groups them. */
export type WebhookItem =
  | {
      readonly kind: 'messages' | 'statuses';
      readonly wabaId: string;
      readonly metadata: { readonly display_phone_number: string; readonly phone_number_id: string };
      readonly item: Readonly<Record<string, unknown>>;
      readonly contact: Readonly<Record<string, unknown>> | null;
    }
  | {
      readonly kind: 'change';
      readonly wabaId: string;
      readonly field: string;
      readonly value: Readonly<Record<string, unknown>>;
    };

export interface WebhookSenderOptions {
  readonly appSecret: string;
  readonly clock: Clock;
  readonly concurrency: number;
  readonly maxUpdatesPerPost: number;
  readonly retryDelaysMs: readonly number[];
  readonly warn: (fields: Record<string, unknown>, message: string) => void;
  /** Called after each POST; `pending()` then returns how many are left. */
  readonly onSettled: () => void;
}

export interface WebhookSender {
  push(item: WebhookItem): void;
  setUrl(url: string | null): void;
  setConduct(conduct: Partial<WebhookConduct>): void;
  /** GET handshake; true when the receiver echoed the challenge. */
  verify(verifyToken: string): Promise<boolean>;
  /** Number of POSTs that are queued, in progress or waiting for a retry. */
  pending(): number;
  totals(): { posts: number; updates: number; failures: number; dropped: number };
  close(): Promise<void>;
}

/**
 * Limit of webhooks kept for a retry. A receiver that is down for long loses the rest, as it would lose Meta's after
 * days.
 */
const MAX_REPEATING = 10_000;
const TIMEOUT_MS = 15_000;
/**
 * Shortest time between two rounds of POSTs. A quiet sandbox posts each item at once and alone. Under load, the items
 * of a round share a POST, which keeps the cost low for a sandbox in the same process as its receiver.
 */
const COALESCE_MS = 5;

/** Sends webhooks in many concurrent POSTs, so they are unordered, as with Meta. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const agent = new Agent({ connections: options.concurrency, pipelining: 1, keepAliveTimeout: 30_000 });
  const totals = { posts: 0, updates: 0, failures: 0, dropped: 0 };
  const due: { readonly bytes: Buffer; readonly attempt: number }[] = [];
  const cancels = new Set<() => void>();
  let queue: WebhookItem[] = [];
  let url: string | null = null;
  let conduct = ORDERLY;
  /** Number of updates that wait for `conduct.delayMs`. */
  let delayed = 0;
  let inFlight = 0;
  let scheduled = false;
  let lastStart = -COALESCE_MS;
  let closed = false;

  const schedule = (): void => {
    if (scheduled || closed || inFlight >= options.concurrency) return;
    scheduled = true;
    const rest = lastStart + COALESCE_MS - systemClock.monotonic();
    if (conduct.gatherMs > 0) options.clock.after(conduct.gatherMs, pump);
    // Only limits cost, so it uses the machine's own time.
    else if (rest > 0) systemClock.after(rest, pump);
    else setImmediate(pump);
  };

  const pump = (): void => {
    scheduled = false;
    lastStart = systemClock.monotonic();
    while (!closed && inFlight < options.concurrency && due.length > 0) {
      const repeated = due.shift();
      if (repeated !== undefined) start(repeated.bytes, repeated.attempt);
    }
    while (!closed && inFlight < options.concurrency && queue.length > 0) {
      if (conduct.reversed) queue.reverse();
      const items = queue.splice(0, options.maxUpdatesPerPost);
      if (conduct.reversed) queue.reverse();
      totals.updates += items.length;
      const bytes = toMetaJson(toEnvelope(items, options.clock.now()));
      for (let copy = 0; copy <= conduct.copies; copy += 1) start(bytes, 0);
    }
  };

  const start = (bytes: Buffer, attempt: number): void => {
    inFlight += 1;
    void post(bytes).then((ok) => {
      inFlight -= 1;
      if (!ok) repeat(bytes, attempt);
      if (queue.length > 0 || due.length > 0) schedule();
      options.onSettled();
    });
  };

  const takeSecret = (): string => {
    if (conduct.wrongSignatures === 0) return options.appSecret;
    conduct = { ...conduct, wrongSignatures: conduct.wrongSignatures - 1 };
    return `not ${options.appSecret}`;
  };

  const post = async (bytes: Buffer): Promise<boolean> => {
    if (url === null) {
      totals.dropped += 1;
      return true;
    }
    totals.posts += 1;
    try {
      const answer = await request(url, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'facebookexternalua',
          'x-hub-signature-256': signWebhook(bytes, takeSecret()),
        },
        body: bytes,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      });
      await answer.body.dump();
      return answer.statusCode === 200;
    } catch {
      return false;
    }
  };

  const repeat = (bytes: Buffer, attempt: number): void => {
    totals.failures += 1;
    const delay = options.retryDelaysMs[attempt];
    if (closed || delay === undefined || cancels.size - delayed >= MAX_REPEATING) {
      totals.dropped += 1;
      options.warn({ attempt: attempt + 1 }, 'a sandbox webhook was given up');
      return;
    }
    const cancel = options.clock.after(delay, () => {
      cancels.delete(cancel);
      due.push({ bytes, attempt: attempt + 1 });
      schedule();
    });
    cancels.add(cancel);
  };

  const enqueue = (item: WebhookItem): void => {
    queue.push(item);
    schedule();
  };

  return {
    push(item) {
      if (closed) return;
      if (url === null) {
        totals.dropped += 1;
        return;
      }
      if (conduct.delayMs === 0) return enqueue(item);
      delayed += 1;
      const cancel = options.clock.after(conduct.delayMs, () => {
        cancels.delete(cancel);
        delayed -= 1;
        enqueue(item);
      });
      cancels.add(cancel);
    },
    setUrl(next) {
      url = next;
    },
    setConduct(change) {
      conduct = { ...conduct, ...change };
    },
    async verify(verifyToken) {
      if (url === null) return false;
      const challenge = String(randomInt(1_000_000_000));
      const target = new URL(url);
      target.searchParams.set('hub.mode', 'subscribe');
      target.searchParams.set('hub.challenge', challenge);
      target.searchParams.set('hub.verify_token', verifyToken);
      const answer = await request(target, { dispatcher: agent, headersTimeout: TIMEOUT_MS });
      const text = await answer.body.text();
      return answer.statusCode === 200 && text === challenge;
    },
    pending: () => queue.length + due.length + inFlight + cancels.size,
    totals: () => ({ ...totals }),
    async close() {
      closed = true;
      for (const cancel of cancels) cancel();
      cancels.clear();
      queue = [];
      due.length = 0;
      await agent.destroy();
    },
  };
}

/** Groups items by account, then by number and kind; other fields get one change each and the entry's time. */
function toEnvelope(items: readonly WebhookItem[], now: number): Record<string, unknown> {
  const entries = new Map<
    string,
    { id: string; time?: number; changes: { value: unknown; field: string }[] }
  >();
  const values = new Map<string, { list: unknown[]; contacts: unknown[]; node: Record<string, unknown> }>();
  for (const item of items) {
    let entry = entries.get(item.wabaId);
    if (entry === undefined) entries.set(item.wabaId, (entry = { id: item.wabaId, changes: [] }));
    if (item.kind === 'change') {
      entry.time = Math.floor(now / 1000);
      entry.changes.push({ value: item.value, field: item.field });
      continue;
    }
    const key = `${item.kind} ${item.metadata.phone_number_id}`;
    let value = values.get(key);
    if (value === undefined) {
      const list: unknown[] = [];
      const contacts: unknown[] = [];
      const node = { messaging_product: 'whatsapp', metadata: item.metadata, [item.kind]: list };
      values.set(key, (value = { list, contacts, node }));
      entry.changes.push({ value: node, field: 'messages' });
    }
    value.list.push(item.item);
    // System messages and failures have no contacts.
    if (item.contact === null) continue;
    value.contacts.push(item.contact);
    value.node['contacts'] = value.contacts;
  }
  return { object: 'whatsapp_business_account', entry: [...entries.values()] };
}
