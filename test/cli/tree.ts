/** The tree of commands without inputs or outputs: parsing a line has no effect. */
import type { Command } from 'commander';
import type { Io } from '../../cli/io.js';
import { createProgram } from '../../cli/program.js';
import { systemClock } from '../../adapters/clock/system.js';

export function bareProgram(): Command {
  const { stdin, stdout, stderr } = process;
  const io: Io = { env: {}, stdin, stdout, stderr, clock: systemClock };
  return createProgram(io);
}

/** A command and all its subcommands. */
export const allOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(allOf)];

/** The `--help` output of a command. */
export function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}

/**
 * Parses a command line, given as the words after the program's name, without running it.
 * @throws the parser's error
 */
export async function parseOnly(words: readonly string[]): Promise<void> {
  const program = bareProgram().hook('preAction', () => {
    throw new Reached();
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof Reached)) throw error;
  }
}

/** Thrown after parsing, when the command would start. */
class Reached extends Error {}

/** The words of `recado …` in a line of a shell, without other parts of a pipe and without redirected files. */
export function recadoIn(line: string): readonly string[] | null {
  for (const part of line.split(/\s\|\s/)) {
    const words = [...part.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, plain]) => single ?? double ?? plain!,
    );
    if (words[0] !== 'recado') continue;
    const end = words.findIndex((word) => /^[<>]$/.test(word));
    return words.slice(1, end < 0 ? words.length : end);
  }
  return null;
}
