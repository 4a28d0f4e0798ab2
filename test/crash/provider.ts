/**
 * A stand-in for the Cloud API. It counts every call by the operation id that the call carries, answers correctly or
 * incorrectly, and reports statuses as Meta does (signed, repeated until 200, twice, out of order).
 */
import { createHmac, createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveBodies } from '../support/servers.js';
import { changeOf, webhookOfChanges, type Place } from '../support/whatsapp-webhook.js';
import type { Chance } from './chance.js';
import { FLOW_ANSWER, FLOW_QUESTION, FLOW_WORD } from './flow-words.js';

export const PHONE_NUMBER_ID = '900000000000001';
export const WABA_ID = '900000000000002';
export const CRASH_PLACE: Place = { number: PHONE_NUMBER_ID, phone: '551140000000', waba: WABA_ID };

export type Status = 'sent' | 'delivered' | 'read' | 'failed';

/** The outcome of one call. `lost`: the caller cannot infer the outcome from the answer. */
export type Plan =
  | { readonly kind: 'accept'; readonly delayMs: number; readonly statuses: readonly Status[] }
  | {
      readonly kind: 'accept_lost';
      readonly how: 'reset' | 'truncated';
      readonly statuses: readonly Status[];
    }
  | { readonly kind: 'refuse'; readonly code: number; readonly http: number }
  | { readonly kind: 'refuse_lost'; readonly how: 'html' | 'reset' };

export interface Call {
  readonly opaque: string;
  /** Number of the message, read from its text; NaN for messages of a flow. */
  readonly n: number;
  readonly text: string;
  readonly at: number;
  readonly plan: Plan;
  /** Null when the call was not accepted. */
  readonly messageId: string | null;
}

export interface ProviderStandIn {
  readonly url: string;
  readonly calls: readonly Call[];
  /** SHA-256 of every webhook body that was answered 200. */
  readonly kept: ReadonlySet<string>;
  /** Provider ids of the customers' messages delivered so far. */
  readonly inbound: readonly string[];
  readonly totals: { posts: number; refusedPosts: number; duplicates: number };
  /** Webhooks go to these addresses in rotation; a repeated webhook goes to the next one. */
  setWebhookUrls(...urls: readonly string[]): void;
  /** Runs `act` during the next call, before its answer; `half` first writes half of the answer. */
  interruptNext(at: 'call' | 'half', act: () => void): void;
  /** Removes an interruption that no call has reached. */
  clearInterrupt(): void;
  /** Called when a webhook was answered 200. */
  onKept: (() => void) | null;
  writeInbound(): void;
  /** Withholds the customers' messages for this time, then delivers them in random order. */
  holdBack(ms: number): void;
  /**
   * A named person writes, once. WhatsApp resolves messages to this phone to the same number. Returns the message's id.
   */
  writeOnce(person: { readonly phone: string; readonly name: string; readonly text: string }): string;
  /** A new person writes the keyword of the flow; the stand-in answers the flow's question for this person. */
  writeFlowWord(): void;
  /** Provider ids of the messages with the keyword. */
  readonly flowWords: readonly string[];
  /** Number of webhooks not yet answered 200. */
  pending(): number;
  close(): Promise<void>;
}

const PERMANENT = { code: 131026, http: 400 };

/** Derived from the message's number and the number of its earlier calls, so a seed always gives the same provider. */
export function planFor(chance: Chance, n: number, earlier: number): Plan {
  const what = chance.of('plan', n);
  const statuses = statusesFor(chance, n);
  const accept: Plan = { kind: 'accept', delayMs: chance.of('delay', n) * 15, statuses };
  if (what < 0.7) return accept;
  if (what < 0.77) return { ...accept, delayMs: 200 + chance.of('delay', n) * 500 };
  if (what < 0.82) return { kind: 'accept_lost', how: 'reset', statuses };
  if (what < 0.84) return { kind: 'accept_lost', how: 'truncated', statuses };
  if (what < 0.85) return { kind: 'accept_lost', how: 'reset', statuses: [] };
  if (what < 0.87) return { kind: 'refuse_lost', how: 'html' };
  if (what < 0.88) return { kind: 'refuse_lost', how: 'reset' };
  if (what < 0.9) return { kind: 'refuse', ...PERMANENT };
  if (what < 0.9025) return earlier < 1 ? { kind: 'refuse', code: 130429, http: 429 } : accept;
  if (what < 0.95) return earlier < 1 ? { kind: 'refuse', code: 131056, http: 400 } : accept;
  if (what < 0.99) return earlier < 1 ? { kind: 'refuse', code: 131000, http: 500 } : accept;
  return { kind: 'refuse', code: 131000, http: 500 };
}

