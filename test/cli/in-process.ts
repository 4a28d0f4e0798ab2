/** The program in this process: for tests that run it often, or look at how it goes on. Output is no terminal's. */
import { PassThrough } from 'node:stream';
import { CommanderError } from 'commander';
import { EXIT, Failure } from '../../cli/failure.js';
import { createProgram } from '../../cli/program.js';
import type { Ran } from './run.js';

export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  let [said, complained] = ['', ''];
  stdout.on('data', (piece: Buffer) => (said += piece.toString()));
  stderr.on('data', (piece: Buffer) => (complained += piece.toString()));
  const io = { env, stdin, stdout, stderr } as unknown as Parameters<typeof createProgram>[0];
  const code = await outcome(createProgram(io).parseAsync(['node', 'recado', ...args]), (text) => {
    complained += text;
  });
  return { code, stdout: said, stderr: complained, json: <T>() => JSON.parse(said) as T };
}

async function outcome(work: Promise<unknown>, say: (text: string) => void): Promise<number> {
  try {
    await work;
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof Failure)) throw error;
    say(`recado: ${error.message}\n${error.next ?? ''}\n`);
    return error.exitCode;
  }
}
