/** Pictures of products by upload, over HTTP: made anew, used by their own company, and served once a product shows them. */
import { expect } from 'chai';
import express from 'express';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { createFolderBlobs } from '../../../adapters/blobs/folder.js';
import { createImageDecoder } from '../../../adapters/images/sharp.js';
import { storeImagesRouter } from '../../../api/store-images.js';
import { IMAGE_EXPIRY } from '../../../application/store/image-expiry.js';
import type { ProductEvent, ProductImage } from '../../../domain/product/events.js';
import { imageUploads, type ImageUploadDoc } from '../../../read-models/image-uploads.js';
import { hollowPng } from '../../support/hollow-png.js';
import { opened } from '../../support/opened.js';
import { serve } from '../../support/servers.js';
import { tempFolder } from '../../support/temp-folder.js';
import { ADMIN_TOKEN, newCompany, openAdmin } from './server.js';

const PUBLIC = 'https://recado.example';
const LIMIT = 10 * 1024 * 1024;

interface Uploaded {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly error: { readonly code?: string; readonly message?: string; readonly details?: object };
}

describe('admin: pictures of products by upload', function () {
  this.timeout(60_000);
  const folder = opened(tempFolder);
  const decoder = createImageDecoder();
  const server = opened(() =>
    openAdmin({
      over: (app) => ({
        ...app,
        blobs: createFolderBlobs(join(folder.path, 'blobs')),
        images: { ...app.images, decoder },
      }),
    }),
  );
  const shop = opened(() => serve(express().use('/store-images', storeImagesRouter(server.app))));
  let company: string;
  let other: string;
  let shades = 0;

  before(async () => {
    company = await newShop('Loja');
    other = await newShop('Outra');
  });

  async function newShop(name: string): Promise<string> {
    const uuid = await newCompany(server, name);
    const body = { name, status: 'active', pickup: { location: 'Rua das Flores, 10' } };
    expect((await server.call('POST', `/companies/${uuid}/store`, body)).status).to.equal(201);
    return uuid;
  }
  /** A picture that no other test has. */
  const photo = (width = 900, height = 300): Sharp =>
    sharp({ create: { width, height, channels: 3, background: { r: (shades += 7), g: 90, b: 40 } } });
  async function upload(body: NonNullable<RequestInit['body']>, of = company): Promise<Uploaded> {
    const answer = await fetch(`${server.url}/companies/${of}/store/images`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'image/jpeg' },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
    const { data = {}, error = {} } = (await answer.json()) as Partial<Uploaded>;
    return { status: answer.status, data, error };
  }
  const file = (bytes: Buffer | string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(bytes));
  const uploaded = async (bytes: Buffer, of = company): Promise<Uploaded['data']> => {
    const answer = await upload(file(bytes), of);
    expect(answer.status, JSON.stringify(answer.error)).to.equal(201);
    return answer.data;
  };
  const write = (body: object, of = company) =>
    server.call('POST', `/companies/${of}/store/products`, { name: 'Caneca', price: '49.90', ...body });
  const pathOf = (url: unknown): string => String(url).slice(PUBLIC.length);
  const served = async (url: unknown): Promise<number> => (await fetch(shop.origin + pathOf(url))).status;
  const records = async (url: unknown): Promise<readonly ImageUploadDoc[]> => {
    const [, hash] = /([0-9a-f]{64})/.exec(String(url)) ?? [];
    const query = { index: 'by_hash', equals: [hash ?? null], order: 'asc', limit: 10 } as const;
    return (await server.app.readModels.find(imageUploads.name, query)).documents.map(({ doc }) => doc);
  };
  async function picturesSince(mark: Awaited<ReturnType<typeof server.mark>>): Promise<ProductImage> {
    const records = (await server.recordsSince(mark)).filter(({ type }) => type === 'ProductCreated');
    const [created] = await server.app.codec.decodeAll<ProductEvent>(records);
    if (created?.event.type !== 'ProductCreated') throw new Error('no product was created');
    const { images, variants } = created.event.data;
    const [image] = [...images, ...variants.flatMap((one) => one.image ?? [])];
    if (image === undefined) throw new Error('the product has no picture');
    return image;
  }

  it('become pictures of a product that is written with their address, and are served only then', async () => {
    const jpeg = await photo().jpeg().toBuffer();
    const { url, ...rest } = await uploaded(jpeg);
    expect(url).to.match(/^https:\/\/recado\.example\/store-images\/[0-9a-f]{64}\.jpg$/);
    expect(rest).to.include({ mime_type: 'image/jpeg', width: 900, height: 300 });
    expect(Date.parse(String(rest['expires_at'])) - server.app.clock.now()).to.be.within(
      3_500_000,
      3_600_000,
    );
    expect(await served(url), 'before a product shows it').to.equal(404);
    const mark = await server.mark();
    const made = await write({ image_urls: [url] });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    expect(made.data['image_urls']).to.deep.equal([url]);
    expect(made.data['images']).to.have.nested.property('[0].source_url', null);
    expect(await served(url)).to.equal(200);
    expect(await served(String(url).replace('.jpg', '/600.webp'))).to.equal(200);
    const image = await picturesSince(mark);
    expect(image.source_url).to.equal(`upload:${image.source_hash}`);
    expect(image).to.include({ etag: null, last_modified: null, content_type: 'image/jpeg' });
    expect(rest['size']).to.equal((await server.app.blobs.get(image.hash))?.length);
  });

  it('become the picture of a variant', async () => {
    const { url } = await uploaded(await photo().png().toBuffer());
    const mark = await server.mark();
    const variants = [{ options: { Cor: 'Azul' }, image_url: url }];
    const made = await write({ variants });
    expect(made.data, JSON.stringify(made.body)).to.have.nested.property('variants[0].image_url', url);
    expect((await picturesSince(mark)).content_type).to.equal('image/png');
    expect(await served(url)).to.equal(200);
  });

  it('are one when they are the same: one address, one record, one copy', async () => {
    const jpeg = await photo().jpeg().toBuffer();
    const first = await uploaded(jpeg);
    const again = await uploaded(jpeg);
    expect(again['url']).to.equal(first['url']);
    expect(await records(first['url'])).to.have.length(1);
    const mark = await server.mark();
    await write({ image_urls: [first['url'], again['url']] });
    const created = (await server.eventsSince(mark)).find(({ type }) => type === 'ProductCreated');
    expect(created?.data).to.have.property('images').with.length(1);
  });

  it('are of no use to another company, which gets the answer of a picture that never was', async () => {
    const jpeg = await photo().jpeg().toBuffer();
    const { url } = await uploaded(jpeg);
    const unknown = String(url).replace(/[0-9a-f]{64}/, 'e'.repeat(64));
    const answers = [];
    for (const address of [url, unknown]) {
      const answer = await write({ image_urls: [address] }, other);
      expect([answer.status, answer.code]).to.deep.equal([422, 'product_image_invalid']);
      const { code, message, details } = (answer.body as { error: Uploaded['error'] }).error;
      answers.push({ code, message, details });
    }
    expect(answers[0]).to.deep.equal(answers[1]);
    // Who uploads the same picture may use it, and neither learns of the other.
    expect((await uploaded(jpeg, other))['url']).to.equal(url);
    expect((await write({ image_urls: [url] }, other)).status).to.equal(201);
  });

  it('stand upright, and say neither where nor with what they were taken', async () => {
    const bytes = await photo(800, 400)
      .withExif({
        IFD0: { Copyright: 'secret owner', Make: 'secret camera' },
        IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '23/1 33/1 1/1', GPSAreaInformation: 'secret place' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const before = await sharp(bytes).metadata();
    expect([before.orientation, before.width, bytes.includes('secret')]).to.deep.equal([6, 800, true]);
    const { url, width, height } = await uploaded(bytes);
    expect([width, height]).to.deep.equal([400, 800]);
    const [doc] = await records(url);
    for (const hash of [doc!.hash, ...doc!.renditions.map((one) => one.hash)]) {
      const copy = Buffer.from((await server.app.blobs.get(hash))!);
      const after = await sharp(copy).metadata();
      expect([after.exif, after.xmp, after.iptc, after.orientation]).to.deep.equal(Array(4).fill(undefined));
      expect(after.height).to.equal(2 * after.width);
      expect(copy.includes('secret')).to.equal(false);
    }
  });

  it('take the type from the bytes, whatever the name or the caller says', async () => {
    expect((await uploaded(await photo().webp().toBuffer()))['mime_type']).to.equal('image/webp');
    expect((await uploaded(await photo().gif().toBuffer()))['mime_type']).to.equal('image/gif');
  });

  it('are refused with a reason where they are none', async () => {
    const jpeg = await photo().jpeg().toBuffer();
    for (const [reason, bytes] of [
      ['empty', Buffer.alloc(0)],
      ['format', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
      ['format', Buffer.from('<!doctype html><script>alert(1)</script>')],
      ['format', Buffer.from('%PDF-1.7')],
      ['damaged', jpeg.subarray(0, jpeg.length / 2)],
      ['damaged', Buffer.from('GIF89a, and a script')],
      ['pixels', hollowPng(50_000, 50_000)],
      ['pixels', hollowPng(5_001, 5_000)],
    ] as const) {
      const { status, error } = await upload(file(bytes));
      expect([status, error.code, error.details]).to.deep.equal([422, 'product_image_invalid', { reason }]);
      expect(error.message).to.match(/upload|Choose/);
    }
  });

  it('are refused beyond 10 MiB, announced or not, and nothing of them is kept', async () => {
    const large = Buffer.alloc(LIMIT + 1);
    (await photo().jpeg().toBuffer()).copy(large);
    const pieces = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(large));
        controller.close();
      },
    });
    const before = await server.app.dueTimes.count(IMAGE_EXPIRY);
    for (const body of [file(large), pieces]) {
      const { status, error } = await upload(body);
      expect([status, error.code]).to.deep.equal([413, 'payload_too_large']);
      expect(error.details).to.deep.equal({ limit_bytes: LIMIT });
    }
    expect(await server.app.dueTimes.count(IMAGE_EXPIRY)).to.equal(before);
  });

  it('need a store', async () => {
    const without = await newCompany(server, 'Sem loja');
    const { status, error } = await upload(file(await photo().jpeg().toBuffer()), without);
    expect([status, error.code]).to.deep.equal([404, 'not_found']);
  });
});
