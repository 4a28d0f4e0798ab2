import type { App } from '../application/app.js';
import { Refusal } from '../domain/kernel/refusal.js';
import type { Position } from '../ports/event-store.js';
import type { CollectionName, Document } from '../ports/read-models.js';
import { pause } from '../ports/waiting.js';

const PATIENCE_MS = 3_000;
const LOOK_AGAIN_MS = 10;

/**
 * A document that contains at least what was written at `position`: callers read their own writes, even if read models
 * lag behind the history.
 * @throws Refusal unavailable when the read model does not reach the position in time
 */
export async function readWritten<Doc extends Document>(
  app: Pick<App, 'readModels' | 'clock'>,
  collection: CollectionName<Doc>,
  id: string,
  position: Position | null,
): Promise<Doc> {
  const deadline = app.clock.monotonic() + PATIENCE_MS;
  for (;;) {
    const stored = await app.readModels.get(collection, id);
    if (stored && (position === null || stored.version >= position)) return stored.doc;
    if (app.clock.monotonic() >= deadline) {
      throw new Refusal('unavailable', 'The change was made, but can not be read yet. Read it again later.', {
        retry_after_seconds: 1,
      });
    }
    await pause(app.clock, LOOK_AGAIN_MS);
  }
}
