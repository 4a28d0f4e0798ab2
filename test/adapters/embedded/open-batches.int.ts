/** Batches of a topic that stay open after they were handled: the saved offset stays before the oldest of them. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { OpenBatch, TopicMessage } from '../../../ports/topics.js';
import { temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';
import { until } from '../../conformance/support.js';

const GROUP = { topic: 't', group: 'g', maxBatch: 1 };
const numberOf = ({ value }: TopicMessage): number => value['n'] as number;

describe('embedded store: batches that stay open', () => {
  let temporary: TemporaryStore;
  beforeEach(async () => (temporary = await temporaryStore()));
  afterEach(() => temporary.close());

  const publish = (n: number): Promise<void> =>
    temporary.store.topics.publish([{ topic: 't', key: 'a', value: { n } }]);

  /** What a consumer without open batches gets after a restart. */
  async function afterRestart(of = temporary): Promise<readonly number[]> {
    await of.restart();
    const got: number[] = [];
    const consumer = of.store.topics.consume({
      ...GROUP,
      handle: async (batch) => void got.push(...batch.map(numberOf)),
    });
    await consumer.caughtUp();
    await consumer.stop();
    return got;
  }

  /** Handles messages. The work of a message ends when the test calls its function in `ends`. */
  function working(of: TemporaryStore, letGo: () => Promise<void> = async () => undefined) {
    const ends = new Map<number, () => void>();
    const handled: number[] = [];
    const consumer = of.store.topics.consume({
      ...GROUP,
      async handle([message], open?: OpenBatch) {
        const n = numberOf(message!);
        handled.push(n);
        open?.until(new Promise<void>((resolve) => ends.set(n, resolve)));
      },
      letGo,
    });
    return { handled, ends, consumer };
  }

  it('are delivered again after a restart, from the oldest one whose work has not ended', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.array(fc.nat(7)), async (count, ended) => {
        const own = await temporaryStore();
        try {
          const work = working(own);
          for (let n = 0; n < count; n += 1) {
            await own.store.topics.publish([{ topic: 't', key: 'a', value: { n } }]);
          }
          await work.consumer.caughtUp();
          expect(work.handled).to.deep.equal([...Array(count).keys()]);
          for (const n of ended) work.ends.get(n)?.();
          const all = [...Array(count).keys()];
          const first = all.find((n) => !ended.includes(n)) ?? count;
          expect(await afterRestart(own)).to.deep.equal(all.slice(first));
        } finally {
          await own.close();
        }
      }),
      { numRuns: 15 },
    );
  });

  it('may not be opened by messages from before the start, which an earlier process may have begun', async () => {
    await publish(1);
    await temporary.restart();
    const work = working(temporary);
    await publish(2);
    await work.consumer.caughtUp();
    expect(work.handled).to.deep.equal([1, 2]);
    expect([...work.ends.keys()]).to.deep.equal([2]);
  });

  it('are let go when the consumer stops, and the offset passes those whose work ends thereby', async () => {
    const work = working(temporary, async () => {
      for (const end of work.ends.values()) end();
    });
    for (const n of [1, 2, 3]) await publish(n);
    await work.consumer.caughtUp();
    await work.consumer.stop();
    expect(await afterRestart()).to.deep.equal([]);
  });

  it('keep their messages in the topic', async () => {
    const work = working(temporary);
    for (const n of [1, 2]) await publish(n);
    await until(() => work.ends.size === 2);
    work.ends.get(2)?.();
    // Another commit saves the offset if it may pass.
    await publish(3);
    await until(() => work.ends.size === 3);
    expect(await afterRestart()).to.deep.equal([1, 2, 3]);
  });
});
