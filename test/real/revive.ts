/** Servers of a run that a suite left dead or asleep: the next suite finds them awake. */
import { connect } from 'node:net';
import type { Stack } from './stack.js';

const CONNECT_MS = 5_000;

/** Starts again what no longer takes connections. Answers one line for each, with why where it could not be done. */
export async function revive(stack: Stack): Promise<readonly string[]> {
  const said = await Promise.all(
    [...stack.found].map(async ([name, { server }]) => {
      if (!server) return null;
      if (server.pid > 0) server.resume();
      if (await listens(server.url)) return null;
      try {
        await server.restart();
        return `WARNING: ${name} had died. It was started again.`;
      } catch (error) {
        return `FAILED: ${name} had died and does not start again: ${String(error)}`;
      }
    }),
  );
  return said.filter((line) => line !== null);
}

function listens(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url.includes('://') ? url : `tcp://${url}`);
  const socket = connect({ host: hostname, port: Number(port), timeout: CONNECT_MS });
  return new Promise((resolve) => {
    const answer = (listening: boolean) => () => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', answer(true)).once('error', answer(false)).once('timeout', answer(false));
  });
}
