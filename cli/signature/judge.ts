/** Verifies a webhook as its receiver does, and finds the usual cause where it does not verify. */
import {
  serviceSignature,
  standardWebhooksSignature,
  TIMESTAMP_TOLERANCE_SECONDS,
} from '../../domain/policies/webhook-signature.js';
import { counted } from '../readable.js';
import type { HeaderLines } from './headers.js';

export interface Received {
  readonly headers: HeaderLines;
  readonly body: Buffer;
  readonly secrets: readonly string[];
  /** Unix seconds; null: any age is accepted. */
  readonly now: number | null;
}

export interface Verdict {
  readonly scheme: 'service' | 'standard-webhooks';
  readonly result: 'valid' | 'missing' | 'malformed' | 'mismatch' | 'stale';
  /** What is wrong, and the usual cause; null where nothing is. */
  readonly why: string | null;
}

/** One of the two forms in which each delivery is signed. */
interface Scheme {
  readonly name: Verdict['scheme'];
  readonly signature: string;
  readonly timestamp: string;
  readonly id?: string;
  readonly form: RegExp;
  readonly looksLike: string;
  readonly between: RegExp;
  readonly sign: (body: Buffer, timestamp: string, secret: string, id: string) => string;
}

const SCHEMES: readonly Scheme[] = [
  {
    name: 'service',
    signature: 'service-signature',
    timestamp: 'service-timestamp',
    form: /^v1=[a-f0-9]{64}(?:,v1=[a-f0-9]{64})*$/,
    looksLike: 'v1= and 64 hex digits in lower case, once or twice with a comma between',
    between: /,/,
    sign: (rawBody, timestamp, secret) => serviceSignature({ timestamp, rawBody, secrets: [secret] }),
  },
  {
    name: 'standard-webhooks',
    signature: 'webhook-signature',
    timestamp: 'webhook-timestamp',
    id: 'webhook-id',
    form: /^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=)*$/,
    looksLike: 'v1, and 44 characters of base64, once or twice with a space between',
    between: / /,
    sign: (rawBody, timestamp, secret, id) =>
      standardWebhooksSignature({ id, timestamp, rawBody, secrets: [secret] }),
  },
];

/** The verdict on each form of which a header was given; on the first form where none was. */
export function judge(received: Received): readonly Verdict[] {
  const { headers } = received;
  const given = SCHEMES.filter(({ signature, timestamp, id }) =>
    [signature, timestamp, id].some((name) => name !== undefined && headers.has(name)),
  );
  return (given.length > 0 ? given : SCHEMES.slice(0, 1)).map((scheme) => verdictOf(scheme, received));
}

function verdictOf(scheme: Scheme, received: Received): Verdict {
  const { headers, now } = received;
  const [signature = '', timestamp = ''] = [headers.get(scheme.signature), headers.get(scheme.timestamp)];
  const id = scheme.id === undefined ? '' : (headers.get(scheme.id) ?? '');
  const as = (result: Verdict['result'], why: string | null): Verdict => ({
    scheme: scheme.name,
    result,
    why,
  });

  const missing = [scheme.signature, scheme.timestamp, scheme.id].filter(
    (name) => name !== undefined && !headers.get(name),
  );
  if (missing.length > 0) {
    return as(
      'missing',
      `There is no ${missing.join(' and no ')}. A proxy may remove headers that it does not know.`,
    );
  }
  if (!/^[0-9]+$/.test(timestamp)) {
    return as('malformed', `${scheme.timestamp} is "${timestamp}", but it is a number: seconds since 1970.`);
  }
  if (!scheme.form.test(signature)) {
    return as('malformed', `${scheme.signature} is cut off or altered: it is ${scheme.looksLike}.`);
  }
  const entries = new Set(signature.split(scheme.between));
  const matches = (body: Buffer, secrets: readonly string[]): boolean =>
    secrets.some((secret) => entries.has(scheme.sign(body, timestamp, secret, id)));
  if (!matches(received.body, received.secrets)) return as('mismatch', causeOf(received, matches));
  const off = now === null ? 0 : now - Number(timestamp);
  if (Math.abs(off) <= TIMESTAMP_TOLERANCE_SECONDS) return as('valid', null);
  const apart = counted(Math.abs(off), 'second');
  return as(
    'stale',
    off > 0
      ? `The signature is right but ${apart} old, and receivers refuse more than ${TIMESTAMP_TOLERANCE_SECONDS}. An attempt is signed when it is sent: --any-age checks a stored one.`
      : `The signature is right but ${apart} ahead of this machine's clock. Set the clock.`,
  );
}

/** Tries what usually goes wrong until the signature matches. */
function causeOf(
  { body, secrets }: Received,
  matches: (body: Buffer, secrets: readonly string[]) => boolean,
): string {
  for (const [cause, altered] of alteredBodies(body)) {
    if (matches(altered, secrets)) return `${cause} Sign and verify the raw bytes, before any parser.`;
  }
  if (matches(body, secrets.flatMap(alteredSecrets))) {
    return 'The secret is not the whole one: use it as it was shown, with "whsec_" and to its last character.';
  }
  return 'The body, the timestamp or the secret is another one. Usual causes: the secret of another integration, or one from before a rotation; a body that was parsed and written again; the timestamp of another attempt.';
}

function alteredBodies(body: Buffer): readonly (readonly [string, Buffer])[] {
  const text = body.toString('utf8');
  const bytes = (altered: string): Buffer => Buffer.from(altered, 'utf8');
  return [
    [
      'The body ends with a line break that was not sent; an editor or "echo" may have added it.',
      bytes(text.replace(/\r?\n$/, '')),
    ],
    ['The body lacks the line break at its end that was sent.', bytes(`${text}\n`)],
    [
      'The body has an encoding mark (BOM) at its beginning that was not sent.',
      bytes(text.replace(/^\uFEFF/, '')),
    ],
    ['The line breaks of the body were changed.', bytes(text.replaceAll('\r\n', '\n'))],
    ['The body was parsed and written again, with other spaces or escapes.', bytes(compact(text))],
  ];
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

const alteredSecrets = (secret: string): readonly string[] => [
  secret.replace(/^whsec_/, ''),
  `whsec_${secret}`,
  `${secret}=`,
  secret.replace(/^["']|["']$/g, ''),
];
