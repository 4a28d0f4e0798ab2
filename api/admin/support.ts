/** Helpers that the admin routes share. */
import type { App } from '../../application/app.js';
import { notFound, type Caller as Commander } from '../../application/provisioning/common.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { Position } from '../../ports/event-store.js';
import type { CollectionName, Document, IndexValue, ReadModels } from '../../ports/read-models.js';
import { pause } from '../../ports/waiting.js';
import type { PageRequest } from '../../application/queries/page.js';
import { queryText, type Call, type Caller, type Handlers, type Reply } from '../middleware/call.js';
import { pageOf } from '../routes/replies.js';

export type AdminHandlers = Handlers<Caller>;

export const commander = ({ caller, requestId }: Call): Commander => ({
  actor: caller.actor,
  correlationId: requestId,
});

/** A page whose `meta` also says how long the list is. */
export const countedPageOf = (call: Pick<Call, 'query'>): PageRequest => ({ ...pageOf(call), counted: true });

export const created = (data: object): Reply => ({ status: 201, body: { data } });
export const accepted = (data: object): Reply => ({ status: 202, body: { data } });
export const unpaged = (data: readonly object[]): Reply => ({ status: 200, body: { data } });
export const nothing: Reply = { status: 204 };

/** @throws Refusal not_found */
export async function readDocument<Doc extends Document>(
  readModels: ReadModels,
  collection: CollectionName<Doc>,
  id: string,
  resource: string,
): Promise<Doc> {
  const stored = await readModels.get(collection, id);
  if (!stored) throw notFound(resource, resource.replaceAll('_', ' '));
  return stored.doc;
}

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

/** Limit of the lists that the contract does not page, which are ordered oldest first. */
const UNPAGED = 1_000;

export async function readAll<Doc extends Document, Index extends string>(
  readModels: ReadModels,
  collection: CollectionName<Doc, Index>,
  index: NoInfer<Index>,
  equals: readonly IndexValue[],
): Promise<readonly Doc[]> {
  const found = await readModels.find(collection, { index, equals, order: 'asc', limit: UNPAGED });
  return found.documents.map(({ doc }) => doc);
}

/** Parameters arrive as the caller wrote them; documents contain identifiers in lower case. */
export const uuidParameter = (call: Call, name: string): string | undefined =>
  queryText(call.query, name)?.toLowerCase();
