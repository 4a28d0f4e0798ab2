/** What the tests on a real Kafka share. */
import { randomUUID } from 'node:crypto';
import { openKafka, type Kafka, type KafkaOptions } from '../../../adapters/kafka/open.js';
import { silentLogger } from '../../../ports/logger.js';

export const randomPrefix = (): string => `test-${randomUUID()}.`;

/** Opens Kafka on brokers given as `host:port,host:port`. */
export const openOn = (brokers: string, options: Partial<KafkaOptions> = {}): Kafka =>
  openKafka({
    brokers: brokers.split(','),
    tls: false,
    sasl: null,
    clientId: 'recado-test',
    topics: [],
    logger: silentLogger,
    ...options,
  });

/** Creates a topic, by the name that the port knows it by. */
export async function declareTopic(
  brokers: string,
  topic: string,
  options: Partial<KafkaOptions>,
): Promise<void> {
  const kafka = openOn(brokers, { ...options, topics: [topic] });
  await kafka.ensureTopics();
  await kafka.close();
}
