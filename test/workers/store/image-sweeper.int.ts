/** Bytes that no product shows are removed after their time; bytes that a product shows, or is about to show, stay. */
import { expect } from 'chai';
import { createFolderBlobs } from '../../../adapters/blobs/folder.js';
import type { App } from '../../../application/app.js';
import { relay } from '../../../application/relay.js';
import { blobsOf, IMAGE_EXPIRY, IMAGE_GRACE_MS } from '../../../application/store/image-expiry.js';
import { imageUrl, resolveImages } from '../../../application/store/images.js';
import { uploadImage } from '../../../application/store/uploaded-images.js';
import type { ProductImage } from '../../../domain/product/events.js';
import { START, type StoredRecord } from '../../../ports/event-store.js';
import { ReadModelBehind } from '../../../ports/read-models.js';
import { imageUploads } from '../../../read-models/image-uploads.js';
import { storeImages } from '../../../read-models/store-images.js';
import { startReactor, type RunningReactor } from '../../../workers/kernel/reactor.js';
import { pictureReactor, sweepBlob } from '../../../workers/store/image-sweeper.js';
import { failure } from '../../conformance/support.js';
import { makeApi } from '../../support/api/make-api.js';
import { eventually } from '../../support/e2e/eventually.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { fakeImages } from '../../support/fakes/images.js';
import { someProducts } from '../../support/products.js';
import { opened } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

