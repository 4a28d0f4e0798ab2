/**
 * The baseline of `bench floor`: a process that makes the requests of one message, and nothing else. It uses the drivers
 * as cheaply as they allow: appends share one call, MongoDB gets single commands, Kafka gets small messages. No
 * validation, no encryption, no decisions, no projections, no order, no retries, no log.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { Kafka, Partitioners, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { Pool } from 'undici';
import { openEventStoreDb } from '../../adapters/eventstoredb/open.js';
import { withStreamPrefix } from '../../adapters/eventstoredb/stream-prefix.js';
import { silentLogger } from '../../ports/logger.js';
import { bareRecord } from './bare-record.js';
import { FLOOR } from './floor-counts.js';

const prefix = process.env['KAFKA_TOPIC_PREFIX']!;
const topic = `${prefix}floor`;
/** About the size of a document. */
const FILLER = 'x'.repeat(500);

const events = openEventStoreDb({ url: process.env['EVENTSTORE_URL']!, logger: silentLogger });
const store = withStreamPrefix(events.eventStore, process.env['EVENTSTORE_STREAM_PREFIX'] ?? '');
const mongo = await new MongoClient(process.env['MONGODB_URL']!).connect();
const documents = mongo.db().collection<{ _id: string; text: string; n: number }>('floor', {
  writeConcern: { w: 'majority', journal: true },
});
const kafka = new Kafka({ brokers: process.env['KAFKA_BROKERS']!.split(','), logLevel: logLevel.NOTHING });
const admin = kafka.admin();
await admin.connect();
await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
await admin.disconnect();
const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
await producer.connect();
const consumer = kafka.consumer({ groupId: `${prefix}floor`, maxWaitTimeInMs: 500 });
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({ autoCommitThreshold: 50, eachBatch: () => Promise.resolve() });
// Each event comes to the product once more, to be projected.
store.subscribe({
  after: await store.head(),
  prefixes: ['floor-'],
  onBatch: () => Promise.resolve(),
  onError: () => undefined,
});
const pool = new Pool(process.env['FLOOR_TARGET']!, { connections: 16 });

async function work(kind: keyof typeof FLOOR, body: object): Promise<void> {
  const { appends, reads, writes, finds, produced } = FLOOR[kind];
  for (let n = 1; n < appends; n += 1)
    await store.append(`floor-${randomUUID()}`, 'no_stream', [bareRecord('SendAccepted', body)]);
  for (let n = 0; n < reads; n += 1) await store.read(`floor-${randomUUID()}`);
  const id = randomUUID();
  for (let n = 0; n < writes; n += 1)
    await documents.updateOne({ _id: id }, { $set: { text: FILLER, n } }, { upsert: true });
  for (let n = 0; n < finds; n += 1) await documents.findOne({ _id: id });
  for (let n = 0; n < produced; n += 1)
    await producer.send({ topic, messages: [{ key: id, value: JSON.stringify({ id, n }) }] });
  const answer = await pool.request({ path: '/', method: 'POST', body: JSON.stringify(body) });
  await answer.body.dump();
}

async function bodyOf(req: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as object;
}

createServer((req, res) => {
  const kind = req.url === '/messages' ? 'send' : 'status';
  void bodyOf(req)
    .then(async (body) => {
      await store.append(`floor-${randomUUID()}`, 'no_stream', [bareRecord('SendAccepted', body)]);
      res.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ uuid: randomUUID() }));
      await work(kind, body);
    })
    .catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
}).listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('bare message is up'));
