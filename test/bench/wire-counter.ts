/**
 * Counts the requests of this process to its servers as the drivers send them. Each append counts as one, also when
 * several share one stream of a connection; so does each read, each MongoDB command and each Kafka request. The count
 * does not depend on how a driver is called.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Before = (self: unknown, ...args: unknown[]) => void;

export interface WireCounter {
  /** Counts since the start, by server and kind: `eventstore append message`, `mongodb find channels@1`. */
  readonly counts: ReadonlyMap<string, number>;
  readonly stop: () => void;
}

export function countOnTheWire(): WireCounter {
  const counts = new Map<string, number>();
  const count: Count = (kind, n = 1) => void counts.set(kind, (counts.get(kind) ?? 0) + n);
  const stops = [watchEventStore(count), watchMongo(count), watchKafka(count)];
  return {
    counts,
    stop() {
      for (const stop of stops) stop();
    },
  };
}

type Count = (kind: string, n?: number) => void;

/** Runs `before` ahead of a method of a driver. @throws Error when the driver no longer has the method */
function watch(prototype: object, name: string, before: Before): () => void {
  const methods = prototype as Record<string, Method>;
  const inner = methods[name];
  if (typeof inner !== 'function') throw new Error(`there is no ${name} to watch`);
  methods[name] = function (...args) {
    before(this, ...args);
    return inner.apply(this, args);
  };
  return () => {
    methods[name] = inner;
  };
}

interface Identified {
  getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined;
}
interface Decoder<T> {
  deserializeBinary(bytes: Uint8Array): T;
}
interface Requests {
  readonly AppendReq: Decoder<{ getOptions(): Identified | undefined }>;
  readonly BatchAppendReq: Decoder<{
    getOptions(): Identified | undefined;
    getProposedMessagesList(): readonly unknown[];
  }>;
  readonly ReadReq: Decoder<{
    getOptions():
      { getStream(): Identified | undefined; hasAll(): boolean; hasSubscription(): boolean } | undefined;
  }>;
}

const SERVICE = '/event_store.client.';
/** One byte that marks compression, and four bytes of length. */
const FRAME_HEAD = 5;

function watchEventStore(count: Count): () => void {
  const { LoadBalancingCall } = require('@grpc/grpc-js/build/src/load-balancing-call.js') as {
    LoadBalancingCall: { prototype: object };
  };
  const requests = require('@eventstore/db-client/generated/streams_pb.js') as Requests;
  return watch(LoadBalancingCall.prototype, 'sendMessageWithContext', (self, _context, frame) => {
    const { methodName } = self as { methodName: string };
    if (!methodName.startsWith(SERVICE)) return;
    const message = (frame as Uint8Array).subarray(FRAME_HEAD);
    countRequest(count, requests, methodName.slice(methodName.lastIndexOf('/') + 1), message);
  });
}

function countRequest(count: Count, requests: Requests, method: string, message: Uint8Array): void {
  switch (method) {
    case 'Append': {
      const options = requests.AppendReq.deserializeBinary(message).getOptions();
      return options
        ? count(`eventstore append ${categoryOf(options)}`)
        : count('eventstore events appended');
    }
    case 'BatchAppend': {
      const request = requests.BatchAppendReq.deserializeBinary(message);
      const options = request.getOptions();
      // An append that does not fit into one message has its options in the first.
      if (options) count(`eventstore append ${categoryOf(options)}`);
      return count('eventstore events appended', request.getProposedMessagesList().length);
    }
    case 'Read': {
      const options = requests.ReadReq.deserializeBinary(message).getOptions()!;
      const stream = options.getStream();
      if (options.hasSubscription()) return count('eventstore subscribe');
      return count(`eventstore read ${stream ? categoryOf(stream) : 'all'}`);
    }
    default:
      return count(`eventstore ${method}`);
  }
}

/** Stream `bench-x.operation-0198…` has the kind `operation`. */
const categoryOf = (of: Identified): string =>
  Buffer.from(of.getStreamIdentifier()?.getStreamName_asU8() ?? [])
    .toString()
    .split('.')
    .at(-1)!
    .replace(/-[0-9a-f]{8}-.*$|-[^-]*$/, '');

function watchMongo(count: Count): () => void {
  const { Connection } = require('mongodb/lib/cmap/connection.js') as { Connection: { prototype: object } };
  return watch(Connection.prototype, 'command', (_self, _database, command) => {
    const [name, collection] = Object.entries(command as Record<string, unknown>)[0] ?? [];
    const of = name === 'getMore' ? (command as { collection?: unknown }).collection : collection;
    count(`mongodb ${typeof of === 'string' ? `${name} ${of}` : String(name)}`);
  });
}

function watchKafka(count: Count): () => void {
  const KafkaConnection = require('kafkajs/src/network/connection.js') as { prototype: object };
  return watch(KafkaConnection.prototype, 'send', (_self, message) =>
    count(`kafka ${(message as { request: { apiName: string } }).request.apiName}`),
  );
}
