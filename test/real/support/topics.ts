/** Publishes topic messages again by hand, as a broker or an operator might. */
import { Kafka, logLevel } from 'kafkajs';
import type { Env } from './history.js';
import type { Chance } from '../../crash/chance.js';

const TOPICS = ['sends', 'intake', 'notifications'];

/** Publishes every message of the topics again, in another order. Returns the number of messages. */
export async function publishAllAgain(env: Env, chance: Chance): Promise<number> {
  const kafka = new Kafka({ brokers: env['KAFKA_BROKERS']!.split(','), logLevel: logLevel.NOTHING });
  const names = TOPICS.map((name) => `${env['KAFKA_TOPIC_PREFIX']}${name}`);
  const admin = kafka.admin();
  const consumer = kafka.consumer({ groupId: `${env['KAFKA_TOPIC_PREFIX']}again-${Date.now()}` });
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  try {
    await Promise.all([admin.connect(), consumer.connect(), producer.connect()]);
    let missing = 0;
    for (const topic of names) {
      for (const { low, high } of await admin.fetchTopicOffsets(topic)) missing += Number(high) - Number(low);
    }
    const found: { topic: string; key: Buffer | null; value: Buffer | null }[] = [];
    await consumer.subscribe({ topics: names, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      consumer
        .run({
          eachMessage: ({ topic, message: { key, value } }) => {
            found.push({ topic, key, value });
            if (found.length === missing) resolve();
            return Promise.resolve();
          },
        })
        .catch(reject);
    });
    const shuffled = found
      .map((message) => ({ message, at: chance.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ message }) => message);
    for (const { topic, key, value } of shuffled) await producer.send({ topic, messages: [{ key, value }] });
    return found.length;
  } finally {
    await Promise.allSettled([admin.disconnect(), consumer.disconnect(), producer.disconnect()]);
  }
}
