/** Work in progress, derived from the streams alone. */
import { expect } from 'chai';
import { findOpenWork } from '../../application/restore/open-work.js';
import type { EventStore, Position } from '../../ports/event-store.js';
import { meta } from '../conformance/support.js';
import { memoryEventStore } from '../support/memory/event-store.js';

const uuid = (n: number): string => `0b7c1f0e-3a52-4d0e-9a5e-${String(n).padStart(12, '0')}`;
type Told = readonly [stream: string, type: string, data?: Readonly<Record<string, unknown>>];

async function storeOf(told: readonly Told[]): Promise<EventStore & { head(): Promise<Position> }> {
  const store = memoryEventStore();
  const revisions = new Map<string, number>();
  for (const [index, [stream, type, data = {}]] of told.entries()) {
    const revision = revisions.get(stream) ?? -1;
    const record = { eventId: `e${index}`, type, data, meta: meta() };
    await store.append(stream, revision < 0 ? 'no_stream' : revision, [record]);
    revisions.set(stream, revision + 1);
  }
  return store;
}

async function open(...told: Told[]) {
  const store = await storeOf(told);
  return findOpenWork(store, await store.head());
}

const [A, B, C] = [uuid(1), uuid(2), uuid(3)];

describe('open work of a history', () => {
  it('is every send without an end', async () => {
    const { sends } = await open(
      [`operation-${A}`, 'SendAccepted'],
      [`operation-${B}`, 'SendAccepted'],
      [`operation-${C}`, 'SendAccepted'],
      [`operation-${B}`, 'SendSucceeded'],
      [`operation-${C}`, 'SendFailed'],
    );
    expect([...sends]).to.deep.equal([A]);
  });

  it('is every execution without an end, and every flow that never became one', async () => {
    const { executions, acceptedFlows, inCharge } = await open(
      [`operation-${A}`, 'FlowExecutionAccepted'],
      [`operation-${B}`, 'FlowExecutionAccepted'],
      [`execution-${B}`, 'ExecutionCreated'],
      [`execution-${C}`, 'ExecutionCreated'],
      [`conversation-${A}`, 'ConversationTakenByFlow', { execution_uuid: C, replaced_uuid: null }],
      [`conversation-${B}`, 'ConversationTakenByFlow', { execution_uuid: B, replaced_uuid: null }],
      [`conversation-${B}`, 'ConversationLeftByFlow', { execution_uuid: A }],
      [`conversation-${C}`, 'ConversationTakenByFlow', { execution_uuid: A, replaced_uuid: null }],
      [`conversation-${C}`, 'ConversationLeftByFlow', { execution_uuid: A }],
      [`execution-${C}`, 'ExecutionEnded'],
    );
    expect([...executions]).to.deep.equal([B]);
    expect([...acceptedFlows.values()].map(({ stream }) => stream)).to.deep.equal([`operation-${A}`]);
    // In conversation A: its execution C has ended, but the conversation does not record that it left.
    expect([...inCharge]).to.deep.equal([
      [`${A}`, C],
      [`${B}`, B],
    ]);
  });

  it('is every file that was not fetched, asked for again or not', async () => {
    const image = { type: 'image' };
    const { files } = await open(
      [`message-${A}`, 'MessageReceived', image],
      [`message-${B}`, 'MessageReceived', image],
      [`message-${B}`, 'MessageMediaStored', { kind: 'image' }],
      [`message-${C}`, 'MessageReceived', image],
      [`message-${C}`, 'MessageMediaFailed'],
      [`message-${C}`, 'MessageMediaRequested'],
      [`message-${uuid(4)}`, 'MessageReceived', image],
      [`message-${uuid(4)}`, 'MessageDeleted'],
      [`message-${uuid(5)}`, 'MessageReceived', { type: 'text' }],
      [`message-${uuid(6)}`, 'MessageReceived', { type: 'audio' }],
      // Transcription is separate work: this file counts as fetched.
      [`message-${uuid(6)}`, 'MessageMediaStored', { kind: 'audio' }],
    );
    expect([...files.keys()]).to.deep.equal([A, C]);
  });

  it('is every order that holds stock and was not placed, or lacks its message', async () => {
    const of = (order: string, more = {}) => ({ order_uuid: order, ...more });
    const { placings } = await open(
      [`product-${A}`, 'StockTaken', of(A)],
      [`product-${B}`, 'StockTaken', of(A)],
      // Placed, and its message is recorded.
      [`product-${A}`, 'StockTaken', of(B)],
      [`order-${B}`, 'OrderPlaced', { conversation_uuid: C }],
      [`message-${B}`, 'StoreOrderRecorded', of(B)],
      // Placed, but its message is not recorded.
      [`product-${A}`, 'StockTaken', of(C)],
      [`order-${C}`, 'OrderPlaced', { conversation_uuid: C }],
      // No conversation: no message is due.
      [`product-${A}`, 'StockTaken', of(uuid(4))],
      [`order-${uuid(4)}`, 'OrderPlaced', { conversation_uuid: null }],
      // Given up: all of its stock was returned.
      [`product-${A}`, 'StockTaken', of(uuid(5))],
      [`order-${uuid(5)}`, 'OrderNotPlaced'],
      [`product-${A}`, 'StockReturned', of(uuid(5))],
      // Given up: some of its stock was returned.
      [`product-${A}`, 'StockTaken', of(uuid(6))],
      [`product-${B}`, 'StockTaken', of(uuid(6))],
      [`order-${uuid(6)}`, 'OrderNotPlaced'],
      [`product-${A}`, 'StockReturned', of(uuid(6))],
    );
    const found = placings.map(({ order_uuid, product_uuids }) => [order_uuid, product_uuids]);
    expect(found).to.deep.equal([
      [A, [A, B]],
      [C, [A]],
      [uuid(6), [B]],
    ]);
  });

  it('is every cancelled order whose stock is not back', async () => {
    const { cancellations } = await open(
      [`order-${A}`, 'OrderCancelled'],
      [`order-${B}`, 'OrderCancelled'],
      [`order-${B}`, 'OrderStockRestored'],
    );
    expect([...cancellations.keys()]).to.deep.equal([A]);
  });

  it('ends where the copy ends, over many pages', async () => {
    const many = Array.from({ length: 2_500 }, (_, n): Told => [`operation-${uuid(n)}`, 'SendAccepted']);
    const store = await storeOf(many);
    const { records } = await store.readAll({ after: '' as Position, limit: 2_400 });
    const { sends } = await findOpenWork(store, records.at(-1)!.position);
    expect(sends.size).to.equal(2_400);
    expect(sends.has(uuid(2_399))).to.equal(true);
    expect(sends.has(uuid(2_400))).to.equal(false);
  });
});
