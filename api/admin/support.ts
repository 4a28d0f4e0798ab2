/** What the admin routes share. */
import type { App } from '../../application/app.js';
import type { QueryDeps, Page, PageRequest } from '../../application/queries/page.js';
import { decodeCursor, encodeCursor, type CursorScope } from '../../application/queries/cursor.js';
import { notFound, type Caller as Commander } from '../../application/provisioning/common.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { Position } from '../../ports/event-store.js';
import type { Find, IndexValue, ReadModels } from '../../ports/read-models.js';
import type { Call, Caller, Handlers, Reply } from '../middleware/call.js';

export type AdminHandlers = Handlers<Caller>;

export const commander = ({ caller, requestId }: Call): Commander => ({
  actor: caller.actor,
  correlationId: requestId,
});

export const created = (data: object): Reply => ({ status: 201, body: { data } });
export const accepted = (data: object): Reply => ({ status: 202, body: { data } });
export const unpaged = (data: readonly object[]): Reply => ({ status: 200, body: { data } });
export const nothing: Reply = { status: 204 };

/** @throws Refusal not_found */
export async function readDocument<T>(
  readModels: ReadModels,
  collection: string,
  id: string,
  resource: string,
): Promise<T> {
  const stored = await readModels.get<T>(collection, id);
  if (!stored) throw notFound(resource, resource.replaceAll('_', ' '));
  return stored.doc;
}

const PATIENCE_MS = 3_000;
const LOOK_AGAIN_MS = 10;

/**
 * A document that shows at least what was written at `position`: callers read their own writes, also where read
 * models follow the history at a distance.
 * @throws Refusal unavailable when the read model does not get there in time
 */
export async function readWritten<T>(
  app: Pick<App, 'readModels' | 'clock'>,
  collection: string,
  id: string,
  position: Position | null,
): Promise<T> {
  const deadline = app.clock.now() + PATIENCE_MS;
  for (;;) {
    const stored = await app.readModels.get<T>(collection, id);
    if (stored && (position === null || stored.version >= position)) return stored.doc;
    if (app.clock.now() >= deadline) {
      throw new Refusal('unavailable', 'The change was made, but can not be read yet. Read it again later.', {
        retry_after_seconds: 1,
      });
    }
    await new Promise<void>((resolve) => void app.clock.after(LOOK_AGAIN_MS, resolve));
  }
}

/** Lists that the contract does not page, oldest first; it bounds them at this many. */
const UNPAGED = 1_000;

export async function readAll<T>(
  readModels: ReadModels,
  collection: string,
  index: string,
  equals: readonly IndexValue[],
): Promise<readonly T[]> {
  const found = await readModels.find<T>(collection, { index, equals, order: 'asc', limit: UNPAGED });
  return found.documents.map(({ doc }) => doc);
}

/**
 * A page over several ranges whose remaining sort fields are the same (creation time, then id), newest first, as if
 * they were one: for lists by a status that the caller did not name.
 * @throws Refusal invalid_cursor
 */
export async function readMergedPage<T extends { readonly created_at: string }>(
  deps: QueryDeps,
  collection: string,
  ranges: readonly Pick<Find, 'index' | 'equals'>[],
  scope: CursorScope,
  { after, limit }: PageRequest,
): Promise<Page<T>> {
  const from = after === undefined ? undefined : decodeCursor(deps.cursorSecret, scope, after);
  const found = await Promise.all(
    ranges.map((range) =>
      deps.readModels.find<T>(collection, {
        ...range,
        order: 'desc',
        limit,
        ...(from ? { after: from } : {}),
      }),
    ),
  );
  const all = found.flatMap(({ documents }) => documents);
  all.sort((a, b) => compare(b.doc.created_at, a.doc.created_at) || compare(b.id, a.id));
  const page = all.slice(0, limit);
  const last = page[page.length - 1];
  const more = all.length > limit || found.some(({ next }) => next !== null);
  return {
    documents: page.map(({ doc }) => doc),
    nextCursor: more && last ? encodeCursor(deps.cursorSecret, scope, [last.doc.created_at, last.id]) : null,
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Parameters arrive as they were written; documents hold identifiers in lower case. */
export const uuidParameter = (call: Call, name: string): string | undefined =>
  (call.query[name] as string | undefined)?.toLowerCase();
