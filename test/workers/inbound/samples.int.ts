/** Meta's documented payload of every kind: accepted, and shown as docs/inbound.md describes. */
import { expect } from 'chai';
import { ask } from '../../support/api/client.js';
import { sampleWebhooks, startInbound } from './harness.js';
import { opened } from '../../support/opened.js';
import { contacts } from '../../../read-models/contacts.js';
import { templates } from '../../../read-models/templates.js';

const media = (mime: string) => ({
  media_id: '1003383421387256',
  mime_type: mime,
  sha256: 'SfInY0gGKTsJlUWbwxC1k+FAD0FZHvzwfpvO0zX0GUI=',
});
const unknownType = {
  title: 'Message type unknown',
  message: 'Message type unknown',
  details: 'Message type unknown',
};

/** Samples that become a message, in order of delivery: the provider id and the fields that the API shows. */
const SHOWN: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ['text', 'wamid.SAMPLE001', { type: 'text', direction: 'inbound', status: 'received' }],
  ['text_reply', 'wamid.SAMPLE002', { content: { text: 'Esse mesmo' }, forwarded: null }],
  ['text_forwarded', 'wamid.SAMPLE003', { forwarded: 'once', reply_to: null }],
  ['text_frequently_forwarded', 'wamid.SAMPLE004', { forwarded: 'frequently' }],
  ['text_about_product', 'wamid.SAMPLE005', { content: { text: 'Tem azul?' } }],
  ['text_from_ad', 'wamid.SAMPLE006', { content: { text: 'Vi o anúncio' } }],
  ['image', 'wamid.SAMPLE007', { type: 'image', content: { ...media('image/jpeg'), caption: 'A vitrine' } }],
  ['video', 'wamid.SAMPLE008', { type: 'video', content: media('video/mp4') }],
  [
    'voice',
    'wamid.SAMPLE009',
    { type: 'audio', content: { ...media('audio/ogg; codecs=opus'), voice: true } },
  ],
  [
    'document',
    'wamid.SAMPLE010',
    { type: 'document', content: { ...media('application/pdf'), filename: 'nota.pdf', caption: 'Segue' } },
  ],
  ['sticker', 'wamid.SAMPLE011', { type: 'sticker', content: { ...media('image/webp'), animated: false } }],
  [
    'location',
    'wamid.SAMPLE012',
    {
      type: 'location',
      content: {
        latitude: -23.5614,
        longitude: -46.6559,
        name: 'Loja',
        address: 'Av. Paulista, 1000',
        url: 'https://loja.example',
      },
    },
  ],
  [
    'contacts',
    'wamid.SAMPLE013',
    {
      type: 'contacts',
      content: {
        contacts: [
          {
            name: { formatted_name: 'Bia Reis', first_name: 'Bia' },
            phones: [{ phone: '+55 11 91234-0000', wa_id: '5511912340000', type: 'CELL' }],
            emails: [{ email: 'bia@example.com', type: 'WORK' }],
            origin: 'other',
          },
        ],
      },
    },
  ],
  [
    'button_reply',
    'wamid.SAMPLE014',
    { type: 'interactive', content: { kind: 'button_reply', id: 'sim', title: 'Sim' } },
  ],
  [
    'list_reply',
    'wamid.SAMPLE015',
    {
      type: 'interactive',
      content: { kind: 'list_reply', id: 'frete', title: 'Expresso', description: '1 dia' },
    },
  ],
  [
    'form_reply',
    'wamid.SAMPLE016',
    {
      type: 'interactive',
      content: {
        kind: 'nfm_reply',
        id: 'flow',
        title: 'Sent',
        response: { flow_token: 't', cep: '01310-100' },
      },
    },
  ],
  ['button', 'wamid.SAMPLE017', { type: 'button', content: { payload: 'quero', text: 'Quero' } }],
  [
    'order',
    'wamid.SAMPLE018',
    {
      type: 'order',
      content: {
        catalog_id: '194836987003835',
        text: 'Pode embrulhar?',
        items: [{ product_retailer_id: 'sku-1', quantity: 2, item_price: 49.9, currency: 'BRL' }],
      },
    },
  ],
  ['request_welcome', 'wamid.SAMPLE021', { type: 'unsupported', content: { kind: 'request_welcome' } }],
  [
    'unsupported',
    'wamid.SAMPLE022',
    { type: 'unsupported', content: { kind: 'poll_creation', errors: [{ code: 131051, ...unknownType }] } },
  ],
  ['unsupported_edit', 'wamid.SAMPLE023', { type: 'system_notice', content: { kind: 'message_edited' } }],
  [
    'type_of_tomorrow',
    'wamid.SAMPLE025',
    { type: 'unsupported', content: { kind: 'hologram', raw: { hologram: { shape: 'cube' } } } },
  ],
  [
    'edit',
    'wamid.SAMPLE001',
    { content: { text: 'Vocês abrem no domingo?' }, edited_at: '2025-12-31T23:59:59.000Z', deleted_at: null },
  ],
  ['edit_caption', 'wamid.SAMPLE007', { content: { ...media('image/jpeg'), caption: 'A vitrine nova' } }],
  [
    'revoke',
    'wamid.SAMPLE003',
    { content: { deleted: true }, deleted_at: '2025-12-31T23:59:59.000Z', deleted_by: 'contact' },
  ],
  [
    'echo',
    'wamid.SAMPLEECHO',
    { direction: 'outbound', type: 'text', status: 'sent', content: { text: 'Abrimos das 8 às 12.' } },
  ],
  ['echo_image', 'wamid.SAMPLEECHO2', { direction: 'outbound', type: 'image' }],
  [
    'echo_edit',
    'wamid.SAMPLEECHO',
    { content: { text: 'Abrimos das 8 às 13.' }, edited_at: '2025-12-31T23:59:59.000Z' },
  ],
  ['echo_revoke', 'wamid.SAMPLEECHO2', { content: { deleted: true }, deleted_by: 'business_app' }],
  ['status_sent', 'wamid.SAMPLEECHO', { status: 'sent', pricing: null }],
  ['status_failed', 'wamid.SAMPLEECHO', { status: 'failed' }],
  [
    'status_delivered',
    'wamid.SAMPLEECHO',
    {
      status: 'delivered',
      pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
    },
  ],
  ['status_played', 'wamid.SAMPLEECHO', { status: 'read' }],
  ['status_read', 'wamid.SAMPLEECHO', { status: 'read' }],
  ['history', 'wamid.PAST1', { direction: 'inbound', status: 'received', content: { text: 'Bom dia' } }],
  [
    'history_media',
    'wamid.PAST3',
    {
      direction: 'outbound',
      status: 'delivered',
      type: 'image',
      content: { ...media('image/jpeg'), caption: 'O pão' },
      created_at: '2025-11-30T10:55:20.000Z',
    },
  ],
  ['text_without_phone', 'wamid.SAMPLEBIA', { content: { text: 'Oi' } }],
  ['changed_number', 'wamid.SAMPLE029', { type: 'system_notice', content: { kind: 'user_changed_number' } }],
  [
    'changed_user_id',
    'wamid.SAMPLEUID',
    { type: 'system_notice', content: { kind: 'user_changed_user_id' } },
  ],
];

