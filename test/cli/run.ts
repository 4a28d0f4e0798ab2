/** Runs the CLI in this process. Tests that need a separate process use `process.ts`. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Io } from '../../cli/io.js';
import { runProgram } from '../../cli/program.js';
import { eventually } from '../support/e2e/eventually.js';
import { steppingClock, type SteppingClock } from '../support/fakes/stepping-clock.js';

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

/** A running command, and its clock. */
export interface Running {
  readonly clock: SteppingClock;
  readonly ended: Promise<Ran>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /**
   * Advances the clock in steps of `ms` until the command ends. A call may take several steps: allow it more with
   * `--timeout`.
   */
  pass(ms: number): Promise<Ran>;
}

/** Isolated from the test machine: no RECADO_*, no NO_COLOR, no ./data, no terminal. */
const ENV = { RECADO_DATA_DIR: join(tmpdir(), 'recado-cli-has-no-data-folder') };

export const run = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  start(args, options).ended;

export function start(args: readonly string[], options: RunOptions = {}): Running {
  const stdin = Readable.from(options.stdin ? [options.stdin] : [], { objectMode: false });
  const [stdout, stderr] = [collector(), collector()];
  const clock = steppingClock();
  const io = { env: { ...ENV, ...options.env }, stdin, stdout, stderr, clock } as unknown as Io;
  let over = false;
  const ended = runProgram(io, args)
    .then((code) => ranAs(code, stdout.text(), stderr.text()))
    .finally(() => (over = true));
  return {
    clock,
    ended,
    stdout: () => stdout.text(),
    stderr: () => stderr.text(),
    async pass(ms) {
      await eventually(
        () => {
          if (!over) clock.leap(ms);
          return over;
        },
        { what: 'the command to end' },
      );
      return ended;
    },
  };
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
