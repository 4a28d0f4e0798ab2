/** The stand-in for EventStoreDB as a separate process, so that tests can stop, kill and restart it like a server. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { projectFile } from '../../support/root.js';
import { runLocally } from './local.js';
import type { RunningServer, ServerOptions } from './server.js';

/** In the sources or in the build, like the tests. */
const PROGRAM = fileURLToPath(
  new URL(`../../support/eventstoredb/process${extname(import.meta.filename)}`, import.meta.url),
);

/**
 * Starts the stand-in on 127.0.0.1; `url` is a connection string for the client. Acknowledged data survives `kill`. The
 * stand-in ends with this process, however that ends.
 * @throws Error with its output, when it does not start
 */
export async function startEventStoreStandInProcess(options: ServerOptions = {}): Promise<RunningServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'recado-eventstore-')));
  let port = options.port ?? 0;
  return runLocally({
    url: () => `esdb://127.0.0.1:${port}?tls=false`,
    launch: () =>
      spawn(process.execPath, [...process.execArgv, PROGRAM, String(port), dataDir], {
        cwd: projectFile('./'),
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    async answers(server) {
      port = await answers(server);
    },
    dataDir,
    options,
  });
}

/** Resolves with the port that the stand-in prints once it accepts calls. */
async function answers(server: ChildProcess): Promise<number> {
  let said = '';
  server.stderr!.on('data', (text: Buffer) => {
    said += text.toString('utf8');
  });
  const lines = createInterface({ input: server.stdout! });
  const line = await Promise.race([
    once(lines, 'line').then(([first]) => String(first)),
    once(server, 'exit').then(() => undefined),
  ]);
  if (line === undefined)
    throw new Error(`the stand-in of EventStoreDB can't be started here: ${said.trim()}`);
  return Number(line);
}
