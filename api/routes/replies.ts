/** The two envelopes of the contract, and the paging parameters they come from. */
import type { Accepted, KeyedRequest } from '../../application/accept-once.js';
import type { Page, PageRequest } from '../../application/queries/page.js';
import { presentOperation } from '../../application/resources/operation.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Call, Reply } from '../middleware/call.js';

export const one = (data: object): Reply => ({ status: 200, body: { data } });

export const list = <T>({ documents, nextCursor }: Page<T>, present: (doc: T) => object): Reply => ({
  status: 200,
  body: listBody({ documents, nextCursor }, present),
});

export const listBody = <T>({ documents, nextCursor }: Page<T>, present: (doc: T) => object) => ({
  data: documents.map(present),
  meta: { next_cursor: nextCursor },
});

export const DEFAULT_PAGE = 50;

/** `after` and `limit`, which the contract has bounded and given their defaults. */
export const pageOf = ({ query: { after, limit } }: Pick<Call, 'query'>): PageRequest => ({
  after: typeof after === 'string' ? after : undefined,
  limit: typeof limit === 'number' ? limit : DEFAULT_PAGE,
});

/** 202 with the operation that tells what becomes of it (spec §4). */
export function acceptedAs(basePath: string, { operation, replayed }: Accepted): Reply {
  const Location = `${basePath}/operations/${operation.uuid}`;
  return {
    status: 202,
    headers: replayed ? { Location, 'Idempotent-Replayed': 'true' } : { Location },
    body: { data: presentOperation(operation) },
  };
}

/** What a call under an Idempotency-Key is recognised by. */
export const keyedRequest = <Body>(
  { caller, requestId, operation, headers }: Call<ApiCaller>,
  body: Body,
): KeyedRequest<Body> => ({
  companyUuid: caller.company,
  integrationUuid: caller.integration,
  keyId: caller.keyId,
  idempotencyKey: headers['idempotency-key'] as string,
  requestId,
  method: operation.method,
  route: operation.path,
  body,
});
