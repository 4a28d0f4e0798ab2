/**
 * A real Apache Kafka for a test run: one KRaft node (broker and controller) from its Maven jars, in Java. The 3.9 line
 * is the last with every protocol version that kafkajs 2.2.4 may use (KIP-896 removed old ones in 4.0).
 */
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { freePort } from '../../support/free-port.js';
import { cached, must, run, runLocally, withLog } from './local.js';
import type { RunningServer, ServerOptions } from './server.js';

const WHAT = "Kafka can't be started here";
const VERSION = '3.9.1';
const CLUSTER_ID = 'cmVjYWRvLXRlc3QtY2x1cw';
/** After a kill it first recovers its log, possibly on a busy machine. */
const START_TIMEOUT_MS = 300_000;
const FETCH_TIMEOUT_MS = 300_000;
/** A small JVM that starts fast: a test's broker lives for seconds. */
const JVM = ['-Xms64m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/**
 * Starts a Kafka on 127.0.0.1; `url` is `host:port`. It ends with this process, however that ends. The first start on a
 * machine downloads the jars (46 MB) with Maven into the user's cache folder.
 * @throws Error with one sentence when Kafka is not available here (no Java, no Maven, no access to the jars), or does
 * not start
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
    WHAT,
    'its storage could not be formatted',
    run(
      'java',
      java('kafka.tools.StorageTool', 'format', '--ignore-formatted', '-t', CLUSTER_ID, '-c', config),
      { timeout: START_TIMEOUT_MS },
    ),
  );

  return runLocally({
    ...withLog(WHAT, home, ['java', java('kafka.Kafka', config)], (server) => answers(port, server)),
    url: () => `127.0.0.1:${port}`,
    dataDir: home,
    options,
  });
}

const LOGGING = `log4j.rootLogger=WARN, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d %p %m (%c)%n
`;

/** Settings that a group needs with a single broker, and those that make rebalances and restarts short. */
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

/** Folder of Kafka's jars, downloaded when it does not exist yet. */
async function fetchedJars(): Promise<string> {
  await must(WHAT, 'it needs Java 17 or newer ("java" in the PATH)', run('java', ['-version']));
  return cached(`kafka-${VERSION}`, async (work) => {
    await must(WHAT, 'it needs Maven for its jars ("mvn" in the PATH)', run('mvn', ['-v']));
    await writeFile(join(work, 'pom.xml'), POM);
    await must(
      WHAT,
      'Maven could not fetch its jars',
      run(
        'mvn',
        ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=made', '-DincludeScope=runtime'],
        { cwd: work, timeout: FETCH_TIMEOUT_MS },
      ),
    );
  });
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
