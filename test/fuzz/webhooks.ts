/** Webhooks of WhatsApp, each with every place in which it can be made invalid. */
import { APP_SECRET } from '../support/e2e/product.js';
import { DEMO_PLACE } from '../support/e2e/whatsapp.js';
import { webhookOf } from '../support/whatsapp-webhook.js';
import { examplePlaces, type RequestBody } from '../support/contract/request-bodies.js';

export { APP_SECRET };

const FROM = '5511987650002';
const message = (type: string, content: object) => ({
  contacts: [{ wa_id: FROM, profile: { name: 'Ana' } }],
  messages: [{ id: `wamid.${type}`, from: FROM, timestamp: '1798800000', type, ...content }],
});

const VALUES: readonly (readonly [field: string, value: object])[] = [
  ['messages', message('text', { text: { body: 'Oi' }, context: { id: 'wamid.a', from: FROM } })],
  ['messages', message('image', { image: { id: '1', mime_type: 'image/png', sha256: 'a', caption: 'b' } })],
  [
    'messages',
    message('interactive', { interactive: { type: 'button_reply', button_reply: { id: 'a', title: 'b' } } }),
  ],
  [
    'messages',
    message('location', { location: { latitude: -23.5, longitude: -46.6, name: 'a', address: 'b' } }),
  ],
  [
    'messages',
    message('contacts', { contacts: [{ name: { formatted_name: 'A' }, phones: [{ phone: '1' }] }] }),
  ],
  ['messages', message('reaction', { reaction: { message_id: 'wamid.a', emoji: '😀' } })],
  [
    'messages',
    message('order', {
      order: {
        catalog_id: '1',
        text: 'a',
        product_items: [{ product_retailer_id: 'a', quantity: 1, item_price: 9.9, currency: 'BRL' }],
      },
    }),
  ],
  ['messages', message('unsupported', { errors: [{ code: 131051, title: 'a', details: 'b' }] })],
  [
    'messages',
    {
      statuses: [
        {
          id: 'wamid.a',
          status: 'failed',
          timestamp: '1798800000',
          recipient_id: FROM,
          biz_opaque_callback_data: '00000000-0000-4000-8000-000000000000',
          errors: [{ code: 131049, title: 'a', error_data: { details: 'b' } }],
        },
      ],
    },
  ],
  [
    'message_template_status_update',
    { event: 'APPROVED', message_template_id: 1, message_template_name: 'a' },
  ],
  [
    'account_update',
    { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'a', expiration: '1' }] },
  ],
  ['phone_number_quality_update', { event: 'FLAGGED', current_limit: 'TIER_1K', display_phone_number: '1' }],
  [
    'smb_message_echoes',
    { message_echoes: [{ id: 'wamid.e', from: '1', to: FROM, type: 'text', text: { body: 'a' } }] },
  ],
  [
    'history',
    {
      history: [
        { metadata: { phase: 0, chunk_order: 1, progress: 5 }, threads: [{ id: FROM, messages: [] }] },
      ],
    },
  ],
];

export const webhookBodies: readonly RequestBody[] = VALUES.map(([field, value]) => {
  const body = webhookOf(field, value, DEMO_PLACE);
  return { valid: [body], places: examplePlaces([body]) };
});
