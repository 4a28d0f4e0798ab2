/** Requirements on every Topics. Adapters plug in with `describeTopics`. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { TopicMessage, Topics } from '../../ports/topics.js';
import { gate, until } from './support.js';
import { runs } from '../support/soak.js';
import { opened } from '../support/opened.js';

export interface TopicsHarness {
  readonly store: Topics;
  close(): Promise<void>;
  /** Declares a topic, for a store that requires that first. */
  declare?(topic: string): Promise<void>;
  /** The same topics after the process died while it handled messages. */
  reopen?(): Promise<Topics>;
}

export function describeTopics(
  name: string,
  make: () => Promise<TopicsHarness>,
  options: { readonly runs?: number; readonly timeoutMs?: number } = {},
): void {
  describe(`Topics: ${name}`, function () {
    if (options.timeoutMs !== undefined) this.timeout(options.timeoutMs);
    const harness = opened(make);
    let topics: Topics;

    before(() => void (topics = harness.store));

    const topicName = async (): Promise<string> => {
      const topic = `t-${randomUUID()}`;
      await harness.declare?.(topic);
      return topic;
    };
    const message = (topic: string, key: string, n: number) => ({ topic, key, value: { n } });
    const values = (batch: readonly TopicMessage[]) => batch.map(({ value }) => value['n'] as number);
    /** A consumer of the group that stores the messages it receives. */
    const collect = (topic: string, got: number[]) =>
      topics.consume({ topic, group: 'g', handle: async (batch) => void got.push(...values(batch)) });

    it('hands over what was published before and after the consumer came, in order, once', async () => {
      const topic = await topicName();
      await topics.publish([message(topic, 'a', 1), message(topic, 'a', 2)]);
      const got: TopicMessage[] = [];
      const consumer = topics.consume({
        topic,
        group: 'g',
        handle: async (batch) => void got.push(...batch),
      });
      await topics.publish([message(topic, 'a', 3)]);
      await consumer.caughtUp();
      expect(values(got)).to.deep.equal([1, 2, 3]);
      expect(got[0]).to.deep.include({ topic, key: 'a', value: { n: 1 } });
      await consumer.stop();
    });

    it('keeps topics apart, and groups independent', async () => {
      const [one, two] = [await topicName(), await topicName()];
      await topics.publish([message(one, 'a', 1), message(two, 'a', 2)]);
      const got: Record<string, number[]> = { g: [], h: [] };
      const consumers = ['g', 'h'].map((group) =>
        topics.consume({
          topic: one,
          group,
          handle: async (batch) => void got[group]!.push(...values(batch)),
        }),
      );
      for (const consumer of consumers) await consumer.caughtUp();
      expect(got).to.deep.equal({ g: [1], h: [1] });
      for (const consumer of consumers) await consumer.stop();
    });

    it('hands over at most maxBatch at once', async () => {
      const topic = await topicName();
      await topics.publish(Array.from({ length: 10 }, (_, n) => message(topic, 'a', n)));
      const sizes: number[] = [];
      const consumer = topics.consume({
        topic,
        group: 'g',
        maxBatch: 4,
        handle: async (batch) => void sizes.push(batch.length),
      });
      await consumer.caughtUp();
      await consumer.stop();
      expect(Math.max(...sizes)).to.be.at.most(4);
      expect(sizes.reduce((a, b) => a + b, 0)).to.equal(10);
    });

    it('hands the same batch over again after a rejection, and reports it', async () => {
      const topic = await topicName();
      await topics.publish([message(topic, 'a', 1), message(topic, 'a', 2)]);
      const batches: number[][] = [];
      const errors: string[] = [];
      const consumer = topics.consume({
        topic,
        group: 'g',
        maxBatch: 1,
        handle: async (batch) => {
          batches.push(values(batch));
          if (batches.length <= 2) throw new Error(`no ${batches.length}`);
        },
        onError: (error) => errors.push((error as Error).message),
      });
      await consumer.caughtUp();
      await consumer.stop();
      expect(batches).to.deep.equal([[1], [1], [1], [2]]);
      expect(errors).to.deep.equal(['no 1', 'no 2']);
    });

    it('goes on where the group was', async () => {
      const topic = await topicName();
      const got: number[] = [];
      await topics.publish([message(topic, 'a', 1)]);
      const first = collect(topic, got);
      await first.caughtUp();
      await first.stop();
      await topics.publish([message(topic, 'a', 2)]);
      expect(got).to.deep.equal([1]);
      const second = collect(topic, got);
      await second.caughtUp();
      await second.stop();
      expect(got).to.deep.equal([1, 2]);
    });

    it('tells the lag', async () => {
      const topic = await topicName();
      const held = gate();
      await topics.publish([1, 2, 3].map((n) => message(topic, 'a', n)));
      const consumer = topics.consume({
        topic,
        group: 'g',
        maxBatch: 1,
        handle: held.pass,
      });
      await held.reached;
      expect(await consumer.lag()).to.equal(3);
      held.open();
      await consumer.caughtUp();
      expect(await consumer.lag()).to.equal(0);
      await consumer.stop();
    });

    it('waits in stop for the batch in hand and delivers nothing more', async () => {
      const topic = await topicName();
      const held = gate();
      let deliveries = 0;
      let finished = false;
      await topics.publish([1, 2].map((n) => message(topic, 'a', n)));
      const consumer = topics.consume({
        topic,
        group: 'g',
        maxBatch: 1,
        handle: async () => {
          deliveries += 1;
          await held.pass();
          finished = true;
        },
      });
      await held.reached;
      const stopped = consumer.stop();
      held.open();
      await stopped;
      expect(finished).to.equal(true);
      expect(deliveries).to.equal(1);
    });

    it('never handles one key twice at once, also with several consumers in a group', async () => {
      const topic = await topicName();
      const keys = ['a', 'b', 'c'];
      const busy = new Set<string>();
      const got = new Map<string, number[]>(keys.map((key) => [key, []]));
      let overlaps = 0;
      // Publish first, so that there is work for all consumers from the start.
      for (const key of keys) await topics.publish([...Array(10).keys()].map((n) => message(topic, key, n)));
      const consumers = [1, 2, 3].map(() =>
        topics.consume({
          topic,
          group: 'g',
          maxBatch: 5,
          handle: async (batch) => {
            const mine = new Set(batch.map(({ key }) => key));
            for (const key of mine) {
              if (busy.has(key)) overlaps += 1;
              busy.add(key);
            }
            await new Promise((resolve) => setImmediate(resolve));
            for (const { key, value } of batch) got.get(key)!.push(value['n'] as number);
            for (const key of mine) busy.delete(key);
          },
        }),
      );
      await Promise.all(
        keys.map(async (key) => {
          for (let n = 10; n < 20; n += 1) await topics.publish([message(topic, key, n)]);
        }),
      );
      await until(() => [...got.values()].every((list) => list.length >= 20));
      for (const consumer of consumers) await consumer.stop();
      expect(overlaps).to.equal(0);
      for (const key of keys) expect(got.get(key)).to.deep.equal([...Array(20).keys()]);
    });

    it('hands over to another consumer of the group when one stops', async () => {
      const topic = await topicName();
      const got: number[] = [];
      const [first, second] = [collect(topic, got), collect(topic, got)];
      await first.stop();
      await topics.publish([message(topic, 'a', 1)]);
      await second.caughtUp();
      await second.stop();
      expect(got).to.deep.equal([1]);
    });

    it('keeps the order of each key, whatever is published and however often handling fails', async () => {
      const published = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(
          published,
          fc.integer({ min: 1, max: 7 }),
          fc.nat(2),
          async (list, maxBatch, failures) => {
            const topic = await topicName();
            const got: TopicMessage[] = [];
            let left = failures;
            const consumer = topics.consume({
              topic,
              group: 'g',
              maxBatch,
              handle: async (batch) => {
                if (left > 0) {
                  left -= 1;
                  throw new Error('again');
                }
                got.push(...batch);
              },
            });
            await Promise.all(list.map((key, n) => topics.publish([message(topic, key, n)])));
            await consumer.caughtUp();
            await consumer.stop();
            for (const key of ['a', 'b', 'c']) {
              expect(values(got.filter((m) => m.key === key))).to.deep.equal(
                list.flatMap((k, n) => (k === key ? [n] : [])),
              );
            }
          },
        ),
        { numRuns: runs(options.runs ?? 15) },
      );
    });

    it('hands over again after a crash what was not handled, and not what was', async function () {
      if (!harness.reopen) return this.skip();
      const topic = await topicName();
      await topics.publish([message(topic, 'a', 1)]);
      const done = topics.consume({ topic, group: 'g', handle: async () => undefined });
      await done.caughtUp();
      await done.stop();
      await topics.publish([message(topic, 'a', 2)]);
      const never = gate();
      topics.consume({ topic, group: 'g', handle: never.pass });
      await never.reached;
      topics = await harness.reopen();
      const got: number[] = [];
      const consumer = collect(topic, got);
      await consumer.caughtUp();
      await consumer.stop();
      expect(got).to.deep.equal([2]);
    });
  });
}
