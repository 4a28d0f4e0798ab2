/** Blobs in an independent S3 server: the contract, the permissions of an access key, and a server that dies. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createS3Blobs, type S3Options } from '../../adapters/blobs/s3.js';
import { describeBlobs } from '../conformance/blobs.js';
import { failure } from '../conformance/support.js';
import { startS3Server, TEST_BUCKET } from './servers/s3.js';
import type { RunningServer } from './servers/server.js';

const blobsAt = (server: RunningServer, over: Partial<S3Options> = {}) =>
  createS3Blobs({
    endpoint: server.url,
    region: 'us-east-1',
    bucket: TEST_BUCKET,
    accessKeyId: 'any',
    secretAccessKey: 'any',
    timeoutMs: 5_000,
    ...over,
  });

describeBlobs('S3 (moto)', async () => {
  const server = await startS3Server();
  const store = blobsAt(server, { prefix: 'shop/blobs' });
  await store.ping();
  return { store, close: () => server.stop() };
});

describe('blobs in S3 (moto)', function () {
  this.timeout(120_000);
  let server: RunningServer;
  before(async () => {
    server = await startS3Server();
  });
  after(() => server.stop());

  it('says which bucket is missing', async () => {
    const blobs = blobsAt(server, { bucket: 'no-such-bucket' });
    for (const operation of [
      () => blobs.ping(),
      () => blobs.put(randomBytes(3)),
      () => blobs.has('0'.repeat(64)),
    ]) {
      expect((await failure(operation())).message).to.match(/^The S3 bucket no-such-bucket does not exist/);
    }
  });

  it('is unavailable while the server hangs or is away, and goes on afterwards with what was put', async () => {
    const blobs = blobsAt(server, { timeoutMs: 500 });
    const bytes = randomBytes(70_000);
    const { hash } = await blobs.put(bytes);
    server.pause();
    expect((await failure(blobs.get(hash))).message).to.include('no answer within 500 ms');
    server.resume();
    expect(await blobs.has(hash)).to.equal(true);
    await server.kill();
    expect((await failure(blobs.put(randomBytes(10)))).name).to.equal('StoreUnavailable');
    await server.restart();
    expect(Buffer.from((await blobs.get(hash))!).equals(bytes)).to.equal(true);
  });

  it('signs so that a server that checks accepts it, and only with the right secret', async () => {
    const key = await createKey(server, [...READS, 's3:PutObject', 's3:DeleteObject']);
    const reader = await createKey(server, READS);
    await enforceAccess(server);

    const blobs = blobsAt(server, { ...key, prefix: 'a_b/c-d.e' });
    await blobs.ping();
    const { hash } = await blobs.put(randomBytes(1_000));
    expect((await blobs.get(hash))!.length).to.equal(1_000);
    expect(await blobs.has('0'.repeat(64))).to.equal(false);
    await blobs.delete(hash);
    expect(await blobs.has(hash)).to.equal(false);

    const forged = blobsAt(server, { ...key, secretAccessKey: `${key.secretAccessKey}x` });
    expect((await failure(forged.get(hash))).message).to.include('403 SignatureDoesNotMatch');
    expect((await failure(forged.ping())).message).to.include('refused access (403)');
    expect((await failure(blobsAt(server, reader).put(randomBytes(9)))).message).to.include(
      '403 AccessDenied',
    );
  });
});

/** AWS requires the first two; moto uses its own action name for HEAD on a bucket. */
const READS = ['s3:GetObject', 's3:ListBucket', 's3:HeadBucket'];

/** Creates a user with an access key that allows these actions on the bucket. */
async function createKey(
  server: RunningServer,
  actions: readonly string[],
): Promise<{ accessKeyId: string; secretAccessKey: string }> {
  const user = `user-${randomBytes(4).toString('hex')}`;
  const ask = async (parameters: Record<string, string>): Promise<string> => {
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        authorization:
          'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0',
      },
      body: new URLSearchParams({ Version: '2010-05-08', UserName: user, ...parameters }),
    });
    expect(response.status, parameters['Action']).to.equal(200);
    return response.text();
  };
  await ask({ Action: 'CreateUser' });
  const resources = [`arn:aws:s3:::${TEST_BUCKET}`, `arn:aws:s3:::${TEST_BUCKET}/*`];
  await ask({
    Action: 'PutUserPolicy',
    PolicyName: 'blobs',
    PolicyDocument: JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: actions, Resource: resources }],
    }),
  });
  const xml = await ask({ Action: 'CreateAccessKey' });
  const field = (name: string): string => new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml)![1]!;
  return { accessKeyId: field('AccessKeyId'), secretAccessKey: field('SecretAccessKey') };
}

/** Enables the checks of signatures and policies from now on. */
async function enforceAccess(server: RunningServer): Promise<void> {
  const response = await fetch(`${server.url}/moto-api/reset-auth`, { method: 'POST', body: '0' });
  expect(response.status).to.equal(200);
}
