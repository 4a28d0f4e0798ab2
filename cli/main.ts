#!/usr/bin/env node
/** `recado`: commands of operators and analysts, a client of /admin/v1; and of integrators, a client of /api/v1. */
import { systemClock } from '../adapters/clock/system.js';
import { asksForJson, explain } from './explain.js';
import { EXIT, Failure } from './failure.js';
import type { Io } from './io.js';
import { runProgram } from './program.js';

// Only the owner may read written files, independent of the shell's umask.
process.umask(0o077);

const { env, stdin, stdout, stderr } = process;
const io: Io = { env, stdin, stdout, stderr, clock: systemClock };
const args = process.argv.slice(2);

// A reader such as `head` that closes the pipe early is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
});
const INTERRUPTED = 'Interrupted. The server continues what it was asked to do.';
process.on('SIGINT', () => {
  if (asksForJson(args)) explain(io, new Failure(EXIT.interrupted, INTERRUPTED), true, undefined);
  else io.stderr.write(`\n${INTERRUPTED}\n`);
  process.exit(EXIT.interrupted);
});

process.exitCode = await runProgram(io, args);
