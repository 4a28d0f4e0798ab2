/** Lists messages that were sent through the API or by flows, also those that still wait or never left. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { operationId } from '../../domain/operation/decide.js';
import { outboundMessageId } from '../../domain/message/decide.js';
import { pairHash } from '../../domain/policies/metadata.js';
import type { MessageStatus } from '../../domain/message/status.js';
import type { Document, Found, IndexValue } from '../../ports/read-models.js';
import { failedMessages } from '../../read-models/failed-messages.js';
import { operations } from '../../read-models/operations.js';
import { sendLabels } from '../../read-models/send-labels.js';
import { sends } from '../../read-models/sends.js';
import type { App } from '../app.js';
import type { SentMessageSource } from '../resources/sent-message.js';
import { decodeCursor, encodeCursor } from './cursor.js';
import type { Page, PageRequest, QueryDeps } from './page.js';
import { readSent, type SentRef } from './read-sent.js';

/** What selects the messages; at most one of them, because each has an index of its own. */
export type MainFilter =
  | { readonly by: 'everything' }
  /** The recipients, as sealing subjects. */
  | { readonly by: 'recipient'; readonly subjects: readonly string[] }
  | { readonly by: 'template'; readonly name: string }
  | { readonly by: 'error_code'; readonly code: string }
  | { readonly by: 'failed' }
  | { readonly by: 'queued' }
  | { readonly by: 'metadata'; readonly key: string; readonly value: string }
  | { readonly by: 'idempotency_key'; readonly integrationUuid: string; readonly key: string };

export interface SentMessageFilter {
  readonly main: MainFilter;
  /** Selects among the messages of a recipient or of a pair, which are few. */
  readonly status?: MessageStatus | undefined;
  /** ISO 8601 in UTC with milliseconds, inclusive. Of the failure, where failures are listed; else of the acceptance. */
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly to?: string | undefined;
}

type Deps = QueryDeps & { readonly app: Pick<App, 'readModels' | 'store' | 'codec' | 'project'> };

/** A message in a range of an index, with its place there: a time, then the id. */
interface Entry {
  readonly at: string;
  readonly id: string;
  /** Null for what the list leaves out. */
  readonly ref: SentRef | null;
}

interface Range {
  readonly entries: readonly Entry[];
  readonly more: boolean;
}

/** One range of an index, newest first. */
type Source = (after: readonly IndexValue[] | undefined, limit: number) => Promise<Range>;

/**
 * Documents that one request reads at most. A page ends there, also if it is not full: its cursor continues the search.
 */
const MOST_READ = 500;

/** Newest first. @throws Refusal invalid_cursor */
export async function listSentMessages(
  deps: Deps,
  companyUuid: CompanyUuid,
  filter: SentMessageFilter,
  { after, limit }: PageRequest,
): Promise<Page<SentMessageSource>> {
  const { main, status, from, to } = filter;
  const scope = {
    list: 'sent-messages',
    companyUuid,
    filters: [JSON.stringify(main), status ?? null, from ?? null, to ?? null],
  };
  const sources = sourcesOf(deps, companyUuid, main);
  const wanted = status ?? (main.by === 'failed' || main.by === 'queued' ? main.by : undefined);
  const documents: SentMessageSource[] = [];
  let place = after === undefined ? startingBefore(to) : decodeCursor(deps.cursorSecret, scope, after);
  const upToHere = (): Page<SentMessageSource> => ({
    documents,
    nextCursor: place === undefined ? null : encodeCursor(deps.cursorSecret, scope, place),
  });
  for (let read = 0; read < MOST_READ; read += limit) {
    const { entries, more } = merged(await Promise.all(sources.map((source) => source(place, limit))), limit);
    const within = from === undefined ? entries : entries.filter(({ at }) => at >= from);
    const found = await readSent(
      deps.app,
      companyUuid,
      within.map(({ ref }) => ref),
    );
    for (const [index, { at, id }] of within.entries()) {
      if (documents.length === limit) return upToHere();
      place = [at, id];
      const sent = found[index];
      if (sent && (wanted === undefined || sent.message.status === wanted)) documents.push(sent);
    }
    if (!more || within.length < entries.length) return { documents, nextCursor: null };
    if (documents.length === limit) break;
  }
  return upToHere();
}

