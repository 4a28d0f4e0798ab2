/** Reads the parts of an admin API response: a shape that this release does not know is an error, not printed. */
import { EXIT, Failure } from './failure.js';

/** A resource of the admin API, as parsed from JSON. */
export type Resource = Readonly<Record<string, unknown>>;

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function otherThan(expected: string): Failure {
  return new Failure(
    EXIT.failed,
    `The server did not answer with ${expected}: it may be of another release than this program.`,
    'Use the program that came with the server: "recado doctor" names the release of the server.',
  );
}

export function part(value: unknown): Resource {
  if (isResource(value)) return value;
  throw otherThan('an object');
}

export function parts(value: unknown): readonly Resource[] {
  if (Array.isArray(value)) return value.map(part);
  throw otherThan('a list of objects');
}

export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw otherThan('a text');
}

export function texts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(text);
  throw otherThan('a list of texts');
}

export function number(value: unknown): number {
  if (typeof value === 'number') return value;
  throw otherThan('a number');
}

/** Reads a value that may be absent or null. */
export const maybe = <T>(value: unknown, read: (value: unknown) => T): T | null =>
  value === null || value === undefined ? null : read(value);

/** An actor with the name that it has now, else its id. */
export const whoOf = ({ kind, id, name }: Resource): string =>
  [kind, name ?? id].filter((text) => typeof text === 'string').join(' ');
