/** The client, output and settings of a command, made from its options. */
import { InvalidArgumentError, type Command } from 'commander';
import { createClient, type Client, type Door } from './client.js';
import { findApiKey, findCredentials, type CredentialOptions } from './credentials.js';
import { say, type Io } from './io.js';
import { createOutput, type Output, type OutputOptions } from './output.js';
import { createOwners, path, type Owners } from './owner.js';

export { path };

export interface GlobalOptions extends CredentialOptions, OutputOptions {
  readonly timeout: number;
}

export interface Session extends Owners {
  readonly io: Io;
  readonly client: Client;
  readonly out: Output;
  /** A message for people. */
  readonly say: (text: string) => void;
}

export function openSession(io: Io, options: GlobalOptions): Session {
  const credentials = findCredentials(io, options);
  const client = createClient(credentials, options.timeout * 1000, io.clock);
  return { ...offline(io, options), client, ...createOwners(client, credentials) };
}

/** A session of a command that calls no server. */
export type Offline = Omit<Session, 'client' | keyof Owners>;

function offline(io: Io, options: GlobalOptions): Offline {
  return { io, out: createOutput(io, options), say: (text) => say(io, text) };
}

/** A session of an integrator, by an API key. */
export interface KeySession extends Offline {
  readonly client: Client;
  readonly door: Door;
}

export function openKeySession(io: Io, options: GlobalOptions): KeySession {
  const door = findApiKey(io, options);
  return { ...offline(io, options), door, client: createClient(door, options.timeout * 1000, io.clock) };
}

type Work<S, O> = (session: S, options: O & GlobalOptions, ...args: string[]) => Promise<void>;
type Action = (...given: unknown[]) => Promise<void>;

/**
 * The action of a command: options of the command and of the program together, then its arguments.
 */
const action =
  <S>(open: (io: Io, options: GlobalOptions) => S) =>
  <O>(io: Io, work: Work<S, O>): Action =>
  async (...given) => {
    const command = given[given.length - 1] as Command;
    const options = command.optsWithGlobals<O & GlobalOptions>();
    // Arguments that may be repeated are a list in theirs.
    await work(open(io, options), options, ...(given.slice(0, -2).flat() as string[]));
  };

/** For commands of operators. */
export const act = action(openSession);
/** For commands of integrators. */
export const actByKey = action(openKeySession);
export const actOffline = action(offline);

export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };

export const words = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Options of every list. */
export const listOptions = (command: Command): Command =>
  command.option('--limit <n>', 'how many at most', wholeNumber(1, 100_000), 50);

/** @param lines without the program's name; one that begins with "$" is a whole command line */
export const examples = (command: Command, ...lines: readonly string[]): Command =>
  command.addHelpText(
    'after',
    `\nExamples:\n${lines.map((line) => `  ${line.startsWith('$ ') ? line : `$ recado ${line}`}`).join('\n')}`,
  );