describe('sweeping pictures', () => {
  let app: App;
  let sweeper: RunningReactor | undefined;
  /** How far the clock is ahead, in milliseconds. */
  let ahead = 0;
  let pictures = 0;

  const api = opened(makeApi);
  const folder = opened(tempFolder);
  before(async () => {
    app = {
      ...api.app,
      images: fakeImages((url) => `picture at ${url}`).images,
      blobs: createFolderBlobs(folder.path),
      clock: { ...api.app.clock, now: () => Date.now() + ahead },
    };
  });
  afterEach(() => sweeper?.stop());

  async function picture(name = `n${(pictures += 1)}`): Promise<ProductImage> {
    const urls = [`https://cdn.example.com/${name}.jpg`];
    const [image] = await resolveImages(app, {
      companyUuid: app.newId(),
      storeUuid: app.newId(),
      urls,
      known: [],
    });
    return image!;
  }
  const bytesOf = async (image: ProductImage): Promise<boolean[]> =>
    Promise.all(blobsOf(image).map((hash) => app.blobs.has(hash)));
  const isGone = async (image: ProductImage) => (await bytesOf(image)).every((there) => !there);
  const rows = () => app.dueTimes.count(IMAGE_EXPIRY);

  /** Publishes the messages that the product's last event causes, as the store does. */
  async function tell(product: string): Promise<void> {
    const records: readonly StoredRecord[] = await app.store.read(`product-${product}`);
    await app.topics.publish(relay(records.at(-1)!));
  }
  /** Advances past the time of every row, and waits until all are settled. */
  async function sweepAll(): Promise<void> {
    ahead += IMAGE_GRACE_MS + 60_000;
    sweeper = startReactor(app, pictureReactor, {});
    await eventually(async () => (await rows()) === 0, { what: 'every row to be settled' });
    await sweeper.stop();
  }

  it('removes what was fetched for a product that never came about', async () => {
    const image = await picture();
    expect(await bytesOf(image)).to.deep.equal([true, true]);
    await sweepAll();
    expect(await isGone(image)).to.equal(true);
  });

  it('leaves what a product shows, and forgets about it', async () => {
    const image = await picture();
    await someProducts(app).create({ images: [image] });
    await sweepAll();
    expect(await bytesOf(image)).to.deep.equal([true, true]);
  });

  for (const [what, change] of [
    ['deleted', (uuid: string) => someProducts(app).delete(uuid)],
    ['given other pictures', (uuid: string) => someProducts(app).change(uuid, { images: [] })],
  ] as const) {
    it(`removes the pictures of a product that was ${what}, not before their time`, async () => {
      const image = await picture();
      const product = (await someProducts(app).create({ images: [image] })).uuid;
      await sweepAll();
      await change(product);
      await tell(product);
      sweeper = startReactor(app, pictureReactor, {});
      await eventually(async () => (await rows()) === 2, { what: 'both blobs to be waited for' });
      await sweeper.stop();
      expect(await bytesOf(image)).to.deep.equal([true, true]);
      await sweepAll();
      expect(await isGone(image)).to.equal(true);
    });
  }

  it('leaves the same bytes to another product that shows them, rendition by rendition', async () => {
    const image = await picture();
    const [one, other] = [
      (await someProducts(app).create({ images: [image] })).uuid,
      (await someProducts(app).create({ images: [{ ...image, uuid: app.newId() }] })).uuid,
    ];
    // A different picture that shares only the rendition.
    const sharing = { ...(await picture()), renditions: image.renditions };
    await someProducts(app).create({ images: [sharing] });
    await sweepAll();
    for (const product of [one, other]) {
      await someProducts(app).delete(product);
      await tell(product);
      sweeper = startReactor(app, pictureReactor, {});
      await eventually(async () => (await rows()) === 2, { what: 'both blobs to be waited for' });
      await sweeper.stop();
      await sweepAll();
      expect(await bytesOf(image)).to.deep.equal(product === one ? [true, true] : [false, true]);
    }
  });

  describe('that were uploaded', () => {
    const uploadedBy = async (company: string, text: string): Promise<string> =>
      /[0-9a-f]{64}/.exec((await uploadImage(app, company, Buffer.from(text))).url)![0];
    const use = async (companyUuid: string, hash: string): Promise<ProductImage | undefined> => {
      const urls = [imageUrl(app.publicUrl(), hash, 'image/jpeg')];
      const wanted = { companyUuid, storeUuid: app.newId(), urls, known: [] };
      const found = await resolveImages(app, wanted).catch((error: unknown) => {
        expect(error).to.include({ code: 'product_image_invalid' });
        return [];
      });
      return found[0];
    };
    const records = async (hash: string) =>
      (
        await app.readModels.find(imageUploads.name, {
          index: 'by_hash',
          equals: [hash],
          order: 'asc',
          limit: 10,
        })
      ).documents.length;

    it('go with what is known of them, of every company', async () => {
      const [one, two] = [app.newId(), app.newId()];
      const hash = await uploadedBy(one, 'picture nobody shows');
      expect(await uploadedBy(two, 'picture nobody shows')).to.equal(hash);
      expect(await records(hash)).to.equal(2);
      await sweepAll();
      expect([await records(hash), await app.blobs.has(hash)]).to.deep.equal([0, false]);
      expect(await use(one, hash)).to.equal(undefined);
      // Uploaded again, it is there again.
      await uploadedBy(one, 'picture nobody shows');
      expect(await use(one, hash)).to.include({ hash });
      await sweepAll();
    });

    it('stay while a product shows them, and are then known by it alone', async () => {
      const company = app.newId();
      const hash = await uploadedBy(company, 'picture that is shown');
      const image = await use(company, hash);
      await someProducts(app).create({ images: [image!] });
      await sweepAll();
      expect(await bytesOf(image!)).to.deep.equal([true, true]);
      expect(await records(hash)).to.equal(0);
      expect(await use(company, hash)).to.include({ hash });
      await sweepAll();
    });

    it('are kept for another hour when they are uploaded, or used, again', async () => {
      const company = app.newId();
      const hash = await uploadedBy(company, 'picture used late');
      ahead += IMAGE_GRACE_MS - 1000;
      await use(company, hash);
      ahead += 2000;
      const worker = startReactor(app, pictureReactor, {});
      await app.dueTimes.schedule([
        {
          queue: IMAGE_EXPIRY,
          id: 'e'.repeat(64),
          lane: 'all',
          dueAt: app.clock.now(),
          payload: { hash: 'e'.repeat(64) },
        },
      ]);
      await eventually(async () => (await rows()) === 2);
      await worker.stop();
      expect([await records(hash), await app.blobs.has(hash)]).to.deep.equal([1, true]);
      await sweepAll();
    });
  });

  it('spares what somebody fetches again just before its time', async () => {
    const image = await picture('again');
    ahead += IMAGE_GRACE_MS - 1000;
    await picture('again');
    ahead += 2000;
    sweeper = startReactor(app, pictureReactor, {});
    // Once this other due row is handled, the sweeper has had the chance to handle the first ones.
    await app.dueTimes.schedule([
      {
        queue: IMAGE_EXPIRY,
        id: 'f'.repeat(64),
        lane: 'all',
        dueAt: app.clock.now(),
        payload: { hash: 'f'.repeat(64) },
      },
    ]);
    await eventually(async () => (await rows()) === 2);
    await sweeper.stop();
    expect(await bytesOf(image)).to.deep.equal([true, true]);
    await sweepAll();
    expect(await isGone(image)).to.equal(true);
  });

  it('deletes nothing while the read model does not show what the streams say', async () => {
    const image = await picture();
    const barrier = fakeBarrier();
    barrier.endAt(storeImages.name, START);
    const behind: App = {
      ...app,
      barrier,
      readModels: { ...app.readModels, search: async () => ({ documents: [], next: null }) },
    };
    await someProducts(app).create({ images: [image] });
    expect(await failure(sweepBlob(behind, image.hash))).to.be.instanceOf(ReadModelBehind);
    expect(await bytesOf(image)).to.deep.equal([true, true]);
    await sweepAll();
  });
});
