/**
 * Injects faults into the servers of a run on behalf of its tests, which run in another process:
 * `POST /<server>/<fault>`. It offers only servers that the run started itself.
 */
import type { RunningServer, ServerName } from './servers/server.js';
import type { Stack } from './stack.js';
import { serve } from '../support/servers.js';

export const FAULTS = ['pause', 'resume', 'kill', 'restart'] as const;
export type Fault = (typeof FAULTS)[number];

export interface Control {
  /** For the process of the tests. */
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

  const http = await serve((req, res) => {
    apply(req.url ?? '').then(
      () => res.writeHead(204).end(),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  });
  const names = [...ours.keys()] as ServerName[];
  return {
    env: { RECADO_TEST_CONTROL: http.origin, RECADO_TEST_FAULTS: names.join(',') },
    close: () => http.close(),
  };
}
