/** Runs the CLI in this process: everything of it but what only a process has, which is what `process.ts` is for. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Io } from '../../cli/io.js';
import { runProgram } from '../../cli/program.js';

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
}

/** Nothing of the machine that the tests run on: no RECADO_*, no NO_COLOR, no ./data, no terminal. */
const ENV = { RECADO_DATA_DIR: join(tmpdir(), 'recado-cli-has-no-data-folder') };

export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const stdin = Readable.from(options.stdin ? [options.stdin] : [], { objectMode: false });
  const [stdout, stderr] = [collector(), collector()];
  const io = { env: { ...ENV, ...options.env }, stdin, stdout, stderr } as unknown as Io;
  const code = await runProgram(io, args);
  return ranAs(code, stdout.text(), stderr.text());
}

export const ranAs = (code: number | null, stdout: string, stderr: string): Ran => ({
  code,
  stdout,
  stderr,
  json: <T>() => JSON.parse(stdout) as T,
});

function collector(): Writable & { text(): string } {
  const pieces: Buffer[] = [];
  const into = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return Object.assign(into, { text: () => Buffer.concat(pieces).toString('utf8') });
}
