/**
 * Decides when the bytes of a picture may be deleted. Each blob has one row in the due-time store for as long as it may
 * be unused. When the row is due, the sweeper deletes the bytes unless some product shows them.
 *
 * A caller that is about to refer to a blob first postpones its row. The sweeper claims a row while it checks and
 * deletes, and a claimed row cannot be postponed. So bytes that exist after that stay until the product is recorded.
 * The delay is far longer than recording takes.
 */
import type { ProductImage } from '../../domain/product/events.js';
import { NotYet } from '../../ports/event-store.js';
import { pause } from '../../ports/waiting.js';
import type { App } from '../app.js';

export const IMAGE_EXPIRY = 'store-images';
/** Lane of the queue: all pictures share one. */
export const IMAGE_EXPIRY_LANE = 'all';
export const IMAGE_GRACE_MS = 3_600_000;

const PAUSE_MS = 50;
const ATTEMPTS = 100;

/** The blobs of a picture: itself and its renditions. */
export const blobsOf = (image: Pick<ProductImage, 'hash' | 'renditions'>): readonly string[] => [
  image.hash,
  ...image.renditions.map(({ hash }) => hash),
];

/**
 * Keeps the blobs for at least an hour from now, after which they are checked again.
 * @throws StoreUnavailable also when a sweeper holds one of them for too long, because it died
 */
export async function putOffExpiry(
  app: Pick<App, 'dueTimes' | 'clock'>,
  hashes: readonly string[],
): Promise<void> {
  const dueAt = app.clock.now() + IMAGE_GRACE_MS;
  const entry = (hash: string) => ({
    queue: IMAGE_EXPIRY,
    id: hash,
    lane: IMAGE_EXPIRY_LANE,
    dueAt,
    payload: { hash },
  });
  let open = [...new Set(hashes)];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await app.dueTimes.schedule(open.map(entry));
    const moved = await Promise.all(open.map((hash) => app.dueTimes.reschedule(IMAGE_EXPIRY, hash, dueAt)));
    open = open.filter((_, index) => !moved[index]);
    if (open.length === 0) return;
    await pause(app.clock, PAUSE_MS);
  }
  throw new NotYet('the bytes of a picture are being checked for deletion');
}