/** Samples that change something else, or nothing. */
const APPLIED = [
  'reaction',
  'reaction_removed',
  'unavailable',
  'preference_stop',
  'preference_resume',
  'address_book_add',
  'address_book_remove',
  'template_paused',
  'template_approved',
  'template_components',
  'template_quality',
  'template_category_impending',
  'template_category_done',
  'number_quality',
  'number_name',
  'account_update',
  'business_capability',
  'user_id_update',
];

/** Samples that are parked, for an operator to see, with the kind and the reason. */
const PARKED: Readonly<Record<string, string>> = {
  account_error: 'other: account_error',
  history_declined: 'other: history_not_shared: WhatsApp error 2593109',
  account_alert: 'account: WhatsApp account alert: OBA_APPROVED: CRITICAL, ACTIVE, Sample alert',
  account_review: 'account: WhatsApp account review: APPROVED',
  username_update: 'other: unknown_field',
};

describe('provider webhooks as Meta documents them', function () {
  this.timeout(120_000);
  const samples = sampleWebhooks();
  const inbound = opened(startInbound);
  after(async () => {
    expect(inbound.api.log.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  /** The message as the API shows it. */
  async function shown(providerMessageId: string): Promise<Record<string, unknown>> {
    const doc = await inbound.message(providerMessageId);
    const path = `/conversations/${doc!.conversation_uuid}/messages?limit=100`;
    const { status, body } = await ask(inbound.api, 'GET', path, { key: inbound.world.key });
    expect(status).to.equal(200);
    const list = body.data as readonly Record<string, unknown>[];
    return list.find((message) => message['uuid'] === doc!.uuid)!;
  }

  it('are all spoken for here', () => {
    const named = [...SHOWN.map(([name]) => name), ...APPLIED, ...Object.keys(PARKED)];
    expect([...named].sort()).to.deep.equal([...samples.keys()].sort());
  });

  const AWAITED = { media_status: 'pending', media_error: null, size: null, url: null, url_expires_at: null };
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);

  for (const [name, providerMessageId, expected] of SHOWN) {
    it(`${name}: shows as documented`, async () => {
      expect(await inbound.deliver(samples.get(name)!)).to.deep.equal([]);
      const message = await shown(providerMessageId);
      for (const [field, value] of Object.entries(expected)) {
        // No file is fetched here; test/e2e/media.e2e.ts covers that.
        const file = field === 'content' && 'media_id' in (value as object) ? AWAITED : {};
        expect(message[field], field).to.deep.equal(isObject(value) ? { ...value, ...file } : value);
      }
    });
  }

  it('a reply names the message it answers', async () => {
    const quoted = await inbound.message('wamid.SAMPLE001');
    expect((await shown('wamid.SAMPLE002'))['reply_to']).to.deep.equal({
      message_uuid: quoted!.uuid,
      provider_message_id: 'wamid.SAMPLE001',
    });
  });

  it('the ad that brought somebody is shown with the message', async () => {
    expect((await shown('wamid.SAMPLE006'))['referral']).to.deep.include({
      source_type: 'ad',
      ctwa_clid: 'Aff-n8ZTODiE79d22KtAwQKj',
    });
    const { contact_uuid } = (await inbound.message('wamid.SAMPLE006'))!;
    const contact = await inbound.app.readModels.get(contacts.name, contact_uuid);
    expect(contact?.doc.custom_fields).to.deep.equal({
      ctwa_clid: 'Aff-n8ZTODiE79d22KtAwQKj',
      ad_id: '120226305854810726',
      referral_source: 'ad',
    });
  });

  it('a failure keeps its reason, also once the message was delivered after all', async () => {
    expect(await shown('wamid.SAMPLEECHO')).to.deep.include({
      status: 'read',
      error: {
        code: 'recipient_marketing_limit_reached',
        message: 'Not delivered',
        details: {
          provider: {
            code: 131049,
            title: 'Not delivered',
            details:
              'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
          },
        },
      },
    });
  });

  for (const name of APPLIED) {
    it(`${name}: is applied`, async () => {
      expect(await inbound.deliver(samples.get(name)!)).to.deep.equal([]);
    });
  }

  it('reactions name the message they are about, and say when they are taken back', async () => {
    const about = {
      message_id: 'wamid.SAMPLE001',
      message_uuid: (await inbound.message('wamid.SAMPLE001'))!.uuid,
    };
    expect((await shown('wamid.SAMPLE019'))['content']).to.deep.equal({ ...about, emoji: '👍' });
    expect((await shown('wamid.SAMPLE020'))['content']).to.deep.equal({ ...about, emoji: null });
  });

  it('templates follow: paused, approved again, and in the end in another category', async () => {
    const { documents } = await inbound.app.readModels.find(templates.name, {
      index: 'by_company',
      equals: [inbound.world.company],
      order: 'asc',
      limit: 10,
    });
    expect(documents.map(({ doc }) => [doc.status, doc.category])).to.deep.equal([['APPROVED', 'MARKETING']]);
    const changes = await inbound.events('TemplateChanged');
    expect(changes.map(({ data }) => data['status'])).to.include('PAUSED');
  });

  it('the native control reaches whoever keeps opt-outs, in order', async () => {
    expect((await inbound.wishes()).map(({ to, source, at }) => [to, source, at])).to.deep.equal([
      ['stop', 'native', '2026-01-01T00:01:40.000Z'],
      ['resume', 'native', '2026-01-01T00:03:20.000Z'],
    ]);
  });

  for (const [name, reason] of Object.entries(PARKED)) {
    it(`${name}: is kept for an operator`, async () => {
      expect(await inbound.deliver(samples.get(name)!)).to.deep.equal([reason]);
    });
  }

  it('told again, all of them change nothing', async () => {
    const before = (await inbound.events('MessageReceived')).length;
    const conversations = await inbound.conversations();
    for (const sample of samples.values()) {
      // The same updates in another batch: the bytes differ, so the endpoint does not recognise them.
      await inbound.deliver({ ...sample, again: true });
    }
    expect((await inbound.events('MessageReceived')).length).to.equal(before);
    expect(await inbound.conversations()).to.deep.equal(conversations);
  });
});
