/**
 * The servers of a test run: by address from the environment; else in containers, where a container engine runs; else
 * started on this machine from downloads of its package clients. Unavailable servers are listed with the reason.
 */
import type { RunningServer, ServerName } from './servers/server.js';
import { startEventStoreStandInProcess } from './servers/eventstore-stand-in.js';
import { startKafkaServer } from './servers/kafka.js';
import { startMongoServer } from './servers/mongodb.js';
import { startS3Server } from './servers/s3.js';
import { containers } from './servers/containers.js';

export interface Origin {
  /** For the report: `by EVENTSTORE_URL`, `in a container`, `stand-in`, … */
  readonly from: string;
  readonly env: Readonly<Record<string, string>>;
  /** Controls for faults; null for a server that this run did not start. */
  readonly server: RunningServer | null;
}

export interface Stack {
  readonly found: ReadonlyMap<ServerName, Origin>;
  /** Reasons, by server that is unavailable. */
  readonly missing: ReadonlyMap<ServerName, string>;
  stop(): Promise<void>;
}

const VARIABLE: Readonly<Record<ServerName, string>> = {
  eventstore: 'EVENTSTORE_URL',
  mongodb: 'MONGODB_URL',
  kafka: 'KAFKA_BROKERS',
  s3: 'S3_ENDPOINT',
};

/** Description and start function of each server that is started here. */
const LOCAL: Readonly<Record<ServerName, readonly [string, () => Promise<RunningServer>]>> = {
  eventstore: ['the stand-in under test/, not EventStoreDB itself', () => startEventStoreStandInProcess()],
  mongodb: ['MongoDB, or a stand-in', () => startMongoServer()],
  kafka: ['Apache Kafka from its Maven jars', () => startKafkaServer()],
  s3: ['moto, an S3 server in Python', () => startS3Server()],
};

const S3_TEST = {
  S3_BUCKET: 'recado-test',
  S3_REGION: 'us-east-1',
  S3_ACCESS_KEY_ID: 'test',
  S3_SECRET_ACCESS_KEY: 'test-secret',
};

export async function findStack(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<Stack> {
  const found = new Map<ServerName, Origin>();
  const missing = new Map<ServerName, string>();
  const engine = await containers();
  const names = Object.keys(VARIABLE) as ServerName[];
  await Promise.all(
    names.map(async (name) => {
      const variable = VARIABLE[name];
      const given = env[variable];
      if (given) {
        found.set(name, { from: `by ${variable}`, env: { [variable]: given }, server: null });
        return;
      }
      const [what, startHere] = LOCAL[name];
      try {
        const server = engine ? await engine.start(name) : await startHere();
        const settings = name === 's3' ? { ...S3_TEST, S3_ENDPOINT: server.url } : { [variable]: server.url };
        const from = engine ? 'in a container' : (server.what ?? what);
        found.set(name, { from, env: settings, server });
      } catch (error) {
        missing.set(name, error instanceof Error ? error.message : String(error));
      }
    }),
  );
  for (const name of names) {
    const origin = found.get(name);
    say(`${VARIABLE[name].padEnd(15)} ${origin ? origin.from : `SKIPPED: ${missing.get(name)!}`}`);
  }
  return {
    found,
    missing,
    async stop() {
      await Promise.allSettled([...found.values()].map(async ({ server }) => server?.stop()));
      await engine?.stop();
    },
  };
}
