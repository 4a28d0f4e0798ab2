/** The storage of the product under test: its embedded store, or servers, on which each run uses names of its own. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Kafka, logLevel } from 'kafkajs';
import { MongoClient } from 'mongodb';
import { withDatabase } from '../support/mongo-url.js';

export type Env = Readonly<Record<string, string>>;

/** Roles of each process, in the format of ROLES. */
export type Layout = readonly string[];

export interface Stack {
  readonly kind: 'embedded' | 'real';
  /** First lines of the report. */
  readonly said: readonly string[];
  /** Ways to run the product whose figures are worth comparing. */
  readonly layouts: Readonly<Record<string, Layout>>;
  /** Settings of a new deployment, which shares no data with any other. */
  fresh(): Env;
  /** Removes the data of this run's deployments, as far as a server allows it, and the servers that the run started. */
  close(): Promise<void>;
}

export const ONE: Layout = ['api,projections,workers'];
export const SHARED: Layout = ['api', 'projections', 'workers'];

export const embeddedStack: Stack = {
  kind: 'embedded',
  said: ['stack: embedded, one process'],
  layouts: { 'one process': ONE },
  // Server addresses from the shell must not change this bench.
  fresh: () => ({ EVENTSTORE_URL: '', MONGODB_URL: '', KAFKA_BROKERS: '' }),
  close: () => Promise.resolve(),
};

/** BENCH_LAYOUT=one or shared omits the other. */
const chosenLayouts = (chosen: string | undefined): Stack['layouts'] => ({
  ...(chosen === 'shared' ? {} : { 'one process': ONE }),
  ...(chosen === 'one' ? {} : { 'shared roles': SHARED }),
});

interface Answer {
  readonly said: readonly string[];
  readonly missing: readonly string[];
  readonly env: Readonly<Record<'EVENTSTORE_URL' | 'MONGODB_URL' | 'KAFKA_BROKERS', string>>;
}

/** @throws Error with the names of the servers that are not available */
export async function findRealStack(): Promise<Stack> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/bench/servers.ts'], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([first]) => String(first)),
    once(child, 'exit').then(() => '{"said":[],"missing":["servers"],"env":{}}'),
  ]);
  const { said, missing, env } = JSON.parse(line) as Answer;
  const end = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.stdin.end();
    await once(child, 'exit');
  };
  if (missing.length > 0) {
    await end();
    throw new Error(`The real stack can't be had here: ${missing.join(', ')} missing.\n${said.join('\n')}`);
  }
  const made: Env[] = [];
  return {
    kind: 'real',
    said: ['stack: real', ...said.map((text) => `  ${text}`)],
    layouts: chosenLayouts(process.env['BENCH_LAYOUT']),
    fresh() {
      const name = `bench${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
      const own = {
        ...env,
        MONGODB_URL: withDatabase(env.MONGODB_URL, name),
        EVENTSTORE_STREAM_PREFIX: `${name}.`,
        KAFKA_TOPIC_PREFIX: `${name}.`,
        RECADO_MASTER_KEY: randomBytes(32).toString('base64'),
      };
      made.push(own);
      return own;
    },
    async close() {
      for (const own of made) await forget(own);
      await end();
    },
  };
}

/** Removes database and topics. Streams stay: EventStoreDB cannot remove many of them at once. */
async function forget(env: Env): Promise<void> {
  const client = new MongoClient(env['MONGODB_URL']!, { serverSelectionTimeoutMS: 5_000 });
  const brokers = env['KAFKA_BROKERS']!.split(',');
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry: { retries: 1 } }).admin();
  try {
    await client.db().dropDatabase();
    await admin.connect();
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(env['KAFKA_TOPIC_PREFIX']!));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  } catch (error) {
    console.log(`  (what this run left on the servers could not be removed: ${String(error)})`);
  } finally {
    await Promise.allSettled([client.close(), admin.disconnect()]);
  }
}
