/**
 * Loaded before the product: counts what the process asks of its servers, by kind, where the drivers hand requests to
 * their connections. The bench asks for the counts over the channel between parent and child.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const counts = new Map<string, number>();
const count = (server: string, what: string, n = 1): void => {
  const kind = `${server} ${what}`;
  counts.set(kind, (counts.get(kind) ?? 0) + n);
};

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Runs `before` ahead of a method of a driver. @throws Error when the driver has no such method any more */
function watch(prototype: object, name: string, before: (...args: unknown[]) => void): void {
  const methods = prototype as Record<string, Method>;
  const inner = methods[name];
  if (typeof inner !== 'function') throw new Error(`there is no ${name} to watch`);
  methods[name] = function (...args) {
    before(...args);
    return inner.apply(this, args);
  };
}

/** `bench-x.operation-0198…` is a stream of kind `operation`. */
const categoryOf = (stream: unknown): string =>
  String(stream)
    .split('.')
    .at(-1)!
    .replace(/-[0-9a-f]{8}-.*$|-[^-]*$/, '');

const eventStore = (require('@eventstore/db-client') as { EventStoreDBClient: { prototype: object } })
  .EventStoreDBClient.prototype;
watch(eventStore, 'appendToStream', (stream, events) => {
  count('eventstore', `append ${categoryOf(stream)}`);
  count('eventstore', 'events appended', Array.isArray(events) ? events.length : 1);
});
watch(eventStore, 'readStream', (stream) => count('eventstore', `read ${categoryOf(stream)}`));
watch(eventStore, 'readAll', () => count('eventstore', 'read all'));
watch(eventStore, 'subscribeToAll', () => count('eventstore', 'subscribe'));

const { Connection: MongoConnection } = require('mongodb/lib/cmap/connection.js') as {
  Connection: { prototype: object };
};
watch(MongoConnection.prototype, 'command', (_database, command) => {
  const [name, collection] = Object.entries(command as Record<string, unknown>)[0] ?? [];
  const of = name === 'getMore' ? (command as { collection?: unknown }).collection : collection;
  count('mongodb', typeof of === 'string' ? `${name} ${of}` : String(name));
});

const KafkaConnection = require('kafkajs/src/network/connection.js') as { prototype: object };
watch(KafkaConnection.prototype, 'send', (message) =>
  count('kafka', (message as { request: { apiName: string } }).request.apiName),
);

process.on('message', (message) => {
  if (message === 'round-trips') process.send?.(Object.fromEntries(counts));
});
process.channel?.unref();
