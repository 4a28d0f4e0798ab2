/** What a person chose about marketing, with the message that is the evidence: also of contacts merged into this one. */
import type { ContactEvent } from '../../domain/contact/events.js';
import type { ContactUuid } from '../../domain/kernel/ids.js';
import { contactStream } from '../../domain/streams.js';
import type { App } from '../app.js';
import { primaryContactOf } from '../people/primary-contact.js';
import { actorNames } from '../queries/actor-names.js';
import { decodeCursor, encodeCursor } from '../queries/cursor.js';
import type { Page, PageRequest, QueryDeps } from '../queries/page.js';
import { unknown } from './write.js';

type Choice = Extract<ContactEvent, { type: 'ContactOptedOut' | 'ContactOptedIn' }>;

export interface MarketingChoice {
  readonly event_id: string;
  readonly position: string;
  /** Whose stream has it. */
  readonly contact_uuid: ContactUuid;
  readonly choice: 'out' | 'in';
  readonly source: string;
  readonly at: string;
  readonly message_uuid: string | null;
  readonly actor: string;
  readonly actor_name: string | null;
}

const TYPES: ReadonlySet<string> = new Set<Choice['type']>(['ContactOptedOut', 'ContactOptedIn']);

/** Newest first. @throws Refusal not_found, invalid_cursor */
export async function listMarketingChoices(
  app: Pick<App, 'codec' | 'executor' | 'store'>,
  deps: QueryDeps,
  uuid: string,
  { after, limit }: PageRequest,
): Promise<Page<MarketingChoice>> {
  const { uuid: primary, contact } = await primaryContactOf(app, uuid);
  if (!contact.exists) throw unknown(uuid);
  const scope = { list: 'marketing-choices', companyUuid: contact.companyUuid, filters: [primary] };
  const [before = null] = after === undefined ? [] : decodeCursor(deps.cursorSecret, scope, after);
  const streams = [primary, ...contact.absorbed].map((one) => contactStream.toName(one));
  const records = (await Promise.all(streams.map((stream) => app.store.read(stream))))
    .flat()
    .filter(({ type, position }) => TYPES.has(type) && (before === null || position < before))
    .sort((one, other) => (one.position < other.position ? 1 : -1));
  const nameOf = actorNames(deps);
  const page = await app.codec.decodeAll<Choice>(records.slice(0, limit));
  const documents = await Promise.all(
    page.map(async ({ event: { type, data }, record: { eventId, position, stream, meta } }) => ({
      event_id: eventId,
      position,
      contact_uuid: contactStream.match(stream) ?? primary,
      choice: type === 'ContactOptedOut' ? ('out' as const) : ('in' as const),
      source: data.source,
      at: data.at,
      message_uuid: data.message_uuid,
      actor: meta.actor,
      actor_name: await nameOf(meta.actor),
    })),
  );
  const last = documents.at(-1)?.position;
  const isOver = last === undefined || records.length <= limit;
  return { documents, nextCursor: isOver ? null : encodeCursor(deps.cursorSecret, scope, [last]) };
}
