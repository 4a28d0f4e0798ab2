import type {
  ProviderMessageContext,
  ProviderMessageUpdate,
  ProviderStatusUpdate,
  ProviderUpdate,
  ProviderUpdateError,
} from '../../ports/provider-webhook.js';
import { readContent } from './content.js';
import { id, instant, type JsonRecord, list, number, record, text } from './json.js';

/** Where an item was found; `phoneNumberId` is known to be there. */
export interface ItemPlace {
  readonly wabaId: string | null;
  readonly field: string;
  readonly phoneNumberId: string;
}

export const other = (
  wabaId: string | null,
  field: string | null,
  reason: string,
  raw: unknown,
): ProviderUpdate => ({ kind: 'other', wabaId, field, reason, raw });

/** Names from `value.contacts[]`, found by WhatsApp id or business-scoped user id. */
export function profileNames(
  contacts: unknown,
): (from: string | null, userId: string | null) => string | null {
  const names = new Map<string, string>();
  for (const contact of list(contacts).map(record)) {
    const name = text(record(contact?.['profile'])?.['name']);
    if (contact === null || name === null) continue;
    for (const key of [id(contact['wa_id']), id(contact['user_id'])]) if (key !== null) names.set(key, name);
  }
  return (from, userId) => names.get(userId ?? '') ?? names.get(from ?? '') ?? null;
}

export function readStatus(place: ItemPlace, item: unknown): ProviderUpdate {
  const node = record(item);
  const messageId = id(node?.['id']);
  const status = text(node?.['status']);
  if (node === null || messageId === null || status === null) {
    return other(place.wabaId, place.field, 'status_without_id_or_status', item);
  }
  return {
    kind: 'status',
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    messageId,
    status: status.toLowerCase(),
    at: instant(node['timestamp']),
    opaque: text(node['biz_opaque_callback_data']),
    recipientId: id(node['recipient_id']),
    recipientUserId: id(node['recipient_user_id']),
    errors: readErrors(node['errors']),
    pricing: record(node['pricing']),
  } satisfies ProviderStatusUpdate;
}

export function readErrors(value: unknown): readonly ProviderUpdateError[] {
  return list(value)
    .map(record)
    .filter((error) => error !== null)
    .map((error) => ({
      code: number(error['code']) ?? 0,
      title: text(error['title']),
      message: text(error['message']),
      details: text(record(error['error_data'])?.['details']) ?? text(error['details']),
    }));
}

export function readMessage(
  place: ItemPlace,
  item: unknown,
  nameOf: (from: string | null, userId: string | null) => string | null,
): ProviderUpdate {
  const node = record(item);
  const messageId = id(node?.['id']);
  if (node === null || messageId === null) {
    return other(place.wabaId, place.field, 'message_without_id', item);
  }
  const from = id(node['from']);
  const fromUserId = id(node['from_user_id']);
  const base = {
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    messageId,
    from,
    fromUserId,
    profileName: nameOf(from, fromUserId),
    at: instant(node['timestamp']),
  };
  const special =
    readChange(base, node, 'contact') ?? (node['type'] === 'system' ? readIdentity(base, node) : null);
  if (special !== null) return special;
  return {
    ...base,
    ...readContent(node),
    kind: 'message',
    context: readContext(node['context']),
    referral: record(node['referral']),
    errors: readErrors(node['errors']),
    raw: node,
  } satisfies ProviderMessageUpdate;
}

/** A message that somebody of the business wrote in the Business app (field `smb_message_echoes`). */
export function readEcho(place: ItemPlace, item: unknown): ProviderUpdate {
  const node = record(item);
  const messageId = id(node?.['id']);
  if (node === null || messageId === null)
    return other(place.wabaId, place.field, 'message_without_id', item);
  const base = {
    wabaId: place.wabaId,
    phoneNumberId: place.phoneNumberId,
    messageId,
    at: instant(node['timestamp']),
  };
  const sender = { from: id(node['from']), fromUserId: null, profileName: null };
  return (
    readChange({ ...base, ...sender }, node, 'business_app') ?? {
      ...base,
      ...readContent(node),
      kind: 'echo',
      to: id(node['to']),
      toUserId: id(node['to_user_id']),
      raw: node,
    }
  );
}

type Base = Pick<
  ProviderMessageUpdate,
  'wabaId' | 'phoneNumberId' | 'messageId' | 'from' | 'fromUserId' | 'profileName' | 'at'
>;

/** `edit` and `revoke` point at the message they change; without that pointer they are plain unsupported messages. */
function readChange(base: Base, node: JsonRecord, by: 'contact' | 'business_app'): ProviderUpdate | null {
  const type = node['type'];
  if (type !== 'edit' && type !== 'revoke') return null;
  const change = record(node[type]);
  const originalMessageId = id(change?.['original_message_id']);
  if (change === null || originalMessageId === null) return null;
  if (type === 'revoke') return { ...base, kind: 'revoke', originalMessageId, by };
  const edited = record(change['message']);
  if (edited === null) return null;
  return { ...base, ...readContent(edited), kind: 'edit', originalMessageId, by };
}

function readIdentity(base: Base, node: JsonRecord): ProviderUpdate | null {
  const system = record(node['system']);
  if (system === null) return null;
  // `new_wa_id` is how payloads before 2022 named the new number.
  const waId = id(system['wa_id']) ?? id(system['new_wa_id']);
  const userId = id(system['user_id']);
  if (waId === null && userId === null) return null;
  return {
    kind: 'identity',
    wabaId: base.wabaId,
    phoneNumberId: base.phoneNumberId,
    messageId: base.messageId,
    previousWaId: base.from,
    previousUserId: id(system['previous_user_id']) ?? base.fromUserId,
    waId,
    userId,
    at: base.at,
  };
}

function readContext(value: unknown): ProviderMessageContext | null {
  const node = record(value);
  if (node === null) return null;
  const often = node['frequently_forwarded'] === true;
  return {
    id: id(node['id']),
    from: id(node['from']),
    ...(often ? { forwarded: 'frequently_forwarded' as const } : {}),
    ...(!often && node['forwarded'] === true ? { forwarded: 'forwarded' as const } : {}),
  };
}
