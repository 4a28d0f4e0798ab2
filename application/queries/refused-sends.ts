/** Lists calls of POST /messages that a gate refused. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import type { RefusedSendsEvent } from '../../domain/refused-sends/events.js';
import type { Find } from '../../ports/read-models.js';
import { refusedSends, type RefusedSendDoc } from '../../read-models/refused-sends.js';
import type { App } from '../app.js';
import { decodeCursor, encodeCursor, type CursorScope } from './cursor.js';
import type { Page, PageRequest, QueryDeps } from './page.js';

/** Personal fields are null once the person was erased. */
export interface RefusedSend {
  readonly at: string;
  readonly request_id: string;
  readonly template: string | null;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly phone: string | null;
  readonly idempotency_key: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
}

type Deps = QueryDeps & { readonly app: Pick<App, 'store' | 'codec'> };

export interface RefusedSendFilter {
  /** The recipient as a sealing subject; undefined for calls to all of them. */
  readonly subject: string | undefined;
  /** ISO 8601 in UTC with milliseconds, inclusive. */
  readonly from: string | undefined;
  /** Exclusive. */
  readonly to: string | undefined;
}

/** Newest first. @throws Refusal invalid_cursor */
export async function listRefusedSends(
  deps: Deps,
  whose: { readonly companyUuid: CompanyUuid; readonly integrationUuid: string },
  { subject, from, to }: RefusedSendFilter,
  { after, limit }: PageRequest,
): Promise<Page<RefusedSend>> {
  const { integrationUuid, companyUuid } = whose;
  const range =
    subject === undefined
      ? ({ index: 'by_integration', equals: [integrationUuid] } as const)
      : ({ index: 'by_recipient', equals: [integrationUuid, subject] } as const);
  const scope: CursorScope = {
    list: 'refused-sends',
    companyUuid,
    filters: [integrationUuid, subject ?? null, from ?? null, to ?? null],
  };
  const place =
    after === undefined ? placeBefore(to) : { after: decodeCursor(deps.cursorSecret, scope, after) };
  const found = await deps.readModels.find(refusedSends.name, { ...range, order: 'desc', limit, ...place });
  const within = found.documents.filter(({ doc }) => from === undefined || doc.refused_at >= from);
  const shown = await Promise.all(within.map(({ doc }) => readRefused(deps.app, doc)));
  const more = found.next !== null && within.length === found.documents.length;
  return {
    documents: shown.flatMap((one) => one ?? []),
    nextCursor: more ? encodeCursor(deps.cursorSecret, scope, found.next) : null,
  };
}

const placeBefore = (to: string | undefined): Pick<Find, 'after'> =>
  to === undefined ? {} : { after: [to, ''] };

async function readRefused(
  { store, codec }: Deps['app'],
  { stream, revision }: RefusedSendDoc,
): Promise<RefusedSend | null> {
  const records = await store.read(stream, { from: revision, limit: 1 });
  const [found] = await codec.decodeAll<RefusedSendsEvent>(records);
  if (found === undefined) return null;
  const { data } = found.event;
  return {
    at: found.record.meta.occurred_at,
    request_id: data.request_id,
    template: data.template,
    code: data.code,
    message: data.message,
    details: data.details ?? {},
    phone: data.phone,
    idempotency_key: data.idempotency_key,
    ...(data.metadata ? { metadata: data.metadata } : {}),
  };
}
