/**
 * `recado --version`, read before commander parses the line: it would take every `--version` for the program's own, and
 * `projections drop --version N` is another option.
 */
import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { part, text } from './answer.js';

export const VERSION = new Option('-V, --version', 'print the version of this program');

/** Of the package, whether this runs from its sources or from its build. */
export function packageVersion(): string {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      return text(part(JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')))['version']);
    } catch {
      // The other place, then.
    }
  }
  return '0.0.0';
}

/** True for a version option that stands before any command, among options of the program. */
export function asksForVersion(program: Command, args: readonly string[]): boolean {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]!;
    if (isFlag(VERSION, word)) return true;
    const option = program.options.find((each) => isFlag(each, word.replace(/=.*$/s, '')));
    if (option === undefined) return false;
    if (option.required && !word.includes('=')) at += 1;
  }
  return false;
}

const isFlag = ({ long, short }: Option, word: string): boolean => word === long || word === short;
