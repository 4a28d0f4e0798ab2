/**
 * Removes the bytes of pictures that no product shows any more: an hour after a product was deleted, got other pictures
 * or was never created. By then, the public address has stopped serving them (it checks the read model).
 *
 * Two pictures may share bytes, so every due blob is checked on its own, against all products. See
 * application/store/image-expiry.ts for why no new reference to it can appear meanwhile.
 */
import type { App } from '../../application/app.js';
import { routes, type EventPointer } from '../../application/relay.js';
import { IMAGE_EXPIRY, putOffExpiry } from '../../application/store/image-expiry.js';
import {
  displayedBlobs,
  isBlobDisplayed,
  nothingDisplayed,
  displayedAfter,
  DISPLAY_EVENTS,
  type DisplayEvent,
} from '../../application/store/displayed-images.js';
import { forgetUploads } from '../../application/store/uploaded-images.js';
import { productStream } from '../../domain/streams.js';
import { storeImages } from '../../read-models/store-images.js';
import { handled, skipped, type Outcome } from '../kernel/consumer.js';
import type { Reactor } from '../kernel/reactor.js';

const GROUP = 'store-images';
const MAX_TRIES = 12;
const LEASE_MS = 60_000;
/** A sweep that took longer may have lost its claim, and the row may have been postponed meanwhile. */
const TRUSTED_MS = 20_000;
const BEHIND_MS = 30_000;
const SHOWS: ReadonlySet<string> = new Set(DISPLAY_EVENTS);

export const pictureReactor: Reactor = {
  name: 'store_images',
  group: GROUP,
  route: routes.storePictures,
  maxTries: MAX_TRIES,
  maxBatch: 50,
  waitsFor: 'Pictures to check for deletion: whether a product still shows them',
  begin: (app) => ({
    react: (pointer) => expireWhatWent(app, pointer),
    timers: {
      expiry: {
        queue: IMAGE_EXPIRY,
        concurrency: 8,
        perLane: 4,
        leaseMs: LEASE_MS,
        // Retried until it is settled: a dropped row would leave the bytes for good.
        maxTries: Number.MAX_SAFE_INTEGER,
        handle: ({ hash }: { readonly hash: unknown }) => sweepBlob(app, String(hash)),
        giveUp: async ({ hash: blob }: { readonly hash: unknown }, reason) =>
          app.logger.error({ blob, reason }, 'the bytes of a picture stay although nothing shows it'),
      },
    },
  }),
};

/** Schedules the expiry of blobs that the product showed before an event and does not show now. */
async function expireWhatWent(
  app: Pick<App, 'clock' | 'codec' | 'dueTimes' | 'store'>,
  { stream, revision }: EventPointer,
): Promise<Outcome> {
  if (productStream.match(stream) === undefined) return skipped;
  const records = (await app.store.read(stream)).filter(({ type }) => SHOWS.has(type));
  const history = await app.codec.decodeAll<DisplayEvent>(records);
  const shownBy = (events: typeof history): readonly string[] =>
    displayedBlobs(events.reduce((shown, { event }) => displayedAfter(shown, event), nothingDisplayed));
  const now = new Set(shownBy(history));
  const gone = shownBy(history.filter(({ record }) => record.revision < revision)).filter(
    (hash) => !now.has(hash),
  );
  if (gone.length === 0) return skipped;
  await putOffExpiry(app, gone);
  return handled;
}

/**
 * Deletes a due blob, unless some product shows it. In both cases nobody needs to know any more that it was uploaded.
 * @throws ReadModelBehind when that is not known
 */
export async function sweepBlob(
  app: Pick<App, 'barrier' | 'blobs' | 'clock' | 'readModels' | 'store'>,
  hash: string,
): Promise<Outcome> {
  const startedAt = app.clock.monotonic();
  // Waits for every product recorded by now: deleted bytes do not come back.
  await app.barrier.wait([storeImages.name], await app.store.head());
  if (await isBlobDisplayed(app.readModels, hash)) {
    await forgetUploads(app, hash);
    return skipped;
  }
  if (app.clock.monotonic() - startedAt > TRUSTED_MS) {
    return { kind: 'later', delayMs: BEHIND_MS, reason: 'the check took too long' };
  }
  await forgetUploads(app, hash);
  await app.blobs.delete(hash);
  return handled;
}
