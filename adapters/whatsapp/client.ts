import { Agent, type Dispatcher } from 'undici';
import { provesNotAccepted } from '../../domain/policies/provider-errors.js';
import type { Clock } from '../../ports/clock.js';
import type {
  ChannelCredentials,
  OutboundMessage,
  Provider,
  ProviderPhoneNumber,
  ProviderRead,
  ProviderTemplatePage,
  SendOutcome,
} from '../../ports/provider.js';
import { exchange, type HttpExchangeResult } from './exchange.js';
import { systemClock } from '../clock/system.js';
import { isObject } from '../../domain/kernel/json.js';
import { readGraphError } from './graph-error.js';
import { toMetaBody } from './message-body.js';
import {
  PHONE_NUMBER_FIELDS,
  readAccountNumbers,
  readPhoneNumber,
  readTemplatePage,
  TEMPLATE_FIELDS,
} from './nodes.js';

export interface WhatsAppProviderOptions {
  /** `https://graph.facebook.com`, or the sandbox's address; a path prefix is kept. */
  readonly baseUrl: string;
  /** Such as `v25.0`. */
  readonly graphVersion: string;
  readonly timeouts?: {
    /** TCP and TLS; default 10,000 ms. A connect that takes longer proves that nothing was sent. */
    readonly connectMs?: number;
    /** One deadline over the whole call; default 30,000 ms. */
    readonly totalMs?: number;
  };
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /** Most sockets; default: one for each call. The caller limits the number of concurrent calls. */
  readonly connections?: number;
  /** Templates per page; default 100. */
  readonly pageSize?: number;
  /** Called for each outcome that is neither accepted nor rejected. Receives no token, phone or text. */
  readonly logger?: { warn(fields: Record<string, unknown>, message: string): void };
  /** Owned by the caller, which closes it. */
  readonly dispatcher?: Dispatcher;
}

/**
 * The WhatsApp Cloud API over HTTP. `send` makes exactly one attempt and never throws: see `SendOutcome` for what the
 * four outcomes prove.
 */
