/** Blobs in an S3-compatible bucket, under `<prefix>/ab/cd/<sha-256>`, as in the folder adapter. */
import { AwsV4Signer } from 'aws4fetch';
import type { BlobInfo, Blobs } from '../../ports/blobs.js';
import type { Clock } from '../../ports/clock.js';
import { systemClock } from '../clock/system.js';
import { assertIntact, BlobDamaged, sha256, shardedPath } from './content.js';
import { createS3Exchange, S3Refused, type S3Call } from './s3-exchange.js';

export interface S3Options {
  /** http(s) address of the server; null means AWS, addressed by region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** Prepended to every key, without slashes at its ends. */
  readonly prefix?: string;
  /**
   * Puts the bucket into the path instead of the host name. Default: true with an endpoint, and for names with a dot.
   */
  readonly pathStyle?: boolean;
  /** For one attempt, from the connection to the last byte; default 20 s. An operation makes at most three attempts. */
  readonly timeoutMs?: number;
}

const EMPTY = sha256(new Uint8Array());
/** Number of bytes of a blob that are requested, and held in memory, at once. */
const PIECE = 4 * 1024 * 1024;

/**
 * Errors of all operations:
 * StoreUnavailable when the server can't be reached, is overloaded or fails, after three attempts;
 * S3Refused when keys, bucket or region are wrong: its message names the remedy;
 * BlobDamaged when the stored bytes no longer have the hash that they are stored under.
 * No message holds a key or a secret.
 */
export function createS3Blobs(
  options: S3Options,
  clock: Pick<Clock, 'after'> = systemClock,
): Blobs & {
  /** Resolves when the bucket exists and these keys may access it. */
  ping(): Promise<void>;
} {
  const { bucket, region } = options;
  const root = rootOf(options);
  const exchange = createS3Exchange({
    bucket,
    host: root.host,
    region,
    timeoutMs: options.timeoutMs ?? 20_000,
    clock,
    sign: async ({ method, url, body, bodyHash }) => {
      // The signature covers the hash of the body, so a server refuses bytes that were changed in transit.
      const { headers } = await new AwsV4Signer({
        method,
        url,
        service: 's3',
        region,
        accessKeyId: options.accessKeyId,
        secretAccessKey: options.secretAccessKey,
        ...(options.sessionToken !== undefined && { sessionToken: options.sessionToken }),
        headers: {
          'X-Amz-Content-Sha256': bodyHash,
          ...(body && { 'Content-Type': 'application/octet-stream' }),
        },
      }).sign();
      return headers;
    },
  });
  const prefix = options.prefix ? `${options.prefix}/` : '';

  const keyOf = (hash: string): string | undefined => {
    const parts = shardedPath(hash);
    return parts && `${root.path}${prefix}${parts.join('/')}`;
  };
  const call = (method: S3Call['method'], path: string): S3Call => ({
    method,
    url: `${root.origin}${path}`,
    bodyHash: EMPTY,
  });

  async function ping(): Promise<void> {
    const { status } = await exchange(call('HEAD', root.path));
    if (status === 404) throw missingBucket(bucket, root.host);
  }

  /** Undefined when the key or the bucket does not exist: a HEAD's 404 has no body that would distinguish the two. */
  async function sizeOf(path: string): Promise<number | undefined> {
    const { status, headers } = await exchange(call('HEAD', path));
    return status === 404 ? undefined : Number(headers.get('content-length'));
  }

  const unlessMissing = (code: string | undefined): void => {
    if (code === 'NoSuchBucket') throw missingBucket(bucket, root.host);
  };

  return {
    ping,

    async put(bytes): Promise<BlobInfo> {
      const hash = sha256(bytes);
      const info = { hash, size: bytes.length };
      const path = keyOf(hash)!;
      if ((await sizeOf(path)) === bytes.length) return info;
      // Any other writer of this key writes the same bytes. No condition is needed, and not all servers support one.
      const { status, code } = await exchange({
        ...call('PUT', path),
        body: bytes,
        bodyHash: hash,
      });
      unlessMissing(code);
      if (status === 404) throw missingBucket(bucket, root.host);
      return info;
    },

    async get(hash) {
      const path = keyOf(hash);
      if (path === undefined) return undefined;
      const { status, code, bytes } = await exchange(call('GET', path));
      unlessMissing(code);
      if (status === 404) return undefined;
      assertIntact(hash, bytes);
      return bytes;
    },

    async read(hash, { start, end }) {
      const path = keyOf(hash);
      if (path === undefined) return undefined;
      // Each piece is a separate request: bounded in memory and time, and retried on its own.
      const piece = async (from: number): Promise<Uint8Array | undefined> => {
        if (from >= end) return (await sizeOf(path)) === undefined ? undefined : new Uint8Array();
        const range = { start: from, end: Math.min(end, from + PIECE) };
        const { status, code, bytes } = await exchange({ ...call('GET', path), range });
        unlessMissing(code);
        if (status === 404) return undefined;
        // A server without range support returns the whole blob.
        return status === 206 ? bytes : bytes.subarray(range.start, range.end);
      };
      const first = await piece(start);
      return first && pieces(hash, first, start, end, piece);
    },

    async has(hash) {
      const path = keyOf(hash);
      if (path === undefined) return false;
      if ((await sizeOf(path)) !== undefined) return true;
      // A missing bucket must not be reported as a missing blob.
      await ping();
      return false;
    },

    async delete(hash) {
      const path = keyOf(hash);
      if (path === undefined) return;
      const { code } = await exchange(call('DELETE', path));
      unlessMissing(code);
    },
  };
}

async function* pieces(
  hash: string,
  first: Uint8Array,
  start: number,
  end: number,
  piece: (from: number) => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array> {
  let next: Uint8Array | undefined = first;
  for (let at = start; at < end; next = at < end ? await piece(at) : undefined) {
    if (next === undefined || next.length === 0) throw new BlobDamaged(`blob ${hash} ends at byte ${at}`);
    yield next;
    at += next.length;
  }
}

interface Root {
  readonly origin: string;
  readonly host: string;
  /** Begins and ends with a slash. */
  readonly path: string;
}

function rootOf({ endpoint, region, bucket, pathStyle }: S3Options): Root {
  const base = new URL(
    endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
  );
  const folder = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  // A certificate for `*.s3.….amazonaws.com` does not fit a bucket whose name has a dot.
  if (pathStyle ?? (endpoint !== null || bucket.includes('.')))
    return { origin: base.origin, host: base.host, path: `${folder}${bucket}/` };
  return { origin: `${base.protocol}//${bucket}.${base.host}`, host: `${bucket}.${base.host}`, path: folder };
}

const missingBucket = (bucket: string, host: string): S3Refused =>
  new S3Refused(`The S3 bucket ${bucket} does not exist at ${host}. Create it, or correct S3_BUCKET.`);
