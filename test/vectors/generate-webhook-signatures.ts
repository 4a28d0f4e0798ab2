/**
 * Writes clients/vectors.json: `npx tsx test/vectors/generate-webhook-signatures.ts`.
 *
 * Computes the signatures with nothing but `node:crypto`, so that the vectors do not inherit a mistake of the code
 * they check. The secrets are made from words and are of no use anywhere.
 */
import { createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { projectFile } from '../support/root.js';

export type Verdict = 'valid' | 'malformed' | 'mismatch' | 'stale';

/** The body as received, in one of three forms. A repeated unit keeps the file small. */
export type VectorBody =
  | { readonly text: string }
  | { readonly base64: string }
  | { readonly repeat: string; readonly count: number };

export interface SignatureVector {
  readonly name: string;
  /** Secrets that the receiver knows. A delivery is accepted if it is valid with any of them. */
  readonly secrets: readonly string[];
  /** The receiver's clock, unix seconds. */
  readonly now: number;
  /** The signing headers as received. One that is absent did not arrive. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: VectorBody;
  readonly expect: {
    /** By `Service-Timestamp` and `Service-Signature`. */
    readonly service: Verdict;
    /** By the three `webhook-*` headers; absent if Standard Webhooks has no rule for the case. */
    readonly standard_webhooks?: Verdict;
  };
}

export interface VectorFile {
  readonly about: string;
  readonly tolerance_seconds: number;
  readonly vectors: readonly SignatureVector[];
}

const secret = (word: string): string => `whsec_${createHash('sha256').update(word).digest('base64')}`;
const service = (key: string, timestamp: string, body: Uint8Array): string =>
  `v1=${createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')}`;
