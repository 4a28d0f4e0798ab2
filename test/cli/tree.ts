/** The tree of commands without a world around it: parsing a line does nothing. */
import type { Command } from 'commander';
import type { Io } from '../../cli/io.js';
import { createProgram } from '../../cli/program.js';
import { systemClock } from '../../adapters/clock/system.js';

export function bareProgram(): Command {
  const { stdin, stdout, stderr } = process;
  const io: Io = { env: {}, stdin, stdout, stderr, clock: systemClock };
  return createProgram(io);
}

/** A command and all below it. */
export const allOf = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(allOf)];

/** What `--help` of a command prints. */
export function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}

/**
 * Parses a command line, words behind the program's name, as it would be run, and does nothing.
 * @throws what the parser has against it
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

/** The parser is through, and the command would begin. */
class Reached extends Error {}

/** The words of `recado …` in a line of a shell: what comes before and behind in a pipe, and files, are left out. */
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
