/**
 * Faults done to the servers of a run on behalf of its tests, which run in another process: `POST /<server>/<fault>`.
 * Only servers that the run has started for itself are there.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningServer } from './servers/server.js';
import type { ServerName, Stack } from './stack.js';

export const FAULTS = ['pause', 'resume', 'kill', 'restart'] as const;
export type Fault = (typeof FAULTS)[number];

export interface Control {
  /** For the tests' process. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startControl(stack: Stack): Promise<Control> {
  const ours = new Map<string, RunningServer>();
  for (const [name, { server }] of stack.found) if (server) ours.set(name, server);

  async function apply(path: string): Promise<void> {
    const [, name = '', fault] = path.split('/');
    const server = ours.get(name);
    if (!server || !FAULTS.includes(fault as Fault)) throw new Error(`there is no ${path}`);
    await server[fault as Fault]();
  }

  const http = createServer((req, res) => {
    apply(req.url ?? '').then(
      () => res.writeHead(204).end(),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const names = [...ours.keys()] as ServerName[];
  return {
    env: { RECADO_TEST_CONTROL: `http://127.0.0.1:${port}`, RECADO_TEST_FAULTS: names.join(',') },
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
