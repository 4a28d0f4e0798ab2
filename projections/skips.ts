/**
 * Events that an operator excluded from a projection because it cannot apply them. The record states who did it, when
 * and why. A skip belongs to the projection and not to one copy of its documents, so a rebuild excludes the same
 * events.
 */
import type { Clock } from '../ports/clock.js';
import type { StoredRecord } from '../ports/event-store.js';
import type { IndexValue, ReadModels } from '../ports/read-models.js';
import { projectionSkips, type SkipDoc } from '../read-models/projection-skips.js';

export interface Skips {
  /** As of the last refresh. */
  has(projection: string, record: Pick<StoredRecord, 'eventId'>): boolean;
  /** Reads the skips again, unless they were read less than `freshMs` ago. */
  refresh(freshMs?: number): Promise<void>;
}

export const noSkips: Skips = { has: () => false, refresh: async () => undefined };

const PAGE = 500;

export function createSkips(deps: {
  readonly readModels: Pick<ReadModels, 'define' | 'find'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}): Skips {
  let known: ReadonlySet<string> = new Set();
  let lookedAt = -Infinity;
  let defined: Promise<void> | undefined;
  return {
    has: (projection, { eventId }) => known.size > 0 && known.has(skipId(projection, eventId)),
    async refresh(freshMs = 0) {
      if (deps.clock.monotonic() - lookedAt < freshMs) return;
      const at = deps.clock.monotonic();
      await (defined ??= deps.readModels.define(projectionSkips).catch((error: unknown) => {
        defined = undefined;
        throw error;
      }));
      known = new Set((await allSkips(deps.readModels)).map((doc) => skipId(doc.projection, doc.event_id)));
      lookedAt = at;
    },
  };
}

const skipId = (projection: string, eventId: string): string => `${projection}/${eventId}`;

/** Skips of one projection, or of all; oldest first. The collection must be defined. */
export async function allSkips(
  readModels: Pick<ReadModels, 'find'>,
  projection?: string,
): Promise<readonly SkipDoc[]> {
  const index = projection === undefined ? 'all' : 'by_projection';
  const equals = projection === undefined ? [] : [projection];
  const found: SkipDoc[] = [];
  let after: readonly IndexValue[] | undefined;
  do {
    const page = await readModels.find(projectionSkips.name, {
      index,
      equals,
      order: 'asc',
      limit: PAGE,
      ...(after ? { after } : {}),
    });
    found.push(...page.documents.map(({ doc }) => doc));
    after = page.next ?? undefined;
  } while (after !== undefined);
  return found;
}

/** May be repeated: the first record of a skip stays. */
export async function recordSkip(readModels: Pick<ReadModels, 'write'>, doc: SkipDoc): Promise<void> {
  await readModels.write(projectionSkips.name, [
    { id: skipId(doc.projection, doc.event_id), doc, version: '1' },
  ]);
}
