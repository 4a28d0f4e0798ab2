/** Writes events to a file of lines, which grows only by whole batches; `-` is standard output. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { codeOf, messageOf } from '../../ports/thrown.js';
import { usage } from '../failure.js';
import { writeAll } from '../files.js';
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
    const [code, message] = [codeOf(error), messageOf(error)];
    if (code !== 'ENOENT') throw usage(`${path} can't be written: ${message}`);
    throw usage(`${path} can't be written: its folder does not exist.`, 'Make it first.');
  }
  return {
    name: path,
    batch,
    async send(events) {
      writeAll(fd, Buffer.from(events.map(({ line }) => `${line}\n`).join('')));
    },
    async close() {
      fsyncSync(fd);
      closeSync(fd);
    },
  };
}
