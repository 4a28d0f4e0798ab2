/** Webhooks about templates, numbers and the account as a whole: they contain the account's id but no number's id. */
import type { ProviderAccountUpdate, ProviderUpdate } from '../../ports/provider-webhook.js';
import { digits, id, instant, type JsonRecord, list, record, text, word } from './json.js';
import { other } from './messages.js';

/** Undefined for fields with another subject. */
export function readAccountChange(
  wabaId: string | null,
  field: string,
  value: JsonRecord,
  at: string | null,
): ProviderUpdate | undefined {
  switch (field) {
    case 'message_template_status_update':
    case 'message_template_quality_update':
    case 'message_template_components_update':
    case 'template_category_update':
      return readTemplate(wabaId, field, value);
    case 'phone_number_quality_update':
    case 'phone_number_name_update':
      return readNumber(wabaId, field, value);
    case 'account_update':
      return readAccountUpdate(wabaId, value, at);
    case 'account_alerts':
      return readAlert(wabaId, value, at);
    case 'account_review_update':
      return account({ wabaId, at, about: 'review', event: word(value['decision']) }, '');
    case 'business_capability_update':
      return account({ wabaId, at, about: 'capability', event: null }, limitsOf(value));
    default:
      return undefined;
  }
}

/** Determines the change from the value's contents: Meta's own samples print one field's name over another's value. */
function readTemplate(wabaId: string | null, field: string, value: JsonRecord): ProviderUpdate {
  const name = id(value['message_template_name']);
  const language = id(value['message_template_language']);
  const event = word(value['event']);
  const quality = word(value['new_quality_score']);
  const category = word(value['new_category']);
  const componentsChanged =
    Object.keys(value).some((key) => key.startsWith('message_template_element')) ||
    'message_template_buttons' in value;
  const changed = event !== null || quality !== null || category !== null || componentsChanged;
  if (name === null || language === null || !changed) {
    return other(wabaId, field, 'unknown_template_change', value);
  }
  return {
    kind: 'template',
    wabaId,
    templateId: id(value['message_template_id']),
    name,
    language: language.replace('-', '_'),
    event,
    reason: text(value['reason']),
    quality,
    category: category === null ? null : { now: category, correct: word(value['correct_category']) },
    componentsChanged,
  };
}

function readNumber(wabaId: string | null, field: string, value: JsonRecord): ProviderUpdate {
  const phone = digits(text(value['display_phone_number'])?.replace(/[\s().-]/g, ''));
  if (phone === null) return other(wabaId, field, 'no_phone_number', value);
  const about = field === 'phone_number_name_update' ? 'name' : 'quality';
  return {
    kind: 'number',
    wabaId,
    about,
    phone,
    event: word(value[about === 'name' ? 'decision' : 'event']),
  };
}

function readAlert(wabaId: string | null, value: JsonRecord, at: string | null): ProviderUpdate {
  // Meta documents these parts both inside `alert_info` and beside the entity.
  const alert = record(value['alert_info']) ?? value;
  const said = [alert['alert_severity'], alert['alert_status'], alert['alert_description']].map(text);
  return account(
    { wabaId, at, about: 'alert', event: word(alert['alert_type']) },
    said.filter(Boolean).join(', '),
  );
}

type News = Pick<ProviderAccountUpdate, 'wabaId' | 'at' | 'about' | 'event'>;
type Consequences = Pick<ProviderAccountUpdate, 'banState' | 'restrictions'>;

function account(
  news: News,
  detail: string,
  { banState, restrictions }: Consequences = { banState: null, restrictions: [] },
): ProviderUpdate {
  const summary = [news.event, detail].filter(Boolean).join(': ').slice(0, 300);
  return { kind: 'account', ...news, summary: summary || news.about, banState, restrictions };
}

function readAccountUpdate(wabaId: string | null, value: JsonRecord, at: string | null): ProviderUpdate {
  const restrictions = list(value['restriction_info']).flatMap((item) => {
    const type = word(record(item)?.['restriction_type']);
    return type === null ? [] : [{ type, expiresAt: instant(record(item)?.['expiration']) }];
  });
  const banState = word(record(value['ban_info'])?.['waba_ban_state']);
  const detail = [...restrictions.map(({ type }) => type), banState].filter(Boolean).join(', ');
  return account({ wabaId, at, about: 'update', event: word(value['event']) }, detail, {
    banState,
    restrictions,
  });
}

/** `max_daily_conversations_per_business` and the like, unmodified. */
const limitsOf = (value: JsonRecord): string =>
  Object.keys(value)
    .map((name) => [name, id(value[name])] as const)
    .filter(([, limit]) => limit !== null)
    .map(([name, limit]) => `${name} ${limit}`)
    .join(', ');
