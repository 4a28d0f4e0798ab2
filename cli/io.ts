/** The program's inputs and outputs, which tests replace. */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Clock } from '../ports/clock.js';
import { unreadable, usage } from './failure.js';

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly clock: Clock;
}

/** Messages for people go to stderr, so that stdout holds nothing but data. */
export const say = (io: Io, text: string): void => void io.stderr.write(`${text}\n`);

/**
 * Asks before something that can't be undone. Without a terminal to ask on, `--yes` is the answer.
 * @throws Failure when nobody can be asked, or the answer is no
 */
export async function confirm(io: Io, what: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!io.stdin.isTTY || !io.stderr.isTTY) {
    throw usage(`${what} There is no terminal to ask on.`, 'Repeat the command with --yes if you mean it.');
  }
  const questions = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const answer = await questions.question(`${what} Type "yes" to continue: `);
    if (answer.trim().toLowerCase() !== 'yes') throw usage('Nothing was changed.');
  } finally {
    questions.close();
  }
}

const SECRET = {
  most: 16_384,
  tooLong: 'What came from stdin is no access token: it is too long.',
};

/**
 * A secret from a file (`-` is stdin) or the environment: on the command line, every user of the machine could read it.
 * @throws Failure
 */
export async function readSecret(io: Io, file: string | undefined, variable: string): Promise<string> {
  const text = file === undefined ? io.env[variable] : await readText(io, file, SECRET);
  const secret = text?.trim() ?? '';
  if (secret !== '') return secret;
  throw usage(
    file === undefined
      ? 'There is no access token.'
      : `${file === '-' ? 'stdin' : file} holds no access token.`,
    `Give a file with --access-token-file (- is stdin), or set ${variable}.`,
  );
}

/**
 * A file, or standard input where its name is `-`.
 * @param bound the most characters read from standard input, and the error message for more
 * @throws Failure
 */
export async function readText(
  io: Io,
  file: string,
  bound?: { readonly most: number; readonly tooLong: string },
): Promise<string> {
  if (file !== '-') {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw unreadable(file, error);
    }
  }
  let text = '';
  for await (const chunk of io.stdin) {
    text += String(chunk);
    if (bound && text.length > bound.most) throw usage(bound.tooLong);
  }
  return text;
}
