/**
 * A MongoDB-compatible server for test runs without a MongoDB: mongo-java-server (BSD licence) with its data in a file.
 * It has one node, no transactions and hardly any secondary indexes. So it tests the adapters' commands, but says
 * nothing about speed. FerretDB 1.24 on SQLite was tried and rejected: its updates find first and write later, so
 * several concurrent callers win one compare-and-set.
 */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { freePort } from '../../support/free-port.js';
import { cached, must, run, runLocally, withLog } from './local.js';
import type { RunningServer, ServerOptions } from './server.js';

const WHAT = "MongoDB's stand-in can't be started here";
const VERSION = '1.47.0';
/** After a kill it first recovers its log, possibly on a busy machine. */
const START_TIMEOUT_MS = 300_000;
const FETCH_TIMEOUT_MS = 300_000;
/** A small JVM that starts fast: a test's server lives for seconds. */
const JVM = ['-Xms32m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const SOURCE = fileURLToPath(new URL('DurableMongo.java', import.meta.url));

/**
 * Starts one on 127.0.0.1; `url` goes into MONGODB_URL (database `recado`). It ends with this process, however that
 * ends. The first start on a machine downloads the jars (8 MB) with Maven into the user's cache folder.
 * @throws Error with one sentence when it is not available here (no JDK, no Maven, no access to the jars), or does not
 * start
 */
export async function startMongoStandIn(options: ServerOptions = {}): Promise<RunningServer> {
  const classPath = await prepareMongoStandIn();
  const port = options.port ?? (await freePort());
  const home = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'recado-mongodb-')));
  await mkdir(home, { recursive: true });
  const url = `mongodb://127.0.0.1:${port}/recado`;

  const args = [...JVM, '-cp', classPath, 'DurableMongo', join(home, 'data.h2'), String(port)];
  return runLocally({
    ...withLog(WHAT, home, ['java', args], (server) => answers(url, server)),
    url: () => url,
    dataDir: home,
    options,
  });
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

/** Class path of the server: our own class first, then the jars, which are downloaded when they are missing. */
export async function prepareMongoStandIn(): Promise<string> {
  await must(
    WHAT,
    'it needs a JDK, 17 or newer ("java" and "javac" in the PATH)',
    run('javac', ['-version']),
  );
  const name = `mongo-java-server-${VERSION}`;
  const jars = await cached(name, async (work) => {
    await must(WHAT, 'it needs Maven for its jars ("mvn" in the PATH)', run('mvn', ['-v']));
    await writeFile(join(work, 'pom.xml'), POM);
    const goal = [
      '-q',
      '-B',
      'dependency:copy-dependencies',
      '-DoutputDirectory=made',
      '-DincludeScope=runtime',
    ];
    await must(
      WHAT,
      'Maven could not fetch its jars',
      run('mvn', goal, { cwd: work, timeout: FETCH_TIMEOUT_MS }),
    );
  });
  const hash = createHash('sha256')
    .update(await readFile(SOURCE))
    .digest('hex');
  const classes = await cached(`${name}-${hash.slice(0, 12)}`, async (work) => {
    const args = ['-cp', join(jars, '*'), '-d', join(work, 'made'), SOURCE];
    await must(WHAT, 'its main class does not compile', run('javac', args));
  });
  return [classes, join(jars, '*')].join(delimiter);
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
