/** One attempt: the request to send, and what its outcome means for the delivery. Pure: callers pass the time. */
import { unsignedHeaders, webhookTimestamp } from '../../domain/policies/webhook-headers.js';
import { nextStep, type DeliveryOutcome } from '../../domain/policies/webhook-schedule.js';
import {
  serviceSignature,
  standardWebhooksSignature,
  type SigningKey,
} from '../../domain/policies/webhook-signature.js';
import type { ClaimedEntry, Settlement } from '../../ports/due-times.js';
import type { HttpResult } from '../../ports/http-sender.js';
import type { DocumentWrite, StoredDocument } from '../../ports/read-models.js';
import type { WebhookRequest, DeliveryDoc } from '../../read-models/deliveries.js';
import type { DeliveryAttemptDoc } from '../../read-models/delivery-attempts.js';
import { DELIVERY_QUEUE, FIRST_VERSION, nextVersion } from './documents.js';
import type { DeliveryEndpoint, EndpointSecret } from './endpoints.js';
import type { Signal } from './pace.js';
import { attemptDoc, attemptId } from '../../application/queries/delivery-attempts.js';

/** A claimed delivery whose lease this process holds. */
export interface Held {
  readonly entry: ClaimedEntry;
  readonly stored: StoredDocument<DeliveryDoc>;
  /** By the monotonic clock: no request may begin that could outlive this. */
  readonly leaseUntil: number;
}

/** Written together: the delivery, its attempt if it failed, and the row. */
export interface DeliveryUpdate {
  readonly delivery: DocumentWrite<DeliveryDoc> | null;
  readonly attempt: DocumentWrite<DeliveryAttemptDoc> | null;
  /**
   * The attempt that `delivery` contains. It is written on its own when the store keeps another holder's document of the
   * delivery: both requests were sent, and both are listed.
   */
  readonly contained?: DocumentWrite<DeliveryAttemptDoc>;
  readonly settlement: Settlement;
  /**
   * Present where the delivery ends and its row is in memory: the row may end before `delivery` is durable
   * (`ClaimedEntry`).
   */
  readonly until?: NonNullable<ClaimedEntry['until']>;
}

/**
 * The secrets of one attempt: the current one, and an earlier one. The header's pattern allows two entries (spec §6), so
 * with several earlier ones the attempts take turns, and a receiver of any of them accepts one. The oldest comes first:
 * where a rotation was repeated after a lost answer, nobody has those in between.
 */
export function signingSecrets(
  secrets: readonly EndpointSecret[],
  attempts: number,
): readonly EndpointSecret[] {
  const [current, ...earlier] = secrets;
  const other = earlier[earlier.length - 1 - (attempts % Math.max(earlier.length, 1))];
  return [current, other].filter((secret) => secret !== undefined);
}

/** All headers of an attempt. `nowMs` is its time. */
export function attemptHeaders(
  doc: DeliveryDoc,
  rawBody: Uint8Array,
  keys: readonly SigningKey[],
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = webhookTimestamp(nowMs);
  return {
    ...unsignedHeaders(doc, doc.attempts + 1, nowMs),
    'Service-Signature': serviceSignature({ timestamp, rawBody, secrets: keys }),
    'webhook-signature': standardWebhooksSignature({ id: doc.event_id, timestamp, rawBody, secrets: keys }),
  };
}

/**
 * Bodies of failures are kept as the sender cut them; of successes only this many characters, enough to recognise them.
 */
const KEPT_OF_SUCCESS = 1000;

export interface AttemptFacts {
  readonly held: Held;
  readonly endpoint: DeliveryEndpoint;
  readonly keyFingerprint: string;
  readonly result: HttpResult;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly random: () => number;
  readonly schedule: readonly number[];
}

export interface ClassifiedAttempt {
  readonly update: DeliveryUpdate;
  readonly step: ReturnType<typeof nextStep>['then'];
  /** When the delivery is due again; null when it is not. */
  readonly dueAt: number | null;
  readonly signal: Signal;
  readonly failure: DeliveryAttemptDoc['failure'];
}

