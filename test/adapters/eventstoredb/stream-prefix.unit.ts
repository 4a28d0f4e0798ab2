import { expect } from 'chai';
import { withStreamPrefix } from '../../../adapters/eventstoredb/stream-prefix.js';
import { START, WrongExpectedRevision, type StoredRecord } from '../../../ports/event-store.js';
import { failure, record } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { memoryEventStore } from '../../support/memory/event-store.js';

describe('several deployments on one cluster', () => {
  async function cluster() {
    const inner = memoryEventStore();
    const shop = withStreamPrefix(inner, 'shop.');
    const other = withStreamPrefix(inner, 'shop2.');
    await shop.append('message-1', 'no_stream', [record({ n: 1 })]);
    await other.append('message-1', 'no_stream', [record({ n: 2 })]);
    await inner.append('message-1', 'no_stream', [record({ n: 3 })]);
    await shop.append('channel-1', 'no_stream', [record({ n: 4 })]);
    return { inner, shop };
  }
  const seen = (records: readonly StoredRecord[]) => records.map(({ stream, data }) => [stream, data['n']]);

  it('see their own streams only, by their own names', async () => {
    const { inner, shop } = await cluster();
    expect(inner.records.map(({ stream }) => stream)).to.deep.equal([
      'shop.message-1',
      'shop2.message-1',
      'message-1',
      'shop.channel-1',
    ]);
    expect(seen(await shop.read('message-1'))).to.deep.equal([['message-1', 1]]);
    const all = await shop.readAll({ after: START, limit: 10 });
    expect(seen(all.records)).to.deep.equal([
      ['message-1', 1],
      ['channel-1', 4],
    ]);
    expect(all.next, 'beyond what was hidden').to.equal(inner.records.at(-1)!.position);
    const some = await shop.readAll({ after: START, limit: 10, prefixes: ['message-'] });
    expect(seen(some.records)).to.deep.equal([['message-1', 1]]);
  });

  it('are handed their own records, and how far it is', async () => {
    const { inner, shop } = await cluster();
    const batches: [unknown, string][] = [];
    const subscription = shop.subscribe({
      after: START,
      onBatch: async (records, upTo) => void batches.push([seen(records), upTo]),
    });
    await turns();
    expect(batches).to.deep.equal([
      [
        [
          ['message-1', 1],
          ['channel-1', 4],
        ],
        inner.records.at(-1)!.position,
      ],
    ]);
    await subscription.stop();
  });

  it('hear of conflicts by their own names', async () => {
    const { shop } = await cluster();
    const conflict = await failure(shop.append('message-1', 'no_stream', [record()]));
    expect(conflict).to.be.instanceOf(WrongExpectedRevision);
    expect(conflict).to.deep.include({ stream: 'message-1', expected: 'no_stream', actual: 0 });
    expect(conflict.message).to.not.include('shop');
  });

  it('without a prefix are given the store as it is', () => {
    const inner = memoryEventStore();
    expect(withStreamPrefix(inner, '')).to.equal(inner);
  });
});
