/** Rules that must hold once all work is done. Pure: facts in, violations out. */
import type { RecordedEvent } from '../../application/codec.js';
import { createHash } from 'node:crypto';
import { outboundMessageId } from '../../domain/message/decide.js';
import { outranks, type MessageStatus } from '../../domain/message/status.js';
import { operationStream } from '../../domain/streams.js';
import type { MessageDoc } from '../../read-models/messages.js';
import type { OperationDoc } from '../../read-models/operations.js';
import { webhookTypeOf, type NotifiableEvent } from '../../workers/notifications/event-kind.js';
import { webhookEventId } from '../../application/provisioning/webhooks.js';
import type { Documents } from './data-folder.js';
import { byStream, document, group, type Facts } from './facts.js';
import { sentByFlows } from './flows.js';
import { erasedStreams, judgeErasures } from './judge-erasure.js';
import { judgeHorizon } from './judge-horizon.js';
import { judgeOrder } from './judge-order.js';
import type { Call } from './provider.js';
import type { SeenEvent } from './receiver.js';

const LOST = 'the process ended before the answer was recorded';

export function judge(facts: Facts): readonly string[] {
  const { folder } = facts;
  return [
    ...(folder.integrity.join() === 'ok' ? [] : folder.integrity.map((line) => `integrity_check: ${line}`)),
    ...judgeOperations(facts),
    ...judgeWebhooks(facts),
    ...judgeIntake(facts),
    ...judgeOrder(facts),
    ...judgeErasures(facts),
    ...judgeHorizon(facts),
    ...difference(folder.documents, folder.rebuilt),
    ...(folder.parkedMessages === 0 ? [] : [`${folder.parkedMessages} messages were parked`]),
  ];
}

export function judgeOperations({ accepted, calls, kills, folder }: Facts): readonly string[] {
  const found: string[] = [];
  const history = byStream(folder.events);
  const callsOf = group(calls, (call) => call.opaque);
  const known = new Set([...accepted.map((send) => send.operationUuid), ...sentByFlows(folder.events)]);
  for (const opaque of callsOf.keys()) {
    if (!known.has(opaque))
      found.push(`the provider was called for ${opaque}, which nobody was told is accepted`);
  }
  for (const { n, operationUuid } of accepted) {
    const say = (what: string): void => void found.push(`message ${n}, operation ${operationUuid}: ${what}`);
    const operation = document<OperationDoc>(folder.documents, 'operations', operationUuid);
    if (!operation) {
      say('was accepted and is gone');
      continue;
    }
    const own = callsOf.get(operationUuid) ?? [];
    const events = history.get(operationStream.toName(operationUuid)) ?? [];
    const count = (type: string): number => events.filter(({ event }) => event.type === type).length;
    // Each call but the last must have been refused, and the refusal must be recorded.
    const repeated = own.slice(0, -1);
    if (repeated.some(({ plan }) => plan.kind !== 'refuse')) {
      say(`called again after ${own.map(({ plan }) => plan.kind).join(', ')}`);
    }
    if (count('SendPostponed') < own.length - 1) say('called again without a refusal on record');
    if (count('SendAttempted') < own.length)
      say(`${own.length} calls, ${count('SendAttempted')} attempts on record`);

    const unknown = lostOutcome(events);
    const lost = unknown !== null;
    const givenUp = lost && operation.error?.code === 'send_outcome_unknown';
    if (givenUp && !killedBetween(kills, events, unknown))
      say('given up as lost although no process died over it');
    const last = own[own.length - 1];
    const ended = operation.status === 'failed' ? `failed ${operation.error?.code}` : operation.status;
    const expected = expectedEnd(last, own.length, lost);
    if (ended !== expected) say(`is ${ended}, expected ${expected} after ${last?.plan.kind ?? 'no call'}`);

    const message = document<MessageDoc>(folder.documents, 'messages', outboundMessageId(operationUuid));
    const status = expectedStatus(last, operation.status);
    if (message ? message.status !== status : last !== undefined) {
      say(`its message is ${message?.status ?? 'gone'}, expected ${status}`);
    }
    if (message && operation.status === 'succeeded' && message.provider_message_id !== last?.messageId) {
      say(`its message has the provider id ${message.provider_message_id}, expected ${last?.messageId}`);
    }
  }
  return found;
}

