/** Helpers of the tests on a real Kafka. */
import { randomUUID } from 'node:crypto';
import { Partitioners } from 'kafkajs';
import { openKafka, type Kafka, type KafkaOptions } from '../../../adapters/kafka/open.js';
import { silentLogger, type Logger } from '../../../ports/logger.js';
import type { ConsumeOptions, TopicMessage } from '../../../ports/topics.js';
import { skippedSuite } from '../../conformance/support.js';
import { closedAfterEach } from '../../support/opened.js';
import { startKafkaServer } from '../../real/servers/kafka.js';
import type { RunningServer } from '../../real/servers/server.js';

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

/** Creates a topic, given the name that the port uses for it. */
export async function declareTopic(
  brokers: string,
  topic: string,
  options: Partial<KafkaOptions>,
): Promise<void> {
  const kafka = openOn(brokers, { ...options, topics: [topic] });
  await kafka.ensureTopics();
  await kafka.close();
}

export const n = ({ value }: TopicMessage): number => value['n'] as number;

/** Opens Kafka for the tests of a block, with topics of four partitions; closed after each test. */
export function kafkas(brokers: () => string, defaults: Partial<KafkaOptions> = {}) {
  const prefix = randomPrefix();
  const kept = closedAfterEach();
  return {
    prefix,
    open: (options: Partial<KafkaOptions> = {}): Kafka =>
      kept(
        openOn(brokers(), {
          prefix,
          partitions: 4,
          ...options,
          limits: { ...defaults.limits, ...options.limits },
        }),
      ),
    newTopic: async (): Promise<string> => {
      const topic = `t-${randomUUID()}`;
      await declareTopic(brokers(), topic, { prefix, partitions: 4 });
      return topic;
    },
  };
}

/** A consumer that stores the numbers it receives. */
export function collect(kafka: Kafka, options: Pick<ConsumeOptions, 'topic'> & Partial<ConsumeOptions>) {
  const handled: number[] = [];
  const consumer = kafka.topics.consume({
    group: 'g',
    handle: async (batch) => void handled.push(...batch.map(n)),
    ...options,
  });
  return { consumer, handled };
}

/** A suite on the brokers of KAFKA_BROKERS, or on a server of its own with RECADO_TEST_SERVERS=on. */
export function describeOnKafka(title: string, body: (brokers: () => string) => void): void {
  const given = process.env['KAFKA_BROKERS'];
  if (given === undefined) return describeOnOwnKafka(title, (server) => body(() => server().url));
  describe(title, function () {
    this.timeout(120_000);
    body(() => given);
  });
}

/** A suite that injects faults into its server, so it never runs on the brokers of KAFKA_BROKERS. */
export function describeOnOwnKafka(title: string, body: (server: () => RunningServer) => void): void {
  // `npm run test:real` lists the servers that it could start.
  if (!/\b(on|kafka)\b/.test(process.env['RECADO_TEST_SERVERS'] ?? '')) {
    return skippedSuite(title, 'RECADO_TEST_SERVERS is not on');
  }
  describe(title, function () {
    this.timeout(90_000);
    let server: RunningServer | undefined;
    before(async () => {
      server = await startKafkaServer();
    });
    after(() => server?.stop());
    body(() => server!);
  });
}

/** A logger that stores its warnings. */
export function warnings(): { readonly logger: Logger; readonly said: string[] } {
  const said: string[] = [];
  return { logger: { ...silentLogger, warn: (_fields, message) => void said.push(message) }, said };
}

/** Returns one key for each partition of a topic; a key's index is its partition. */
export function keysByPartition(partitions: number): readonly string[] {
  const partitioner = Partitioners.DefaultPartitioner();
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
    partitionId,
    partitionErrorCode: 0,
    leader: 1,
    replicas: [1],
    isr: [1],
  }));
  const keys: string[] = [];
  for (let n = 0; n < 1000 && keys.filter(Boolean).length < partitions; n += 1) {
    const key = `key-${n}`;
    keys[partitioner({ topic: '', partitionMetadata, message: { key, value: '' } })] ??= key;
  }
  return keys;
}
