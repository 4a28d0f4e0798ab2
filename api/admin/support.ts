/** Helpers that the admin routes share. */
import { notFound, type Caller as Commander } from '../../application/provisioning/common.js';
import type { CollectionName, Document, IndexValue, ReadModels } from '../../ports/read-models.js';
import type { PageRequest } from '../../application/queries/page.js';
import { queryText, type Call, type Caller, type Handlers, type Reply } from '../middleware/call.js';
import { pageOf } from '../routes/replies.js';

export { readWritten } from '../read-written.js';

/** Where the API is mounted: prefix of `Location`. */
export const ADMIN_PATH = '/admin/v1';

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