/**
 * The event by which an outcome was given up as lost with its process; null if that process later recorded the outcome.
 */
function lostOutcome(events: readonly RecordedEvent[]): RecordedEvent | null {
  const unknown = events.findLast(
    ({ event }) => event.type === 'SendOutcomeUnknown' && event.data['reason'] === LOST,
  );
  if (unknown === undefined) return null;
  return events.slice(events.indexOf(unknown) + 1).some(knowsTheAnswer) ? null : unknown;
}

/**
 * Sends with a recorded attempt whose process was killed before the call. The product cannot know that WhatsApp was not
 * called, so they end as `send_outcome_unknown` and are not sent again.
 */
export function cutOffBeforeTheCall({ calls, kills, folder }: Facts): ReadonlySet<string> {
  const called = new Set(calls.map(({ opaque }) => opaque));
  const cut = new Set<string>();
  for (const [stream, events] of byStream(folder.events)) {
    const operation = operationStream.match(stream);
    if (operation === undefined || called.has(operation)) continue;
    const unknown = lostOutcome(events);
    if (unknown !== null && killedBetween(kills, events, unknown)) cut.add(operation);
  }
  return cut;
}

/**
 * True for events that only the calling process can have recorded. A process that claims the row cannot distinguish a
 * stalled process from a dead one, so it may record the outcome as lost. But a later report by the calling process must
 * be accepted.
 */
function knowsTheAnswer({ event: { type, data } }: RecordedEvent): boolean {
  if (type === 'SendSucceeded') return data['evidence'] === 'answer';
  return type === 'SendPostponed' || (type === 'SendFailed' && data['code'] !== 'send_outcome_unknown');
}

/** A status settles an outcome that was lost; without a status it remains unknown. */
function expectedEnd(last: Call | undefined, calls: number, lost: boolean): string {
  const unknown = 'failed send_outcome_unknown';
  if (!last) return unknown;
  const { plan } = last;
  switch (plan.kind) {
    case 'accept':
      return lost && plan.statuses.length === 0 ? unknown : 'succeeded';
    case 'accept_lost':
      return plan.statuses.length === 0 ? unknown : 'succeeded';
    case 'refuse_lost':
      return unknown;
    case 'refuse':
      if (lost) return unknown;
      if (plan.code === 131026) return 'failed recipient_unreachable';
      return calls >= 3 ? 'failed provider_unavailable' : 'waiting';
    default:
      return plan satisfies never;
  }
}

function expectedStatus(last: Call | undefined, ended: OperationDoc['status']): MessageStatus {
  const start: MessageStatus = ended === 'succeeded' ? 'sent' : 'failed';
  if (last?.plan.kind !== 'accept' && last?.plan.kind !== 'accept_lost') return start;
  return last.plan.statuses.reduce<MessageStatus>(
    (best, next) => (outranks(next, best) ? next : best),
    start,
  );
}

function killedBetween(
  kills: readonly number[],
  events: readonly RecordedEvent[],
  unknown: RecordedEvent,
): boolean {
  const attempts = events.filter(({ event }) => event.type === 'SendAttempted');
  const begun = Date.parse(attempts[attempts.length - 1]!.record.meta.occurred_at);
  const given = Date.parse(unknown.record.meta.occurred_at);
  return kills.some((at) => at >= begun && at <= given);
}

