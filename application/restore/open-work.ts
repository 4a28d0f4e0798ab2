/**
 * Determines the work in progress when a copy of the history was taken, from the streams alone. Rows of the due-time
 * store and messages of the topics are hints that a copy may lack. Makes one pass over the history and drops finished
 * work on the way, so memory use depends only on the open work.
 */
import {
  conversationStream,
  executionStream,
  messageStream,
  operationStream,
  orderStream,
  productStream,
} from '../../domain/streams.js';
import { START, type EventStore, type Position, type StoredRecord } from '../../ports/event-store.js';
import { FLOWS, MEDIA, ORDERS, relay, type EventPointer } from '../relay.js';
import type { PlacingRow } from '../store/orders/place.js';

export interface OpenWork {
  /** Send operations that are not settled. */
  readonly sends: ReadonlySet<string>;
  /** Executions that have not ended. */
  readonly executions: ReadonlySet<string>;
  /** Executions that control a conversation, by conversation; they may have ended since. */
  readonly inCharge: ReadonlyMap<string, string>;
  /** Accepted flows without an execution, by operation. */
  readonly acceptedFlows: ReadonlyMap<string, EventPointer>;
  /** Files that were not fetched, by message. */
  readonly files: ReadonlyMap<string, EventPointer>;
  /** Cancelled orders whose stock was not returned. */
  readonly cancellations: ReadonlyMap<string, EventPointer>;
  /** Unpaid orders that hold stock for a time. */
  readonly holds: ReadonlyMap<string, HeldStock>;
  /** Orders whose placing was not completed. */
  readonly placings: readonly PlacingRow[];
}

export interface HeldStock {
  readonly company: string;
  /** ISO 8601 */
  readonly until: string;
}

interface Placing {
  readonly company: string;
  readonly products: Set<string>;
  placed: boolean;
}

const TYPES = [
  'SendAccepted',
  'SendSucceeded',
  'SendFailed',
  'FlowExecutionAccepted',
  'ExecutionCreated',
  'ExecutionEnded',
  'ConversationTakenByFlow',
  'ConversationLeftByFlow',
  'ConversationHandedOff',
  'MessageQueued',
  'MessageReceived',
  'MessageEchoed',
  'MessageImported',
  'MessageMediaImported',
  'MessageMediaRequested',
  'MessageMediaStored',
  'MessageMediaFailed',
  'MessageDeleted',
  'StoreOrderRecorded',
  'StockTaken',
  'StockReturned',
  'OrderPlaced',
  'OrderNotPlaced',
  'OrderHoldSet',
  'OrderPaid',
  'OrderCancelled',
  'OrderStockRestored',
] as const;

const PREFIXES = [
  operationStream,
  executionStream,
  conversationStream,
  messageStream,
  productStream,
  orderStream,
].map(({ prefix }) => prefix);

const PAGE = 1_000;

/** @param upTo position of the restore: later events were recorded after it. @throws StoreUnavailable */
export async function findOpenWork(store: Pick<EventStore, 'readAll'>, upTo: Position): Promise<OpenWork> {
  const found = createOpenWork();
  for (let after: Position = START; ;) {
    const page = await store.readAll({ after, limit: PAGE, prefixes: PREFIXES, types: TYPES });
    for (const record of page.records) {
      if (record.position > upTo) return found.result();
      found.add(record);
    }
    if (page.atEnd || page.next > upTo) return found.result();
    after = page.next;
  }
}

/** The pointer to an event for the workers of a topic, as the relay creates it. */
export const pointerAt = (record: StoredRecord, topic: string): EventPointer | undefined =>
  relay(record).find((message) => message.topic === topic)?.value as EventPointer | undefined;

function createOpenWork(): { add(record: StoredRecord): void; result(): OpenWork } {
  const sends = new Set<string>();
  const executions = new Set<string>();
  const inCharge = new Map<string, string>();
  const acceptedFlows = new Map<string, EventPointer>();
  const files = new Map<string, EventPointer>();
  const cancellations = new Map<string, EventPointer>();
  const holds = new Map<string, HeldStock>();
  const placings = new Map<string, Placing>();

  function addHold(order: string, { type, data, meta }: StoredRecord): void {
    const until =
      type === 'OrderPlaced' ? data['hold_until'] : type === 'OrderHoldSet' ? data['until'] : null;
    if (typeof until === 'string') holds.set(order, { company: meta.company, until });
    else holds.delete(order);
  }

  function addSale(record: StoredRecord): void {
    const order = orderStream.match(record.stream) ?? String(record.data['order_uuid']);
    const product = productStream.match(record.stream) ?? '';
    const placing = placings.get(order);
    switch (record.type) {
      case 'StockTaken':
        if (placing) placing.products.add(product);
        else {
          const { company } = record.meta;
          placings.set(order, { company, products: new Set([product]), placed: false });
        }
        return;
      case 'StockReturned':
        placing?.products.delete(product);
        if (placing?.products.size === 0) placings.delete(order);
        return;
      case 'OrderPlaced':
        // An order with a conversation is complete only once its message is recorded there.
        if (record.data['conversation_uuid'] === null) placings.delete(order);
        else if (placing) placing.placed = true;
        return;
      case 'StoreOrderRecorded':
        if (placing?.placed === true) placings.delete(order);
        return;
    }
  }

  function addMessage(message: string, record: StoredRecord): void {
    if (record.type === 'StoreOrderRecorded') return addSale(record);
    const pointer = record.type === 'MessageMediaStored' ? undefined : pointerAt(record, MEDIA);
    if (pointer) files.set(message, pointer);
    else files.delete(message);
  }

  function addConversation(conversation: string, { type, data }: StoredRecord): void {
    const execution = String(data['execution_uuid']);
    if (type === 'ConversationTakenByFlow') inCharge.set(conversation, execution);
    else if (type === 'ConversationHandedOff' || inCharge.get(conversation) === execution)
      inCharge.delete(conversation);
  }

  function addRecord(record: StoredRecord): void {
    const { type, stream } = record;
    const operation = operationStream.match(stream);
    const execution = executionStream.match(stream);
    const order = orderStream.match(stream);
    const message = messageStream.match(stream);
    const conversation = conversationStream.match(stream);
    if (order !== undefined) addHold(order, record);
    if (operation !== undefined) {
      if (type === 'SendAccepted') sends.add(operation);
      else if (type === 'FlowExecutionAccepted') acceptedFlows.set(operation, pointerAt(record, FLOWS)!);
      else sends.delete(operation);
    } else if (execution !== undefined) {
      if (type === 'ExecutionCreated') executions.add(execution);
      else executions.delete(execution);
      acceptedFlows.delete(execution);
    } else if (order !== undefined && type === 'OrderCancelled') {
      cancellations.set(order, pointerAt(record, ORDERS)!);
    } else if (order !== undefined && type === 'OrderStockRestored') {
      cancellations.delete(order);
    } else if (message !== undefined) addMessage(message, record);
    else if (conversation !== undefined) addConversation(conversation, record);
    else addSale(record);
  }

  return {
    add(record) {
      // A store that cannot filter by type returns events of all types.
      if (TYPES.some((type) => type === record.type)) addRecord(record);
    },
    result: () => ({
      sends,
      executions,
      inCharge,
      acceptedFlows,
      files,
      cancellations,
      holds,
      placings: [...placings].map(([order_uuid, { company, products }]) => ({
        order_uuid,
        company,
        product_uuids: [...products].sort(),
      })),
    }),
  };
}
