/** The command-line arguments of `npm start`. */
import { ConfigError } from './config.js';

/**
 * `--roles api,workers` is equivalent to `ROLES=api,workers`.
 * @throws ConfigError
 */
export function rolesFrom(args: readonly string[]): Readonly<Record<string, string>> {
  const [name, value, ...more] = args;
  if (name === undefined) return {};
  const inline = /^--roles=(.+)$/.exec(name)?.[1];
  if (inline !== undefined && value === undefined) return { ROLES: inline };
  if (name === '--roles' && value !== undefined && more.length === 0) return { ROLES: value };
  throw new ConfigError(
    `"${args.join(' ')}" is not understood. The only option is --roles api,projections,workers; all else is set by the environment (see README).`,
  );
}
