/** A start of the product that is expected to end by itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../runtime/main.ts', import.meta.url));

export interface Ended {
  readonly code: number | null;
  /** What an operator reads: standard error without log lines. */
  readonly said: readonly string[];
}

export async function startAndEnd(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString('utf8')));
  await once(child, 'close');
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('{'));
  return { code: child.exitCode, said: lines };
}
