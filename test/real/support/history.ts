/** The data that a system left on its servers, and the same read models rebuilt from its history. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../adapters/embedded/driver.js';
import { Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { systemClock } from '../../../adapters/clock/system.js';
import { loadMasterKey } from '../../../adapters/crypto/master-key.js';
import { createSecretBox } from '../../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../../adapters/embedded/open.js';
import { openEventStoreDb } from '../../../adapters/eventstoredb/open.js';
import { withStreamPrefix } from '../../../adapters/eventstoredb/stream-prefix.js';
import { openMongo } from '../../../adapters/mongodb/open.js';
import { createCodec } from '../../../application/codec.js';
import { RELAYED_PREFIXES } from '../../../application/relay.js';
import { createRegistry } from '../../../domain/catalog.js';
import { operationStream } from '../../../domain/streams.js';
import { silentLogger } from '../../../ports/logger.js';
import { projections } from '../../../projections/catalog.js';
import { catchUp } from '../../../projections/runner.js';
import { untilRelayed } from '../../../workers/relay/worker.js';
import { dump, sorted, wholeHistory, type DataFolder, type Documents } from '../../crash/data-folder.js';

/** The environment of the product. */
export type Env = Readonly<Record<string, string>>;

const GROUPS: Readonly<Record<string, string>> = {
  sends: 'sending',
  intake: 'inbound',
  notifications: 'notifications',
};

/** Returns those of these operations that have an attempt in their history: no process calls them again. */
export async function attempted(env: Env, uuids: readonly string[]): Promise<readonly string[]> {
  const events = openEventStoreDb({ url: env['EVENTSTORE_URL']!, logger: silentLogger });
  const store = withStreamPrefix(events.eventStore, env['EVENTSTORE_STREAM_PREFIX'] ?? '');
  try {
    const streams = await Promise.all(uuids.map((uuid) => store.read(operationStream.toName(uuid))));
    return uuids.filter((_, index) => streams[index]!.some(({ type }) => type === 'SendAttempted'));
  } finally {
    await events.close();
  }
}

/**
 * Counts the work that is left: rows of the due-time store by queue, and unconsumed messages of a group by topic.
 * Events that have not been relayed to a topic are counted separately, because no other count includes them.
 */
export async function waitingWork(env: Env): Promise<Readonly<Record<string, number>>> {
  const secretBox = createSecretBox(loadMasterKey({ given: env['RECADO_MASTER_KEY'], dataDir: '' }).key);
  const url = env['MONGODB_URL']!;
  const events = openEventStoreDb({ url: env['EVENTSTORE_URL']!, logger: silentLogger });
  const store = withStreamPrefix(events.eventStore, env['EVENTSTORE_STREAM_PREFIX'] ?? '');
  const { readModels, ...mongo } = await openMongo({ url, secretBox, logger: silentLogger, holder: 'quiet' });
  const client = await new MongoClient(url).connect();
  const kafka = new Kafka({ brokers: env['KAFKA_BROKERS']!.split(','), logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  try {
    const head = await store.head();
    let looks = 0;
    const once = (): boolean => (looks += 1) > 1;
    const relayed = await untilRelayed({ store, readModels, clock: systemClock }, RELAYED_PREFIXES, once);
    const entries = await client
      .db()
      .collection('due_times')
      .find()
      .project<{ queue: string }>({ queue: 1 })
      .toArray();
    const counts = new Map<string, number>();
    const add = (name: string, n: number): void =>
      void (n > 0 && counts.set(name, (counts.get(name) ?? 0) + n));
    add('the relay', relayed ? 0 : 1);
    for (const { queue } of entries) add(queue, 1);
    await admin.connect();
    for (const [name, group] of Object.entries(GROUPS)) {
      const topic = `${env['KAFKA_TOPIC_PREFIX']}${name}`;
      const [committed] = await admin.fetchOffsets({ groupId: `${topic}.${group}`, topics: [topic] });
      for (const { partition, high } of await admin.fetchTopicOffsets(topic)) {
        const at = committed?.partitions.find((place) => place.partition === partition)?.offset ?? '-1';
        add(`topic ${name}`, Number(high) - Math.max(0, Number(at)));
      }
    }
    // Work that was handled during these counts may have appended more.
    add('events of this moment', (await store.head()) === head ? 0 : 1);
    return Object.fromEntries(counts);
  } finally {
    await Promise.allSettled([client.close(), admin.disconnect(), mongo.close(), events.close()]);
  }
}

/** The processes must have ended. Another adapter rebuilds the read models, into a file of its own. */
export async function readServers(env: Env): Promise<DataFolder> {
  const secretBox = createSecretBox(loadMasterKey({ given: env['RECADO_MASTER_KEY'], dataDir: '' }).key);
  const events = openEventStoreDb({ url: env['EVENTSTORE_URL']!, logger: silentLogger });
  const store = withStreamPrefix(events.eventStore, env['EVENTSTORE_STREAM_PREFIX'] ?? '');
  const url = env['MONGODB_URL']!;
  const mongo = await openMongo({ url, secretBox, logger: silentLogger, holder: 'judge' });
  const client = await new MongoClient(url).connect();
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-rebuilt-'));
  try {
    const codec = createCodec(createRegistry(), mongo.personalKeys);
    const history = await wholeHistory(store, codec);
    const fresh = await openEmbedded({ dataDir, secretBox });
    for (const projection of projections) {
      await catchUp(projection, { store, readModels: fresh.readModels, codec });
    }
    await fresh.close();
    const file = new Database(join(dataDir, 'recado.db'), { readonly: true });
    const rebuilt = dump(file, 0);
    file.close();
    return {
      integrity: ['ok'],
      events: history,
      documents: await dumpMongo(client),
      rebuilt,
      deliveries: (await bodies(client, 'rm_deliveries_v1')) as unknown as DataFolder['deliveries'],
      parkedMessages: (await bodies(client, 'rm_parked_messages_v1')).length,
      filesWith: () => [],
    };
  } finally {
    await Promise.allSettled([client.close(), mongo.close(), events.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Row {
  readonly _id: string;
  readonly version: string;
  readonly body?: string;
}

async function dumpMongo(client: MongoClient): Promise<Documents> {
  const found = new Map<string, string>();
  for (const { name, version } of projections) {
    for await (const row of client.db().collection<Row>(`rm_${name}_v${version}`).find()) {
      const { _id, body } = row;
      found.set(`${name} ${_id}`, `${row.version} ${body === undefined ? 'removed' : sorted(body)}`);
    }
  }
  return found;
}

async function bodies(client: MongoClient, collection: string): Promise<readonly Record<string, unknown>[]> {
  const rows = await client.db().collection<Row>(collection).find().toArray();
  return rows.flatMap(({ body }) =>
    body === undefined ? [] : [JSON.parse(body) as Record<string, unknown>],
  );
}
