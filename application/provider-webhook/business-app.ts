/**
 * Data that comes with a number shared with the WhatsApp Business app when it is connected: its address book
 * (`smb_app_state_sync`) and up to 180 days of its history (`history`).
 */
import type { ProviderPastMessage, ProviderUpdate } from '../../ports/provider-webhook.js';
import { readContent } from './content.js';
import { readErrors } from './errors.js';
import { digits, id, instant, type JsonRecord, record, text, word } from './json.js';
import { type ItemPlace, other, readContext } from './messages.js';

const MAX_NAME = 220;

/** One update per thread; each item that cannot be parsed becomes an `other` update. */
export function readHistory(place: ItemPlace, value: JsonRecord, item: unknown): readonly ProviderUpdate[] {
  const chunk = record(item);
  const [error] = readErrors(chunk?.['errors']);
  if (error) {
    return [other(place.wabaId, place.field, `history_not_shared: WhatsApp error ${error.code}`, item)];
  }
  if (chunk === null || !Array.isArray(chunk['threads'])) {
    return [other(place.wabaId, place.field, 'history_without_threads', item)];
  }
  return chunk['threads'].flatMap((thread: unknown) => {
    const node = record(thread);
    const named = id(node?.['id']);
    if (node === null || !Array.isArray(node['messages'])) {
      return [other(place.wabaId, place.field, 'thread_without_messages', thread)];
    }
    const userId = id(record(node['context'])?.['user_id']) ?? (digits(named) === null ? named : null);
    return readThread(place, value, { waId: digits(named), userId }, node['messages']);
  });
}

/** Media of the history arrive separately, each naming the person it was exchanged with. */
export function readHistoryMedia(
  place: ItemPlace,
  value: JsonRecord,
  item: unknown,
): readonly ProviderUpdate[] {
  const node = record(item);
  const from = digits(node?.['from']);
  const outbound = node !== null && isOurs(node, value);
  const waId = outbound ? digits(node['to']) : from;
  const userId = id(node?.[outbound ? 'to_user_id' : 'from_user_id']);
  return readThread(place, value, { waId, userId }, [item]);
}

function readThread(
  place: ItemPlace,
  value: JsonRecord,
  person: { readonly waId: string | null; readonly userId: string | null },
  items: readonly unknown[],
): readonly ProviderUpdate[] {
  const messages: ProviderPastMessage[] = [];
  const unread: ProviderUpdate[] = [];
  for (const item of items) {
    const message = readPast(value, item);
    if (message === null) unread.push(other(place.wabaId, place.field, 'message_without_id', item));
    else messages.push(message);
  }
  const { wabaId, phoneNumberId } = place;
  return messages.length === 0
    ? unread
    : [{ kind: 'history', wabaId, phoneNumberId, ...person, messages }, ...unread];
}

function readPast(value: JsonRecord, item: unknown): ProviderPastMessage | null {
  const node = record(item);
  const messageId = id(node?.['id']);
  if (node === null || messageId === null) return null;
  return {
    ...readContent(node),
    messageId,
    direction: isOurs(node, value) ? 'outbound' : 'inbound',
    at: instant(node['timestamp']),
    status: word(record(node['history_context'])?.['status']),
    context: readContext(node['context']),
  };
}

/** Only messages of the business name a recipient; where the number itself is known, it decides. */
function isOurs(node: JsonRecord, value: JsonRecord): boolean {
  const own = digits(text(record(value['metadata'])?.['display_phone_number'])?.replace(/[\s().-]/g, ''));
  const from = digits(node['from']);
  if (own !== null && from !== null) return own === from;
  return id(node['to']) !== null || id(node['to_user_id']) !== null;
}

export function readAddressBook(place: ItemPlace, item: unknown): ProviderUpdate {
  const node = record(item);
  const contact = record(node?.['contact']);
  const action = node?.['action'];
  const waId = digits(text(contact?.['phone_number'])?.replace(/[\s().-]/g, ''));
  if (node?.['type'] !== 'contact' || (action !== 'add' && action !== 'remove') || waId === null) {
    return other(place.wabaId, place.field, 'unknown_address_book_entry', item);
  }
  const name = (text(contact?.['full_name']) || text(contact?.['first_name']))?.trim().slice(0, MAX_NAME);
  const { wabaId, phoneNumberId } = place;
  return { kind: 'address_book', wabaId, phoneNumberId, action, waId, name: name || null };
}
