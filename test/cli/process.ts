/** Runs the built CLI as a separate process, as an operator does: for signals, pipes, folders and child programs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { built } from '../support/built.js';
import { ranAs, type Ran, type RunOptions } from './run.js';

export interface ProcessOptions extends RunOptions {
  /** Default: one without a data folder. */
  readonly cwd?: string;
  /** Interrupts the process as soon as stdout contains this. */
  readonly interruptAfter?: string;
}

export async function runProcess(args: readonly string[], options: ProcessOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [await built('cli/main.ts'), ...args], {
    // Nothing from the environment of the test machine.
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
