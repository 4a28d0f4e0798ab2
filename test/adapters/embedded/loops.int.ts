/** Consumers, pruning and keys: behaviour of the embedded store that the ports leave open. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../../adapters/embedded/driver.js';
import { expect } from 'chai';
import { StoreUnavailable, START } from '../../../ports/event-store.js';
import { temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';
import { deferred, failure, record, streamName, until } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

describe('embedded store: loops and housekeeping', () => {
  let temporary: TemporaryStore;
  afterEach(() => temporary.close());

  /** Queries through another connection, which sees only committed data. */
  function inFile<T>(sql: string): T {
    temporary.store.settle();
    const db = new Database(join(temporary.dataDir, 'recado.db'), { readonly: true });
    try {
      return db.prepare(sql).pluck().get() as T;
    } finally {
      db.close();
    }
  }

  it('wake consumers and subscriptions at the commit, without any timer', async () => {
    // The clock stands still, so only a notification can wake the subscribers.
    temporary = await temporaryStore({ clock: manualClock() });
    const { eventStore, topics } = temporary.store;
    let events = 0;
    let messages = 0;
    eventStore.subscribe({ after: START, onBatch: async (records) => void (events += records.length) });
    topics.consume({ topic: 't', group: 'g', handle: async (batch) => void (messages += batch.length) });
    for (let n = 1; n <= 5; n += 1) {
      await eventStore.append(streamName(), 'no_stream', [record()]);
      await topics.publish([{ topic: 't', key: 'k', value: {} }]);
      await until(() => events === n && messages === n);
    }
  });

  it('deliver again after a pause, also when the error listener throws', async () => {
    const clock = manualClock();
    temporary = await temporaryStore({ clock });
    let failing = true;
    let calls = 0;
    temporary.store.eventStore.subscribe({
      after: START,
      onBatch: async () => {
        calls += 1;
        if (failing) throw new Error('not now');
      },
      onError: () => {
        throw new Error('a listener that throws does not end the loop');
      },
    });
    const idle = clock.pending();
    await temporary.store.eventStore.append(streamName(), 'no_stream', [record()]);
    await until(() => calls === 1 && clock.pending() >= idle);
    failing = false;
    await until(async () => {
      await clock.advance(100);
      return calls === 2;
    });
  });

  it('save the offset of an idle consumer with the next transaction, or after a moment', async () => {
    const clock = manualClock();
    temporary = await temporaryStore({ clock });
    const { topics, eventStore } = temporary.store;
    let handled = 0;
    topics.consume({ topic: 't', group: 'g', handle: async (batch) => void (handled += batch.length) });
    await topics.publish([{ topic: 't', key: 'k', value: {} }]);
    await until(() => handled === 1);
    await eventStore.append(streamName(), 'no_stream', [record()]);
    expect(inFile('SELECT "offset" FROM topic_groups'), 'it rode along').to.equal(1);
    await topics.publish([{ topic: 't', key: 'k', value: {} }]);
    await until(() => handled === 2);
    await until(async () => {
      await clock.advance(10);
      return inFile('SELECT "offset" FROM topic_groups') === 2;
    });
  });

  it('drop messages that every group has passed, and never use an offset again', async () => {
    const clock = manualClock();
    temporary = await temporaryStore({ clock });
    const { topics } = temporary.store;
    const publish = (count: number) =>
      topics.publish(Array.from({ length: count }, (_, n) => ({ topic: 't', key: 'k', value: { n } })));
    const fast = topics.consume({ topic: 't', group: 'fast', handle: async () => undefined });
    const gate = deferred();
    const slow = topics.consume({ topic: 't', group: 'slow', handle: () => gate.promise });
    await publish(1_200);
    await fast.caughtUp();
    await clock.advance(600);
    await temporary.store.flush();
    expect(inFile('SELECT count(*) FROM topic_messages')).to.equal(1_200);
    gate.resolve();
    await slow.caughtUp();
    await until(async () => {
      await clock.advance(600);
      return inFile('SELECT count(*) FROM topic_messages') === 0;
    });
    await temporary.restart({ clock });
    await temporary.store.topics.publish([{ topic: 't', key: 'k', value: {} }]);
    expect(inFile('SELECT "offset" FROM topic_messages')).to.equal(1_201);
  });

  it('end when the store closes, without waiting for a batch that hangs', async () => {
    temporary = await temporaryStore();
    const entered = deferred();
    temporary.store.topics.consume({
      topic: 't',
      group: 'g',
      handle: () => {
        entered.resolve();
        return new Promise(() => undefined);
      },
    });
    await temporary.store.topics.publish([{ topic: 't', key: 'k', value: {} }]);
    await entered.promise;
    const old = temporary.store;
    await temporary.restart();
    expect(await failure(old.eventStore.append(streamName(), 'no_stream', [record()]))).to.be.instanceOf(
      StoreUnavailable,
    );
  });

  it('free what a dead process held, at once: nobody else can hold the folder', async () => {
    temporary = await temporaryStore();
    await temporary.store.dueTimes.schedule([{ queue: 'q', id: '1', lane: 'l', dueAt: 1, payload: {} }]);
    const claim = () =>
      temporary.store.dueTimes.claim({ queue: 'q', lane: 'l', now: 10, limit: 1, leaseMs: 3_600_000 });
    const [held] = await claim();
    await temporary.restart();
    const [again] = await claim();
    expect(again).to.include({ id: '1' });
    const settle = (fence: number) =>
      temporary.store.dueTimes.settle([{ queue: 'q', id: '1', fence, then: 'done' }]);
    expect(await settle(held!.fence)).to.deep.equal([false]);
    expect(await settle(again!.fence)).to.deep.equal([true]);
  });

  it('make a key durable no later than the append that follows', async () => {
    temporary = await temporaryStore();
    const { personalKeys, eventStore } = temporary.store;
    const key = await personalKeys.keyFor('subject', 'c');
    const appended = eventStore.append(streamName(), 'no_stream', [record()]);
    await appended;
    expect(inFile('SELECT key_id FROM personal_keys')).to.equal(key.keyId);
  });

  it('leave nothing of a destroyed key in the files', async () => {
    temporary = await temporaryStore();
    const { personalKeys } = temporary.store;
    await personalKeys.keyFor('subject', 'c');
    await temporary.store.flush();
    const sealed = inFile<string>('SELECT sealed_key FROM personal_keys');
    expect(filesContain(temporary.dataDir, sealed)).to.equal(true);
    await personalKeys.destroy('subject');
    expect(filesContain(temporary.dataDir, sealed)).to.equal(false);
    expect(inFile('SELECT destroyed_at IS NOT NULL FROM personal_keys')).to.equal(1);
  });
});

function filesContain(dataDir: string, text: string): boolean {
  return readdirSync(dataDir).some((file) => readFileSync(join(dataDir, file)).includes(text));
}
