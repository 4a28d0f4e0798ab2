/**
 * A MongoDB-compatible server for a test run, where no MongoDB can be had: mongo-java-server (BSD licence) with its
 * data in a file. It has one node, no transactions and no secondary indexes worth the name, so it says whether the
 * adapters ask the right questions, and nothing about speed. FerretDB 1.24 on SQLite was tried and is not used: its
 * updates find first and write later, so several racers win one compare-and-set.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import type { RunningServer, ServerOptions } from './server.js';

const VERSION = '1.47.0';
const START_TIMEOUT_MS = 60_000;
const FETCH_TIMEOUT_MS = 300_000;
/** A small, quick JVM: a test's server lives for seconds. */
const JVM = ['-Xms32m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const SOURCE = fileURLToPath(new URL('DurableMongo.java', import.meta.url));
const run = promisify(execFile);

/**
 * Starts one on 127.0.0.1; `url` goes into MONGODB_URL (database `recado`). It ends with this process, however that
 * ends. The first start on a machine fetches the jars (8 MB) with Maven into the user's cache folder.
 * @throws Error with one sentence when there can be none here (no JDK, no Maven, no way to the jars), or it does not
 * come up
 */
export async function startMongoServer(options: ServerOptions = {}): Promise<RunningServer> {
  const classPath = await compiled();
  const port = options.port ?? (await freePort());
  const home = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'recado-mongodb-')));
  await mkdir(home, { recursive: true });
  const url = `mongodb://127.0.0.1:${port}/recado`;

  let server: ChildProcess;
  let guard: ChildProcess;

  async function start(): Promise<void> {
    const log = await open(join(home, 'server.log'), 'a');
    const args = [...JVM, '-cp', classPath, 'DurableMongo', join(home, 'data.h2'), String(port)];
    server = spawn('java', args, { stdio: ['ignore', log.fd, log.fd] });
    guard = spawnGuard(server.pid!);
    await log.close();
    try {
      await answers(url, server);
    } catch (error) {
      await end();
      const said = (await readFile(join(home, 'server.log'), 'utf8'))
        .trim()
        .split('\n')
        .slice(-3)
        .join(' | ');
      throw new Error(`MongoDB can't be started here: ${String(error)} (it said: ${said})`, { cause: error });
    }
  }

  async function end(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
    // Only now: until here the guard is what ends the server if we die.
    guard.kill('SIGKILL');
  }

  await start();
  return {
    url,
    get pid() {
      return server.pid!;
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    kill: end,
    async restart() {
      await end();
      await start();
    },
    async stop() {
      await end();
      if (options.dataDir === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

/** A process whose input ends when we do, and which then ends the server. */
function spawnGuard(pid: number): ChildProcess {
  const script = `trap '' INT TERM HUP; cat >/dev/null; kill -9 ${pid}`;
  const guard = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000, socketTimeoutMS: 2_000 });
    try {
      await client.db().command({ ping: 1 });
      return;
    } catch (error) {
      if (Date.now() > end) throw new Error('it does not answer', { cause: error });
    } finally {
      await client.close();
    }
    if (server.exitCode !== null) throw new Error(`Java ended with code ${server.exitCode}`);
    await pause(50);
  }
}

/** Class path of the server: the jars, fetched when they are not there yet, and our own class in front of them. */
async function compiled(): Promise<string> {
  await must('it needs a JDK, 17 or newer ("java" and "javac" in the PATH)', run('javac', ['-version']));
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'recado-tests');
  const hash = createHash('sha256')
    .update(await readFile(SOURCE))
    .digest('hex');
  const jars = join(cache, `mongo-java-server-${VERSION}`);
  const classes = `${jars}-${hash.slice(0, 12)}`;
  await mkdir(cache, { recursive: true });
  if (!existsSync(jars)) {
    await must('it needs Maven for its jars ("mvn" in the PATH)', run('mvn', ['-v']));
    await whole(cache, jars, async (work) => {
      await writeFile(join(work, 'pom.xml'), POM);
      const goal = [
        '-q',
        '-B',
        'dependency:copy-dependencies',
        '-DoutputDirectory=made',
        '-DincludeScope=runtime',
      ];
      await must(
        'Maven could not fetch its jars',
        run('mvn', goal, { cwd: work, timeout: FETCH_TIMEOUT_MS }),
      );
    });
  }
  if (!existsSync(classes)) {
    await whole(cache, classes, async (work) => {
      const args = ['-cp', join(jars, '*'), '-d', join(work, 'made'), SOURCE];
      await must('its main class does not compile', run('javac', args));
    });
  }
  return [classes, join(jars, '*')].join(delimiter);
}

/** Puts what `make` leaves in `<work>/made` at `target`, whole or not at all; another run may have been quicker. */
async function whole(cache: string, target: string, make: (work: string) => Promise<void>): Promise<void> {
  const work = await mkdtemp(join(cache, 'making-'));
  try {
    await make(work);
    await rename(join(work, 'made'), target).catch((error: unknown) => {
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const dependency = (group: string, artifact: string, version: string): string =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>recado.tests</groupId><artifactId>mongodb</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    ${dependency('de.bwaldvogel', 'mongo-java-server-h2-backend', VERSION)}
    ${dependency('de.bwaldvogel', 'mongo-java-server-core', VERSION)}
    ${dependency('org.slf4j', 'slf4j-nop', '2.0.17')}
  </dependencies>
</project>
`;

async function must<T>(reason: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr ?? '';
    const detail = said.trim().split('\n').at(-1) ?? '';
    throw new Error(`MongoDB can't be started here: ${reason}${detail === '' ? '.' : ` (${detail}).`}`, {
      cause: error,
    });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
