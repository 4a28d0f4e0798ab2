/** Events into a file of lines, which only grows by whole batches; `-` is standard output. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { once } from 'node:events';
import { usage } from '../failure.js';
import type { Io } from '../io.js';
import type { Target } from './target.js';

export function fileTarget(io: Io, path: string, batch: number): Target {
  if (path === '-') {
    return {
      name: 'standard output',
      batch,
      async send(events) {
        if (!io.stdout.write(events.map(({ line }) => `${line}\n`).join(''))) await once(io.stdout, 'drain');
      },
      close: async () => undefined,
    };
  }
  let fd: number;
  try {
    fd = openSync(path, 'a', 0o600);
  } catch (error) {
    throw usage(`${path} can't be written: ${(error as Error).message}`);
  }
  return {
    name: path,
    batch,
    async send(events) {
      const bytes = Buffer.from(events.map(({ line }) => `${line}\n`).join(''));
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    },
    async close() {
      fsyncSync(fd);
      closeSync(fd);
    },
  };
}
