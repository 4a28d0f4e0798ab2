/** Tokens of the form `<uuid>.<secret>`: the uuid finds the record, which has a digest of the secret only. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/;
const SECRET_BYTES = 32;

export interface NewToken {
  readonly token: string;
  /** Lower-case hex. */
  readonly digest: string;
}

export function newToken(uuid: string): NewToken {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { token: `${uuid}.${secret}`, digest: digestOf(secret) };
}

export interface GivenToken {
  readonly uuid: string;
  readonly secret: string;
}

/** Null when the text has another form. */
export function parseToken(text: string): GivenToken | null {
  const [, uuid, secret] = TOKEN.exec(text) ?? [];
  return uuid === undefined || secret === undefined ? null : { uuid, secret };
}

export const isDigestOf = (digest: string, secret: string): boolean =>
  timingSafeEqual(Buffer.from(digest, 'hex'), Buffer.from(digestOf(secret), 'hex'));

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
