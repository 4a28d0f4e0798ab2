/**
 * Checks the signature of a Recado webhook. This file needs nothing but WebCrypto: Node.js 20 or newer, Deno, Bun,
 * browsers and workers. Copy it if you do not want the whole client.
 */

export const TOLERANCE_SECONDS = 300;

export type Verdict = 'valid' | 'malformed' | 'mismatch' | 'stale';

export interface Signed {
  /** The bytes that arrived, before any JSON parser touched them. */
  readonly rawBody: Uint8Array;
  /** The header `Service-Timestamp`. */
  readonly timestamp: string | null | undefined;
  /** The header `Service-Signature`: one entry, or two while the secret is rotated. */
  readonly signature: string | null | undefined;
  /** The integration's webhook secret as shown, with its `whsec_` prefix. Several while you rotate it. An empty one accepts nothing. */
  readonly secrets: readonly string[];
  /** Greatest difference between the two clocks, in seconds. */
  readonly tolerance?: number;
  /** Unix seconds. */
  readonly now?: number;
}

/** `stale` means signed by Recado, but more than five minutes ago or ahead. WebCrypto compares in constant time. */
export async function verifySignature(signed: Signed): Promise<Verdict> {
  const { rawBody, timestamp, signature, secrets } = signed;
  if (!timestamp || !signature || !/^[0-9]{1,12}$/.test(timestamp)) return 'malformed';
  const digests = signature.split(',').flatMap((entry) => /^v1=([a-f0-9]{64})$/.exec(entry)?.[1] ?? []);
  if (digests.length === 0) return 'malformed';
  const encoder = new TextEncoder();
  const head = encoder.encode(`${timestamp}.`);
  const text = new Uint8Array(head.length + rawBody.length);
  text.set(head);
  text.set(rawBody, head.length);
  let matches = false;
  for (const secret of secrets.filter((each) => each !== '')) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
    for (const digest of digests) {
      const bytes = Uint8Array.from({ length: 32 }, (_, at) =>
        parseInt(digest.slice(2 * at, 2 * at + 2), 16),
      );
      matches = (await crypto.subtle.verify('HMAC', key, bytes, text)) || matches;
    }
  }
  if (!matches) return 'mismatch';
  const age = (signed.now ?? Date.now() / 1000) - Number(timestamp);
  return Math.abs(age) > (signed.tolerance ?? TOLERANCE_SECONDS) ? 'stale' : 'valid';
}
