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
export function messageName(value: EventPointer): string;
export function messageName(value: NewMessage['value']): string | undefined;
export function messageName({ event_id: event, part, index }: NewMessage['value']): string | undefined {
  if (typeof event !== 'string') return undefined;
  if (typeof index === 'number') return `${event}/update/${index}`;
  return typeof part === 'number' ? `${event}/part/${part}` : event;
}

/** A pointer to a SendAccepted event, with what pacing needs to know of it. */
export type SendPointer = EventPointer & {
  /** The recipient, as a sealing subject. */
  readonly subject: string;
  /** ISO 8601: end of the pacing window. */
  readonly deadline: string;
  /** Of the template; null for text. Messages of older versions have none. */
  readonly category?: string | null;
};

/** Type of a message that holds a cart. */
const CART = 'order';

type EventType = Parameters<(typeof aggregates)[number]['evolve']>[1]['type'];

/** What one reactor is given to do: data, so that topics, subscriptions and what a restore holds follow from it. */
export interface Route {
  /** On the wire: never changed. */
  readonly topic: string;
  /** Events that may give it something to do. */
  readonly handles: readonly EventType[];
  /** Its messages for one of these; those with one key are handed over in order. */
  readonly messages: (record: StoredRecord) => readonly Omit<NewMessage, 'topic'>[];
  /** Its reactor acts on somebody outside, or begins what does: behind a restore it may have done so already. */
  readonly acts: boolean;
}

type KeyOf = (record: StoredRecord) => string | null;

/** A pointer to the event; none where there is no key. */
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
    return [{ key: String(channel_uuid), value: { ...pointer(record), subject, deadline, category } }];
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
    // Switched on again: what was held back meanwhile is taken up.
    'WebhookEndpointChanged',
  ],
  acts: true,
  // A step shows only where it ends a wait: between waits an execution is processing, however many steps it takes.
  messages: pointing((record) =>
    record.type === 'ExecutionStepTaken' && record.data['waited'] !== true ? null : record.stream,
  ),
};

const media: Route = {
  topic: MEDIA,
  handles: [
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

/** In the order in which one event's messages are published. */
export const routes = { sends, intake, notifications, media, orders, storePictures, flows };

const all: readonly Route[] = Object.values(routes);

export const TOPICS: readonly string[] = all.map(({ topic }) => topic);

/** Types that integrators may hear of. */
export const NOTIFIABLE: ReadonlySet<string> = new Set<string>(notifications.handles);

/** Topics whose messages about events before a restore are held or found in the streams. */
export const ACTING_TOPICS: ReadonlySet<string> = new Set(
  all.filter(({ acts }) => acts).map(({ topic }) => topic),
);

const routesOf = new Map<string, readonly Route[]>();
for (const route of all) {
  for (const type of route.handles) routesOf.set(type, [...(routesOf.get(type) ?? []), route]);
}

/** Streams that may hold something to relay, for subscriptions that filter on the server. */
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
 * What one conversation or one execution hears in order, and starts of one contact in turn: they want the same
 * conversation. Null where no flow is concerned.
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
      // One without a word of it was placed by a release that knew no holds, and is given a time.
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
