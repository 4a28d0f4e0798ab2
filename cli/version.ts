/**
 * `recado --version`, checked before commander parses the line: commander would treat every `--version` as the
 * program's own, and `projections drop --version N` is another option.
 */
import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { part, text } from './answer.js';

export const VERSION = new Option('-V, --version', 'print the version of this program');

/** The package's version, for a run from sources and from the build. */
export function packageVersion(): string {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      return text(part(JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')))['version']);
    } catch {
      // Try the other place.
    }
  }
  return '0.0.0';
}

/** True for a version option before any command, among the program's own options. */
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
