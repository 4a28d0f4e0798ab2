/** The servers of this run: their addresses, and faults for those that the run started. */
import type { Fault } from '../control.js';
import type { ServerName } from '../servers/server.js';

export interface FaultyServer {
  /** SIGSTOP: connections stay open and nothing answers. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Resolves when it answers again, on the same address and with the same data. */
  restart(): Promise<void>;
}

const CONTROL = process.env['RECADO_TEST_CONTROL'];
const OURS = (process.env['RECADO_TEST_FAULTS'] ?? '').split(',');

/** Null for a server that this run did not start. */
export function faultyServer(name: ServerName): FaultyServer | null {
  if (CONTROL === undefined || !OURS.includes(name)) return null;
  const does = (fault: Fault) => async (): Promise<void> => {
    const answer = await fetch(`${CONTROL}/${name}/${fault}`, { method: 'POST' });
    if (answer.status !== 204) throw new Error(`${fault} of ${name}: ${await answer.text()}`);
  };
  return { pause: does('pause'), resume: does('resume'), kill: does('kill'), restart: does('restart') };
}

/** @throws Error outside of `npm run test:real` */
export function serverUrl(variable: 'EVENTSTORE_URL' | 'MONGODB_URL' | 'KAFKA_BROKERS'): string {
  const url = process.env[variable];
  if (url === undefined) throw new Error(`${variable} is not set: run this with npm run test:real`);
  return url;
}
