/** Runs the built CLI as a process of its own, as an operator does: for signals, pipes, folders and programs it starts. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { projectFile } from '../support/root.js';
import { ranAs, type Ran, type RunOptions } from './run.js';

const ROOT = projectFile('./');
/** The built program, for a shell. */
export const RECADO = projectFile('dist/cli/main.js');

export interface ProcessOptions extends RunOptions {
  /** Default: one without a data folder. */
  readonly cwd?: string;
  /** Interrupts as soon as stdout holds this. */
  readonly interruptAfter?: string;
}

let building: Promise<unknown> | undefined;

/** Also after a change that nobody has built yet. */
export const built = (): Promise<unknown> =>
  (building ??= promisify(execFile)(process.execPath, ['deploy/build.mjs', '--if-needed', '--quiet'], {
    cwd: ROOT,
  }));

export async function runProcess(args: readonly string[], options: ProcessOptions = {}): Promise<Ran> {
  await built();
  const child = spawn(process.execPath, [RECADO, ...args], {
    // Nothing of the machine that the tests run on.
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd: options.cwd ?? tmpdir(),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (options.interruptAfter !== undefined && stdout.includes(options.interruptAfter)) child.kill('SIGINT');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined).end(options.stdin ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return ranAs(code, stdout, stderr);
}
