import type {
  ProviderEditUpdate,
  ProviderMessageContext,
  ProviderMessageUpdate,
  ProviderStatusUpdate,
  ProviderUpdate,
} from '../../ports/provider-webhook.js';
import { readContent } from './content.js';
import { readErrors } from './errors.js';
import { digits, id, instant, type JsonRecord, list, record, recordAsCame, text } from './json.js';

/** Maximum length of a contact's name (spec §2, Contact). */
const MAX_NAME = 220;

/** Where an item was found; `phoneNumberId` was already checked to be present. */
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

/** Profile names from `value.contacts[]`, by WhatsApp id or business-scoped user id. */
export function profileNames(
  contacts: unknown,
): (from: string | null, userId: string | null) => string | null {
  const names = new Map<string, string>();
  for (const contact of list(contacts).map(record)) {
    const name = text(record(contact?.['profile'])?.['name'])?.trim().slice(0, MAX_NAME);
    if (contact === null || !name) continue;
    for (const key of [digits(contact['wa_id']), id(contact['user_id'])]) {
      if (key !== null) names.set(key, name);
    }
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
    recipientId: digits(node['recipient_id']),
    recipientUserId: id(node['recipient_user_id']),
    errors: readErrors(node['errors']),
    pricing: recordAsCame(node['pricing']),
  } satisfies ProviderStatusUpdate;
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
  const from = digits(node['from']);
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
    readChange(base, node, 'contact', { waId: from, userId: fromUserId }) ??
    (node['type'] === 'system' ? readIdentity(base, node) : null) ??
    readNotice(base, node);
  if (special !== null) return special;
  return {
    ...base,
    ...readContent(node),
    kind: 'message',
    context: readContext(node['context']),
    referral: recordAsCame(node['referral']),
    errors: readErrors(node['errors']),
    raw: node,
  } satisfies ProviderMessageUpdate;
}

/** A message that the business wrote in the Business app (field `smb_message_echoes`). */
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
  const sender = { from: digits(node['from']), fromUserId: null, profileName: null };
  const recipient = { waId: digits(node['to']), userId: id(node['to_user_id']) };
  return (
    readChange({ ...base, ...sender }, node, 'business_app', recipient) ?? {
      ...base,
      ...readContent(node),
      kind: 'echo',
      to: recipient.waId,
      toUserId: recipient.userId,
      context: readContext(node['context']),
      raw: node,
    }
  );
}

type Base = Pick<
  ProviderMessageUpdate,
  'wabaId' | 'phoneNumberId' | 'messageId' | 'from' | 'fromUserId' | 'profileName' | 'at'
>;

/** `edit` and `revoke` refer to the message they change; without that reference or new content they are no change. */
function readChange(
  base: Base,
  node: JsonRecord,
  by: 'contact' | 'business_app',
  contact: ProviderEditUpdate['contact'],
): ProviderUpdate | null {
  const type = node['type'];
  if (type !== 'edit' && type !== 'revoke') return null;
  const change = record(node[type]);
  const originalMessageId = id(change?.['original_message_id']);
  if (change === null || originalMessageId === null) return null;
  if (type === 'revoke') return { ...base, kind: 'revoke', originalMessageId, by };
  const edited = record(change['message']);
  const content = edited && readContent(edited);
  if (content === null || content.type === 'unsupported') return null;
  return { ...base, ...content, kind: 'edit', originalMessageId, by, contact };
}

/**
 * Messages from neither party: WhatsApp's own system messages, and edits and deletions that lack the changed message or
 * its new content. Numbers on the Cloud API alone get edits as `unsupported` (Meta, "Unsupported messages").
 */
function readNotice(base: Base, node: JsonRecord): ProviderUpdate | null {
  const notice = noticeOf(node);
  return notice === null ? null : { ...base, kind: 'notice', notice };
}

function noticeOf(node: JsonRecord): string | null {
  switch (node['type']) {
    case 'edit':
      return 'message_edited';
    case 'revoke':
      return 'message_deleted';
    case 'unsupported':
      return record(node['unsupported'])?.['type'] === 'edit' ? 'message_edited' : null;
    case 'system': {
      const kind = text(record(node['system'])?.['type'])?.toLowerCase() ?? '';
      return /^[a-z][a-z0-9_]{0,63}$/.test(kind) ? kind : 'system';
    }
    default:
      return null;
  }
}

function readIdentity(base: Base, node: JsonRecord): ProviderUpdate | null {
  const system = record(node['system']);
  if (system === null) return null;
  // Payloads before 2022 name the new number `new_wa_id`.
  const waId = digits(system['wa_id']) ?? digits(system['new_wa_id']);
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

export function readContext(value: unknown): ProviderMessageContext | null {
  const node = record(value);
  if (node === null) return null;
  const often = node['frequently_forwarded'] === true;
  const product = record(node['referred_product']);
  return {
    id: id(node['id']),
    from: digits(node['from']),
    ...(product
      ? {
          product: {
            catalog_id: id(product['catalog_id']),
            product_retailer_id: id(product['product_retailer_id']),
          },
        }
      : {}),
    ...(often ? { forwarded: 'frequently_forwarded' as const } : {}),
    ...(!often && node['forwarded'] === true ? { forwarded: 'forwarded' as const } : {}),
  };
}