/** Messages of flows are always accepted, even when the answer is lost, so that each flow has one expected course. */
function planForFlow(chance: Chance, opaque: string): Plan {
  const what = chance.of('flow plan', opaque);
  const statuses: readonly Status[] = ['sent', 'delivered'];
  if (what < 0.05) return { kind: 'accept_lost', how: 'reset', statuses };
  return { kind: 'accept', delayMs: what < 0.15 ? 200 : what * 15, statuses };
}

function statusesFor(chance: Chance, n: number): readonly Status[] {
  const what = chance.of('statuses', n);
  if (what < 0.6) return ['sent', 'delivered', 'read'];
  if (what < 0.8) return ['sent', 'delivered'];
  if (what < 0.88) return ['sent'];
  if (what < 0.93) return ['sent', 'failed'];
  if (what < 0.96) return ['read'];
  return [];
}

export async function startProvider(options: {
  readonly chance: Chance;
  readonly appSecret: string;
}): Promise<ProviderStandIn> {
  const { chance, appSecret } = options;
  const calls: Call[] = [];
  const callsOf = new Map<string, number>();
  const kept = new Set<string>();
  const inbound: string[] = [];
  const flowWords: string[] = [];
  /** Names of the people who will be erased, by their numbers. */
  const forgettable = new Map<string, string>();
  const totals = { posts: 0, refusedPosts: 0, duplicates: 0 };
  const timers = new Set<NodeJS.Timeout>();
  const queue: Record<string, unknown>[] = [];
  let interrupt: { readonly at: 'call' | 'half'; readonly act: () => void } | null = null;
  let webhookUrls: readonly string[] = [];
  let heldBack: Record<string, unknown>[] | null = null;
  let waiting = 0;
  let posting = 0;
  let closed = false;

  const later = (ms: number, task: () => void): void => {
    waiting += 1;
    const timer = setTimeout(() => {
      timers.delete(timer);
      waiting -= 1;
      task();
    }, ms);
    timers.add(timer);
  };

  function tell(item: Record<string, unknown>): void {
    if (heldBack !== null && item['kind'] === 'messages') heldBack.push(item);
    else queue.push(item);
    pump();
  }

  function tellHeldBack(): void {
    const backlog = (heldBack ?? []).map((item) => ({ item, place: chance.next() }));
    heldBack = null;
    for (const { item } of backlog.sort((a, b) => a.place - b.place)) tell(item);
  }

  /** A customer writes; sometimes the provider delivers the message twice. Returns the message's id. */
  function say(from: string, body: string): string {
    const id = `wamid.in.${inbound.length}`;
    inbound.push(id);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const item = { kind: 'messages', id, from, timestamp, type: 'text', text: { body } };
    tell(item);
    // Delivered again after the erasure, it would count as a new message.
    if (!forgettable.has(from) && chance.next() < 0.2) {
      totals.duplicates += 1;
      later(chance.between(5, 1500), () => tell(item));
    }
    return id;
  }

  function pump(): void {
    while (!closed && posting < 6 && queue.length > 0) {
      const items = queue.splice(0, 1 + Math.floor(chance.next() * 8));
      void post(Buffer.from(JSON.stringify(envelope(items, forgettable))), 0);
    }
  }

  async function post(bytes: Buffer, failures: number): Promise<void> {
    posting += 1;
    const ok = await postOnce(bytes);
    posting -= 1;
    if (closed) return;
    if (ok) {
      kept.add(createHash('sha256').update(bytes).digest('hex'));
      standIn.onKept?.();
    } else {
      totals.refusedPosts += 1;
      later(
        Math.min(2_000, 100 * 2 ** failures) * chance.between(0.5, 1),
        () => void post(bytes, failures + 1),
      );
    }
    pump();
  }

  async function postOnce(bytes: Buffer): Promise<boolean> {
    const webhookUrl = webhookUrls[totals.posts % webhookUrls.length]!;
    totals.posts += 1;
    try {
      const signature = createHmac('sha256', appSecret).update(bytes).digest('hex');
      const answer = await fetch(webhookUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
        body: bytes,
        signal: AbortSignal.timeout(10_000),
      });
      await answer.arrayBuffer();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  function report(call: Call): void {
    if (call.plan.kind !== 'accept' && call.plan.kind !== 'accept_lost') return;
    for (const status of call.plan.statuses) {
      const item = {
        kind: 'statuses',
        id: call.messageId,
        status,
        timestamp: String(Math.floor(call.at / 1000)),
        recipient_id: '5511900000000',
        biz_opaque_callback_data: call.opaque,
        ...(status === 'failed' ? { errors: [{ code: 131026, title: 'Message undeliverable' }] } : {}),
      };
      later(chance.between(5, 600), () => tell(item));
      if (chance.next() < 0.15) {
        totals.duplicates += 1;
        later(chance.between(5, 1500), () => tell(item));
      }
    }
  }

  const server = await serveBodies(route);

  function route(req: IncomingMessage, res: ServerResponse, raw: Buffer): void {
    if (req.method === 'GET') {
      json(res, 200, { id: PHONE_NUMBER_ID, display_phone_number: '+55 11 4000-0000', status: 'CONNECTED' });
      return;
    }
    const body = JSON.parse(raw.toString('utf8')) as {
      biz_opaque_callback_data: string;
      to: string;
      text: { body: string };
    };
    const opaque = body.biz_opaque_callback_data;
    const number = body.to.replace('+', '');
    const earlier = callsOf.get(opaque) ?? 0;
    callsOf.set(opaque, earlier + 1);
    const n = Number(/^#(\d+) /.exec(body.text.body)?.[1]);
    const byFlow = body.text.body.startsWith('fluxo: ');
    const planned = byFlow ? planForFlow(chance, opaque) : planFor(chance, n, earlier);
    const cutOff = interrupt?.at === 'half' && planned.kind === 'accept';
    // Whichever process dies meanwhile, the caller of this one never sees the whole answer.
    const plan: Plan = cutOff
      ? { kind: 'accept_lost', how: 'truncated', statuses: planned.statuses }
      : planned;
    if (body.text.body === FLOW_QUESTION) {
      later(chance.between(0, 500), () => say(number, FLOW_ANSWER));
    }
    const accepted = plan.kind === 'accept' || plan.kind === 'accept_lost';
    const messageId = accepted ? `wamid.crash.${byFlow ? 'flow' : n}.${calls.length}` : null;
    const call: Call = { opaque, n, text: body.text.body, at: Date.now(), plan, messageId };
    calls.push(call);
    report(call);
    const text = JSON.stringify({
      messaging_product: 'whatsapp',
      // People who were messaged by a flow answer from the same number.
      contacts: [{ input: 'x', wa_id: byFlow || forgettable.has(number) ? number : '5511900000000' }],
      messages: [{ id: messageId }],
    });
    if (interrupt?.at === 'call') {
      const { act } = interrupt;
      interrupt = null;
      act();
    } else if (interrupt !== null && cutOff) {
      const { act } = interrupt;
      interrupt = null;
      half(res, text, act);
      return;
    }
    answer(res, plan, text);
  }

  function answer(res: ServerResponse, plan: Plan, text: string): void {
    if (plan.kind === 'accept') {
      const timer = setTimeout(() => {
        timers.delete(timer);
        res.writeHead(200, { 'content-type': 'application/json' }).end(text);
      }, plan.delayMs);
      timers.add(timer);
    } else if (plan.kind === 'refuse') {
      json(res, plan.http, {
        error: { code: plan.code, message: `refused with ${plan.code}`, type: 'OAuthException' },
      });
    } else if (plan.how === 'html') {
      res
        .writeHead(500, { 'content-type': 'text/html' })
        .end('<html><body>Sorry, something went wrong.</body></html>');
    } else if (plan.how === 'reset') {
      res.socket?.resetAndDestroy();
    } else {
      half(res, text, () => undefined);
    }
  }

  const standIn: ProviderStandIn = {
    url: server.origin,
    calls,
    kept,
    inbound,
    totals,
    setWebhookUrls: (...urls) => void (webhookUrls = urls),
    interruptNext: (at, act) => void (interrupt = { at, act }),
    clearInterrupt: () => void (interrupt = null),
    onKept: null,
    writeInbound() {
      say(`55119${70_000_000 + Math.floor(chance.next() * 40)}`, `olá ${inbound.length}`);
    },
    holdBack(ms) {
      if (heldBack !== null) return;
      heldBack = [];
      later(ms, tellHeldBack);
    },
    writeOnce({ phone, name, text }) {
      forgettable.set(phone, name);
      return say(phone, text);
    },
    flowWords,
    writeFlowWord() {
      flowWords.push(say(`55119${50_000_000 + flowWords.length}`, FLOW_WORD));
    },
    pending: () => queue.length + waiting + posting,
    async close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      await server.close();
    },
  };
  return standIn;
}

function half(res: ServerResponse, text: string, then: () => void): void {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  res.write(text.slice(0, Math.floor(text.length / 2)), () => {
    then();
    res.socket?.destroy();
  });
}

function json(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function envelope(items: readonly Record<string, unknown>[], names: ReadonlyMap<string, string>): object {
  const changes = ['statuses', 'messages'].flatMap((kind) => {
    const list = items.filter((item) => item['kind'] === kind).map(({ kind: _kind, ...item }) => item);
    const contacts = list.flatMap(({ from }) => {
      const name = names.get(String(from));
      return name === undefined ? [] : [{ wa_id: from, profile: { name } }];
    });
    return list.length === 0 ? [] : [changeOf('messages', { contacts, [kind]: list }, CRASH_PLACE)];
  });
  return webhookOfChanges(changes, CRASH_PLACE);
}
