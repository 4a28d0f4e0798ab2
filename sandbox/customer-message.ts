/** Builds the nodes of Meta's webhooks for all that a person can do in WhatsApp. */
import { createHash } from 'node:crypto';
import type { SandboxPhoneNumber } from './types.js';

type Node = Readonly<Record<string, unknown>>;

export const MEDIA_TYPES = ['image', 'audio', 'video', 'document', 'sticker'] as const;
type MediaType = (typeof MEDIA_TYPES)[number];

/** An action of one `type`; the fields that the type needs are checked before. */
export interface CustomerAction {
  readonly type: string;
  readonly text?: string;
  readonly caption?: string;
  readonly media_id?: string;
  readonly mime_type?: string;
  readonly sha256?: string;
  readonly filename?: string;
  readonly payload?: string;
  readonly id?: string;
  readonly title?: string;
  /** Second line of a list row. */
  readonly description?: string;
  readonly emoji?: string | null;
  readonly message_id?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly name?: string;
  readonly phone?: string;
  readonly catalog_id?: string;
  readonly items?: readonly Node[];
  readonly kind?: string;
  readonly message?: Node;
}

export const CUSTOMER_ACTIONS = [
  'text',
  ...MEDIA_TYPES,
  'button',
  'button_reply',
  'list_reply',
  'order',
  'reaction',
  'edit',
  'delete',
  'location',
  'contacts',
  'unsupported',
  'unavailable',
  'raw',
] as const;

export type CustomerActionType = (typeof CUSTOMER_ACTIONS)[number];

const MIME_TYPES: Readonly<Record<MediaType, string>> = {
  image: 'image/jpeg',
  audio: 'audio/ogg; codecs=opus',
  video: 'video/mp4',
  document: 'application/pdf',
  sticker: 'image/webp',
};

/**
 * The message node without sender, id and time. Null where WhatsApp sends no webhook: a deletion, on a number that is
 * not shared with the Business app.
 */
export function customerMessage(
  action: CustomerAction,
  number: SandboxPhoneNumber,
): (Node & { readonly type: string }) | null {
  const { type } = action;
  switch (type) {
    case 'text':
      return { type, text: { body: action.text } };
    case 'button':
      return { type, button: { text: action.text, payload: action.payload ?? action.text } };
    case 'button_reply':
    case 'list_reply':
      return {
        type: 'interactive',
        interactive: {
          type,
          [type]: {
            id: action.id ?? action.title,
            title: action.title,
            ...(type === 'button_reply' || action.description === undefined
              ? {}
              : { description: action.description }),
          },
        },
      };
    case 'order':
      return order(action);
    case 'reaction':
      return {
        type,
        reaction: {
          message_id: action.message_id,
          // Left out when the reaction was removed.
          ...(action.emoji === undefined || action.emoji === null ? {} : { emoji: action.emoji }),
        },
      };
    case 'edit':
      return edit(action, number);
    case 'delete':
      return number.onBusinessApp === true
        ? { type: 'revoke', revoke: { original_message_id: action.message_id } }
        : null;
    case 'location': {
      const { latitude, longitude, name } = action;
      return { type, location: { latitude, longitude, ...(name === undefined ? {} : { name }) } };
    }
    case 'contacts':
      return {
        type,
        contacts: [
          { name: { formatted_name: action.name }, phones: [{ phone: action.phone, type: 'CELL' }] },
        ],
      };
    case 'unsupported':
      return unsupported(131051, 'Message type unknown', action.kind ?? 'poll_creation');
    case 'unavailable':
      return unsupported(131060, 'This message is currently unavailable', action.kind ?? 'errors');
    case 'raw':
      return action.message as Node & { readonly type: string };
    default:
      return media(type as MediaType, action);
  }
}

function media(type: MediaType, action: CustomerAction): Node & { readonly type: string } {
  const id = action.media_id ?? '900000000000001';
  return {
    type,
    [type]: {
      id,
      mime_type: action.mime_type ?? MIME_TYPES[type],
      sha256: action.sha256 ?? createHash('sha256').update(id).digest('base64'),
      ...(action.caption === undefined ? {} : { caption: action.caption }),
      ...(type === 'document' ? { filename: action.filename ?? 'document.pdf' } : {}),
      ...(type === 'audio' ? { voice: true } : {}),
      ...(type === 'sticker' ? { animated: false } : {}),
    },
  };
}

const order = ({ catalog_id, text, items = [] }: CustomerAction): Node & { readonly type: string } => ({
  type: 'order',
  order: {
    catalog_id: catalog_id ?? '700000000000001',
    ...(text === undefined ? {} : { text }),
    product_items: items.map((item) => ({ quantity: 1, currency: 'BRL', ...item })),
  },
});

/** Only numbers shared with the Business app receive the new content of an edited message. */
function edit(action: CustomerAction, number: SandboxPhoneNumber): Node & { readonly type: string } {
  if (number.onBusinessApp !== true) return unsupported(131051, 'Message type unknown', 'edit');
  return {
    type: 'edit',
    edit: { original_message_id: action.message_id, message: { type: 'text', text: { body: action.text } } },
  };
}

const unsupported = (code: number, title: string, kind: string): Node & { readonly type: string } => ({
  type: 'unsupported',
  errors: [{ code, title, message: title, error_data: { details: `${title}.` } }],
  unsupported: { type: kind },
});
