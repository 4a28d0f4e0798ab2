/** The command-line arguments of `npm start`. */
import { ConfigError } from './config.js';

/**
 * `--roles api,workers` is equivalent to `ROLES=api,workers`.
 * @throws ConfigError
 */
export function rolesFrom(args: readonly string[]): Readonly<Record<string, string>> {
  const [name, ...rest] = args;
  if (name === undefined) return {};
  const inline = /^--roles=(.+)$/.exec(name)?.[1];
  if (inline !== undefined && rest.length === 0) return { ROLES: inline };
  if (name === '--roles' && rest.length === 1) return { ROLES: rest[0]! };
  throw new ConfigError(
    `"${args.join(' ')}" is not understood. The only option is --roles api,projections,workers; all else is set by the environment (see README).`,
  );
}
