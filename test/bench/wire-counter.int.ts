import { expect } from 'chai';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { openBench } from '../adapters/eventstoredb/support.js';
import { record } from '../conformance/support.js';
import { opened, openedForEach } from '../support/opened.js';
import { countOnTheWire } from './wire-counter.js';

const STREAM = 'message-0198a0c0-0000-7000-8000-000000000001';

describe('what is put on the wire', () => {
  const bench = opened(() => openBench());
  const counter = openedForEach(() => {
    const { counts, stop } = countOnTheWire();
    return Promise.resolve({ counts, close: () => Promise.resolve(stop()) });
  });
  const counted = () => Object.fromEntries(counter.counts);

  it('is an append with its events, and a read, by the kind of stream', async () => {
    await bench.store.append(STREAM, 'no_stream', [record(), record()]);
    await bench.store.read(STREAM);
    expect(counted()).to.deep.equal({
      'eventstore append message': 1,
      'eventstore events appended': 2,
      'eventstore read message': 1,
    });
  });

  it('is one append for each that shares a call with others', async () => {
    const client = EventStoreDBClient.connectionString(bench.server.url);
    const event = () => jsonEvent({ type: 'Tested', data: {} });
    try {
      await Promise.all([
        client.appendToStream('contact-1', [event(), event()]),
        client.appendToStream('contact-2', event()),
      ]);
    } finally {
      await client.dispose();
    }
    expect(counted()).to.deep.include({ 'eventstore append contact': 2, 'eventstore events appended': 3 });
  });
});
