/** Public image addresses over sockets: which images are served, who may cache them, and which are never served. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { createFolderBlobs } from '../../adapters/blobs/folder.js';
import { storeImagesRouter } from '../../api/store-images.js';
import type { App } from '../../application/app.js';
import { imageUrl, resolveImages } from '../../application/store/images.js';
import type { ProductImage } from '../../domain/product/events.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { makeApi } from '../support/api/make-api.js';
import { fakeImages } from '../support/fakes/images.js';
import { someProducts } from '../support/products.js';
import { opened } from '../support/opened.js';
import { serve } from '../support/servers.js';
import { tempFolder } from '../support/temp-folder.js';

describe('public addresses of pictures over HTTP', () => {
  let app: App;
  let failing: Error | null = null;
  let reads = 0;
  const fake = fakeImages((url) => `picture at ${url}`);

  const api = opened(makeApi);
  const folder = opened(tempFolder);
  const server = opened(() => {
    const blobs = createFolderBlobs(folder.path);
    app = {
      ...api.app,
      images: fake.images,
      blobs: {
        ...blobs,
        async get(hash) {
          reads += 1;
          if (failing) throw failing;
          return blobs.get(hash);
        },
      },
    };
    const http = express().disable('x-powered-by').disable('etag');
    return serve(http.use('/store-images', storeImagesRouter(app)));
  });

  async function shown(
    name: string,
  ): Promise<{ readonly product: string; readonly image: ProductImage; readonly url: string }> {
    const urls = [`https://cdn.example.com/${name}.jpg`];
    const [image] = await resolveImages(app, {
      companyUuid: app.newId(),
      storeUuid: app.newId(),
      urls,
      known: [],
    });
    const product = (await someProducts(app).create({ images: [image!] })).uuid;
    return { product, image: image!, url: imageUrl(server.origin, image!.hash, image!.content_type) };
  }
  const codeOf = async (answer: Response): Promise<string> =>
    ((await answer.json()) as { error: { code: string } }).error.code;

  it('hand out a picture for good, to run nothing, for every page to show', async () => {
    const { image, url } = await shown('a');
    const answer = await fetch(url);
    const bytes = Buffer.from('full picture at https://cdn.example.com/a.jpg');
    expect(answer.status).to.equal(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).to.equal(true);
    expect(Object.fromEntries(answer.headers)).to.include({
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${image.hash}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(answer.headers.get('set-cookie')).to.equal(null);
    expect(answer.headers.get('content-encoding')).to.equal(null);
  });

  it('hand out a rendition by its width, and none that there is not', async () => {
    const { image } = await shown('b');
    const answer = await fetch(imageUrl(server.origin, image.hash, 'image/webp', 200));
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('etag')]).to.deep.equal([
      200,
      'image/webp',
      `"${image.renditions[0]!.hash}"`,
    ]);
    expect((await answer.text()).startsWith('small')).to.equal(true);
    expect((await fetch(imageUrl(server.origin, image.hash, 'image/webp', 600))).status).to.equal(404);
  });

  it('answer 304 to whoever has it, and HEAD without a body', async () => {
    const { url, image } = await shown('c');
    for (const tag of [`"${image.hash}"`, `W/"${image.hash}"`, `"x", "${image.hash}"`, '*']) {
      const answer = await fetch(url, { headers: { 'if-none-match': tag } });
      expect([answer.status, await answer.text(), answer.headers.get('etag')], tag).to.deep.equal([
        304,
        '',
        `"${image.hash}"`,
      ]);
    }
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).to.equal(200);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).to.deep.equal([
      200,
      '45',
      '',
    ]);
  });

  it('answer nothing but GET and HEAD', async () => {
    const { url } = await shown('d');
    const answer = await fetch(url, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('serve no other blob, whoever knows its hash', async () => {
    const { hash } = await app.blobs.put(Buffer.from('what a customer sent'));
    for (const path of [hash, `${hash}.jpg`, `${hash}/200.webp`]) {
      const before = reads;
      const answer = await fetch(`${server.origin}/store-images/${path}`);
      expect([answer.status, await codeOf(answer), answer.headers.get('cache-control')]).to.deep.equal([
        404,
        'not_found',
        'no-store',
      ]);
      expect(reads).to.equal(before);
    }
  });

  it('serve a rendition under its picture only', async () => {
    const { image } = await shown('e');
    expect((await fetch(imageUrl(server.origin, image.renditions[0]!.hash, 'image/webp'))).status).to.equal(
      404,
    );
  });

  for (const path of [
    '',
    '/',
    '/x',
    '/..%2f..%2fetc%2fpasswd',
    `/${'A'.repeat(64)}`,
    `/${'a'.repeat(64)}/0`,
  ]) {
    it(`answer 404 to "${path.slice(0, 24)}"`, async () => {
      expect((await fetch(`${server.origin}/store-images${path}`)).status).to.equal(404);
    });
  }

  it('end at once when the product is deleted, also for whoever has the picture', async () => {
    const { url, product, image } = await shown('f');
    expect((await fetch(url)).status).to.equal(200);
    await someProducts(app).delete(product);
    expect((await fetch(url)).status).to.equal(404);
    expect((await fetch(url, { headers: { 'if-none-match': `"${image.hash}"` } })).status).to.equal(404);
    expect(await app.blobs.has(image.hash)).to.equal(true);
  });

  it('end when the product shows others, and go on as long as another product shows the same', async () => {
    const { url, product, image } = await shown('g');
    const other = (await someProducts(app).create({ images: [{ ...image, uuid: app.newId() }] })).uuid;
    await someProducts(app).change(product, { images: [] });
    expect((await fetch(url)).status).to.equal(200);
    await someProducts(app).delete(other);
    expect((await fetch(url)).status).to.equal(404);
  });

  it('read the bytes once for many who ask at once', async () => {
    const { url } = await shown('h');
    const before = reads;
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(url)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect((await fetch(url)).status).to.equal(200);
    expect(reads - before).to.equal(1);
  });

  it('say that they are away when the bytes can not be read, and 404 when they are gone', async () => {
    const { url } = await shown('i');
    failing = new StoreUnavailable('away');
    const away = await fetch(url).finally(() => (failing = null));
    expect([away.status, await codeOf(away), away.headers.get('retry-after')]).to.deep.equal([
      503,
      'unavailable',
      '1',
    ]);
    const { url: lost, image } = await shown('j');
    await app.blobs.delete(image.hash);
    const gone = await fetch(lost);
    expect([gone.status, gone.headers.get('etag'), gone.headers.get('cache-control')]).to.deep.equal([
      404,
      null,
      'no-store',
    ]);
  });

  it('go on after a reader that left in the middle', async () => {
    const { url } = await shown('k');
    const { port, pathname } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: x\r\n\r\n`);
    socket.destroy();
    await once(socket, 'close');
    expect((await fetch(url)).status).to.equal(200);
  });
});