export function createWhatsAppProvider(options: WhatsAppProviderOptions): Provider {
  const { clock = systemClock } = options;
  const base = new URL(options.baseUrl);
  const prefix = `${base.pathname.replace(/\/+$/, '')}/${options.graphVersion}`;
  const deadlineMs = options.timeouts?.totalMs ?? 30_000;
  const dispatcher = options.dispatcher ?? createAgent(options);
  const own = options.dispatcher === undefined ? dispatcher : null;
  let closing: Promise<void> | null = null;

  const call = (
    credentials: ChannelCredentials,
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
  ): Promise<HttpExchangeResult> =>
    exchange(dispatcher, clock, {
      method,
      origin: base.origin,
      path: `${prefix}/${path}`,
      headers: {
        authorization: `Bearer ${credentials.accessToken}`,
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      body,
      deadlineMs,
    });

  const read = async <T>(
    credentials: ChannelCredentials,
    path: string,
    parse: (body: Record<string, unknown>) => T | null,
  ): Promise<ProviderRead<T>> => {
    const result = await call(credentials, 'GET', path, null);
    if (result.kind === 'failed') return { ok: false, error: null, reason: result.reason };
    const body = parseJson(result.body);
    const error = readGraphError(body, result.status, result.headers, clock.now());
    if (error !== null) return { ok: false, error, reason: error.title };
    const value = result.status === 200 && isObject(body) ? parse(body) : null;
    if (value === null) {
      return { ok: false, error: null, reason: `HTTP ${result.status} without a usable body` };
    }
    return { ok: true, value };
  };

  return {
    async send(credentials: ChannelCredentials, message: OutboundMessage): Promise<SendOutcome> {
      const path = `${encodeURIComponent(credentials.phoneNumberId)}/messages`;
      const result = await call(credentials, 'POST', path, JSON.stringify(toMetaBody(message)));
      const outcome = readSendOutcome(result, clock.now());
      if (outcome.kind === 'not_sent' || outcome.kind === 'unknown') {
        options.logger?.warn(
          { phone_number_id: credentials.phoneNumberId, outcome: outcome.kind, reason: outcome.reason },
          'a send to WhatsApp has no answer',
        );
      }
      return outcome;
    },

    listTemplates(credentials, after, name): Promise<ProviderRead<ProviderTemplatePage>> {
      const query = new URLSearchParams({ fields: TEMPLATE_FIELDS, limit: String(options.pageSize ?? 100) });
      if (after !== null) query.set('after', after);
      if (name !== undefined) query.set('name', name);
      const path = `${encodeURIComponent(credentials.wabaId)}/message_templates?${query.toString()}`;
      return read(credentials, path, readTemplatePage);
    },

    phoneNumber(credentials): Promise<ProviderRead<ProviderPhoneNumber>> {
      const query = new URLSearchParams({ fields: PHONE_NUMBER_FIELDS });
      const path = `${encodeURIComponent(credentials.phoneNumberId)}?${query.toString()}`;
      return read(credentials, path, readPhoneNumber);
    },

    accountNumbers(credentials) {
      const query = new URLSearchParams({ fields: 'id', limit: '100' });
      const path = `${encodeURIComponent(credentials.wabaId)}/phone_numbers?${query.toString()}`;
      return read(credentials, path, readAccountNumbers);
    },

    /** Waits for the calls in progress; later ones are `not_sent`. */
    close(): Promise<void> {
      closing ??= own?.close() ?? Promise.resolve();
      return closing;
    },
  };
}

function createAgent(options: WhatsAppProviderOptions): Agent {
  return new Agent({
    // No limit: a call waiting for a socket has its attempt on record, and might start after the process was asked to
    // stop.
    connections: options.connections ?? null,
    pipelining: 1,
    connect: { timeout: options.timeouts?.connectMs ?? 10_000 },
    // The deadline of each exchange is the only time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    // undici's short default, on purpose. The longer a socket is idle, the likelier a send uses one that the server has
    // just closed. Such a send has an unknown outcome.
    keepAliveTimeout: 4_000,
  });
}

/** Pure: the outcome proved by an HTTP exchange of `POST /messages` that ended at `now`. */
export function readSendOutcome(result: HttpExchangeResult, now: number): SendOutcome {
  if (result.kind === 'failed') {
    if (!result.written) return { kind: 'not_sent', reason: result.reason };
    const during = result.status === null ? '' : ` (in the body of an HTTP ${result.status} answer)`;
    return { kind: 'unknown', reason: `${result.reason}${during}` };
  }
  const body = parseJson(result.body);
  const error = readGraphError(body, result.status, result.headers, now);
  if (error !== null) {
    if (provesNotAccepted(error.code, result.status)) return { kind: 'rejected', error };
    return { kind: 'unknown', reason: `HTTP ${result.status} with error ${error.code}: ${error.title}` };
  }
  const accepted = result.status >= 200 && result.status < 300 ? readAccepted(body) : null;
  return accepted ?? { kind: 'unknown', reason: `HTTP ${result.status} without a usable body` };
}

function readAccepted(body: unknown): SendOutcome | null {
  const message = first(body, 'messages');
  const messageId = message?.['id'];
  if (typeof messageId !== 'string' || messageId === '') return null;
  const contact = first(body, 'contacts');
  return {
    kind: 'accepted',
    messageId,
    waId: nonEmpty(contact?.['wa_id']),
    userId: nonEmpty(contact?.['user_id']),
    held: message?.['message_status'] === 'held_for_quality_assessment',
  };
}

function first(body: unknown, key: string): Record<string, unknown> | null {
  const list = isObject(body) ? body[key] : null;
  const item: unknown = Array.isArray(list) ? list[0] : null;
  return isObject(item) ? item : null;
}

const nonEmpty = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
