/** The scopes of an API key. A test compares this list with the server's. */
import { InvalidArgumentError } from 'commander';
import { texts } from './answer.js';
import { words } from './session.js';

export const SCOPES = [
  'channels:read',
  'contacts:read',
  'contacts:write',
  'flows:read',
  'flows:execute',
  'templates:read',
  'messages:send',
  'operations:read',
  'conversations:read',
  'store:read',
  'store:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
] as const;

const ALL = 'all';

/** The server checks names that this release does not know. */
export function readScopes(text: string): readonly string[] {
  const named = words(text);
  if (named.length === 0) throw new InvalidArgumentError(`Name scopes, or say "${ALL}".`);
  return named.includes(ALL) ? SCOPES : named;
}

/** Shown to people: a key with all scopes. */
export function shownScopes(value: unknown): string {
  const scopes = texts(value);
  return SCOPES.every((scope) => scopes.includes(scope)) ? ALL : scopes.join(', ');
}
