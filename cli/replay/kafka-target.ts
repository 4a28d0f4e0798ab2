/**
 * Sends events to a Kafka topic, from here and not from the server: the broker's credentials stay on the operator's
 * machine. The driver is loaded only when this target is used.
 */
import { messageOf } from '../../ports/thrown.js';
import type { EventSink } from '../../ports/event-sink.js';
import { EXIT, Failure, usage } from '../failure.js';
import type { Io } from '../io.js';
import type { Target } from './target.js';

const BATCH = 500;

/** `kafka://broker:9092,other:9092/topic`. @throws Failure */
export async function kafkaTarget(io: Io, address: string): Promise<Target> {
  const [, brokers, topic] = /^kafka:\/\/([^/@]+)\/([\w.-]{1,249})$/.exec(address) ?? [];
  if (brokers === undefined || topic === undefined) {
    throw usage(
      `${address.split('@').pop() ?? ''} names no topic.`,
      'Give kafka://broker:9092/topic; a user goes into KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD.',
    );
  }
  const sink = await open(io, brokers, topic);
  return {
    name: `kafka topic ${topic}`,
    batch: BATCH,
    async send(events) {
      try {
        await sink.write(
          events.map(({ line, position, type, id, stream }) => ({
            key: stream,
            value: line,
            headers: { 'recado-event': type, 'recado-event-id': id, 'recado-position': position },
          })),
        );
      } catch (error) {
        throw new Failure(EXIT.unreachable, messageOf(error));
      }
    },
    close: () => sink.close(),
  };
}

async function open(io: Io, brokers: string, topic: string): Promise<EventSink> {
  const { openKafkaSink } = await import('../../adapters/kafka/event-sink.js');
  try {
    return await openKafkaSink({ ...io.env, KAFKA_BROKERS: brokers }, topic);
  } catch (error) {
    const { name, message } = error as Error;
    throw name === 'StoreUnavailable' ? new Failure(EXIT.unreachable, message) : usage(message);
  }
}
