/**
 * The log: a JSON line for each thing that happened. Fields are chosen where a line is written and hold no personal data;
 * what is named like a secret is taken out here all the same, however deep it lies.
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
/** pino compiles a path for each: `err` and one level inside an object is where such a thing could come from. */
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
