/**
 * Runs programs of the server that work on this machine's files, for use without a running server. They run as separate
 * processes, so the command line remains a client.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT, Failure } from './failure.js';
import type { Resource } from './client.js';
import type { Io } from './io.js';

const PROGRAMS = { doctor: 'doctor/doctor', restore: 'backup/restore' } as const;
type Program = keyof typeof PROGRAMS;

/** The program's path relative to the command line, in sources and in the build. */
function programPath(name: Program): string {
  const file = `${PROGRAMS[name]}${extname(fileURLToPath(import.meta.url))}`;
  return fileURLToPath(new URL(`../runtime/${file}`, import.meta.url));
}

/** The program's JSON output. @throws Failure with its error text */
export async function runLocal(io: Io, name: Program, args: readonly string[]): Promise<Resource> {
  const child = spawn(process.execPath, [...process.execArgv, programPath(name), ...args], {
    env: io.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === EXIT.done) return JSON.parse(stdout) as Resource;
  throw new Failure(code ?? EXIT.failed, stderr.trim() === '' ? `${name} ended early.` : stderr.trim());
}
