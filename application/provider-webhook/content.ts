import type { MediaContent, OrderContent, ProviderMessageContent } from '../../ports/provider-webhook.js';
import { asCame, id, type JsonRecord, list, number, optional, record, recordAsCame, text } from './json.js';
import { readErrors } from './errors.js';

const MAX_KIND = 64;

/**
 * Content of a message node by its `type`. A node that lacks required fields, or has a type of a later Graph version,
 * becomes `unsupported`, with its type as `kind` and the original node.
 */
export function readContent(message: JsonRecord): ProviderMessageContent {
  const type = text(message['type']) || 'unknown';
  return readKnown(type, message) ?? unsupported(type, message);
}

function unsupported(type: string, message: JsonRecord): ProviderMessageContent {
  const named = type === 'unsupported' ? text(record(message['unsupported'])?.['type']) : null;
  const errors = readErrors(message['errors']);
  const node = type === 'unsupported' || !Object.hasOwn(message, type) ? null : asCame(message[type]);
  return {
    type: 'unsupported',
    content: {
      kind: (named || type).slice(0, MAX_KIND),
      ...optional('errors', errors.length > 0 ? errors : null),
      ...optional('raw', node === null ? null : { [type]: node }),
    },
  };
}

function readKnown(type: string, message: JsonRecord): ProviderMessageContent | null {
  if (type === 'contacts') {
    const contacts = list(message['contacts'])
      .map(recordAsCame)
      .filter((contact) => contact !== null);
    return contacts.length === 0 ? null : { type, content: { contacts } };
  }
  const node = Object.hasOwn(message, type) ? record(message[type]) : null;
  if (node === null) return null;
  switch (type) {
    case 'text': {
      const body = text(node['body']);
      return body === null ? null : { type, content: { text: body } };
    }
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker': {
      const content = readMedia(node);
      return content === null ? null : { type, content };
    }
    case 'location':
      return readLocation(node);
    case 'interactive':
      return readInteractive(node);
    case 'button':
      return { type, content: { payload: text(node['payload']) ?? '', text: text(node['text']) ?? '' } };
    case 'reaction': {
      const messageId = id(node['message_id']);
      if (messageId === null) return null;
      // Meta omits `emoji` when the reaction was removed; some senders put an empty string.
      return { type, content: { message_id: messageId, emoji: text(node['emoji']) || null } };
    }
    case 'order':
      return { type, content: readOrder(node) };
    default:
      return null;
  }
}

function readMedia(node: JsonRecord): MediaContent | null {
  const mediaId = id(node['id']);
  if (mediaId === null) return null;
  return {
    media_id: mediaId,
    mime_type: text(node['mime_type']),
    sha256: text(node['sha256']),
    ...optional('caption', text(node['caption'])),
    ...optional('filename', text(node['filename'])),
    ...optional('voice', typeof node['voice'] === 'boolean' ? node['voice'] : null),
    ...optional('animated', typeof node['animated'] === 'boolean' ? node['animated'] : null),
  };
}

function readLocation(node: JsonRecord): ProviderMessageContent | null {
  const latitude = number(node['latitude']);
  const longitude = number(node['longitude']);
  if (latitude === null || longitude === null) return null;
  return {
    type: 'location',
    content: {
      latitude,
      longitude,
      ...optional('name', text(node['name'])),
      ...optional('address', text(node['address'])),
      ...optional('url', text(node['url'])),
    },
  };
}

function readInteractive(node: JsonRecord): ProviderMessageContent | null {
  const kind = node['type'];
  if (kind !== 'button_reply' && kind !== 'list_reply' && kind !== 'nfm_reply') return null;
  const reply = record(node[kind]);
  if (reply === null) return null;
  if (kind === 'nfm_reply') {
    return {
      type: 'interactive',
      content: {
        kind,
        ...optional('id', text(reply['name'])),
        ...optional('title', text(reply['body'])),
        ...optional('response', decoded(reply['response_json'])),
      },
    };
  }
  return {
    type: 'interactive',
    content: {
      kind,
      ...optional('id', text(reply['id'])),
      ...optional('title', text(reply['title'])),
      ...optional('description', text(reply['description'])),
    },
  };
}

/** A form's answer is JSON inside a JSON string. */
function decoded(value: unknown): unknown {
  const json = text(value);
  if (json === null) return null;
  try {
    return asCame(JSON.parse(json));
  } catch {
    return json;
  }
}

function readOrder(node: JsonRecord): OrderContent {
  return {
    catalog_id: id(node['catalog_id']),
    ...optional('text', text(node['text']) || null),
    items: list(node['product_items'])
      .map(record)
      .filter((item) => item !== null)
      .map((item) => ({
        product_retailer_id: id(item['product_retailer_id']) ?? '',
        quantity: number(item['quantity']) ?? 0,
        item_price: number(item['item_price']),
        currency: text(item['currency']),
      })),
  };
}
