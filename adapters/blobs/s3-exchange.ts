/** One request to an S3 server: bounded in time, retried when that can help, with errors that name the remedy. */
import type { Clock } from '../../ports/clock.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { codeOf } from '../../ports/thrown.js';
import { pause, withTimeout } from '../../ports/waiting.js';

export interface S3Call {
  readonly method: 'HEAD' | 'GET' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly body?: Uint8Array;
  /** Of a GET: only these bytes. */
  readonly range?: { readonly start: number; readonly end: number };
  /** Lower-case hex SHA-256 of the body; without a body, of zero bytes. */
  readonly bodyHash: string;
}

export interface S3Answer {
  /** Below 300, or 404. */
  readonly status: number;
  readonly headers: Headers;
  /** Error code of an answer that has a body, such as `NoSuchKey`. */
  readonly code: string | undefined;
  readonly bytes: Uint8Array;
}

/** The server refused, and a retry can't help: wrong keys, bucket, region or clock. The message is for the operator. */
export class S3Refused extends Error {
  override readonly name = 'S3Refused';
}

export interface S3ExchangeOptions {
  readonly bucket: string;
  /** For error messages. */
  readonly host: string;
  readonly region: string;
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'after'>;
  readonly sign: (call: S3Call) => Promise<Headers>;
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 100;
/** Error codes below 500 that mean "not now" (Amazon S3 API Reference, "Error responses"). */
const PASSING = new Set(['RequestTimeout', 'OperationAborted', 'SlowDown']);

type Tried =
  | { readonly answer: S3Answer; readonly again?: undefined }
  | { readonly again: string; readonly answer?: undefined };

/**
 * Every call here may be repeated: the bytes of a key always have the hash in its name, so all writers write the same.
 */
export function createS3Exchange(options: S3ExchangeOptions): (call: S3Call) => Promise<S3Answer> {
  const where = `S3 bucket ${options.bucket} at ${options.host}`;

  async function attempt(call: S3Call): Promise<Tried> {
    // Signed for each attempt: a signature is valid for a quarter of an hour, and the clock may be set meanwhile.
    const headers = await options.sign(call);
    if (call.range) headers.set('Range', `bytes=${call.range.start}-${call.range.end - 1}`);
    let response: Response;
    let bytes: Uint8Array;
    try {
      ({ response, bytes } = await withTimeout(options.clock, options.timeoutMs, async (signal) => {
        const answer = await fetch(call.url, {
          method: call.method,
          headers,
          // A redirect would send the signed request to a host that it was not signed for.
          redirect: 'manual',
          signal,
          ...(call.body && { body: call.body }),
        });
        return { response: answer, bytes: new Uint8Array(await answer.arrayBuffer()) };
      }));
    } catch (error) {
      return { again: reasonOf(error, options.timeoutMs) };
    }
    const { status } = response;
    const code = status < 300 ? undefined : errorCode(bytes);
    if (status < 300 || status === 404) return { answer: { status, headers: response.headers, code, bytes } };
    const said = `${status}${code === undefined ? '' : ` ${code}`}`;
    if ((status >= 500 && status !== 501) || status === 429 || (code !== undefined && PASSING.has(code)))
      return { again: `it answered ${said}` };
    throw refusal(where, options.region, said, response.headers.get('x-amz-bucket-region'), code, status);
  }

  return async (call) => {
    for (let n = 1; ; n += 1) {
      const { answer, again } = await attempt(call);
      if (answer) return answer;
      if (n === ATTEMPTS) throw new StoreUnavailable(`${where} is unavailable: ${again}.`);
      // Full jitter: many processes that lost the same server must not retry at the same moment.
      await pause(options.clock, Math.random() * FIRST_PAUSE_MS * 4 ** (n - 1));
    }
  };
}

function refusal(
  where: string,
  region: string,
  said: string,
  bucketRegion: string | null,
  code: string | undefined,
  status: number,
): S3Refused {
  if (bucketRegion !== null && bucketRegion !== region)
    return new S3Refused(
      `${where} is in region ${bucketRegion}, not ${region}. Set S3_REGION=${bucketRegion}.`,
    );
  if (code === 'RequestTimeTooSkewed')
    return new S3Refused(`${where} refused a request (${said}): the clock of this machine is wrong.`);
  if (status === 401 || status === 403)
    return new S3Refused(
      // Without s3:ListBucket, S3 answers 403 for a missing key.
      `${where} refused access (${said}). The key needs s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket; check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION.`,
    );
  return new S3Refused(
    `${where} refused a request: it answered ${said}. Check S3_ENDPOINT, S3_REGION and S3_PATH_STYLE.`,
  );
}

/** Returns only the code: the error's other fields repeat the access key and the signed text. */
function errorCode(bytes: Uint8Array): string | undefined {
  return /<Code>(\w{1,64})<\/Code>/.exec(Buffer.from(bytes.subarray(0, 4096)).toString('utf8'))?.[1];
}

/** `fetch` says `fetch failed` and keeps the reason in the cause. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  return (error instanceof Error ? codeOf(error.cause) : undefined) ?? 'the connection failed';
}
