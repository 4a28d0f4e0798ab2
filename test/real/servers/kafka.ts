/**
 * A real Apache Kafka for a test run: one KRaft node (broker and controller) from its Maven jars, in Java. The 3.9
 * line is the last that still speaks every protocol version kafkajs 2.2.4 may ask for (KIP-896 removed old ones in 4.0).
 */
import { spawn, execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import type { RunningServer, ServerOptions } from './server.js';

const VERSION = '3.9.1';
const CLUSTER_ID = 'cmVjYWRvLXRlc3QtY2x1cw';
const START_TIMEOUT_MS = 60_000;
const FETCH_TIMEOUT_MS = 300_000;
/** A small, quick JVM: a test's broker lives for seconds. */
const JVM = ['-Xms64m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const run = promisify(execFile);

/**
 * Starts a Kafka on 127.0.0.1; `url` is `host:port`. It ends with this process, however that ends. The first start on
 * a machine fetches the jars (46 MB) with Maven into the user's cache folder.
 * @throws Error with one sentence when there can be no Kafka here (no Java, no Maven, no way to the jars), or it does
 * not come up
 */
export async function startKafkaServer(options: ServerOptions = {}): Promise<RunningServer> {
  const jars = await fetchedJars();
  const port = options.port ?? (await freePort());
  const controllerPort = await freePort();
  const home = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'recado-kafka-')));
  await mkdir(home, { recursive: true });
  const config = join(home, 'server.properties');
  await writeFile(config, properties(home, port, controllerPort));
  const java = (...args: readonly string[]): string[] => [
    ...JVM,
    `-Dlog4j.configuration=file:${join(home, 'log4j.properties')}`,
    '-cp',
    join(jars, '*'),
    ...args,
  ];
  await writeFile(join(home, 'log4j.properties'), LOGGING);
  await must(
    'its storage could not be formatted',
    run(
      'java',
      java('kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', CLUSTER_ID, '-c', config),
      { timeout: START_TIMEOUT_MS },
    ),
  );

  let server: ChildProcess;

  async function start(): Promise<void> {
    const log = await open(join(home, 'server.log'), 'a');
    server = spawn('java', java('kafka.Kafka', config), { stdio: ['ignore', log.fd, log.fd] });
    guardUntilExit(server);
    await log.close();
    try {
      await answers(port, server);
    } catch (error) {
      await end();
      const said = (await readFile(join(home, 'server.log'), 'utf8'))
        .trim()
        .split('\n')
        .slice(-3)
        .join(' | ');
      throw new Error(`Kafka can't be started here: ${String(error)} (it said: ${said})`, { cause: error });
    }
  }

  async function end(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  await start();
  return {
    url: `127.0.0.1:${port}`,
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

const LOGGING = `log4j.rootLogger=WARN, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d %p %m (%c)%n
`;

/** Everything a group needs on one broker, and what makes a test's rebalances and restarts short. */
const properties = (
  home: string,
  port: number,
  controllerPort: number,
): string => `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs=${join(home, 'log')}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
broker.heartbeat.interval.ms=500
broker.session.timeout.ms=3000
log.cleaner.dedupe.buffer.size=4194304
num.network.threads=2
num.io.threads=4
`;

/** Beside the server runs a process whose input ends when we do, and which then ends the server. */
function guardUntilExit(server: ChildProcess): void {
  const script = `trap '' INT TERM HUP; cat >/dev/null; kill -9 ${server.pid!}`;
  const guard = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  // In this order: a guard that sees its input end would kill whoever has the number by then.
  server.once('exit', () => {
    guard.once('exit', () => guard.stdin.destroy());
    guard.kill('SIGKILL');
  });
}

/** Resolves when the broker is a member of its cluster. */
async function answers(port: number, server: ChildProcess): Promise<void> {
  const kafka = new Kafka({
    brokers: [`127.0.0.1:${port}`],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1000,
    requestTimeout: 2000,
    retry: { retries: 0 },
  });
  const end = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const admin = kafka.admin();
    try {
      await admin.connect();
      if ((await admin.describeCluster()).brokers.length === 1) return;
    } catch (error) {
      if (Date.now() > end) throw new Error('it does not answer', { cause: error });
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
    if (server.exitCode !== null) throw new Error(`Java ended with code ${server.exitCode}`);
    await pause(100);
  }
}

/** Folder with Kafka's jars, fetched when it is not there yet. */
async function fetchedJars(): Promise<string> {
  await must('it needs Java 17 or newer ("java" in the PATH)', run('java', ['-version']));
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'recado-tests');
  const jars = join(cache, `kafka-${VERSION}`);
  if (existsSync(jars)) return jars;
  await must('it needs Maven for its jars ("mvn" in the PATH)', run('mvn', ['-v']));
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetching-'));
  try {
    await writeFile(join(work, 'pom.xml'), POM);
    await must(
      'Maven could not fetch its jars',
      run(
        'mvn',
        ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib', '-DincludeScope=runtime'],
        {
          cwd: work,
          timeout: FETCH_TIMEOUT_MS,
        },
      ),
    );
    // Whole or not at all; another run may have been quicker.
    await rename(join(work, 'lib'), jars).catch((error: unknown) => {
      if (!existsSync(jars)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return jars;
}

const dependency = (group: string, artifact: string, version: string): string =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>recado.tests</groupId><artifactId>kafka</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    ${dependency('org.apache.kafka', 'kafka_2.13', VERSION)}
    ${dependency('org.slf4j', 'slf4j-reload4j', '1.7.36')}
  </dependencies>
</project>
`;

async function must<T>(reason: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const said = (error as { stdout?: string; stderr?: string }).stderr ?? '';
    const detail = said.trim().split('\n').at(-1) ?? '';
    throw new Error(`Kafka can't be started here: ${reason}${detail === '' ? '.' : ` (${detail}).`}`, {
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
