import { embeddedPort } from './embedded.js';
import { skippedSuite } from './support.js';
import { describeTopics } from './topics.js';

describeTopics(
  'embedded',
  embeddedPort((store) => store.topics),
);
skippedSuite('Topics: Kafka', 'KAFKA_BROKERS not set');
