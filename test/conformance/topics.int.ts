import { declareTopic, openOn, randomPrefix } from '../adapters/kafka/support.js';
import { embeddedPort, WRITTEN_BY_THREAD } from './embedded.js';
import { skippedSuite } from './support.js';
import { describeTopics, type TopicsHarness } from './topics.js';

describeTopics(
  'embedded',
  embeddedPort((store) => store.topics),
);

describeTopics(
  'embedded, with a thread that writes the log',
  embeddedPort((store) => store.topics, WRITTEN_BY_THREAD),
);

const brokers = process.env['KAFKA_BROKERS'];
if (brokers === undefined) skippedSuite('Topics: Kafka', 'KAFKA_BROKERS not set');
else describeTopics('Kafka', () => kafkaTopics(brokers), { runs: 5, timeoutMs: 60_000 });

async function kafkaTopics(url: string): Promise<TopicsHarness> {
  // A short limit, because the crash test leaves a batch whose handler never ends.
  const options = { prefix: randomPrefix(), partitions: 3, limits: { closeMs: 1_000 } };
  let kafka = openOn(url, options);
  return {
    store: kafka.topics,
    declare: (topic) => declareTopic(url, topic, options),
    close: () => kafka.close(),
    async reopen() {
      await kafka.close();
      kafka = openOn(url, options);
      return kafka.topics;
    },
  };
}
