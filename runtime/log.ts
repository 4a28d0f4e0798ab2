/**
 * The log: one JSON line per entry. Fields are chosen where a line is written and contain no personal data. Fields with
 * names of secrets are redacted all the same, at all depths listed below.
 */
import pino, { type DestinationStream, type Logger } from 'pino';

const SECRETS = [
  'authorization',
  'access_token',
  'accessToken',
  'api_key',
  'admin_token',
  'webhook_secret',
  'secret',
  'token',
  'password',
];
/** pino compiles a path for each depth. Such a field could come from `err`, or from within an object. */
const DEPTHS = ['', '*.', '*.*.', 'err.*.', 'err.cause.'];

export const createLog = (level: string, destination: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      redact: { paths: DEPTHS.flatMap((depth) => SECRETS.map((name) => depth + name)), censor: '[redacted]' },
    },
    destination,
  );
