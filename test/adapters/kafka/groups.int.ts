import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Kafka as KafkaClient, logLevel } from 'kafkajs';
import type { Kafka } from '../../../adapters/kafka/open.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { TopicMessage } from '../../../ports/topics.js';
import { failure, gate, until } from '../../conformance/support.js';
import { collect, describeOnKafka, kafkas, keysByPartition, n, warnings } from './support.js';

/**
 * Messages are repeated when a heartbeat or a broker's answer is late. These limits keep a busy machine from causing
 * that in tests of other behaviour. The session is longer than any test, so a test that waits for its end hits the
 * test's own timeout.
 */
const PATIENT = { sessionMs: 600_000, requestMs: 30_000, publishMs: 60_000 };

describeOnKafka('kafka: groups and topics', (brokers) => {
  const { prefix, open, newTopic } = kafkas(brokers, { limits: PATIENT });
  const withAdmin = async <T>(work: (admin: ReturnType<KafkaClient['admin']>) => Promise<T>): Promise<T> => {
    const admin = new KafkaClient({ brokers: brokers().split(','), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  };
  const message = (topic: string, key: string, value: number) => ({ topic, key, value: { n: value } });
  const keys = keysByPartition(4);

  it('loses nothing, keeps the order of keys and repeats nothing committed when another joins mid-batch', async () => {
    const topic = await newTopic();
    const limits = { heartbeatMs: 200 };
    const [first, second] = [open({ limits }), open({ limits })];
    const handled: { readonly by: string; readonly key: string; readonly n: number }[] = [];
    const busy = new Set<string>();
    const held = gate();
    let overlaps = 0;
    const consume = (kafka: Kafka, by: string, hold: () => Promise<void>) =>
      kafka.topics.consume({
        topic,
        group: 'g',
        maxBatch: 2,
        async handle(batch) {
          const mine = new Set(batch.map(({ key }) => key));
          for (const key of mine) {
            if (busy.has(key)) overlaps += 1;
            busy.add(key);
          }
          await hold();
          // As slow as real work. Otherwise the first consumer would finish everything before its next heartbeat.
          await new Promise((resolve) => setTimeout(resolve, 25));
          for (const one of batch) handled.push({ by, key: one.key, n: n(one) });
          for (const key of mine) busy.delete(key);
        },
      });
    const count = 40;
    for (const key of keys) {
      await first.topics.publish(Array.from({ length: count }, (_, value) => message(topic, key, value)));
    }
    consume(first, 'first', held.pass);
    await held.reached;
    const other = consume(second, 'second', () => Promise.resolve());
    const group = `${prefix}${topic}.g`;
    // The second consumer waits for the first, which is handling a batch.
    await withAdmin((admin) =>
      until(async () => (await admin.describeGroups([group])).groups[0]?.state === 'PreparingRebalance'),
    );
    expect(handled).to.deep.equal([]);
    held.open();
    await other.caughtUp();
    expect(overlaps).to.equal(0);
    for (const key of keys) {
      expect(handled.filter((one) => one.key === key).map((one) => one.n)).to.deep.equal([
        ...Array(count).keys(),
      ]);
    }
    expect(new Set(handled.map(({ by }) => by))).to.deep.equal(new Set(['first', 'second']));
  });

  it('leaves a partition alone that it lost while it had a batch of it in hand', async () => {
    const topic = await newTopic();
    const limits = { heartbeatMs: 200, rebalanceMs: 2_000 };
    const [first, second] = [open({ limits }), open({ limits })];
    const held = gate();
    const handled: string[] = [];
    const consume = (kafka: Kafka, by: string, hold: () => Promise<void>) =>
      kafka.topics.consume({
        topic,
        group: 'g',
        maxBatch: 1,
        async handle(batch) {
          await hold();
          handled.push(`${by} ${n(batch[0]!)}`);
        },
      });
    await first.topics.publish([1, 2, 3].map((value) => message(topic, 'a', value)));
    const slow = consume(first, 'first', held.pass);
    await held.reached;
    // The group waits for the first consumer no longer than its rebalance timeout.
    const other = consume(second, 'second', () => Promise.resolve());
    await other.caughtUp();
    expect(handled).to.deep.equal(['second 1', 'second 2', 'second 3']);
    held.open();
    await slow.stop();
    expect(handled.slice(3)).to.deep.equal(['first 1']);
    expect(await other.lag()).to.equal(0);
    await other.stop();
  });

  it('delivers batches again that were open when their member died, and passes those whose work has ended', async () => {
    const topic = await newTopic();
    const [first, second] = [open({ limits: { sessionMs: 6_000, closeMs: 1 } }), open()];
    const handled: number[] = [];
    const held: number[] = [];
    const never = new Promise<void>(() => undefined);
    let letGo = 0;
    const consumer = first.topics.consume({
      topic,
      group: 'g',
      maxBatch: 1,
      async handle([message], batch) {
        handled.push(n(message!));
        if (!batch || n(message!) < 2) return;
        held.push(n(message!));
        batch.until(n(message!) === 3 ? Promise.resolve() : never);
      },
      letGo: async () => void (letGo += 1),
    });
    await first.topics.publish([message(topic, 'a', 1)]);
    await consumer.caughtUp();
    for (const number of [2, 3, 4]) await first.topics.publish([message(topic, 'a', number)]);
    await until(() => held.length === 3);
    expect([handled, await consumer.lag()]).to.deep.equal([[1, 2, 3, 4], 3]);
    await first.close();
    expect(letGo).to.be.greaterThan(0);
    const { consumer: next, handled: again } = collect(second, { topic });
    await next.caughtUp();
    expect(again).to.deep.equal([2, 3, 4]);
  });

  it('stays a member by heartbeats while a batch takes longer than a session', async () => {
    const topic = await newTopic();
    const limits = { sessionMs: 6_000, heartbeatMs: 500 };
    const kafka = open({ limits });
    const handled: number[] = [];
    await kafka.topics.publish([message(topic, 'a', 1)]);
    const consume = () =>
      kafka.topics.consume({
        topic,
        group: 'g',
        async handle(batch) {
          handled.push(...batch.map(n));
          await new Promise((resolve) => setTimeout(resolve, 8_000));
        },
      });
    const consumer = consume();
    await until(() => handled.length > 0, 20_000);
    const group = `${prefix}${topic}.g`;
    const memberOf = () =>
      withAdmin(async (admin) => (await admin.describeGroups([group])).groups[0]?.members[0]?.memberId);
    const member = await memberOf();
    expect(member).to.be.a('string');
    await consumer.caughtUp();
    expect(await memberOf()).to.equal(member);
    expect(handled).to.deep.equal([1]);
    await kafka.topics.publish([message(topic, 'a', 2)]);
    await until(() => handled.length > 1, 20_000);
    await consumer.stop();
    expect(handled).to.deep.equal([1, 2]);
  });

  it('does not let what fails in one partition hold up the others', async () => {
    const topic = await newTopic();
    const kafka = open();
    const handled: string[] = [];
    let failures = 0;
    let cured = false;
    for (const key of keys) await kafka.topics.publish([1, 2, 3].map((value) => message(topic, key, value)));
    const consumer = kafka.topics.consume({
      topic,
      group: 'g',
      maxBatch: 1,
      async handle([one]) {
        if (one!.key === keys[0] && !cured) {
          failures += 1;
          throw new Error('poison');
        }
        handled.push(`${one!.key} ${n(one!)}`);
      },
    });
    await until(() => handled.length === 9, 20_000);
    expect(handled.filter((one) => one.startsWith(`${keys[0]} `))).to.deep.equal([]);
    // New messages for the other partitions also get through while this one is being retried.
    await kafka.topics.publish([message(topic, keys[1]!, 4)]);
    await until(() => handled.includes(`${keys[1]} 4`) && failures >= 3, 20_000);
    expect(await consumer.lag()).to.equal(3);
    cured = true;
    await consumer.caughtUp();
    expect(handled.slice(-3)).to.deep.equal([1, 2, 3].map((value) => `${keys[0]} ${value}`));
    await consumer.stop();
  });

  it('takes over from one that stops when it leaves, not when its session has run out', async () => {
    const topic = await newTopic();
    const [first, second] = [open(), open()];
    const by: string[] = [];
    const consume = (kafka: Kafka, name: string) =>
      kafka.topics.consume({
        topic,
        group: 'g',
        handle: async (batch) => void batch.forEach(() => by.push(name)),
      });
    const stopping = consume(first, 'first');
    await first.topics.publish(keys.map((key) => message(topic, key, 1)));
    await stopping.caughtUp();
    const staying = consume(second, 'second');
    const members = () =>
      withAdmin(async (admin) => (await admin.describeGroups([`${prefix}${topic}.g`])).groups[0]);
    await until(async () => {
      const group = await members();
      return group?.state === 'Stable' && group.members.length === 2;
    }, 20_000);
    by.length = 0;
    await first.topics.publish(keys.map((key) => message(topic, key, 2)));
    await stopping.stop();
    await staying.caughtUp();
    expect(by).to.have.length(4);
  });

  it('goes on with a topic that was deleted and made anew', async () => {
    const topic = await newTopic();
    const kafka = open();
    const { consumer, handled } = collect(kafka, { topic });
    await kafka.topics.publish([1, 2, 3].map((value) => message(topic, 'a', value)));
    await consumer.caughtUp();
    await withAdmin((admin) => admin.deleteTopics({ topics: [prefix + topic] }));
    const again = open({ topics: [topic] });
    await until(async () => {
      await again.ensureTopics();
      return withAdmin(async (admin) => (await admin.listTopics()).includes(prefix + topic));
    });
    await again.topics.publish([message(topic, 'a', 4)]);
    await until(() => handled.length === 4, 40_000);
    expect(handled).to.deep.equal([1, 2, 3, 4]);
    await consumer.stop();
  });

  it('starts over at the oldest message, with a warning, where the group was is gone', async () => {
    const topic = await newTopic();
    const { logger, said } = warnings();
    const kafka = open({ logger });
    await kafka.topics.publish([1, 2].map((value) => message(topic, keys[0]!, value)));
    await withAdmin((admin) =>
      admin.setOffsets({
        groupId: `${prefix}${topic}.g`,
        topic: prefix + topic,
        partitions: [{ partition: 0, offset: '100' }],
      }),
    );
    const { consumer, handled } = collect(kafka, { topic });
    await until(() => handled.length === 2, 20_000);
    expect(handled).to.deep.equal([1, 2]);
    expect(said.filter((text) => text.includes('starts over at the oldest'))).to.have.length(1);
    await consumer.stop();
  });

  it('gives every message of a topic an id of its own that grows within a partition', async () => {
    const topic = await newTopic();
    const kafka = open();
    const got: TopicMessage[] = [];
    for (const value of [0, 1]) await kafka.topics.publish(keys.map((key) => message(topic, key, value)));
    const consumer = kafka.topics.consume({
      topic,
      group: 'g',
      handle: async (batch) => void got.push(...batch),
    });
    await consumer.caughtUp();
    await consumer.stop();
    // A message that is delivered again keeps its id.
    const byId = new Map<string, TopicMessage>();
    for (const one of got) {
      expect(byId.get(one.offset) ?? one).to.deep.equal(one);
      byId.set(one.offset, one);
    }
    for (const [partition, key] of keys.entries()) {
      const own = [...byId.values()].filter((one) => one.key === key);
      expect(own.map(({ offset }) => offset)).to.deep.equal(
        own.map((_, at) => `${partition}:${String(at).padStart(20, '0')}`),
      );
      expect(new Set(own.map(n))).to.deep.equal(new Set([0, 1]));
    }
  });

  it('passes over what is no message of ours, and says so', async () => {
    const topic = await newTopic();
    const client = new KafkaClient({ brokers: brokers().split(','), logLevel: logLevel.NOTHING });
    const producer = client.producer();
    await producer.connect();
    await producer.send({
      topic: prefix + topic,
      messages: [
        { key: 'a', value: 'x' },
        { key: 'a', value: null },
      ],
    });
    await producer.disconnect();
    const kafka = open();
    const errors: string[] = [];
    await kafka.topics.publish([message(topic, 'a', 1)]);
    const onError = (error: unknown): void => void errors.push((error as Error).message);
    const { consumer, handled } = collect(kafka, { topic, onError });
    await consumer.caughtUp();
    await consumer.stop();
    expect(handled).to.deep.equal([1]);
    expect(errors).to.have.length(2);
    expect(errors[0]).to.match(/is no JSON object/);
  });

  it('refuses a message that is too big by name, and publishes a flood in order', async () => {
    const topic = await newTopic();
    const kafka = open();
    const big = await failure(
      kafka.topics.publish([{ topic, key: 'a', value: { text: 'x'.repeat(1_000_000) } }]),
    );
    expect(big).not.to.be.instanceOf(StoreUnavailable);
    expect(big.message).to.match(/has 1000012 bytes; at most 1000000 can be sent/);
    // Several requests, all for one partition.
    const text = 'x'.repeat(10_000);
    await Promise.all(
      Array.from({ length: 20 }, (_, call) =>
        kafka.topics.publish(
          Array.from({ length: 10 }, (_, at) => ({ topic, key: 'a', value: { n: call * 10 + at, text } })),
        ),
      ),
    );
    const { consumer, handled } = collect(kafka, { topic });
    await consumer.caughtUp();
    await consumer.stop();
    expect(handled).to.deep.equal([...Array(200).keys()]);
  });

  it('creates the topics that are missing, and warns of one with fewer partitions', async () => {
    const [one, two] = [`t-${randomUUID()}`, `t-${randomUUID()}`];
    await open({ topics: [one], partitions: 2 }).ensureTopics();
    const { logger, said } = warnings();
    const kafka = open({ topics: [one, two], partitions: 3, logger });
    await kafka.ensureTopics();
    await kafka.ensureTopics();
    const { topics } = await withAdmin((admin) =>
      admin.fetchTopicMetadata({ topics: [one, two].map((name) => prefix + name) }),
    );
    expect(new Map(topics.map(({ name, partitions }) => [name, partitions.length]))).to.deep.equal(
      new Map([
        [prefix + one, 2],
        [prefix + two, 3],
      ]),
    );
    expect(said).to.have.length(2);
    expect(said[0]).to.match(/fewer partitions than declared/);
  });

  it('answers a ping, and tells the lag of every group, whichever process its consumers are in', async () => {
    const topic = await newTopic();
    const kafka = open();
    const operator = open({ topics: [topic] });
    await kafka.ping();
    const held = gate();
    kafka.topics.consume({ topic, group: 'g', handle: held.pass });
    await kafka.topics.publish([1, 2].map((value) => message(topic, 'a', value)));
    await held.reached;
    expect(await operator.lag()).to.deep.equal([{ topic, group: 'g', lag: 2 }]);
    held.open();
    await until(async () => (await operator.lag())[0]?.lag === 0);
  });

  it('tells when a group has come past where a topic ended, whatever was published since', async () => {
    const topic = await newTopic();
    const kafka = open();
    await kafka.topics.publish([message(topic, 'a', 1)]);
    // Brokers may not know yet who leads the partitions of a new topic.
    let marked: (() => Promise<boolean>) | undefined;
    await until(async () => {
      marked = await kafka.mark(topic).catch(() => undefined);
      return marked !== undefined;
    });
    const passed = marked!;
    expect(await passed(), 'nobody has ever joined').to.equal(false);
    const held = gate();
    let batches = 0;
    kafka.topics.consume({
      topic,
      group: 'g',
      maxBatch: 1,
      async handle() {
        batches += 1;
        if (batches > 1) await held.pass();
      },
    });
    await kafka.topics.publish([message(topic, 'a', 2)]);
    await held.reached;
    // The first message was handled, the second is being handled.
    await until(passed);
    const after = await kafka.mark(topic);
    expect(await after()).to.equal(false);
    held.open();
    await until(after);
  });
});
