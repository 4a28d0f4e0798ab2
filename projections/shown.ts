/**
 * Whether a projection shows an event. The mark that read models have in common goes on without one that can't apply an
 * event or is being built; whoever would lose something by that asks for the projection itself. The history decides: its
 * own checkpoint stays behind where nothing concerns it.
 */
import { nextTurn } from '../ports/waiting.js';
import { START, type EventStore, type Position } from '../ports/event-store.js';
import type { ReadModels } from '../ports/read-models.js';
import { checkpointName, type AnyProjection } from './projection.js';

/** True when documents that are read from now on show every event up to a position, which is in the history. */
export type Shown = (position: Position) => Promise<boolean>;

const PAGE = 200;

export function createShown(
  projection: Pick<AnyProjection, 'name' | 'version' | 'handles'>,
  deps: { readonly store: Pick<EventStore, 'readAll'>; readonly readModels: Pick<ReadModels, 'checkpoint'> },
): Shown {
  const { store, readModels } = deps;
  const { handles } = projection;
  /** It shows everything up to here. */
  let upTo = START;
  let asked: Promise<Position | null> | undefined;

  const own = (): Promise<Position> => readModels.checkpoint(checkpointName(projection));

  /** Position of the first event in the history that it does not show. */
  async function firstMissing(): Promise<Position | null> {
    // Those who ask together share the answer; who asks later may ask for what was appended since.
    await nextTurn();
    asked = undefined;
    let after = upTo === START ? await own() : upTo;
    for (;;) {
      const page = await store.readAll({ after, limit: PAGE, types: handles });
      const next = page.records.find(({ type }) => handles.includes(type));
      const reached = next ? await own() : page.next;
      if (next && reached < next.position) return next.position;
      after = reached;
      if (after > upTo) upTo = after;
      if (!next && page.atEnd) return null;
    }
  }

  return async (position) => {
    if (position <= upTo) return true;
    const missing = await (asked ??= firstMissing());
    return missing === null || position < missing;
  };
}