/** Every event that the history implies must have reached each subscribed endpoint, and no other event may have. */
function judgeWebhooks({ companyUuid, seen, endpoints, folder }: Facts): readonly string[] {
  const found: string[] = [];
  const expected = expectedWebhooks(folder.events, companyUuid);
  const mayBeMissing = eventsOf(folder.events, erasedStreams({ folder }));
  for (const [path, types] of Object.entries(endpoints)) {
    const there = seen.get(path) ?? new Map<string, SeenEvent>();
    for (const [id, type] of expected) {
      if (types !== null && !types.includes(type)) continue;
      if (there.get(id)?.accepted !== true && !mayBeMissing.has(id))
        found.push(`${path} never got ${type} ${id}`);
    }
    for (const [id, { type }] of there) {
      if (expected.get(id) !== type)
        found.push(`${path} got ${type} ${id}, which history does not give rise to`);
    }
  }
  const bodies = new Map<string, string>();
  for (const there of seen.values()) {
    for (const [id, { bodyHash }] of there) {
      if ((bodies.get(id) ?? bodyHash) !== bodyHash)
        found.push(`event ${id} has other bytes at another endpoint`);
      bodies.set(id, bodyHash);
    }
  }
  for (const { event_id, status } of folder.deliveries) {
    if (status !== 'delivered' && !mayBeMissing.has(event_id))
      found.push(`a delivery of event ${event_id} is ${status}`);
  }
  return found;
}

/** Ids of the webhook events that integrators receive for these streams. */
const eventsOf = (events: readonly RecordedEvent[], streams: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    events
      .filter(({ record }) => streams.has(record.stream))
      .map(({ record }) => webhookEventId(record.eventId)),
  );

export function expectedWebhooks(
  events: readonly RecordedEvent[],
  companyUuid: string,
): ReadonlyMap<string, string> {
  const expected = new Map<string, string>();
  for (const [stream, history] of byStream(events)) {
    if (!/^(message|conversation|integration|execution)-/.test(stream)) continue;
    for (let index = 0; index < history.length; index += 1) {
      const { record } = history[index]!;
      if (record.meta.company !== companyUuid) continue;
      const type = webhookTypeOf(history.slice(0, index + 1) as RecordedEvent<NotifiableEvent>[]);
      if (type !== null) expected.set(webhookEventId(record.eventId), type);
    }
  }
  return expected;
}

/** Every webhook that was answered 200 is stored, and each customer's message is recorded once. */
function judgeIntake({ keptWebhooks, inbound, folder }: Facts): readonly string[] {
  const found: string[] = [];
  const kept = new Set<string>();
  const received = new Map<string, number>();
  for (const { event } of folder.events) {
    if (event.type === 'ProviderWebhookReceived') {
      const body = Buffer.from(String(event.data['body']), 'base64');
      kept.add(createHash('sha256').update(body).digest('hex'));
    } else if (event.type === 'MessageReceived') {
      const id = String(event.data['provider_message_id']);
      received.set(id, (received.get(id) ?? 0) + 1);
    } else if (event.type === 'ProviderUpdateParked') {
      found.push(`an update of the provider was parked: ${String(event.data['reason'])}`);
    }
  }
  for (const hash of keptWebhooks)
    if (!kept.has(hash)) found.push(`a provider webhook was answered 200 and is gone: ${hash}`);
  for (const id of inbound) {
    if (received.get(id) !== 1)
      found.push(`the customer's message ${id} is there ${received.get(id) ?? 0} times`);
  }
  return found;
}

/** An erasure rewrites a document under a version just above its old one. */
const REWRITTEN = /(?<=^\S+)~+(?= )/;

export function difference(documents: Documents, rebuilt: Documents): readonly string[] {
  const found: string[] = [];
  for (const key of new Set([...documents.keys(), ...rebuilt.keys()])) {
    const [now, fresh] = [documents.get(key), rebuilt.get(key)];
    if (now?.replace(REWRITTEN, '') !== fresh)
      found.push(`${key} differs from a rebuild:\n  ${now}\n  ${fresh}`);
  }
  return found;
}