export function classify(facts: AttemptFacts): ClassifiedAttempt {
  const { held, result, finishedAt } = facts;
  const { doc, version } = held.stored;
  const number = doc.attempts + 1;
  const step = nextStep({
    outcome: outcomeOf(result),
    attempt: number,
    now: finishedAt,
    random: facts.random,
    schedule: facts.schedule,
  });
  const dueAt = step.then === 'retry' ? finishedAt + step.delayMs : null;
  const nextAttemptAt = dueAt === null ? null : iso(dueAt);
  const delivered = step.then === 'delivered';
  const status = result.kind === 'answered' ? result.status : null;
  const failure = result.kind === 'failed' ? result.failure : delivered ? null : 'http_status';
  const message = delivered ? null : explain(result);

  const request = requestMade(facts, status, delivered);
  const delivery: DeliveryDoc = {
    ...doc,
    status: delivered ? 'delivered' : step.then === 'retry' ? 'pending' : 'failed',
    attempts: number,
    updated_at: iso(finishedAt),
    next_attempt_at: nextAttemptAt,
    last_status: status,
    last_error: message,
    ...(delivered ? { delivered_by: request } : {}),
  };
  const attempt = {
    id: attemptId(doc.delivery_id, number, held.entry.fence),
    doc: attemptDoc(doc, request, { number, failure, message, next_attempt_at: nextAttemptAt }),
    version: FIRST_VERSION,
  };
  return {
    update: {
      delivery: { id: doc.delivery_id, doc: delivery, version: nextVersion(version) },
      ...(delivered ? { attempt: null, contained: attempt } : { attempt }),
      ...(dueAt === null ? ends(held.entry) : { settlement: again(held.entry, dueAt, number) }),
    },
    step: step.then,
    dueAt,
    signal: signalOf(result),
    failure,
  };
}

function requestMade(
  { endpoint, result, startedAt, keyFingerprint }: AttemptFacts,
  status: number | null,
  delivered: boolean,
): WebhookRequest {
  const { headers, bodyText } = result.kind === 'answered' ? result : { headers: {}, bodyText: '' };
  return {
    at: iso(startedAt),
    url: endpoint.url,
    address: result.address,
    status,
    duration_ms: result.durationMs,
    response_headers: withoutCookies(headers),
    response_body: delivered ? bodyText.slice(0, KEPT_OF_SUCCESS) : bodyText,
    key_fingerprint: keyFingerprint,
  };
}

/** The endpoint is disabled or removed: the delivery is kept as cancelled, and its row ends. */
export function cancellation(held: Held, reason: string, now: number): DeliveryUpdate {
  const { doc, version } = held.stored;
  const delivery: DeliveryDoc = {
    ...doc,
    status: 'cancelled',
    updated_at: iso(now),
    next_attempt_at: null,
    last_error: reason,
  };
  return {
    delivery: { id: doc.delivery_id, doc: delivery, version: nextVersion(version) },
    attempt: null,
    ...ends(held.entry),
  };
}

const ends = (entry: ClaimedEntry): Pick<DeliveryUpdate, 'settlement' | 'until'> => ({
  settlement: done(entry),
  ...(entry.until ? { until: entry.until } : {}),
});

export const done = ({ id, fence }: ClaimedEntry): Settlement => ({
  queue: DELIVERY_QUEUE,
  id,
  fence,
  then: 'done',
});

export const again = ({ id, fence }: ClaimedEntry, dueAt: number, attempts: number): Settlement => ({
  queue: DELIVERY_QUEUE,
  id,
  fence,
  then: 'again',
  dueAt,
  payload: { attempts },
});

function outcomeOf(result: HttpResult): DeliveryOutcome {
  if (result.kind === 'failed') return { kind: 'failed', timedOut: result.failure === 'timeout' };
  return { kind: 'answered', status: result.status, retryAfter: result.headers['retry-after'] ?? null };
}

function signalOf(result: HttpResult): Signal {
  if (result.kind === 'failed') return result.failure === 'timeout' ? 'timed_out' : 'unreachable';
  return result.status === 429 || result.status === 503 ? 'overloaded' : 'answered';
}

function explain(result: HttpResult): string {
  if (result.kind === 'failed') return `${result.failure}: ${result.message}`;
  const { location } = result.headers;
  if (result.status >= 300 && result.status < 400 && location !== undefined) {
    return `status ${result.status}: redirects are not followed; configure the address it points to (${location})`;
  }
  return `status ${result.status}`;
}

/** In short, for the endpoint's health; null on success. */
export const failureClass = (result: HttpResult, failure: DeliveryAttemptDoc['failure']): string | null =>
  failure === null ? null : result.kind === 'answered' ? `status ${result.status}` : result.failure;

const withoutCookies = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'set-cookie'));

const iso = (ms: number): string => new Date(ms).toISOString();
