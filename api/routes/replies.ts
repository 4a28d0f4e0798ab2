/** The two envelopes of the contract, and the paging parameters they come from. */
import type { Page, PageRequest } from '../../application/queries/page.js';
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
export const pageOf = ({ query }: Pick<Call, 'query'>): PageRequest => ({
  after: query['after'] as string | undefined,
  limit: (query['limit'] as number | undefined) ?? DEFAULT_PAGE,
});
