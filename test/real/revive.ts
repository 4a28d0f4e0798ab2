/** Revives servers that a suite left dead or paused, for the next suite. */
import { connect } from 'node:net';
import type { Stack } from './stack.js';

const CONNECT_MS = 5_000;

/** Restarts servers that accept no connections. Returns one line for each, with the reason if the restart failed. */
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
