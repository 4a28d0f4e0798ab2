/** The EventSink port over any Kafka topic: keyed, acknowledged by all in-sync replicas. */
import { Partitioners } from 'kafkajs';
import type { EventSink } from '../../ports/event-sink.js';
import { silentLogger } from '../../ports/logger.js';
import { clientOpener, unavailable } from './client.js';
import { readKafkaSettings } from './settings.js';
import { defaultLimits } from './limits.js';

/**
 * @param env KAFKA_BROKERS (`host:port`, comma-separated), KAFKA_TLS and the KAFKA_SASL settings of the server
 * @throws Error with a sentence that names the setting; StoreUnavailable
 */
export async function openKafkaSink(
  env: Readonly<Record<string, string | undefined>>,
  topic: string,
): Promise<EventSink> {
  const settings = { ...readKafkaSettings(env), clientId: 'recado-replay' };
  const client = clientOpener(settings, defaultLimits, silentLogger)();
  // One request at a time, so that events of one key keep their order even if a request is repeated.
  const producer = client.kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: true,
    maxInFlightRequests: 1,
  });
  try {
    await producer.connect();
  } catch (error) {
    client.destroy();
    throw unavailable('Kafka can not be reached', error);
  }
  return {
    async write(events) {
      try {
        await producer.send({
          topic,
          acks: -1,
          messages: events.map(({ key, value, headers }) => ({ key, value, headers: { ...headers } })),
        });
      } catch (error) {
        throw unavailable(`Kafka did not take the events for topic ${topic}`, error);
      }
    },
    async close() {
      await producer.disconnect().catch(() => undefined);
      client.destroy();
    },
  };
}
