/**
 * From history to work: which events give which worker something to do. A pure function of the stored record, so a
 * topic can always be derived again. Messages carry identifiers only, never personal data.
 */
import { aggregates } from '../domain/catalog.js';
import { EXECUTION_MOVES } from '../domain/execution/status.js';
import { isMediaType } from '../domain/message/media.js';
import type { Position, StoredRecord } from '../ports/event-store.js';
import type { NewMessage } from '../ports/topics.js';
import { ACCOUNT_LANE } from './provider-webhook/lanes.js';

/** Accepted sends, for the worker that schedules them. */
export const SENDS = 'sends';
/** Provider webhooks that were kept, for the worker that reads them. */
export const INTAKE = 'intake';
/** Events that integrators may want to hear of. */
export const NOTIFICATIONS = 'notifications';
/** Messages with a file: to be fetched, and once it is here, to be heard. */
export const MEDIA = 'media';

/** Orders that were cancelled, whose stock goes back, or that hold stock for a time, and WhatsApp carts, which become orders. */
export const ORDERS = 'orders';

/** Products that may have stopped showing pictures. */
export const STORE_PICTURES = 'store-pictures';

/** What flows begin with, wait for or have to tidy up after. */
export const FLOWS = 'flows';

/** Points a worker at an event. */
export type EventPointer = {
  readonly stream: string;
  readonly revision: number;
  /** Of the event in the history: who reads read models because of it waits until they show it. */
  readonly position: Position;
  readonly event_id: string;
  readonly company: string;
  readonly correlation_id: string;
};

/**
 * A pointer to a kept webhook, or to what of it is read in one order. A release that knows of no parts reads all of it.
 */
export type WebhookPointer = EventPointer & {
  /** Absent: nobody had looked inside when it was kept, or all of it is meant. */
  readonly lane?: string;
  /** Only of a webhook with several lanes, and of the first of them, which takes all that is in none of these. */
  readonly others?: readonly string[];
  /** Only of its other lanes: 1, 2, … */
  readonly part?: number;
};

/** Names the message among those of its topic and group. */
export const messageName = (value: NewMessage['value']): string | undefined => {
  const { event_id: event, part, index } = value;
  if (typeof event !== 'string') return undefined;
  if (typeof index === 'number') return `${event}/update/${index}`;
  return typeof part === 'number' ? `${event}/part/${part}` : event;
};

/** A pointer to a SendAccepted event, with what pacing needs to know of it. */
export type SendPointer = EventPointer & {
  /** The recipient, as a sealing subject. */
  readonly subject: string;
  /** ISO 8601: end of the pacing window. */
  readonly deadline: string;
  /** Of the template; null for text. Messages of older versions have none. */
  readonly category?: string | null;
};

const SEND_ACCEPTED = 'SendAccepted';
const WEBHOOK_RECEIVED = 'ProviderWebhookReceived';
const ORDER_PLACED = 'OrderPlaced';
/** Types that integrators may hear of. */
export const NOTIFIABLE: ReadonlySet<string> = new Set<string>([
  'MessageAccepted',
  'MessageRefused',
  'MessageStatusReported',
  'MessageReceived',
  'MessageEchoed',
  'MessageEdited',
  'MessageDeleted',
  'ConversationOpened',
  'ConversationResolved',
  'ConversationReopened',
  'ConversationRead',
  'ConversationMarkedPending',
  'ConversationAssigned',
  'ConversationTakenByFlow',
  'ConversationHandedOff',
  'ExecutionCreated',
  ...EXECUTION_MOVES,
  'MessageTranscribed',
  ORDER_PLACED,
  'WebhookTestRequested',
  // Switched on again: what was held back meanwhile is taken up.
  'WebhookEndpointChanged',
]);

const FLOW_ACCEPTED = 'FlowExecutionAccepted';
/** Always something to do for the flow worker. */
const MOVES_FLOWS = new Set<string>([
  FLOW_ACCEPTED,
  'ExecutionEnded',
  'ExecutionResumed',
  'ExecutionCallbackReceived',
  'ConversationLeftByFlow',
  'ConversationResolved',
]);
const TAKEN_BY_FLOW = 'ConversationTakenByFlow';
const SEND_ENDINGS = new Set<string>(['SendSucceeded', 'SendFailed']);
const INBOUND = 'MessageReceived';
/** Shows only where it ends a wait: between waits an execution is processing, however many steps it takes. */
const STEP = 'ExecutionStepTaken';

const HAS_FILE = new Set<string>([
  'MessageReceived',
  'MessageEchoed',
  'MessageImported',
  'MessageMediaImported',
]);
const MEDIA_REQUESTED = 'MessageMediaRequested';
const MEDIA_STORED = 'MessageMediaStored';
const ORDER_CANCELLED = 'OrderCancelled';
const HOLD_SET = 'OrderHoldSet';
const LEAVES_PICTURES = new Set<string>([
  'ProductImagesReplaced',
  'ProductVariantsReplaced',
  'ProductDeleted',
]);
/** Type of a message that holds a cart. */
const CART = 'order';

