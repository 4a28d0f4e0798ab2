import type { ProviderUpdate } from '../../ports/provider-webhook.js';
import { readAccountChange } from './account.js';
import { readAddressBook, readHistory, readHistoryMedia } from './business-app.js';
import { digits, id, instant, type JsonRecord, list, record, text } from './json.js';
import { type ItemPlace, other, profileNames, readEcho, readMessage, readStatus } from './messages.js';

/**
 * Every item of a WhatsApp webhook body (parsed JSON), in the order of the payload. Pure and total: an item that is not
 * understood is returned as `other` (or as an `unsupported` message), and nothing makes it throw. The raw bytes are
 * already stored, and a parser's failure would only hide the rest of the batch.
 */
export function parseProviderWebhook(body: unknown): ProviderUpdate[] {
  const root = record(body);
  if (root === null) return [other(null, null, 'not_an_object', body)];
  if (root['object'] !== 'whatsapp_business_account') return [other(null, null, 'unknown_object', body)];
  if (!Array.isArray(root['entry'])) return [other(null, null, 'no_entries', body)];
  return root['entry'].flatMap((item: unknown) => {
    const entry = record(item);
    if (entry === null || !Array.isArray(entry['changes'])) return [other(null, null, 'no_changes', item)];
    const wabaId = id(entry['id']);
    const at = instant(entry['time']);
    return entry['changes'].flatMap((change: unknown) => readChange(wabaId, change, at));
  });
}

function readChange(wabaId: string | null, item: unknown, at: string | null): ProviderUpdate[] {
  const change = record(item);
  const field = text(change?.['field']);
  const value = record(change?.['value']);
  if (field === null || value === null) return [other(wabaId, field, 'no_field_or_value', item)];
  switch (field) {
    case 'messages':
    case 'smb_message_echoes':
    case 'smb_app_state_sync':
    case 'history':
    case 'user_preferences':
    case 'user_id_update':
      return readNumberChange(wabaId, field, value);
    default:
      return [readAccountChange(wabaId, field, value, at) ?? other(wabaId, field, 'unknown_field', value)];
  }
}

function readNumberChange(wabaId: string | null, field: string, value: JsonRecord): ProviderUpdate[] {
  const phoneNumberId = id(record(value['metadata'])?.['phone_number_id']);
  if (phoneNumberId === null) return [other(wabaId, field, 'no_phone_number_id', value)];
  const place: ItemPlace = { wabaId, field, phoneNumberId };
  const nameOf = profileNames(value['contacts']);
  // One value may contain several kinds of items at once; Meta does not promise that they exclude each other.
  const updates = [
    // In `history` these are media of old messages, which must not be treated as new messages.
    ...list(value['messages']).flatMap((item) =>
      field === 'history' ? readHistoryMedia(place, value, item) : [readMessage(place, item, nameOf)],
    ),
    ...list(value['history']).flatMap((item) => readHistory(place, value, item)),
    ...list(value['state_sync']).map((item) => readAddressBook(place, item)),
    ...list(value['message_echoes']).map((item) => readEcho(place, item)),
    ...list(value['statuses']).map((item) => readStatus(place, item)),
    ...list(value['user_preferences']).map((item) => readPreference(place, item)),
    ...list(value['user_id_update']).map((item) => readUserIdUpdate(place, item)),
    ...list(value['errors']).map((item) => other(wabaId, field, 'account_error', item)),
  ];
  return updates.length > 0 ? updates : [other(wabaId, field, 'nothing_known_inside', value)];
}

function readPreference(place: ItemPlace, item: unknown): ProviderUpdate {
  const node = record(item);
  const value = text(node?.['value'])?.toLowerCase();
  const waId = digits(node?.['wa_id']);
  const userId = id(node?.['user_id']);
  if (node === null || (value !== 'stop' && value !== 'resume') || (waId === null && userId === null)) {
    return other(place.wabaId, place.field, 'unknown_preference', item);
  }
  return {
    kind: 'preference',
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    waId,
    userId,
    category: text(node['category']) ?? 'marketing_messages',
    value,
    at: instant(node['timestamp']),
  };
}

/** A field withdrawn by Meta (changelog of August 2026) that may still come; same content as the system message. */
function readUserIdUpdate(place: ItemPlace, item: unknown): ProviderUpdate {
  const node = record(item);
  const change = record(node?.['user_id']);
  const userId = id(change?.['current']);
  const previousUserId = id(change?.['previous']);
  if (node === null || userId === null || previousUserId === null) {
    return other(place.wabaId, place.field, 'unknown_user_id_update', item);
  }
  return {
    kind: 'identity',
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    messageId: `user-id-update:${userId}`,
    previousWaId: digits(node['wa_id']),
    previousUserId,
    waId: null,
    userId,
    at: instant(node['timestamp']),
  };
}
