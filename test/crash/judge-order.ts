/** Checks the order per person, as docs/sending.md, docs/inbound.md and docs/conversations.md guarantee it. */
import type { RecordedEvent } from '../../application/codec.js';
import { webhookBody } from '../../application/intake.js';
import type { IntakeEvent } from '../../domain/intake/events.js';
import { inboundMessageId } from '../../domain/message/decide.js';
import { intakeStream, operationStream } from '../../domain/streams.js';
import type { MessageDoc } from '../../read-models/messages.js';
import { byStream, document, group, type Facts } from './facts.js';

/** Events after which a later message may overtake: the earlier one waits for a reason of its own, or has ended. */
const OWN_REASONS: readonly string[] = [
  'SendDeferred',
  'SendPostponed',
  'SendOutcomeUnknown',
  'SendHeld',
  'SendFailed',
];
/** After work moves to another process, rows of the previous process become claimable when their leases expire. */
const HANDOVER_MS = 90_000;

export const judgeOrder = (facts: Facts): readonly string[] => [
  ...judgeCalls(facts),
  ...judgeArrivals(facts),
];

interface Sent {
  readonly operation: string;
  readonly line: string;
  readonly acceptedAt: number;
  /** Indexes in the provider's log and in the history. */
  readonly call: number;
  readonly calledAt: number;
  readonly attempt: number;
  readonly excused: number;
}

/** The first calls to one person must be in the order of acceptance. */
function judgeCalls({ calls, handovers, folder }: Facts): readonly string[] {
  const found: string[] = [];
  const firstCall = new Map<string, number>();
  for (const [place, { opaque }] of calls.entries()) if (!firstCall.has(opaque)) firstCall.set(opaque, place);
  const placeOf = new Map(folder.events.map((event, place) => [event, place]));
  const sent: Sent[] = [];
  for (const [stream, events] of byStream(folder.events)) {
    const operation = operationStream.match(stream);
    const accepted = events.find(({ event }) => event.type === 'SendAccepted');
    const call = operation === undefined ? undefined : firstCall.get(operation);
    if (operation === undefined || !accepted || call === undefined) continue;
    const place = (found: RecordedEvent | undefined): number => (found ? placeOf.get(found)! : Infinity);
    const { channel_uuid, subject, template_category } = accepted.event.data;
    sent.push({
      operation,
      line: `${String(channel_uuid)} ${String(subject)} ${template_category === 'MARKETING'}`,
      acceptedAt: Date.parse(accepted.record.meta.occurred_at),
      call,
      calledAt: calls[call]!.at,
      attempt: place(events.find(({ event }) => event.type === 'SendAttempted')),
      excused: place(events.find(({ event }) => OWN_REASONS.includes(event.type))),
    });
  }
  const handedOver = (from: number, to: number): boolean =>
    handovers !== null && handovers.some((at) => at <= to && at >= from - HANDOVER_MS);
  for (const line of group(sent, (one) => one.line).values()) {
    for (const [index, later] of line.entries()) {
      const overtaken = line
        .slice(0, index)
        .find(
          (earlier) =>
            earlier.call > later.call &&
            earlier.excused > later.attempt &&
            !handedOver(earlier.acceptedAt, earlier.calledAt),
        );
      if (overtaken)
        found.push(
          `operation ${later.operation} overtook ${overtaken.operation}, accepted before it for the same person`,
        );
    }
  }
  return found;
}

interface Arrival {
  readonly id: string;
  readonly sender: string;
  /** Epoch milliseconds, in whole seconds. */
  readonly saidAt: number;
}

/**
 * A customer's messages are recorded in the order in which WhatsApp delivered them, and are displayed by WhatsApp's
 * times.
 */
function judgeArrivals({ handovers, folder }: Facts): readonly string[] {
  const found: string[] = [];
  const received = new Map<string, { readonly place: number; readonly uuid: string }>();
  for (const [place, { event, record }] of folder.events.entries()) {
    if (event.type !== 'MessageReceived') continue;
    const id = String(event.data['provider_message_id']);
    received.set(id, { place, uuid: inboundMessageId(String(event.data['channel_uuid']), id) });
    if (record.stream !== `message-${received.get(id)!.uuid}`)
      found.push(`the customer's message ${id} has another uuid than its own`);
  }
  for (const [sender, all] of group(arrivalsOf(folder.events), (one) => one.sender)) {
    const known = all.filter(({ id }) => received.has(id));
    if (handovers === null) {
      for (const [before, after] of pairs(known)) {
        if (received.get(before.id)!.place > received.get(after.id)!.place)
          found.push(
            `customer ${sender}: ${after.id} was recorded before ${before.id}, which came before it`,
          );
      }
    }
    const shown = known.flatMap((arrival) => {
      const doc = document<MessageDoc>(folder.documents, 'messages', received.get(arrival.id)!.uuid);
      return doc ? [{ ...arrival, doc, place: received.get(arrival.id)!.place }] : [];
    });
    const said = shown.toSorted((a, b) => a.saidAt - b.saidAt || a.place - b.place);
    for (const [before, after] of pairs(said)) {
      if (standsAt(before.doc) > standsAt(after.doc))
        found.push(`customer ${sender}: ${after.id} is shown before ${before.id}, which was said before it`);
    }
  }
  return found;
}

const standsAt = ({ ordered_at, position }: MessageDoc): string => `${ordered_at} ${position}`;

const pairs = <T>(list: readonly T[]): readonly (readonly [T, T])[] =>
  list.slice(1).map((item, index) => [list[index]!, item]);

interface Webhook {
  readonly entry: readonly {
    readonly changes: readonly {
      readonly value: {
        readonly messages?: readonly {
          readonly id: string;
          readonly from: string;
          readonly timestamp: string;
        }[];
      };
    }[];
  }[];
}

/** Messages of customers in the order in which their webhooks were stored, without repetitions. */
function arrivalsOf(events: readonly RecordedEvent[]): readonly Arrival[] {
  const arrivals = new Map<string, Arrival>();
  for (const [stream, kept] of byStream(events)) {
    if (intakeStream.match(stream) === undefined) continue;
    const body = webhookBody(kept.map(({ event }) => event as unknown as IntakeEvent));
    if (body === null) continue;
    const { entry } = JSON.parse(body.toString('utf8')) as Webhook;
    for (const { value } of entry.flatMap(({ changes }) => changes)) {
      for (const { id, from, timestamp } of value.messages ?? [])
        if (!arrivals.has(id)) arrivals.set(id, { id, sender: from, saidAt: Number(timestamp) });
    }
  }
  return [...arrivals.values()];
}
