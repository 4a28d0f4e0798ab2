/** Addresses become pictures of a product: what is fetched, what is kept, and what answers do not reveal. */
import { expect } from 'chai';
import { createFolderBlobs } from '../../../adapters/blobs/folder.js';
import type { App } from '../../../application/app.js';
import { blobsOf, IMAGE_EXPIRY, IMAGE_GRACE_MS } from '../../../application/store/image-expiry.js';
import { createImageMemo, imageUrl, resolveImages } from '../../../application/store/images.js';
import { createKeyedSemaphore } from '../../../application/store/keyed-semaphore.js';
import type { ProductImage } from '../../../domain/product/events.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { makeApi } from '../../support/api/make-api.js';
import { eventually } from '../../support/e2e/eventually.js';
import { fakeImages, fetched, type FakeImages } from '../../support/fakes/images.js';
import { someProducts } from '../../support/products.js';
import { opened, openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';
import { refusalOf } from '../provisioning/workspace.js';

const A = 'https://cdn.example.com/a.jpg';
const B = 'https://cdn.example.com/b.jpg';
const C = 'https://other.example.com/c.jpg';

describe('pictures of a product', () => {
  let app: App;
  let fake: FakeImages;
  let companyUuid: string;
  let storeUuid: string;

  const api = opened(makeApi);
  const folder = openedForEach(tempFolder);
  beforeEach(async () => {
    fake = fakeImages();
    app = { ...api.app, images: fake.images, blobs: createFolderBlobs(folder.path) };
    companyUuid = app.newId();
    storeUuid = app.newId();
  });

  const resolve = (urls: readonly string[], known: readonly ProductImage[] = [], memo = createImageMemo()) =>
    resolveImages(app, { companyUuid, storeUuid, urls, known }, memo);
  const askedUrls = () => fake.asked.map(({ url }) => url);

  it('come in the order of their addresses, stored by content with their renditions', async () => {
    fake.answer(A, fetched('picture a', '"v1"'));
    fake.answer(B, 'picture b');
    const [a, b] = await resolve([A, B]);
    expect(a).to.deep.include({
      source_url: A,
      etag: '"v1"',
      content_type: 'image/jpeg',
      width: 800,
      height: 600,
    });
    expect(b).to.deep.include({ source_url: B, etag: null, last_modified: null });
    expect(Buffer.from((await app.blobs.get(a!.hash))!).toString()).to.equal('full picture a');
    for (const hash of [...blobsOf(a!), ...blobsOf(b!)])
      expect(await app.blobs.has(hash), hash).to.equal(true);
    expect(a!.uuid).to.not.equal(b!.uuid);
  });

  it('are one and the same for the same address, fetched once in a whole batch', async () => {
    fake.answer(A, 'picture a');
    const memo = createImageMemo();
    const [one, two] = await resolve([A, A], [], memo);
    expect(one).to.equal(two);
    const [other] = await resolve([A], [], memo);
    expect(other!.hash).to.equal(one!.hash);
    expect(other!.uuid).to.not.equal(one!.uuid);
    expect(askedUrls()).to.deep.equal([A]);
  });

  describe('that the product has already', () => {
    it('are kept without a question when their source told nothing to ask by', async () => {
      fake.answer(A, 'picture a');
      const known = await resolve([A]);
      fake.answer(A, 'picture a2');
      expect(await resolve([A], known)).to.deep.equal(known);
      expect(askedUrls()).to.deep.equal([A]);
    });

    it('are asked about by tag and date, and kept when nothing is newer', async () => {
      fake.answer(A, {
        kind: 'fetched',
        bytes: Buffer.from('picture a'),
        etag: '"v1"',
        lastModified: 'monday',
      });
      const known = await resolve([A]);
      fake.answer(A, { kind: 'not_modified' });
      expect(await resolve([A], known)).to.deep.equal(known);
      expect(fake.asked.at(-1)).to.deep.equal({ url: A, known: { etag: '"v1"', lastModified: 'monday' } });
    });

    it('are kept when the source sends the same bytes under another tag', async () => {
      fake.answer(A, fetched('picture a', '"v1"'));
      const known = await resolve([A]);
      fake.answer(A, fetched('picture a', '"v2"'));
      expect(await resolve([A], known)).to.deep.equal(known);
    });

    it('are replaced when the source has others now', async () => {
      fake.answer(A, fetched('picture a', '"v1"'));
      const known = await resolve([A]);
      fake.answer(A, fetched('picture a2', '"v2"'));
      const [now] = await resolve([A], known);
      expect(now).to.include({ source_url: A, etag: '"v2"' });
      expect(now!.hash).to.not.equal(known[0]!.hash);
      expect(now!.uuid).to.not.equal(known[0]!.uuid);
    });

    for (const [what, answer] of [
      ['answers no more', { kind: 'failed', reason: 'HTTP 500', unreachable: false }],
      ['shows a web page instead', '<html>'],
    ] as const) {
      it(`are kept when the source ${what}`, async () => {
        fake.answer(A, fetched('picture a', '"v1"'));
        const known = await resolve([A]);
        fake.answer(A, answer);
        expect(await resolve([A], known)).to.deep.equal(known);
        // Another product in the batch does not have the picture, and is refused.
        const memo = createImageMemo();
        await resolve([A], known, memo);
        expect((await refusalOf(resolve([A], [], memo))).code).to.equal('product_image_invalid');
      });
    }

    it('keep their uuid when the same picture comes from another address', async () => {
      fake.answer(A, 'picture a');
      fake.answer(C, 'picture a');
      const known = await resolve([A]);
      const [moved] = await resolve([C], known);
      expect(moved).to.deep.equal({ ...known[0], source_url: C });
      const [kept, second] = await resolve([A, C], known);
      expect(kept).to.deep.equal(known[0]);
      expect(second!.uuid).to.not.equal(kept!.uuid);
    });
  });

  describe('under our own addresses', () => {
    it('are kept by the product that has them, at full size or as a rendition', async () => {
      fake.answer(A, 'picture a');
      const known = await resolve([A]);
      const { hash } = known[0]!;
      for (const url of [
        imageUrl(app.publicUrl(), hash, 'image/jpeg'),
        imageUrl(app.publicUrl(), hash, 'image/webp', 200),
      ]) {
        expect(await resolve([url], known), url).to.deep.equal(known);
      }
      expect(askedUrls()).to.deep.equal([A]);
    });

    it('are another product’s too when somebody shows them, without a download', async () => {
      fake.answer(A, 'picture shown');
      const shown = await resolve([A]);
      await someProducts(app).create({ images: shown });
      const url = imageUrl(app.publicUrl(), shown[0]!.hash, 'image/jpeg');
      const [taken] = await resolve([url]);
      expect({ ...taken, uuid: null }).to.deep.equal({ ...shown[0], uuid: null });
      expect(taken!.uuid).to.not.equal(shown[0]!.uuid);
      expect(askedUrls()).to.deep.equal([A]);
    });

    it('are none when nobody shows them, or their bytes are gone', async () => {
      const kept = await app.blobs.put(Buffer.from('a file of a conversation'));
      const secret = imageUrl(app.publicUrl(), kept.hash, 'image/jpeg');
      expect((await refusalOf(resolve([secret]))).code).to.equal('product_image_invalid');
      fake.answer(B, 'picture gone');
      const shown = await resolve([B]);
      await someProducts(app).create({ images: shown });
      await app.blobs.delete(shown[0]!.renditions[0]!.hash);
      const url = imageUrl(app.publicUrl(), shown[0]!.hash, 'image/jpeg');
      expect((await refusalOf(resolve([url]))).code).to.equal('product_image_invalid');
      expect(askedUrls()).to.deep.equal([B]);
    });
  });

  describe('that are none', () => {
    it('have one answer whatever was wrong, with the first address that shows no picture', async () => {
      fake.answer(A, 'picture a');
      const reasons = [
        'the address is not allowed',
        'HTTP 404',
        'no answer in time',
        'no connection: ECONNREFUSED',
      ];
      const answers = [];
      for (const reason of reasons) {
        fake.answer(B, { kind: 'failed', reason, unreachable: true });
        const { code, message, details } = await refusalOf(resolve([A, B, C]));
        answers.push({ code, message, details });
      }
      fake.answer(B, '<svg/>');
      const { code, message, details } = await refusalOf(resolve([A, B]));
      answers.push({ code, message, details });
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(1);
      expect(answers[0]).to.deep.equal({
        code: 'product_image_invalid',
        message: 'An image could not be downloaded as a public image.',
        details: { field: 'image_urls[1]', index: 1 },
      });
    });

    it('are named by the field that they came in', async () => {
      fake.answer(A, 'picture a');
      const wanted = {
        companyUuid,
        storeUuid,
        urls: [A, C],
        known: [],
        fields: ['image_urls[0]', 'variants[3].image_url'],
      };
      const { details } = await refusalOf(resolveImages(app, wanted));
      expect(details['field']).to.equal('variants[3].image_url');
    });

    it('leave the reason in the log, and not the address', async () => {
      const url = `${C}?signature=secret`;
      await refusalOf(resolve([url]));
      const line = api.log.filter(({ level }) => level === 'debug').at(-1)!;
      expect(line.fields).to.deep.equal({ store: storeUuid, host: 'other.example.com', reason: 'HTTP 404' });
      expect(JSON.stringify(api.log)).to.not.contain('secret');
    });

    it('because their host is out of reach cost a batch a few tries, not one for each', async () => {
      const dead = Array.from({ length: 20 }, (_, n) => `https://dead.example.com/${n}.jpg`);
      for (const url of dead)
        fake.answer(url, { kind: 'failed', reason: 'no answer in time', unreachable: true });
      app = { ...app, images: { ...app.images, turns: createKeyedSemaphore({ total: 1, perKey: 1 }) } };
      const memo = createImageMemo();
      await refusalOf(resolve(dead, [], memo));
      expect(fake.asked).to.have.length(3);
      fake.answer(A, 'picture a');
      expect(await resolve([A], [], memo)).to.have.length(1);
    });

    it('do not hide that a store of ours is away', async () => {
      fake.answer(A, 'picture a');
      const away = new StoreUnavailable('away');
      app = { ...app, blobs: { ...app.blobs, put: () => Promise.reject(away) } };
      let thrown: unknown;
      await resolve([C, A]).catch((error: unknown) => (thrown = error));
      expect(thrown).to.equal(away);
    });
  });

  it('are in hand only so many at once: of one store, of one host, in all', async () => {
    let now = 0;
    const most = { all: 0, host: new Map<string, number>() };
    const current = new Map<string, number>();
    const { images } = fakeImages();
    const fetcher: App['images']['fetcher'] = {
      async fetch({ url }) {
        const { host } = new URL(url);
        now += 1;
        current.set(host, (current.get(host) ?? 0) + 1);
        most.all = Math.max(most.all, now);
        most.host.set(host, Math.max(most.host.get(host) ?? 0, current.get(host)!));
        await new Promise((resolveTurn) => setImmediate(resolveTurn));
        now -= 1;
        current.set(host, current.get(host)! - 1);
        return fetched(`picture ${url}`);
      },
      close: async () => undefined,
    };
    app = { ...app, images: { ...images, fetcher, turns: createKeyedSemaphore({ total: 4, perKey: 3 }) } };
    const urls = (host: string) => Array.from({ length: 8 }, (_, n) => `https://${host}/${n}`);
    const two = { companyUuid, storeUuid: app.newId(), known: [] };
    await Promise.all([
      resolve(urls('one.example.com')),
      resolveImages(app, { ...two, urls: urls('two.example.com') }),
    ]);
    expect(most.all).to.equal(4);
    expect(Math.max(...most.host.values())).to.equal(3);
  });

  it('have their bytes looked at within the hour, product or not, from before they are stored', async () => {
    fake.answer(A, 'picture expiring');
    let rowsBefore = -1;
    const before = await app.dueTimes.count(IMAGE_EXPIRY);
    const { blobs } = app;
    app = {
      ...app,
      blobs: {
        ...app.blobs,
        async put(bytes) {
          if (rowsBefore < 0) rowsBefore = (await app.dueTimes.count(IMAGE_EXPIRY)) - before;
          return blobs.put(bytes);
        },
      },
    };
    await resolve([A]);
    expect(rowsBefore).to.equal(2);
  });

  it('wait for a sweeper that is looking at the very bytes, and store them after it', async () => {
    fake.answer(A, 'picture fought over');
    const [image] = await resolve([A]);
    const { hash } = image!;
    const claim = {
      queue: IMAGE_EXPIRY,
      lane: 'all',
      now: Date.now() + IMAGE_GRACE_MS + 1000,
      limit: 1000,
      leaseMs: 30_000,
    };
    const held = await app.dueTimes.claim(claim);
    expect(held.map(({ id }) => id)).to.include(hash);
    let done = false;
    const again = resolve([A]).then((images) => {
      done = true;
      return images;
    });
    await eventually(() => fake.asked.length === 2);
    await new Promise((turn) => setImmediate(turn));
    expect(done).to.equal(false);
    await app.blobs.delete(hash);
    await app.dueTimes.settle(
      held.map(({ queue, id, fence }) => ({ queue, id, fence, then: 'done' as const })),
    );
    expect((await again)[0]!.hash).to.equal(hash);
    expect(await app.blobs.has(hash)).to.equal(true);
  });
});
