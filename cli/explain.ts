/** Reports a failure: to people in sentences, under `--json` as one object on one line. */
import type { Command, CommanderError } from 'commander';
import { EXIT, Failure, usage } from './failure.js';
import { say, type Io } from './io.js';

/** True where a program reads the errors. Checked here because commander may fail before it has parsed the option. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).includes('--json');
}

/** `recado companies list` */
export function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Converts commander's error to a failure that says what happened and what to do next. */
export function wrongUsage(command: Command, { code, message }: CommanderError): Failure {
  const help = `See "${nameOf(command)} --help".`;
  if (code === 'commander.help') {
    const names = command.commands.map((each) => each.name());
    return usage(`"${nameOf(command)}" is not a complete command: add one of ${names.join(', ')}.`, help, {
      code: 'missing_command',
    });
  }
  const [, what = message, meant] = /^(?:error: )?(.*?)(?:\n\((Did you mean .*\?)\))?$/s.exec(message) ?? [];
  return usage(what, meant === undefined ? help : `${meant} ${help}`, {
    code: code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  });
}

/**
 * @param command the command that had started, if any
 * @returns the exit code
 */
export function explain(io: Io, error: unknown, json: boolean, command: Command | undefined): number {
  const failure = error instanceof Failure ? error : unexpected(error);
  const next =
    failure.next ??
    (failure.exitCode === EXIT.usage && command !== undefined
      ? `See "${nameOf(command)} --help".`
      : undefined);
  if (json) say(io, JSON.stringify({ error: forPrograms(failure, next) }));
  else {
    say(io, `recado: ${failure.message}`);
    if (next !== undefined) say(io, next);
    if (failure.requestId !== undefined) say(io, `Request id: ${failure.requestId}`);
  }
  return failure.exitCode;
}

const forPrograms = ({ code, message, exitCode, details, requestId }: Failure, next: string | undefined) => ({
  code,
  message,
  ...(next === undefined ? {} : { next }),
  exit_code: exitCode,
  ...(details === undefined ? {} : { details }),
  ...(requestId === undefined ? {} : { request_id: requestId }),
});

const unexpected = (error: unknown): Failure =>
  new Failure(
    EXIT.failed,
    `unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    'This is a fault of the program: report it with these lines and what "recado --version" prints.',
    { code: 'unexpected' },
  );