const standard = (key: string, id: string, timestamp: string, body: Uint8Array): string => {
  const bytes = key.startsWith('whsec_') ? Buffer.from(key.slice(6), 'base64') : Buffer.from(key, 'utf8');
  return `v1,${createHmac('sha256', bytes).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
};

const current = secret('recado example: current');
const previous = secret('recado example: previous');
const stranger = secret('recado example: stranger');
const id = '0190a0b0-1111-7000-8000-000000000001';
const timestamp = '1772366400';
const now = 1_772_366_410;
const simple = '{"id":"0190a0b0-1111-7000-8000-000000000001","type":"webhook.test","data":{}}';

interface Case {
  readonly name: string;
  readonly signedWith: readonly string[];
  readonly knows?: readonly string[];
  readonly signed?: VectorBody;
  readonly received?: string;
  readonly now?: number;
  readonly receivedTimestamp?: string;
  readonly serviceSignature?: string;
  readonly standardSignature?: string;
  /** Names of headers that did not arrive. */
  readonly missing?: readonly string[];
  readonly expect: Verdict;
  /** Where it differs from `expect`; null: Standard Webhooks has no rule for the case. */
  readonly standard?: Verdict | null;
}

const SERVICE_HEADERS = ['Service-Timestamp', 'Service-Signature'];
const STANDARD_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

const cases: readonly Case[] = [
  { name: 'valid', signedWith: [current], expect: 'valid' },
  {
    name: 'altered body',
    signedWith: [current],
    received: simple.replace('test', 'tesT'),
    expect: 'mismatch',
  },
  {
    name: 'body parsed and written again',
    signedWith: [current],
    received: simple.replaceAll(':', ': '),
    expect: 'mismatch',
  },
  { name: 'altered timestamp', signedWith: [current], receivedTimestamp: '1772366401', expect: 'mismatch' },
  { name: 'older than five minutes', signedWith: [current], now: 1_772_366_701, expect: 'stale' },
  { name: 'exactly five minutes old', signedWith: [current], now: 1_772_366_700, expect: 'valid' },
  { name: 'more than five minutes ahead', signedWith: [current], now: 1_772_366_099, expect: 'stale' },
  { name: 'wrong secret', signedWith: [stranger], knows: [current], expect: 'mismatch' },
  {
    name: 'rotation: receiver has the current secret',
    signedWith: [current, previous],
    knows: [current],
    expect: 'valid',
  },
  {
    name: 'rotation: receiver has the previous secret',
    signedWith: [current, previous],
    knows: [previous],
    expect: 'valid',
  },
  { name: 'rotation: receiver has both', signedWith: [current], knows: [previous, current], expect: 'valid' },
  {
    name: 'rotation over: previous secret no longer signs',
    signedWith: [current],
    knows: [previous],
    expect: 'mismatch',
  },
  {
    name: 'several signatures: the second matches',
    signedWith: [stranger, current],
    knows: [current],
    expect: 'valid',
  },
  {
    name: 'several signatures: none matches',
    signedWith: [stranger, previous],
    knows: [current],
    expect: 'mismatch',
  },
  {
    name: 'secret without prefix',
    signedWith: ['segredo-do-integrador-ção'],
    expect: 'valid',
    standard: null,
  },
  {
    name: 'secret that is not base64: it is a key as text',
    signedWith: ['whsec_not base64!'],
    expect: 'valid',
    standard: null,
  },
  {
    name: 'unicode',
    signedWith: [current],
    signed: { text: '{"text":"Olá, ação! 日本語 🇧🇷 \u2028 \\u00e7"}' },
    expect: 'valid',
  },
  {
    name: 'line breaks and spaces',
    signedWith: [current],
    signed: { text: '{\r\n\t"a" : 1\n}\n' },
    expect: 'valid',
  },
  { name: 'empty body', signedWith: [current], signed: { text: '' }, expect: 'valid' },
  { name: '300 kB', signedWith: [current], signed: { repeat: 'ç日', count: 60_000 }, expect: 'valid' },
  {
    name: 'bytes that are not UTF-8',
    signedWith: [current],
    signed: { base64: Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0x7d]).toString('base64') },
    expect: 'valid',
  },
  {
    name: 'missing header: signature',
    signedWith: [current],
    missing: ['Service-Signature', 'webhook-signature'],
    expect: 'malformed',
  },
  {
    name: 'missing header: timestamp',
    signedWith: [current],
    missing: ['Service-Timestamp', 'webhook-timestamp'],
    expect: 'malformed',
  },
  {
    name: 'missing header: id',
    signedWith: [current],
    missing: ['webhook-id'],
    expect: 'valid',
    standard: 'malformed',
  },
  {
    name: 'empty signature',
    signedWith: [current],
    serviceSignature: '',
    standardSignature: '',
    expect: 'malformed',
  },
  {
    name: 'invalid base64',
    signedWith: [current],
    standardSignature: 'v1,%%%not-base64%%%',
    expect: 'valid',
    standard: 'mismatch',
  },
  {
    name: 'invalid hex',
    signedWith: [current],
    serviceSignature: `v1=${'z'.repeat(64)}`,
    expect: 'malformed',
    standard: 'valid',
  },
  {
    name: 'truncated signature',
    signedWith: [current],
    serviceSignature: 'v1=7fec6340',
    expect: 'malformed',
    standard: 'valid',
  },
  {
    name: 'upper-case hex',
    signedWith: [current],
    serviceSignature: service(current, timestamp, Buffer.from(simple)).toUpperCase(),
    expect: 'malformed',
    standard: 'valid',
  },
  {
    name: 'other version',
    signedWith: [current],
    serviceSignature: service(current, timestamp, Buffer.from(simple)).replace('v1', 'v0'),
    expect: 'malformed',
    standard: 'valid',
  },
  {
    name: 'timestamp that is no number',
    signedWith: [current],
    receivedTimestamp: '2026-03-01',
    expect: 'malformed',
  },
];

function bytesOf(body: VectorBody): Buffer {
  if ('text' in body) return Buffer.from(body.text);
  return 'base64' in body ? Buffer.from(body.base64, 'base64') : Buffer.from(body.repeat.repeat(body.count));
}

/** The body of a vector, as the receiver got it. */
export const bodyOf = ({ body }: SignatureVector): Buffer => bytesOf(body);

function vectorOf(c: Case): SignatureVector {
  const signed = c.signed ?? { text: simple };
  const bytes = bytesOf(signed);
  const receivedTimestamp = c.receivedTimestamp ?? timestamp;
  const headers = {
    'Service-Timestamp': receivedTimestamp,
    'Service-Signature':
      c.serviceSignature ?? c.signedWith.map((key) => service(key, timestamp, bytes)).join(','),
    'webhook-id': id,
    'webhook-timestamp': receivedTimestamp,
    'webhook-signature':
      c.standardSignature ?? c.signedWith.map((key) => standard(key, id, timestamp, bytes)).join(' '),
  };
  const left = c.standard === null ? SERVICE_HEADERS : [...SERVICE_HEADERS, ...STANDARD_HEADERS];
  return {
    name: c.name,
    secrets: c.knows ?? c.signedWith,
    now: c.now ?? now,
    headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => left.includes(name) && c.missing?.includes(name) !== true),
    ),
    body: c.received === undefined ? signed : { text: c.received },
    expect: {
      service: c.expect,
      ...(c.standard === null ? {} : { standard_webhooks: c.standard ?? c.expect }),
    },
  };
}

export const signatureVectors = (): VectorFile => ({
  about:
    'Signed webhook deliveries, good and bad, to check a receiver with. Signature schemes: docs/webhooks.md. A verifier ' +
    'accepts a vector if, with any of `secrets` and its clock at `now`, it finds the delivery valid; `expect` says ' +
    'whether it may. `body` is text, base64, or a unit that is repeated.',
  tolerance_seconds: 300,
  vectors: cases.map(vectorOf),
});

export const VECTOR_FILE = projectFile('clients/vectors.json');

if (process.argv[1]?.endsWith('generate-webhook-signatures.ts') === true) {
  writeFileSync(VECTOR_FILE, JSON.stringify(signatureVectors(), null, 2) + '\n');
}