/** Streams that may hold something to relay, for subscriptions that filter on the server. */
export const RELAYED_PREFIXES: readonly string[] = aggregates
  .filter(({ events }) =>
    events.some(
      ({ type }) =>
        type === SEND_ACCEPTED ||
        type === WEBHOOK_RECEIVED ||
        type === MEDIA_STORED ||
        type === MEDIA_REQUESTED ||
        type === ORDER_CANCELLED ||
        NOTIFIABLE.has(type) ||
        MOVES_FLOWS.has(type) ||
        HAS_FILE.has(type) ||
        LEAVES_PICTURES.has(type),
    ),
  )
  .map(({ stream }) => stream.prefix);

const nothing: readonly NewMessage[] = [];

export function relay(record: StoredRecord): readonly NewMessage[] {
  if (record.type === SEND_ACCEPTED) {
    const { channel_uuid, subject, deadline, template_category: category } = record.data;
    const value = { ...pointer(record), subject, deadline, category };
    return [{ topic: SENDS, key: String(channel_uuid), value }];
  }
  if (record.type === WEBHOOK_RECEIVED) {
    const { lanes = [] } = record.data as { readonly lanes?: readonly string[] };
    return webhookParts(pointer(record), lanes).map((value) => ({
      topic: INTAKE,
      key: laneKey(value),
      value,
    }));
  }
  if (LEAVES_PICTURES.has(record.type)) {
    return [{ topic: STORE_PICTURES, key: record.stream, value: pointer(record) }];
  }
  const told = NOTIFIABLE.has(record.type) && !(record.type === STEP && record.data['waited'] !== true);
  const flowKey = flowKeyOf(record);
  const file = hasFileToWorkOn(record);
  const order = isAboutOrder(record);
  if (!told && !file && !order && flowKey === null) return nothing;
  const value = pointer(record);
  return [
    ...(told ? [{ topic: NOTIFICATIONS, key: record.stream, value }] : []),
    ...(file ? [{ topic: MEDIA, key: record.stream, value }] : []),
    ...(order ? [{ topic: ORDERS, key: record.stream, value }] : []),
    ...(flowKey === null ? [] : [{ topic: FLOWS, key: flowKey, value }]),
  ];
}

/** One for each lane; one of all where none is known. */
export function webhookParts(
  whole: WebhookPointer,
  [first, ...others]: readonly string[],
): readonly WebhookPointer[] {
  if (first === undefined) return [whole];
  return [
    { ...whole, lane: first, ...(others.length > 0 ? { others } : {}) },
    ...others.map((lane, index) => ({ ...whole, lane, part: index + 1 })),
  ];
}

/** What names no number has nothing before which it must not come. */
export const laneKey = ({ lane, stream }: WebhookPointer): string =>
  lane === undefined || lane === ACCOUNT_LANE ? stream : lane;

/**
 * What one conversation or one execution is told in order, and starts of one contact in turn: they want the same
 * conversation. Null where no flow is concerned.
 */
function flowKeyOf({ type, data, stream }: StoredRecord): string | null {
  if (type === INBOUND) return String(data['conversation_uuid']);
  if (type === FLOW_ACCEPTED) return String(data['contact_uuid']);
  if (SEND_ENDINGS.has(type)) {
    const execution = data['execution_uuid'];
    return typeof execution === 'string' ? execution : null;
  }
  if (type === TAKEN_BY_FLOW) return data['replaced_uuid'] === null ? null : stream;
  return MOVES_FLOWS.has(type) ? stream : null;
}

const hasFileToWorkOn = ({ type, data }: StoredRecord): boolean =>
  HAS_FILE.has(type)
    ? isMediaType(data['type'])
    : type === MEDIA_REQUESTED || (type === MEDIA_STORED && data['kind'] === 'audio');

const isAboutOrder = (record: StoredRecord): boolean =>
  record.type === ORDER_CANCELLED ||
  holdsForATime(record) ||
  (record.type === INBOUND && record.data['type'] === CART);

/** One without a word of it was placed by a release that knew no holds, and is given a time. */
const holdsForATime = ({ type, data }: StoredRecord): boolean =>
  (type === ORDER_PLACED && data['hold_until'] !== null) || (type === HOLD_SET && data['until'] !== null);

function pointer(record: StoredRecord): EventPointer {
  return {
    stream: record.stream,
    revision: record.revision,
    position: record.position,
    event_id: record.eventId,
    company: record.meta.company,
    correlation_id: record.meta.correlation_id,
  };
}
