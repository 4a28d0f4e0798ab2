/**
 * Writes test/vectors/webhook-signatures.json: `npx tsx test/vectors/generate-webhook-signatures.ts`.
 *
 * Computes the signatures with nothing but `node:crypto`, so that the vectors do not inherit a mistake of the code
 * they check. The secrets are made from words and are of no use anywhere.
 */
import { createHash, createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';

export interface SignatureVector {
  readonly name: string;
  /** Secrets that the receiver knows. */
  readonly receiver_secrets: readonly string[];
  readonly event_id: string;
  readonly timestamp: string;
  /** The receiver's clock, unix seconds. */
  readonly now: number;
  /** The body as received. `body_repeat` is a unit that is repeated, to keep the file small. */
  readonly body: string;
  readonly body_repeat?: { readonly unit: string; readonly times: number };
  readonly service_signature: string;
  readonly standard_webhooks_signature: string;
  readonly expect: 'valid' | 'malformed' | 'mismatch' | 'stale';
}

const secret = (word: string): string => `whsec_${createHash('sha256').update(word).digest('base64')}`;
const service = (key: string, timestamp: string, body: string): string =>
  `v1=${createHmac('sha256', key).update(`${timestamp}.${body}`, 'utf8').digest('hex')}`;
const standard = (key: string, id: string, timestamp: string, body: string): string => {
  const bytes = key.startsWith('whsec_') ? Buffer.from(key.slice(6), 'base64') : Buffer.from(key, 'utf8');
  return `v1,${createHmac('sha256', bytes).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64')}`;
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
  readonly body?: string;
  readonly received?: string;
  readonly repeat?: { readonly unit: string; readonly times: number };
  readonly now?: number;
  readonly receivedTimestamp?: string;
  readonly serviceSignature?: string;
  readonly expect: SignatureVector['expect'];
}

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
  { name: 'secret without prefix', signedWith: ['segredo-do-integrador-ção'], expect: 'valid' },
  {
    name: 'unicode',
    signedWith: [current],
    body: '{"text":"Olá, ação! 日本語 🇧🇷 \u2028 \\u00e7"}',
    expect: 'valid',
  },
  { name: 'line breaks and spaces', signedWith: [current], body: '{\r\n\t"a" : 1\n}\n', expect: 'valid' },
  { name: 'empty body', signedWith: [current], body: '', expect: 'valid' },
  { name: '300 kB', signedWith: [current], repeat: { unit: 'ç日', times: 60_000 }, expect: 'valid' },
  { name: 'no signature', signedWith: [current], serviceSignature: '', expect: 'malformed' },
  {
    name: 'upper-case hex',
    signedWith: [current],
    serviceSignature: service(current, timestamp, simple).toUpperCase(),
    expect: 'malformed',
  },
  {
    name: 'other version',
    signedWith: [current],
    serviceSignature: service(current, timestamp, simple).replace('v1', 'v0'),
    expect: 'malformed',
  },
  {
    name: 'timestamp that is no number',
    signedWith: [current],
    receivedTimestamp: '2026-03-01',
    expect: 'malformed',
  },
];

export function signatureVectors(): readonly SignatureVector[] {
  return cases.map((c) => {
    const signed = c.repeat === undefined ? (c.body ?? simple) : c.repeat.unit.repeat(c.repeat.times);
    return {
      name: c.name,
      receiver_secrets: c.knows ?? c.signedWith,
      event_id: id,
      timestamp: c.receivedTimestamp ?? timestamp,
      now: c.now ?? now,
      body: c.repeat === undefined ? (c.received ?? signed) : '',
      ...(c.repeat === undefined ? {} : { body_repeat: c.repeat }),
      service_signature:
        c.serviceSignature ?? c.signedWith.map((key) => service(key, timestamp, signed)).join(','),
      standard_webhooks_signature: c.signedWith.map((key) => standard(key, id, timestamp, signed)).join(' '),
      expect: c.expect,
    };
  });
}

export const VECTOR_FILE = new URL('./webhook-signatures.json', import.meta.url);

if (process.argv[1] !== undefined && import.meta.url.endsWith('/' + process.argv[1].split('/').pop())) {
  writeFileSync(VECTOR_FILE, JSON.stringify(signatureVectors(), null, 2) + '\n');
}
