/** Who did what, newest first: people's decisions of one company, or of the server itself. */
import type { Position } from '../../ports/event-store.js';
import type { IndexValue } from '../../ports/read-models.js';
import { audit, type AuditDoc } from '../../read-models/audit.js';
import { actorNames } from './actor-names.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { Page, PageRequest, QueryDeps } from './page.js';

export interface AuditFilter {
  readonly company: string;
  readonly actor: string | undefined;
  readonly kind: string | undefined;
  /** Exclusive. */
  readonly after: Position;
  /** Inclusive; null: the end of the history. */
  readonly upTo: Position | null;
}

export interface AuditEntry extends AuditDoc {
  /** Of the person or the key, as it is called now; null where nobody has that name any more. */
  readonly actor_name: string | null;
}

/** After every id, so that a range begins with the documents at its position. */
const LAST = '\uffff';

/** One query of one index, whatever the filters are. @throws Refusal invalid_cursor */
export async function readAudit(
  deps: QueryDeps,
  { company, actor, kind, after, upTo }: AuditFilter,
  { after: cursor, limit }: PageRequest,
): Promise<Page<AuditEntry>> {
  const scope = {
    list: 'audit',
    companyUuid: company,
    filters: [actor ?? '', kind ?? '', after, upTo ?? ''],
  };
  const from: readonly IndexValue[] | undefined =
    cursor !== undefined
      ? decodeCursor(deps.cursorSecret, scope, cursor)
      : upTo === null
        ? undefined
        : [upTo, LAST];
  const found = await deps.readModels.find(audit.name, {
    ...indexOf(company, actor, kind),
    order: 'desc',
    limit,
    ...(from ? { after: from } : {}),
  });
  const wanted = found.documents.map(({ doc }) => doc).filter(({ position }) => position > after);
  const isOver = found.next === null || wanted.length < found.documents.length;
  const nameOf = actorNames(deps);
  return {
    documents: await Promise.all(
      wanted.map(async (doc) => ({ ...doc, actor_name: await nameOf(doc.actor) })),
    ),
    nextCursor: isOver || found.next === null ? null : encodeCursor(deps.cursorSecret, scope, found.next),
  };
}

function indexOf(company: string, actor: string | undefined, kind: string | undefined) {
  if (actor !== undefined && kind !== undefined)
    return { index: 'by_actor_kind', equals: [company, actor, kind] } as const;
  if (actor !== undefined) return { index: 'by_actor', equals: [company, actor] } as const;
  if (kind !== undefined) return { index: 'by_kind', equals: [company, kind] } as const;
  return { index: 'by_company', equals: [company] } as const;
}
