/** The S3 adapter against a scripted server: retries, time limits, and error messages. */
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { sha256 } from '../../../adapters/blobs/content.js';
import type { Clock } from '../../../ports/clock.js';
import { steppingClock } from '../../support/fakes/stepping-clock.js';
import { createS3Blobs, type S3Options } from '../../../adapters/blobs/s3.js';
import { failure } from '../../conformance/support.js';
import { openedForEach } from '../../support/opened.js';
import { serveBodies } from '../../support/servers.js';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

type Reply = (response: ServerResponse, seen: Seen) => void;

const status =
  (code: number, error?: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) =>
    void response
      .writeHead(code, headers)
      .end(
        error === undefined
          ? ''
          : `<Error><Code>${error}</Code><AWSAccessKeyId>AKID</AWSAccessKeyId></Error>`,
      );

const HELLO = Buffer.from('hello');
const HASH = sha256(HELLO);

describe('blobs in S3', () => {
  let seen: Seen[];
  /** One reply per request; the last one is repeated for all further requests. */
  let replies: Reply[];

  beforeEach(() => {
    seen = [];
  });
  const server = openedForEach(() =>
    serveBodies((request, response, body) => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body };
      seen.push(one);
      (replies.length > 1 ? replies.shift()! : replies[0]!)(response, one);
    }),
  );

  const blobs = (over: Partial<S3Options> = {}, clock?: Clock) =>
    createS3Blobs(
      {
        endpoint: server.origin,
        region: 'us-east-1',
        bucket: 'media',
        accessKeyId: 'AKID',
        secretAccessKey: 'the-secret',
        ...over,
      },
      clock,
    );

  const methods = () => seen.map(({ method }) => method).join(' ');

  it('puts under prefix and shards, signed over the hash of the bytes', async () => {
    replies = [status(404), status(200)];
    const info = await blobs({ prefix: 'shop/blobs' }).put(HELLO);
    expect(info).to.deep.equal({ hash: HASH, size: 5 });
    expect(methods()).to.equal('HEAD PUT');
    const put = seen[1]!;
    expect(put.url).to.equal(`/media/shop/blobs/${HASH.slice(0, 2)}/${HASH.slice(2, 4)}/${HASH}`);
    expect(put.headers).to.include({ 'x-amz-content-sha256': HASH, 'content-length': '5' });
    expect(put.headers.authorization).to.match(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
    );
    expect(put.body.toString()).to.equal('hello');
  });

  it('does not send bytes that are there, but replaces what has another size', async () => {
    replies = [status(200, undefined, { 'content-length': '5' })];
    await blobs().put(HELLO);
    expect(methods()).to.equal('HEAD');
    replies = [status(200, undefined, { 'content-length': '3' }), status(200)];
    await blobs().put(HELLO);
    expect(methods()).to.equal('HEAD HEAD PUT');
  });

  it('sends a session token', async () => {
    replies = [status(200, undefined, { 'content-length': '5' })];
    await blobs({ sessionToken: 'the-token' }).has(HASH);
    expect(seen[0]!.headers).to.include({ 'x-amz-security-token': 'the-token' });
    expect(seen[0]!.headers.authorization).to.include('x-amz-security-token');
  });

  for (const [what, reply] of [
    ['500', status(500, 'InternalError')],
    ['503', status(503, 'SlowDown')],
    ['429', status(429)],
    ['a 400 that says the server waited for bytes', status(400, 'RequestTimeout')],
    ['409 of a write beside it', status(409, 'OperationAborted')],
    ['a cut connection', (response: ServerResponse) => void response.destroy()],
  ] satisfies readonly (readonly [string, Reply])[]) {
    it(`tries again after ${what}, three times in all, then says StoreUnavailable`, async () => {
      replies = [reply, reply, (response) => void response.end(HELLO)];
      expect(Buffer.from((await blobs().get(HASH))!).toString()).to.equal('hello');
      expect(methods()).to.equal('GET GET GET');
      replies = [reply];
      const error = await failure(blobs().get(HASH));
      expect(error.name).to.equal('StoreUnavailable');
      expect(error.message).to.include('S3 bucket media at 127.0.0.1:');
      expect(seen).to.have.length(6);
    });
  }

  it('reads a body again that broke off', async () => {
    replies = [
      (response) => {
        response.writeHead(200, { 'content-length': '5' });
        response.write('he', () => response.destroy());
      },
      (response) => void response.end(HELLO),
    ];
    expect(Buffer.from((await blobs().get(HASH))!).toString()).to.equal('hello');
  });

  it('gives up in bounded time on a server that answers nothing, or half', async () => {
    const clock = steppingClock();
    for (const silent of [
      () => undefined,
      (response: ServerResponse) => void response.writeHead(200, { 'content-length': '5' }).write('he'),
    ]) {
      replies = [
        (response) => {
          silent(response);
          void clock.advance(60_000);
        },
      ];
      seen = [];
      const error = await failure(blobs({ timeoutMs: 60_000 }, clock).get(HASH));
      expect(error).to.include({ name: 'StoreUnavailable' });
      expect(error.message).to.include('no answer within 60000 ms');
      expect(methods()).to.equal('GET GET GET');
    }
  });

  it('names the reason when nobody listens', async () => {
    await server.close();
    const error = await failure(blobs().ping());
    expect(error.name).to.equal('StoreUnavailable');
    expect(error.message).to.match(/^S3 bucket media at 127\.0\.0\.1:\d+ is unavailable: ECONNREFUSED\.$/);
  });

  it('refuses bytes that do not have their hash', async () => {
    replies = [(response) => void response.end('hullo')];
    expect((await failure(blobs().get(HASH))).name).to.equal('BlobDamaged');
  });

  it('tells an absent bucket from an absent key', async () => {
    for (const operation of [
      () => blobs().get(HASH),
      () => blobs().put(HELLO),
      () => blobs().has(HASH),
      () => blobs().delete(HASH),
      () => blobs().ping(),
    ]) {
      replies = [
        (response, { method }) =>
          status(404, method === 'HEAD' ? undefined : 'NoSuchBucket')(response, seen[0]!),
      ];
      const error = await failure(operation());
      expect(error.name, operation.toString()).to.equal('S3Refused');
      expect(error.message).to.match(
        /^The S3 bucket media does not exist at 127\.0\.0\.1:\d+\. Create it, or correct S3_BUCKET\.$/,
      );
    }
    replies = [status(404, 'NoSuchKey')];
    expect(await blobs().get(HASH)).to.equal(undefined);
  });

  it('says what keys need, at once and without showing them', async () => {
    replies = [status(403, 'SignatureDoesNotMatch')];
    for (const operation of [
      () => blobs().get(HASH),
      () => blobs().put(HELLO),
      () => blobs().delete(HASH),
      () => blobs().ping(),
    ]) {
      const error = await failure(operation());
      expect(error.name).to.equal('S3Refused');
      expect(error.message).to.include('refused access (403').and.to.include('s3:ListBucket');
      expect(`${error.message}${error.stack}`).not.to.match(/AKID|the-secret|Signature=/);
    }
    expect(seen).to.have.length(4);
  });

  it('names the region that the bucket is in, and follows no redirect', async () => {
    replies = [
      status(301, 'PermanentRedirect', {
        location: `${server.origin}/elsewhere`,
        'x-amz-bucket-region': 'sa-east-1',
      }),
    ];
    const error = await failure(blobs().ping());
    expect(error.message).to.match(/is in region sa-east-1, not us-east-1\. Set S3_REGION=sa-east-1\.$/);
    expect(seen).to.have.length(1);
  });

  it('says so when the clock is wrong', async () => {
    replies = [status(403, 'RequestTimeTooSkewed')];
    expect((await failure(blobs().get(HASH))).message).to.include('clock');
  });
});
