#!/usr/bin/env node
/** `recado`: the operator's and analyst's commands, a client of /admin/v1 and of nothing else. */
import { CommanderError } from 'commander';
import { EXIT, Failure } from './failure.js';
import type { Io } from './io.js';
import { createProgram } from './program.js';

const io: Io = { env: process.env, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };

async function main(): Promise<number> {
  try {
    await createProgram(io).parseAsync(process.argv);
    return EXIT.done;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  // Commander has written what there is to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (!(error instanceof Failure)) {
    io.stderr.write(
      `recado: unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return EXIT.failed;
  }
  io.stderr.write(`recado: ${error.message}\n`);
  if (error.next !== undefined) io.stderr.write(`${error.next}\n`);
  if (error.requestId !== undefined) io.stderr.write(`Request id: ${error.requestId}\n`);
  return error.exitCode;
}

// A reader such as `head` that has seen enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
});
process.on('SIGINT', () => {
  io.stderr.write('\nInterrupted. What the server was asked to do goes on there.\n');
  process.exit(EXIT.interrupted);
});

process.exitCode = await main();
