/** The filters of GET /messages: which may be combined, and what each selects by. */
import type { App } from '../../application/app.js';
import { recipientsOf } from '../../application/queries/recipient-subjects.js';
import type { MainFilter, SentMessageFilter } from '../../application/queries/sent-messages.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { MessageStatus } from '../../domain/message/status.js';
import { parsePhone } from '../../domain/policies/phone.js';
import { queryText, type Call } from '../middleware/call.js';
import { queryTimes } from '../middleware/query-time.js';
import type { ApiCaller } from '../middleware/api-key.js';

const MAIN = ['phone', 'contact_uuid', 'template', 'error_code', 'metadata_key', 'idempotency_key'] as const;
type Main = (typeof MAIN)[number];

/** Those whose messages are few, so that a status may select among them. */
const WITH_STATUS: ReadonlySet<Main> = new Set(['phone', 'contact_uuid', 'metadata_key']);

const STATUSES: ReadonlyMap<string, MessageStatus> = new Map(
  (['queued', 'sent', 'delivered', 'read', 'failed'] as const).map((status) => [status, status]),
);

/** Whose messages; keys of calls belong to an integration. */
type Sender = Pick<ApiCaller, 'company' | 'integration'>;

/** @throws Refusal validation_failed, not_found */
export async function messageFilter(
  app: Pick<App, 'executor' | 'indexSecret'>,
  { caller, query }: { readonly caller: Sender; readonly query: Call['query'] },
): Promise<SentMessageFilter> {
  const given = MAIN.filter((name) => queryText(query, name) !== undefined);
  const [main, second] = given;
  if (second !== undefined) {
    throw wrong(
      second,
      'filters_not_combined',
      `can not be combined with ${String(main)}. Use one of ${MAIN.join(', ')}.`,
    );
  }
  if (
    (queryText(query, 'metadata_key') === undefined) !==
    (queryText(query, 'metadata_value') === undefined)
  ) {
    throw wrong('metadata_value', 'filters_not_combined', 'goes together with metadata_key: name both.');
  }
  const status = STATUSES.get(queryText(query, 'status') ?? '');
  const range = queryTimes(query);
  if (main === undefined) return { main: byStatusAlone(status), ...range };
  if (status !== undefined && !WITH_STATUS.has(main)) {
    throw wrong(
      'status',
      'filters_not_combined',
      `can not be combined with ${main}. Use it alone, or with phone, contact_uuid or metadata_key.`,
    );
  }
  if (main === 'idempotency_key' && (range.from ?? range.to) !== undefined) {
    throw wrong(
      range.from === undefined ? 'to' : 'from',
      'filters_not_combined',
      'can not be combined with idempotency_key, which finds one message.',
    );
  }
  return { main: await mainFilter(app, caller, main, query), status, ...range };
}

function byStatusAlone(status: MessageStatus | undefined): MainFilter {
  if (status === undefined) return { by: 'everything' };
  if (status === 'failed' || status === 'queued') return { by: status };
  throw wrong(
    'status',
    'filters_not_combined',
    'can only be failed or queued without another filter. Add phone, contact_uuid or metadata_key.',
  );
}

/** @throws Refusal validation_failed */
export function subjectsOfPhone(
  app: Pick<App, 'executor' | 'indexSecret'>,
  company: string,
  phone: string,
): readonly string[] {
  // In a query, a `+` that is not encoded means a space.
  const { key } = parsePhone(phone.replace(/^ /, '+'), 'query.phone');
  return recipientsOf(app, company).ofPhone(key);
}

async function mainFilter(
  app: Pick<App, 'executor' | 'indexSecret'>,
  { company, integration }: Sender,
  main: Main,
  query: Call['query'],
): Promise<MainFilter> {
  const value = queryText(query, main) ?? '';
  switch (main) {
    case 'phone':
      return { by: 'recipient', subjects: subjectsOfPhone(app, company, value) };
    case 'contact_uuid':
      return { by: 'recipient', subjects: await recipientsOf(app, company).ofContact(value.toLowerCase()) };
    case 'template':
      return { by: 'template', name: value };
    case 'error_code':
      return { by: 'error_code', code: value };
    case 'metadata_key':
      return { by: 'metadata', key: value, value: queryText(query, 'metadata_value') ?? '' };
    case 'idempotency_key':
      return { by: 'idempotency_key', integrationUuid: integration, key: value };
    default:
      return main satisfies never;
  }
}

const wrong = (name: string, code: string, message: string): Refusal =>
  new Refusal('validation_failed', `The request is not valid: query.${name} ${message}`, {
    fields: [{ path: `query.${name}`, code, message }],
  });
