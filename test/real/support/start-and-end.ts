/** A start of the product that must end by itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { built } from '../../support/built.js';

export interface Ended {
  readonly code: number | null;
  /** The output for operators: standard error without log lines. */
  readonly said: readonly string[];
}

export async function startAndEnd(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Ended> {
  const child = spawn(process.execPath, [await built('runtime/main.ts'), ...args], {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString('utf8')));
  await once(child, 'close');
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('{'));
  return { code: child.exitCode, said: lines };
}
