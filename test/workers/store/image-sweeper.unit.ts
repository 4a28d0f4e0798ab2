/**
 * When the bytes of pictures are removed: an hour after a product stopped showing them, unless another one shows them.
 */
import { expect } from 'chai';
import { IMAGE_EXPIRY, IMAGE_GRACE_MS, putOffExpiry } from '../../../application/store/image-expiry.js';
import type { ProductImage } from '../../../domain/product/events.js';
import { ReadModelBehind } from '../../../ports/read-models.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import { pictureReactor, sweepBlob } from '../../../workers/store/image-sweeper.js';
import { memoryApp } from '../../support/memory/app.js';
import { openedForEach } from '../../support/opened.js';
import { someProducts } from '../../support/products.js';

describe('pictures that no product shows', () => {
  const world = openedForEach(async () => memoryApp());
  let outcomes: string[];
  beforeEach(() => {
    outcomes = [];
  });

  /** A picture of two blobs: the full size and a smaller copy. */
  async function picture(name = 'mug'): Promise<ProductImage> {
    const [full, small] = [
      await world.app.blobs.put(Buffer.from(name)),
      await world.app.blobs.put(Buffer.from(`${name}, small`)),
    ];
    const shape = { content_type: 'image/jpeg', width: 64, height: 48 };
    return {
      uuid: world.app.newId(),
      source_url: `https://loja.example/${name}.jpg`,
      hash: full.hash,
      source_hash: full.hash,
      ...shape,
      renditions: [{ hash: small.hash, ...shape }],
      etag: null,
      last_modified: null,
    };
  }
  const hashesOf = (image: ProductImage): readonly string[] => [
    image.hash,
    ...image.renditions.map(({ hash }) => hash),
  ];
  const products = () => someProducts(world.app);
  const waiting = () => world.dueTimes.rows(IMAGE_EXPIRY);
  const start = () =>
    startReactor(world.app, pictureReactor, {}, (group, kind) => outcomes.push(`${group} ${kind}`));
  /** Handles the messages of the topic; `sweep` then lets the time of their rows pass. */
  async function settled(): Promise<void> {
    const worker = start();
    await world.clock.advance(0);
    await worker.stop();
  }
  async function sweep(): Promise<void> {
    await world.clock.advance(IMAGE_GRACE_MS);
    const worker = start();
    await world.clock.advance(3_000);
    await worker.stop();
    expect(world.clock.pending()).to.equal(0);
  }

  for (const [what, cease] of [
    ['is deleted', (uuid: string) => products().delete(uuid)],
    ['gets other pictures', (uuid: string) => products().change(uuid, { images: [] })],
  ] as const) {
    it(`go an hour after their product ${what}`, async () => {
      const image = await picture();
      const { uuid } = await products().create({ images: [image] });
      await cease(uuid);
      await settled();
      expect(outcomes).to.deep.equal(['store-images handled']);
      expect(waiting().map(({ id, dueAt, payload }) => [id, dueAt, payload])).to.have.deep.members(
        hashesOf(image).map((hash) => [hash, world.clock.now() + IMAGE_GRACE_MS, { hash }]),
      );
      expect(world.blobs.kept()).to.have.members(hashesOf(image));
      await world.show('store_images');
      await sweep();
      expect(world.blobs.kept()).to.deep.equal([]);
      expect(waiting()).to.deep.equal([]);
      expect(outcomes.slice(1)).to.deep.equal(['store-images handled', 'store-images handled']);
    });
  }

  it('are those alone that the product shows no more', async () => {
    const [kept, gone] = [await picture('kept'), await picture('gone')];
    const { uuid } = await products().create({ images: [kept, gone] });
    await products().change(uuid, { images: [kept] });
    await settled();
    expect(waiting().map(({ id }) => id)).to.have.members(hashesOf(gone));
  });

  it('are none where its pictures change places', async () => {
    const [one, other] = [await picture('one'), await picture('other')];
    const { uuid } = await products().create({ images: [one, other] });
    await products().change(uuid, { images: [other, one] });
    await settled();
    expect(outcomes).to.deep.equal(['store-images skipped']);
    expect(waiting()).to.deep.equal([]);
  });

  it('are looked for as of the event: what came back behind it stays', async () => {
    const image = await picture();
    const { uuid } = await products().create({ images: [image] });
    await products().change(uuid, { images: [] });
    await products().change(uuid, { images: [image] });
    await settled();
    expect(waiting()).to.deep.equal([]);
  });

  it('are those of the products that the topic names, and of no other stream', async () => {
    const value = { stream: 'order-1', revision: 0, event_id: 'e', company: 'c', correlation_id: 'c' };
    await world.app.topics.publish([{ topic: 'store-pictures', key: 'k', value }]);
    await settled();
    expect(outcomes).to.deep.equal(['store-images skipped']);
  });

  it('are found beside what else happens to the product', async () => {
    const image = await picture();
    const { uuid } = await products().create({ images: [image] });
    await products().change(uuid, { details: { name: 'Caneca' } });
    await products().delete(uuid);
    await settled();
    expect(waiting().map(({ id }) => id)).to.have.members(hashesOf(image));
  });

  it('stay while another product shows them, and are not asked for again', async () => {
    const image = await picture();
    const { uuid } = await products().create({ images: [image] });
    await products().create({ images: [image] });
    await products().delete(uuid);
    await settled();
    await world.show('store_images');
    await sweep();
    expect(world.blobs.kept()).to.have.members(hashesOf(image));
    expect(waiting()).to.deep.equal([]);
  });

  it('go of a product that never came about', async () => {
    const image = await picture();
    await putOffExpiry(world.app, hashesOf(image));
    await world.clock.advance(IMAGE_GRACE_MS - 1);
    const worker = start();
    await world.clock.advance(0);
    expect(world.blobs.kept(), 'not before their time').to.have.length(2);
    await world.clock.advance(1_000);
    expect(world.blobs.kept()).to.deep.equal([]);
    await worker.stop();
  });

  it('stay while it is not known whether something shows them', async () => {
    const image = await picture();
    await products().create({ images: [image] });
    world.barrier.endAt('store_images', world.records.at(-1)!.position);
    const behind = sweepBlob(world.app, image.hash);
    expect(await behind.catch((error: unknown) => error)).to.be.instanceOf(ReadModelBehind);
    expect(world.blobs.kept()).to.have.length(2);
  });

  it('are looked at again where it took so long that another process may have been asked to keep them', async () => {
    const image = await picture();
    const readModels = { ...world.app.readModels };
    const takes = async (ms: number) => {
      world.app.readModels.search = async (collection, query) => {
        await world.clock.advance(ms);
        return readModels.search(collection, query);
      };
      return sweepBlob(world.app, image.hash);
    };
    expect(await takes(20_001)).to.deep.equal({
      kind: 'later',
      delayMs: 30_000,
      reason: 'the check took too long',
    });
    expect(world.blobs.kept()).to.include(image.hash);
    expect(await takes(20_000)).to.deep.equal({ kind: 'handled' });
    expect(world.blobs.kept()).not.to.include(image.hash);
  });

  it('are named in the log where they can not be removed for good', async () => {
    await world.dueTimes.schedule([
      { queue: IMAGE_EXPIRY, id: 'x', lane: 'all', dueAt: world.clock.now(), payload: { hash: 'x' } },
    ]);
    world.app.blobs.delete = () => Promise.reject(new Error('read-only'));
    const worker = start();
    await world.clock.advance(20_000);
    expect(waiting(), 'tried for as long as it takes').to.have.length(1);
    expect(world.log.map(({ level, message }) => [level, message])).to.deep.include(['error', 'work failed']);
    expect(await worker.lag()).to.equal(0);
    await worker.stop();
  });
});
