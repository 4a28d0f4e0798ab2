/**
 * Maps each event to the workers that have to react to it. A pure function of the stored record, so a topic can always
 * be derived again. Messages contain only identifiers, never personal data.
 */
import { aggregates } from '../domain/catalog.js';
import { EXECUTION_MOVES } from '../domain/execution/status.js';
import { isMediaType } from '../domain/message/media.js';
import type { Position, StoredRecord } from '../ports/event-store.js';
import type { NewMessage } from '../ports/topics.js';
import { ACCOUNT_LANE } from './provider-webhook/lanes.js';

/** Accepted sends, for the worker that schedules them. */
export const SENDS = 'sends';
/** Stored provider webhooks, for the worker that processes them. */
export const INTAKE = 'intake';
/** Events that integrators may be notified of. */
export const NOTIFICATIONS = 'notifications';
/** Messages with a file: to be fetched and, once stored, to be transcribed if it is audio. */
export const MEDIA = 'media';

/** Cancelled orders, whose stock is returned; orders with a hold on stock; WhatsApp carts, which become orders. */
export const ORDERS = 'orders';

/** Products that may have stopped using some of their pictures. */
export const STORE_PICTURES = 'store-pictures';

/** Events that start flows, resume them or require cleanup after them. */
export const FLOWS = 'flows';

/** Refers a worker to an event. */
export type EventPointer = {
  readonly stream: string;
  readonly revision: number;
  /** Position of the event in the history: workers wait until the read models they need show it. */
  readonly position: Position;
  readonly event_id: string;
  readonly company: string;
  readonly correlation_id: string;
};

/** A pointer to a stored webhook, or to one of its lanes. A release without lanes processes the whole webhook. */
export type WebhookPointer = EventPointer & {
  /** Absent: the webhook was stored without parsing, or the pointer covers all of it. */
  readonly lane?: string;
  /** Only on the first of several lanes: the other ones. The first lane processes all that is in none of these. */
  readonly others?: readonly string[];
  /** Only on the other lanes of the webhook: 1, 2, … */
  readonly part?: number;
};

/** Identifies the message within its topic and group. */
export function messageName(value: EventPointer): string;
export function messageName(value: NewMessage['value']): string | undefined;
export function messageName({ event_id: event, part, index }: NewMessage['value']): string | undefined {
  if (typeof event !== 'string') return undefined;
  if (typeof index === 'number') return `${event}/update/${index}`;
  return typeof part === 'number' ? `${event}/part/${part}` : event;
}

/** A pointer to a SendAccepted event, with the data that pacing needs. */
export type SendPointer = EventPointer & {
  /** The recipient, as a sealing subject. */
  readonly subject: string;
  /** ISO 8601: end of the pacing window. */
  readonly deadline: string;
  /** Category of the template; null for text. Absent in messages of older releases. */
  readonly category?: string | null;
};

/** Type of a message that holds a cart. */
const CART = 'order';

type EventType = Parameters<(typeof aggregates)[number]['evolve']>[1]['type'];

/**
 * The messages for one reactor: declared as data, so that topics, subscriptions and the work held after a restore
 * derive from it.
 */
export interface Route {
  /** Stored in topics: must never change. */
  readonly topic: string;
  /** Types of the events that may produce a message. */
  readonly handles: readonly EventType[];
  /** Its messages for one of these events; messages with the same key are delivered in order. */
  readonly messages: (record: StoredRecord) => readonly Omit<NewMessage, 'topic'>[];
  /**
   * True if its reactor has effects outside the system, or starts work that does. For events from before a restore,
   * these may have occurred already.
   */
  readonly acts: boolean;
}

type KeyOf = (record: StoredRecord) => string | null;

/** A pointer to the event; no message where the key is null. */
const pointing =
  (keyOf: KeyOf): Route['messages'] =>
  (record) => {
    const key = keyOf(record);
    return key === null ? [] : [{ key, value: pointer(record) }];
  };

const byStream: KeyOf = ({ stream }) => stream;

const sends: Route = {
  topic: SENDS,
  handles: ['SendAccepted'],
  acts: true,
  messages(record) {
    const { channel_uuid, subject, deadline, template_category: category } = record.data;
    return [{ key: String(channel_uuid), value: { subject, deadline, category, ...pointer(record) } }];
  },
};

const intake: Route = {
  topic: INTAKE,
  handles: ['ProviderWebhookReceived'],
  acts: true,
  messages(record) {
    const { lanes = [] } = record.data as { readonly lanes?: readonly string[] };
    return webhookParts(pointer(record), lanes).map((value) => ({ key: laneKey(value), value }));
  },
};

