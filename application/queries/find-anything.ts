/** What a phone, a name, a number or an identifier names in a company. Every step reads by an id or a declared index. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { outboundMessageId } from '../../domain/message/decide.js';
import { operationId } from '../../domain/operation/decide.js';
import { storeId } from '../../domain/streams.js';
import type { CollectionName, Document } from '../../ports/read-models.js';
import { channels } from '../../read-models/channels.js';
import { conversations } from '../../read-models/conversations.js';
import { deliveries } from '../../read-models/deliveries.js';
import { executions } from '../../read-models/executions.js';
import { flows } from '../../read-models/flows.js';
import { integrations } from '../../read-models/integrations.js';
import { messages } from '../../read-models/messages.js';
import { operations, type OperationDoc } from '../../read-models/operations.js';
import { orders } from '../../read-models/orders.js';
import { products } from '../../read-models/products.js';
import { sends } from '../../read-models/sends.js';
import { templates } from '../../read-models/templates.js';
import { webhookEndpoints } from '../../read-models/webhook-endpoints.js';
import { operatorsOf } from '../accept-once.js';
import { listContacts, readContacts } from '../contacts/read.js';
import type { QueryDeps } from './page.js';

export type FoundBy = 'words' | 'uuid' | 'order_number' | 'idempotency_key' | 'provider_message_id';

export interface FoundThing {
  readonly kind: string;
  readonly uuid: string;
  readonly matched_by: FoundBy;
  /** What people call it: a name, a phone, a code. Null where it has none. */
  readonly title: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ORDER_NUMBER = /^#?(\d{1,9})$/;
/** People found by words; more than these are looked for in the list of contacts. */
const PEOPLE = 10;
/** Integrations and channels of a company that are asked, oldest first. */
const ASKED = 100;

/** Exact matches first, then people by their words, newest first. */
export async function findAnything(
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  query: string,
): Promise<readonly FoundThing[]> {
  const text = query.trim();
  const lower = text.toLowerCase();
  const found = await Promise.all([
    UUID.test(lower) ? byUuid(deps, companyUuid, lower) : [],
    byOrderNumber(deps, companyUuid, text),
    byIdempotencyKey(deps, companyUuid, text),
    byProviderId(deps, companyUuid, text),
    UUID.test(lower) ? [] : byWords(deps, companyUuid, text),
  ]);
  const seen = new Set<string>();
  return found.flat().filter(({ kind, uuid }) => {
    const name = `${kind} ${uuid}`;
    return !seen.has(name) && seen.add(name);
  });
}

type Title<Doc> = (doc: Doc) => string | null;
const untitled: Title<Document> = () => null;

async function byUuid(
  { readModels }: QueryDeps,
  company: string,
  uuid: string,
): Promise<readonly FoundThing[]> {
  const one = async <Doc extends Document & { readonly company_uuid: CompanyUuid }>(
    kind: string,
    collection: CollectionName<Doc>,
    title: Title<Doc>,
  ): Promise<readonly FoundThing[]> => {
    const doc = (await readModels.get(collection, uuid))?.doc;
    return doc?.company_uuid === company ? [{ kind, uuid, matched_by: 'uuid', title: title(doc) }] : [];
  };
  const found = await Promise.all([
    contactByUuid(readModels, company, uuid),
    one('conversation', conversations.name, untitled),
    one('message', messages.name, untitled),
    // Before its first attempt, a message has no document of its own.
    one('message', sends.name, untitled),
    operationByUuid(readModels, company, uuid, 'uuid'),
    one('order', orders.name, ({ number }) => `#${number}`),
    one('product', products.name, ({ name }) => name),
    one('flow', flows.name, ({ name }) => name),
    one('execution', executions.name, untitled),
    one('channel', channels.name, ({ display_name, phone_number }) => display_name ?? phone_number),
    one('template', templates.name, ({ name, language }) => `${name} (${language})`),
    one('integration', integrations.name, ({ name }) => name),
    one('webhook_endpoint', webhookEndpoints.name, ({ url }) => url),
    one('delivery', deliveries.name, ({ event_type }) => event_type),
  ]);
  return found.flat();
}

/** The uuid of a merged contact names the one that remained. */
async function contactByUuid(
  readModels: QueryDeps['readModels'],
  company: string,
  uuid: string,
): Promise<readonly FoundThing[]> {
  const contact = (await readContacts(readModels, [uuid])).get(uuid);
  return contact?.company_uuid === company
    ? [{ kind: 'contact', uuid: contact.uuid, matched_by: 'uuid', title: contact.name ?? contact.phone }]
    : [];
}

async function operationByUuid(
  readModels: QueryDeps['readModels'],
  company: string,
  uuid: string,
  matched_by: FoundBy,
): Promise<readonly FoundThing[]> {
  const operation: OperationDoc | undefined = (await readModels.get(operations.name, uuid))?.doc;
  if (operation?.company_uuid !== company) return [];
  return operation.type === 'message.send'
    ? [{ kind: 'message', uuid: outboundMessageId(uuid), matched_by, title: null }]
    : [{ kind: 'operation', uuid, matched_by, title: null }];
}

async function byOrderNumber(
  { readModels }: QueryDeps,
  company: string,
  text: string,
): Promise<readonly FoundThing[]> {
  const digits = ORDER_NUMBER.exec(text)?.[1];
  if (digits === undefined) return [];
  const { documents } = await readModels.find(orders.name, {
    index: 'by_number',
    equals: [storeId(company), Number(digits)],
    order: 'desc',
    limit: 1,
  });
  return documents.map(({ id, doc }) => ({
    kind: 'order',
    uuid: id,
    matched_by: 'order_number',
    title: `#${doc.number}`,
  }));
}

async function byIdempotencyKey(
  { readModels }: QueryDeps,
  company: string,
  key: string,
): Promise<readonly FoundThing[]> {
  const owners = await readModels.find(integrations.name, {
    index: 'by_company',
    equals: [company],
    order: 'asc',
    limit: ASKED,
  });
  const all = [operatorsOf(company), ...owners.documents.map(({ id }) => id)];
  const found = await Promise.all(
    all.map((owner) => operationByUuid(readModels, company, operationId(owner, key), 'idempotency_key')),
  );
  return found.flat();
}

async function byProviderId(
  { readModels }: QueryDeps,
  company: string,
  id: string,
): Promise<readonly FoundThing[]> {
  if (!id.startsWith('wamid.')) return [];
  const numbers = await readModels.find(channels.name, {
    index: 'by_company',
    equals: [company],
    order: 'asc',
    limit: ASKED,
  });
  const found = await Promise.all(
    numbers.documents.map(({ id: channel }) =>
      readModels.find(messages.name, {
        index: 'by_provider_id',
        equals: [channel, id],
        order: 'desc',
        limit: 1,
      }),
    ),
  );
  return found.flatMap(({ documents }) =>
    documents.map(({ id: uuid }) => ({
      kind: 'message',
      uuid,
      matched_by: 'provider_message_id',
      title: null,
    })),
  );
}

async function byWords(deps: QueryDeps, company: string, query: string): Promise<readonly FoundThing[]> {
  const { documents } = await listContacts(
    deps,
    company,
    { query, integrationUuid: null },
    { limit: PEOPLE },
  );
  return documents.map(({ uuid, name, phone }) => ({
    kind: 'contact',
    uuid,
    matched_by: 'words',
    title: name === null ? phone : phone === null ? name : `${name} ${phone}`,
  }));
}
