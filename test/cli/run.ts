/** Runs the CLI as a process of its own, as an operator would. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const MAIN = new URL('../../cli/main.ts', import.meta.url).pathname;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as JSON. */
  json<T = Readonly<Record<string, unknown>>>(): T;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
  /** Interrupts as soon as stdout holds this. */
  readonly interruptAfter?: string;
}

export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, ['--import', TSX, MAIN, ...args], {
    // Nothing of the machine the tests run on: no RECADO_*, no NO_COLOR, no terminal.
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
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
  return { code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T };
}