const notifications: Route = {
  topic: NOTIFICATIONS,
  handles: [
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
    'OrderPlaced',
    'WebhookTestRequested',
    // A re-enabled endpoint resumes its held deliveries.
    'WebhookEndpointChanged',
  ],
  acts: true,
  // A step is notified only where it ends a wait: between waits an execution is processing, regardless of its steps.
  messages: pointing((record) =>
    record.type === 'ExecutionStepTaken' && record.data['waited'] !== true ? null : record.stream,
  ),
};

const media: Route = {
  topic: MEDIA,
  handles: [
    'MessageQueued',
    'MessageReceived',
    'MessageEchoed',
    'MessageImported',
    'MessageMediaImported',
    'MessageMediaRequested',
    'MessageMediaStored',
  ],
  acts: false,
  messages: pointing((record) => (hasFileToWorkOn(record) ? record.stream : null)),
};

const orders: Route = {
  topic: ORDERS,
  handles: ['OrderCancelled', 'OrderPlaced', 'OrderHoldSet', 'MessageReceived'],
  acts: true,
  messages: pointing((record) => (isAboutOrder(record) ? record.stream : null)),
};

const storePictures: Route = {
  topic: STORE_PICTURES,
  handles: ['ProductImagesReplaced', 'ProductVariantsReplaced', 'ProductDeleted'],
  acts: false,
  messages: pointing(byStream),
};

const flows: Route = {
  topic: FLOWS,
  handles: [
    'MessageReceived',
    'FlowExecutionAccepted',
    'SendSucceeded',
    'SendFailed',
    'ConversationTakenByFlow',
    'ExecutionEnded',
    'ExecutionResumed',
    'ExecutionCallbackReceived',
    'ConversationLeftByFlow',
    'ConversationResolved',
  ],
  acts: true,
  messages: pointing(flowKeyOf),
};

/** In the order in which the messages of one event are published. */
export const routes = { sends, intake, notifications, media, orders, storePictures, flows };

const all: readonly Route[] = Object.values(routes);

export const TOPICS: readonly string[] = all.map(({ topic }) => topic);

/** Event types that integrators may be notified of. */
export const NOTIFIABLE: ReadonlySet<string> = new Set<string>(notifications.handles);

/** Topics whose messages about events before a restore are held, or found again in the streams. */
export const ACTING_TOPICS: ReadonlySet<string> = new Set(
  all.filter(({ acts }) => acts).map(({ topic }) => topic),
);

const routesOf = new Map<string, readonly Route[]>();
for (const route of all) {
  for (const type of route.handles) routesOf.set(type, [...(routesOf.get(type) ?? []), route]);
}

/** Prefixes of streams that may contain events to relay, for subscriptions that filter on the server. */
export const RELAYED_PREFIXES: readonly string[] = aggregates
  .filter(({ events }) => events.some(({ type }) => routesOf.has(type)))
  .map(({ stream }) => stream.prefix);

const nothing: readonly NewMessage[] = [];

export function relay(record: StoredRecord): readonly NewMessage[] {
  const concerned = routesOf.get(record.type);
  if (concerned === undefined) return nothing;
  return concerned.flatMap(({ topic, messages }) =>
    messages(record).map((message) => ({ topic, ...message })),
  );
}

/** One pointer per lane; a single pointer where no lanes are known. */
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

/** Updates without a number need no order, so each webhook uses its own stream as the key. */
export const laneKey = ({ lane, stream }: WebhookPointer): string =>
  lane === undefined || lane === ACCOUNT_LANE ? stream : lane;

/**
 * Messages of one conversation or one execution are delivered in order; so are the starts for one contact, as they
 * compete for the same conversation. Null where no flow is affected.
 */
function flowKeyOf({ type, data, stream }: StoredRecord): string | null {
  switch (type) {
    case 'MessageReceived':
      return String(data['conversation_uuid']);
    case 'FlowExecutionAccepted':
      return String(data['contact_uuid']);
    case 'SendSucceeded':
    case 'SendFailed':
      return typeof data['execution_uuid'] === 'string' ? data['execution_uuid'] : null;
    case 'ConversationTakenByFlow':
      return data['replaced_uuid'] === null ? null : stream;
    default:
      return stream;
  }
}

function hasFileToWorkOn({ type, data }: StoredRecord): boolean {
  if (type === 'MessageMediaRequested') return true;
  if (type === 'MessageMediaStored') return data['kind'] === 'audio';
  return isMediaType(data['type']);
}

function isAboutOrder({ type, data }: StoredRecord): boolean {
  switch (type) {
    case 'OrderPlaced':
      // Undefined if a release without holds placed the order, which then gets a hold.
      return data['hold_until'] !== null;
    case 'OrderHoldSet':
      return data['until'] !== null;
    case 'MessageReceived':
      return data['type'] === CART;
    default:
      return true;
  }
}

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
