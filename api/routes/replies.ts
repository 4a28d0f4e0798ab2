/** The two envelopes of the contract, and the paging parameters that they depend on. */
import type { Accepted, KeyedRequest } from '../../application/accept-once.js';
import type { Page, PageRequest } from '../../application/queries/page.js';
import { presentOperation } from '../../application/resources/operation.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Call, Reply } from '../middleware/call.js';

export const one = (data: object): Reply => ({ status: 200, body: { data } });

export const list = <T>(page: Page<T>, present: (doc: T) => object): Reply => ({
  status: 200,
  body: listBody(page, present),
});

/** The public contract's `meta` has the cursor alone; only operators ask for the total. */
export const listBody = <T>({ documents, nextCursor, total }: Page<T>, present: (doc: T) => object) => ({
  data: documents.map(present),
  meta: {
    next_cursor: nextCursor,
    ...(total === undefined ? {} : { total: total.count, total_capped: total.capped }),
  },
});

export const DEFAULT_PAGE = 50;

/** `after` and `limit`, already bounded and defaulted by the contract. */
export const pageOf = ({ query: { after, limit } }: Pick<Call, 'query'>): PageRequest => ({
  after: typeof after === 'string' ? after : undefined,
  limit: typeof limit === 'number' ? limit : DEFAULT_PAGE,
});

/** 202 with the operation that reports the outcome (spec §4). */
export function acceptedAs(basePath: string, { operation, replayed }: Accepted): Reply {
  const Location = `${basePath}/operations/${operation.uuid}`;
  return {
    status: 202,
    headers: replayed ? { Location, 'Idempotent-Replayed': 'true' } : { Location },
    body: { data: presentOperation(operation) },
  };
}

/** The values that identify a call under an Idempotency-Key. */
export const keyedRequest = <Body>(
  { caller, requestId, operation, headers }: Call<ApiCaller>,
  body: Body,
): KeyedRequest<Body> => ({
  companyUuid: caller.company,
  integrationUuid: caller.integration,
  keyId: caller.keyId,
  keyOwner: caller.integration,
  actor: caller.actor,
  idempotencyKey: headers['idempotency-key'] as string,
  requestId,
  method: operation.method,
  route: operation.path,
  body,
});
