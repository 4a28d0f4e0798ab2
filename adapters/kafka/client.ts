/** A kafkajs client whose sockets can be closed, and conversion of its errors. */
import { connect as connectTcp, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Kafka, logLevel, type KafkaConfig } from 'kafkajs';
import type { Logger } from '../../ports/logger.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { systemClock } from '../clock/system.js';
import type { KafkaLimits } from './limits.js';
import type { KafkaSettings } from './settings.js';

const CLOSED = 'this client was closed';

export interface Client {
  readonly kafka: Kafka;
  /** Closes every connection and prevents new ones, even if kafkajs keeps trying. */
  destroy(): void;
}

export type OpenClient = () => Client;

/**
 * Every consumer needs its own client. kafkajs keeps the committed offsets of a group once per client, and two
 * consumers of one group would overwrite each other's.
 */
export function clientOpener(
  connection: KafkaSettings & { readonly clientId: string },
  limits: KafkaLimits,
  logger: Logger,
): OpenClient {
  const { brokers, clientId, tls, sasl } = connection;
  return () => {
    const sockets = new Set<Socket>();
    let destroyed = false;
    const config: KafkaConfig = {
      brokers: [...brokers],
      clientId,
      ssl: tls,
      ...(sasl ? { sasl: sasl as NonNullable<KafkaConfig['sasl']> } : {}),
      connectionTimeout: limits.connectMs,
      authenticationTimeout: limits.requestMs,
      requestTimeout: limits.requestMs,
      retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1_000 },
      logLevel: logLevel.WARN,
      logCreator: () => logTo(logger),
      socketFactory: ({ host, port, ssl, onConnect }) => {
        if (destroyed) return new Socket().destroy(new Error(CLOSED));
        const socket = ssl
          ? connectTls({ host, port, servername: host, ...ssl }, onConnect)
          : connectTcp({ host, port }, onConnect);
        socket.setKeepAlive(true, 60_000).setNoDelay(true);
        sockets.add(socket.once('close', () => sockets.delete(socket)));
        return socket;
      },
    };
    return {
      kafka: new Kafka(config),
      destroy() {
        destroyed = true;
        // With an error: kafkajs does not notice a socket that is only closed, and its timers would keep running.
        for (const socket of sockets) socket.destroy(new Error(CLOSED));
      },
    };
  };
}

interface ClientLog {
  readonly message: string;
  readonly topic?: unknown;
  readonly partition?: unknown;
  readonly groupId?: unknown;
}

/** kafkajs logs every transient failure as an error. The caller that gives up reports the important ones. */
function logTo(logger: Logger): (entry: { readonly log: ClientLog }) => void {
  return ({ log: { message, topic, partition, groupId } }) => {
    const fields = { topic, partition, group: groupId };
    if (message.startsWith('Offset out of range')) {
      logger.warn(
        fields,
        'kafka no longer has what the group was to read next: it starts over at the oldest',
      );
    } else {
      logger.debug({ ...fields, said: message }, 'kafka client');
    }
  };
}

/** The innermost error of those that kafkajs wraps around each other. */
export function rootCause(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; depth < 10 && cause instanceof Error && cause.cause instanceof Error; depth += 1) {
    cause = cause.cause;
  }
  return cause;
}

/** What kafkajs calls an error, such as `NOT_LEADER_FOR_PARTITION`; undefined where it has no name for it. */
export const typeOf = (error: unknown): unknown =>
  error instanceof Error && 'type' in error ? error.type : undefined;

/** A short reason: `NOT_LEADER_FOR_PARTITION: This server is not the leader`. */
export function reason(error: unknown): string {
  const cause = rootCause(error);
  if (!(cause instanceof Error)) return String(cause);
  const type = typeOf(cause);
  return typeof type === 'string' ? `${type}: ${cause.message}` : cause.message;
}

export function unavailable(what: string, error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return new StoreUnavailable(`${what}: ${reason(error)}`, { cause: error });
}

/** The result of `work`, or a rejection after `ms`; `work` itself continues. */
export async function within<T>(
  ms: number,
  work: Promise<T>,
  late = `no answer within ${ms} ms`,
): Promise<T> {
  let cancel: (() => void) | undefined;
  const limit = new Promise<never>((_, reject) => {
    cancel = systemClock.after(ms, () => reject(new Error(late)));
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    cancel?.();
  }
}
