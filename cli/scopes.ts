/** What an API key may be allowed to do. A test holds this list against the server's own. */
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
] as const;

const ALL = 'all';

/** Names that this release does not know are left to the server. */
export function readScopes(text: string): readonly string[] {
  const named = words(text);
  if (named.length === 0) throw new InvalidArgumentError(`Name scopes, or say "${ALL}".`);
  return named.includes(ALL) ? SCOPES : named;
}

/** For people: a key that may do everything. */
export function shownScopes(value: unknown): string {
  const scopes = texts(value);
  return SCOPES.every((scope) => scopes.includes(scope)) ? ALL : scopes.join(', ');
}