const startingBefore = (to: string | undefined): readonly IndexValue[] | undefined =>
  to === undefined ? undefined : [to, ''];

/** The newest of all ranges. */
function merged(ranges: readonly Range[], limit: number): Range {
  const all = ranges.flatMap(({ entries }) => entries);
  all.sort((a, b) => compare(b.at, a.at) || compare(b.id, a.id));
  return { entries: all.slice(0, limit), more: all.length > limit || ranges.some(({ more }) => more) };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function sourcesOf({ readModels }: Deps, companyUuid: CompanyUuid, main: MainFilter): readonly Source[] {
  const newest = (after: readonly IndexValue[] | undefined, limit: number) =>
    ({ order: 'desc', limit, ...(after ? { after } : {}) }) as const;
  switch (main.by) {
    case 'recipient':
      return main.subjects.map(
        (subject): Source =>
          async (after, limit) =>
            rangeOf(
              await readModels.find(sends.name, {
                index: 'by_recipient',
                equals: [subject],
                ...newest(after, limit),
              }),
              (id, { created_at: at, operation_uuid }) => ({
                at,
                id,
                ref: { messageUuid: id, operationUuid: operation_uuid },
              }),
            ),
      );
    case 'template':
      return [
        async (after, limit) =>
          rangeOf(
            await readModels.find(sendLabels.name, {
              index: 'by_template',
              equals: [companyUuid, main.name],
              ...newest(after, limit),
            }),
            acceptedSend,
          ),
      ];
    case 'metadata':
      return [
        async (after, limit) =>
          rangeOf(
            await readModels.search(sendLabels.name, {
              scope: companyUuid,
              prefixes: [pairHash(main.key, main.value)],
              ...newest(after, limit),
            }),
            acceptedSend,
          ),
      ];
    case 'failed':
    case 'error_code': {
      const find =
        main.by === 'failed'
          ? ({ index: 'by_company', equals: [companyUuid] } as const)
          : ({ index: 'by_code', equals: [companyUuid, main.code] } as const);
      return [
        async (after, limit) =>
          rangeOf(
            await readModels.find(failedMessages.name, { ...find, ...newest(after, limit) }),
            (id, { failed_at, operation_uuid }) => ({
              at: failed_at,
              id,
              ref: { messageUuid: id, operationUuid: operation_uuid },
            }),
          ),
      ];
    }
    case 'everything':
    case 'queued': {
      const ranges =
        main.by === 'everything'
          ? [{ index: 'by_company', equals: [companyUuid] } as const]
          : UNSENT.map((status) => ({ index: 'by_company_status', equals: [companyUuid, status] }) as const);
      return ranges.map(
        (range): Source =>
          async (after, limit) =>
            rangeOf(
              await readModels.find(operations.name, { ...range, ...newest(after, limit) }),
              (id, doc) => (doc.type === 'message.send' ? acceptedSend(id, doc) : notShown(id, doc)),
            ),
      );
    }
    case 'idempotency_key':
      return [
        (after) => {
          const id = operationId(main.integrationUuid, main.key);
          // One message at most, so it has no second page.
          const entries = after === undefined ? [acceptedSend(id, { created_at: '' })] : [];
          return Promise.resolve({ entries, more: false });
        },
      ];
    default:
      return main satisfies never;
  }
}

/** Operations whose message WhatsApp may not have yet. */
const UNSENT = ['queued', 'waiting', 'processing'] as const;

const rangeOf = <Doc extends Document>(
  { documents, next }: Found<Doc>,
  entryOf: (id: string, doc: Doc) => Entry,
): Range => ({ entries: documents.map(({ id, doc }) => entryOf(id, doc)), more: next !== null });

interface Timed {
  readonly created_at: string;
}

const acceptedSend = (id: string, { created_at: at }: Timed): Entry => ({
  at,
  id,
  ref: { messageUuid: outboundMessageId(id), operationUuid: id },
});

/** The operation of a flow: it keeps its place in the order, so that cursors go past it. */
const notShown = (id: string, { created_at: at }: Timed): Entry => ({ at, id, ref: null });
