import { expect } from 'chai';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { TopicMessage } from '../../../ports/topics.js';
import { failure, until } from '../../conformance/support.js';
import { collect, describeOnOwnKafka, kafkas, n, warnings } from './support.js';

describeOnOwnKafka('kafka: a broker that fails', (server) => {
  const { open, newTopic } = kafkas(() => server().url);
  const message = (topic: string, n: number) => ({ topic, key: `k${n % 5}`, value: { n } });

  it('loses nothing that was acknowledged when it is killed and restarted under load', async () => {
    const topic = await newTopic();
    const kafka = open();
    const acknowledged: number[] = [];
    const handled: TopicMessage[] = [];
    let publishing = true;
    const consumer = kafka.topics.consume({
      topic,
      group: 'g',
      maxBatch: 5,
      handle: async (batch) => void handled.push(...batch),
    });
    const publisher = (async () => {
      for (let next = 0; publishing; next += 1) {
        // Publishes the same message until it is acknowledged, as the relay does.
        while (publishing) {
          const error = await kafka.topics.publish([message(topic, next)]).catch((reason: unknown) => reason);
          if (error === undefined) break;
          expect(error).to.be.instanceOf(StoreUnavailable);
        }
        if (publishing) acknowledged.push(next);
      }
    })();
    await until(() => handled.length >= 20, 30_000);
    await server().kill();
    await server().restart();
    const before = acknowledged.length;
    await until(() => acknowledged.length >= before + 20, 30_000);
    publishing = false;
    await publisher;
    await consumer.caughtUp();
    const seen = new Set(handled.map(n));
    expect(acknowledged.filter((one) => !seen.has(one))).to.deep.equal([]);
    // Apart from repetitions, the messages of each key arrive in the order in which they were published.
    for (const key of ['k0', 'k1', 'k2', 'k3', 'k4']) {
      const order = [...new Set(handled.filter((one) => one.key === key).map(n))];
      expect(order).to.deep.equal([...order].sort((a, b) => a - b));
    }
    await consumer.stop();
  });

  it('rejects a publish in bounded time while it hangs, and works again afterwards', async () => {
    const topic = await newTopic();
    const kafka = open({ limits: { publishMs: 3_000, requestMs: 1_000, connectMs: 1_000 } });
    const { consumer, handled } = collect(kafka, { topic });
    await kafka.topics.publish([message(topic, 1)]);
    await consumer.caughtUp();
    server().pause();
    try {
      // The server is paused, yet every call fails within its time limit.
      const error = await failure(kafka.topics.publish([message(topic, 2)]));
      expect(error).to.be.instanceOf(StoreUnavailable);
      expect(error.message).to.match(/^Kafka did not acknowledge the messages within 3000 ms: /);
      expect(await failure(kafka.ping())).to.be.instanceOf(StoreUnavailable);
      expect(await failure(consumer.lag())).to.be.instanceOf(StoreUnavailable);
    } finally {
      server().resume();
    }
    await until(
      () =>
        kafka.topics.publish([message(topic, 3)]).then(
          () => true,
          () => false,
        ),
      30_000,
    );
    await until(() => handled.includes(3), 30_000);
    await consumer.stop();
  });

  it('waits for a broker that is not there at the start, says so once, and can be closed meanwhile', async () => {
    const topic = await newTopic();
    await server().kill();
    const { logger, said } = warnings();
    const kafka = open({ logger, limits: { publishMs: 2_000 } });
    const given = open({ limits: { publishMs: 2_000 } });
    const groups = ['g', 'h'].map((group) => collect(kafka, { topic, group }));
    collect(given, { topic, group: 'i' });
    expect((await failure(kafka.ping())).message).to.match(/^Kafka at 127\.0\.0\.1:\d+ does not answer: /);
    expect(await failure(kafka.topics.publish([message(topic, 1)]))).to.be.instanceOf(StoreUnavailable);
    await until(() => said.length > 0);
    await given.close();
    await server().restart();
    await kafka.topics.publish([message(topic, 2)]);
    await until(() => groups.every(({ handled }) => handled.includes(2)), 30_000);
    expect(said).to.deep.equal(['kafka consumer was cut off and keeps trying']);
    for (const { consumer } of groups) await consumer.stop();
  });
});
