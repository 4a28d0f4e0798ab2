/**
 * Files over sockets: ranges, conditional requests, expired or altered addresses, and response headers for browsers.
 */
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import express from 'express';
import { mediaRouter } from '../../api/media.js';
import type { App } from '../../application/app.js';
import { directCommand } from '../../application/app.js';
import { createMediaLinks } from '../../application/media/links.js';
import { sealFile } from '../../application/media/sealed.js';
import { messageAggregate } from '../../domain/message/decide.js';
import { messageEventExamples } from '../support/examples/message.js';
import { makeApi } from '../support/api/make-api.js';
import { opened } from '../support/opened.js';
import { serve } from '../support/servers.js';

const COMPANY: string = messageEventExamples.receivedImage.data.company_uuid;

describe('addresses of files over HTTP', () => {
  let app: App;
  const api = opened(makeApi);
  const server = opened(() => {
    app = { ...api.app, mediaLinks: createMediaLinks(randomBytes(32), () => server.origin) };
    return serve(express().disable('x-powered-by').disable('etag').use('/media', mediaRouter(app)));
  });

  const context = (subject: string) => directCommand(app, { company: COMPANY, actor: 'test' }, subject);

  async function received(subject: string, filename?: string): Promise<string> {
    const uuid = app.newId();
    const { data } = messageEventExamples.receivedImage;
    const content = { ...data.content, ...(filename === undefined ? {} : { filename }) };
    await app.executor.execute(
      messageAggregate,
      uuid,
      { type: 'ReceiveMessage', data: { ...data, content } },
      context(subject),
    );
    return uuid;
  }

  interface Kept {
    readonly uuid: string;
    readonly blob: string;
    readonly subject: string;
    readonly url: string;
  }
  async function kept(bytes: Buffer, mimeType = 'image/jpeg', filename?: string): Promise<Kept> {
    const subject = app.newId();
    const uuid = await received(subject, filename);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { key, keyId } = await app.keys.keyFor(subject, COMPANY);
    const sealed = Buffer.from(bytes);
    sealFile({ personKey: key, messageUuid: uuid, sha256 }, sealed);
    const { hash } = await app.blobs.put(sealed);
    await app.executor.execute(
      messageAggregate,
      uuid,
      {
        type: 'StoreMedia',
        data: {
          ...messageEventExamples.mediaStored.data,
          blob: hash,
          key_id: keyId,
          size: bytes.length,
          mime_type: mimeType,
          sha256,
        },
      },
      context(subject),
    );
    return { uuid, blob: hash, subject, url: address(uuid) };
  }
  const address = (messageUuid: string, companyUuid = COMPANY, lifeMs = 60_000): string =>
    app.mediaLinks.urlFor({ companyUuid, messageUuid }, Date.now() + lifeMs);
  const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url, { method, headers });
  const codeOf = async (answer: Response): Promise<string> =>
    ((await answer.json()) as { error: { code: string } }).error.code;
  const bytes = Buffer.from('0123456789abcdefghij');

  it('hand out the file, and tell a browser to run nothing of it', async () => {
    const file = await kept(bytes);
    const answer = await get(file.url);
    expect(answer.status).to.equal(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).to.equal(true);
    expect(Object.fromEntries(answer.headers)).to.include({
      'content-type': 'image/jpeg',
      'content-length': '20',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=300',
      etag: `"${file.blob}"`,
      'content-disposition': `inline; filename="image.jpg"; filename*=UTF-8''image.jpg`,
    });
    expect(answer.headers.get('content-encoding')).to.equal(null);
    // The stored blob is encrypted: it does not contain the file's bytes.
    expect(Buffer.from((await app.blobs.get(file.blob))!).includes(bytes)).to.equal(false);
  });

  it('offer as a download, under a harmless name, what a browser could run', async () => {
    const file = await kept(Buffer.from('<script>'), 'application/octet-stream', '../../nota "é".html');
    const { headers } = await get(file.url);
    expect(headers.get('content-type')).to.equal('application/octet-stream');
    expect(headers.get('content-disposition')).to.equal(
      `attachment; filename="nota _.html"; filename*=UTF-8''nota%20%C3%A9.html`,
    );
  });

  for (const [range, status, content, part] of [
    ['bytes=0-0', 206, 'bytes 0-0/20', '0'],
    ['bytes=17-', 206, 'bytes 17-19/20', 'hij'],
    ['bytes=15-99', 206, 'bytes 15-19/20', 'fghij'],
    ['bytes=-4', 206, 'bytes 16-19/20', 'ghij'],
    ['bytes=-99', 206, 'bytes 0-19/20', bytes.toString()],
    ['bytes=20-', 416, 'bytes */20', null],
    ['bytes=-0', 416, 'bytes */20', null],
    ['bytes=5-2', 200, null, bytes.toString()],
    ['bytes=0-1,4-5', 200, null, bytes.toString()],
    ['items=0-1', 200, null, bytes.toString()],
    ['bytes=-', 200, null, bytes.toString()],
  ] as const) {
    it(`answer ${range} with ${status}`, async () => {
      const answer = await get((await kept(bytes)).url, { range });
      expect([answer.status, answer.headers.get('content-range')]).to.deep.equal([status, content]);
      if (part === null) expect(await codeOf(answer)).to.equal('range_not_satisfiable');
      else expect(await answer.text()).to.equal(part);
    });
  }

  it('answer HEAD without a body, and nothing but GET and HEAD', async () => {
    const { url } = await kept(bytes);
    const head = await get(url, { range: 'bytes=0-4' }, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).to.deep.equal([
      206,
      '5',
      '',
    ]);
    const post = await get(url, {}, 'POST');
    expect([post.status, post.headers.get('allow'), await codeOf(post)]).to.deep.equal([
      405,
      'GET, HEAD',
      'method_not_allowed',
    ]);
  });

  it('honour If-None-Match and If-Range', async () => {
    const { url, blob } = await kept(bytes);
    expect((await get(url, { 'if-none-match': `"x", W/"${blob}"` })).status).to.equal(304);
    expect((await get(url, { 'if-none-match': '"x"' })).status).to.equal(200);
    expect((await get(url, { range: 'bytes=0-1', 'if-range': `"${blob}"` })).status).to.equal(206);
    expect((await get(url, { range: 'bytes=0-1', 'if-range': '"older"' })).status).to.equal(200);
  });

  it('end when they say, belong to one company, and can not be made up', async () => {
    const { uuid, url } = await kept(bytes);
    const expired = await get(address(uuid, COMPANY, -1000));
    expect([expired.status, await codeOf(expired)]).to.deep.equal([410, 'url_expired']);
    const strangers = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1099';
    for (const bad of [
      address(uuid, strangers),
      address(app.newId()),
      `${url.slice(0, -8)}AAAAAAAA`,
      `${url}/x`,
    ]) {
      expect((await get(bad)).status, bad).to.equal(404);
    }
  });

  it('say when the file is still on its way, and when there will be none', async () => {
    const uuid = await received('somebody');
    const early = await get(address(uuid));
    expect([
      early.status,
      early.headers.get('retry-after'),
      early.headers.get('cache-control'),
    ]).to.deep.equal([503, '2', 'no-store']);
    expect(await codeOf(early)).to.equal('media_pending');
    const { data } = messageEventExamples.mediaFailed;
    await app.executor.execute(messageAggregate, uuid, { type: 'FailMedia', data }, context('somebody'));
    const failed = await get(address(uuid));
    expect([failed.status, await codeOf(failed)]).to.deep.equal([404, 'media_failed']);
  });

  it('lead nowhere once the message is deleted', async () => {
    const { uuid, url, subject } = await kept(bytes);
    const { data } = messageEventExamples.deleted;
    await app.executor.execute(messageAggregate, uuid, { type: 'DeleteMessage', data }, context(subject));
    expect((await get(url)).status).to.equal(404);
  });

  it('lead nowhere once the key is destroyed, even with the blob still there', async () => {
    const { blob, url, subject } = await kept(bytes);
    await app.keys.destroy(subject);
    // The key is still cached in this process; the cache alone must not be enough to serve the file.
    const answer = await get(url);
    expect([
      answer.status,
      answer.headers.get('etag'),
      answer.headers.get('content-disposition'),
    ]).to.deep.equal([404, null, null]);
    expect(await app.blobs.has(blob)).to.equal(true);
  });

  it('lead nowhere when the blob is gone', async () => {
    const { blob, url } = await kept(bytes);
    await app.blobs.delete(blob);
    expect((await get(url)).status).to.equal(404);
  });
});
