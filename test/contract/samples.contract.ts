/**
 * Every message, event and operation that the contract has a type for, from the running product. Each fits its type and
 * no other. RECORD_SAMPLES=on writes them to test/fixtures/contract/samples.json, which readers of the contract's types
 * are tested with.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { sampleFile } from '../../sandbox/media-samples.js';
import { eraseContact } from '../../application/provisioning/erase-contact.js';
import { isObject } from '../../domain/kernel/json.js';
import { fitting, variantsOf } from '../support/contract/variants.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';
import { DEMO_NUMBER, type MessageBody } from '../support/e2e/product.js';
import { collection } from '../support/e2e/templates.js';
import { tell } from '../support/e2e/whatsapp.js';
import { startSpeechService, type SpeechService } from '../support/fakes/speech-service.js';
import { projectFile } from '../support/root.js';
import { OWN_PHONE } from '../support/whatsapp-webhook.js';

type Row = Readonly<Record<string, unknown>>;

const SAMPLES = projectFile('test/fixtures/contract/samples.json');
const MEDIA = ['image', 'audio', 'video', 'document', 'sticker'];
const EVENTS = 10;

const link = 'https://cdn.example.com/arquivo';
const choices = [
  { id: 'sim', title: 'Sim' },
  { id: 'nao', title: 'Não' },
];
const rows = Array.from({ length: 4 }, (_, n) => ({ id: `r${n}`, title: `Linha ${n}` }));
const FLOW = {
  schema: 1,
  start: 'image',
  blocks: {
    image: { type: 'send_media', media: 'image', link, caption: 'Chegou', next: 'video' },
    video: { type: 'send_media', media: 'video', link, next: 'audio' },
    audio: { type: 'send_media', media: 'audio', link, next: 'document' },
    document: { type: 'send_media', media: 'document', link, filename: 'nota.pdf', next: 'buttons' },
    buttons: { type: 'ask', text: 'Posso?', save_as: 'posso', choices, next: 'list' },
    list: { type: 'ask', text: 'Qual?', save_as: 'qual', choices: rows, next: null },
  },
};

/** By variant, type and kind, so that each shape of `content` is there. */
const nameOf = (variant: string, { type, content }: MessageBody): string =>
  [
    variant,
    type,
    ...(typeof content['kind'] === 'string' && variant !== 'UnsupportedMessage' ? [content['kind']] : []),
  ].join(' ');

const EXPECTED = [
  'TextMessage text',
  ...MEDIA.map((type) => `MediaMessage ${type}`),
  ...MEDIA.filter((type) => type !== 'sticker').map((type) => `LinkMessage ${type}`),
  'LocationMessage location',
  'ContactsMessage contacts',
  ...['button_reply', 'list_reply', 'nfm_reply'].map((kind) => `ReplyMessage interactive ${kind}`),
  ...['buttons', 'list'].map((kind) => `QuestionMessage interactive ${kind}`),
  'ButtonMessage button',
  'ReactionMessage reaction',
  'OrderMessage order',
  'TemplateMessage template',
  'NoteMessage note',
  'NoticeMessage system_notice message_edited',
  'StoreOrderMessage store_order',
  'UnsupportedMessage unsupported',
  'DeletedMessage text',
  'DeletedMessage image',
  ...['text', 'image', 'template', 'note'].map((type) => `ErasedMessage ${type}`),
];

describe('samples of the contract', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let speech: SpeechService;
  before(async () => {
    speech = await startSpeechService('Oi, o pedido já saiu?');
  });
  const product = openedWithReceiver(() => ({
    env: { TRANSCRIPTION_URL: speech.url, TRANSCRIPTION_API_KEY: 'speech-key' },
  }));
  after(() => speech.close());

  const messages = new Map<string, MessageBody>();
  const operations = new Map<string, Row>();
  const timestamp = '1767225599';
  const says = (from: string, node: object) =>
    tell(product, 'messages', { messages: [{ from: from.slice(1), timestamp, ...node }] });
  const file = (type: string): Row => {
    const { bytes, mimeType } = sampleFile(type);
    const { id, sha256 } = product.sandbox.media.put({ bytes, mimeType });
    return { id, sha256, mime_type: mimeType };
  };
  async function keep(conversation: string, count: number): Promise<void> {
    const found = await eventually(
      async () => {
        const all = await product.get<readonly MessageBody[]>(
          `/conversations/${conversation}/messages?limit=100`,
        );
        const pending = all.some(({ content }) => content['media_status'] === 'pending');
        if (all.length === count && !pending) return all;
        throw new Error(JSON.stringify(all.map(({ type, content }) => [type, content['media_status']])));
      },
      { what: `${count} messages with their files` },
    );
    for (const message of found) {
      const variants = fitting('Message', message);
      expect(variants, JSON.stringify(message)).to.have.length(1);
      const name = nameOf(variants[0]!, message);
      if (!messages.has(name)) messages.set(name, message);
    }
  }
  const keepOperation = (operation: Row): void => {
    const variants = fitting('Operation', operation);
    expect(variants, JSON.stringify(operation)).to.have.length(1);
    operations.set(variants[0]!, operation);
  };

  it('what a customer writes, of every type', async () => {
    const from = '+5511987654001';
    const product1 = await product.ask('POST', '/store/products', {
      json: { name: 'Caneca', price: '49.90', import_handle: 'caneca', stock: 5 },
    });
    expect(product1.status, product1.text).to.equal(201);
    const referral = {
      source_url: 'https://fb.me/x',
      source_id: '1203',
      source_type: 'ad',
      headline: 'Fale conosco',
      ctwa_clid: 'Aff-n8',
    };
    await says(from, { id: 'wamid.S0', type: 'text', text: { body: 'Vi o anúncio' }, referral });
    for (const type of MEDIA) {
      product.sandbox.receive({ phoneNumberId: DEMO_NUMBER, from, message: { type, [type]: file(type) } });
    }
    const nodes: readonly (readonly [string, object])[] = [
      ['location', { latitude: -23.5614, longitude: -46.6559, name: 'Loja' }],
      [
        'contacts',
        [{ name: { formatted_name: 'Bia Reis' }, phones: [{ phone: '+55 11 91234-0000', type: 'CELL' }] }],
      ],
      ['interactive', { type: 'button_reply', button_reply: choices[0] }],
      ['interactive', { type: 'list_reply', list_reply: { ...rows[0], description: '1 dia' } }],
      [
        'interactive',
        {
          type: 'nfm_reply',
          nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"cep":"01310-100"}' },
        },
      ],
      ['button', { payload: 'sim', text: 'Sim' }],
      ['reaction', { message_id: 'wamid.S0', emoji: '👍' }],
      [
        'order',
        {
          catalog_id: '77',
          product_items: [{ product_retailer_id: 'caneca', quantity: 1, item_price: 49.9, currency: 'BRL' }],
        },
      ],
      ['hologram', { shape: 'cube' }],
    ];
    for (const [index, [type, node]] of nodes.entries()) {
      await says(from, { id: `wamid.S${index + 1}`, type, [type]: node });
    }
    await says(from, {
      id: 'wamid.S20',
      type: 'unsupported',
      unsupported: { type: 'edit' },
      errors: [{ code: 131051, title: 'Message type unknown' }],
    });
    const conversation = await product.conversationWith(from);
    await product.admin('POST', `/conversations/${conversation}/notes`, { text: 'Prefere a manhã.' });
    await product.admin('POST', `/conversations/${conversation}/resolve`);
    // The text, five files, what is above, a notice, the order of the cart and the note.
    await keep(conversation, 1 + MEDIA.length + nodes.length + 3);
    expect(messages.get('TextMessage text')).to.deep.include({ referral });
  });

  it('what the API and a flow send', async () => {
    const phone = '+5511987654002';
    keepOperation(await product.get(`/operations/${await product.accepted('+5511966131026')}`));
    const sent = await product.sent(phone, { body: collection });
    keepOperation({ ...sent });
    await product.messageStatus(sent, 'read');
    const failed = await product.sent('+5511966131026');
    keepOperation({ ...failed });
    const flow = await product.admin<{ uuid: string }>('POST', `/companies/${product.company}/flows`, {
      name: 'Amostras',
      definition: FLOW,
    });
    await product.admin('POST', `/flows/${flow.uuid}/publish`);
    const started = await product.ask('POST', `/flows/${flow.uuid}/executions`, {
      headers: { 'idempotency-key': 'samples' },
      json: { recipient: { phone } },
    });
    const { uuid } = started.body.data as { readonly uuid: string };
    const conversation = sent.result!.conversation_uuid;
    const asked = (count: number) =>
      eventually(
        async () =>
          (await product.messages(conversation)).filter(
            ({ content }) => typeof content['text'] === 'string' && content['kind'] !== undefined,
          ).length === count,
        { what: `${count} questions` },
      );
    await asked(1);
    await says(phone, {
      id: 'wamid.F1',
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: choices[0] },
    });
    await asked(2);
    await says(phone, {
      id: 'wamid.F2',
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: rows[0] },
    });
    keepOperation({ ...(await product.settled(uuid)) });
    await keep(conversation, 9);
  });

  it('what is edited, deleted, written in the app, or of an erased person', async () => {
    const from = '+5511987654003';
    await says(from, { id: 'wamid.D1', type: 'text', text: { body: 'dois' } });
    await says(from, { id: 'wamid.D2', type: 'image', image: file('image') });
    await product.receiver.told('message.received', 'wamid.D2');
    const message = { type: 'text', text: { body: 'três' } };
    await says(from, { id: 'wamid.D3', type: 'edit', edit: { original_message_id: 'wamid.D1', message } });
    for (const [id, original] of [
      ['wamid.D4', 'wamid.D1'],
      ['wamid.D5', 'wamid.D2'],
    ]) {
      await says(from, { id, type: 'revoke', revoke: { original_message_id: original } });
      await product.receiver.told('message.deleted', original!);
    }
    await tell(product, 'smb_message_echoes', {
      message_echoes: [
        {
          timestamp,
          from: OWN_PHONE,
          to: from.slice(1),
          id: 'wamid.D6',
          type: 'reaction',
          reaction: { message_id: 'wamid.D1', emoji: '👍' },
        },
      ],
    });
    await keep(await product.conversationWith(from), 3);

    const gone = '+5511987654004';
    await says(gone, { id: 'wamid.G1', type: 'text', text: { body: 'Apaguem tudo' } });
    await says(gone, { id: 'wamid.G2', type: 'image', image: file('image') });
    const conversation = await product.conversationWith(gone);
    await product.sent(gone, { body: collection });
    await product.admin('POST', `/conversations/${conversation}/notes`, { text: 'Pediu para sair.' });
    await keep(conversation, 4);
    const { uuid: contactUuid } = (await product.contact<{ uuid: string }>(gone))!;
    await product.quiet();
    await eraseContact(product.app, { contactUuid }, { actor: 'test' });
    await keep(conversation, 4);
  });

  it('are all there, each of its own type', () => {
    expect([...messages.keys()]).to.have.members(EXPECTED);
    expect(new Set([...messages.keys()].map((name) => name.split(' ')[0]))).to.have.keys(
      variantsOf('Message'),
    );
    expect([...operations.keys()]).to.have.members(variantsOf('Operation'));
  });

  it('of every webhook: each delivery is of the type it names', async () => {
    const endpoints = await product.admin<readonly { uuid: string; url: string }[]>(
      'GET',
      `/integrations/${product.integration}/webhooks`,
    );
    const endpoint = endpoints.find(({ url }) => url === product.receiver.url);
    await product.admin('POST', `/webhooks/${endpoint!.uuid}/test`);
    const events = await eventually(
      () => {
        const byType = new Map(product.receiver.deliveries.map(({ event }) => [event.type, event]));
        if (byType.size === EVENTS) return byType;
        throw new Error([...byType.keys()].join());
      },
      { what: 'an event of every type' },
    );
    const mapping = variantsOf('WebhookEvent');
    for (const { event } of product.receiver.deliveries) {
      const variants = fitting('WebhookEvent', event);
      expect(variants, JSON.stringify(event)).to.have.length(1);
      const words = event.type.split('.').map((word) => word[0]!.toUpperCase() + word.slice(1));
      expect(variants[0]).to.equal(`${words.join('')}Event`);
    }
    expect(events).to.have.length(mapping.length);
    const now = {
      messages: Object.fromEntries(messages),
      operations: Object.fromEntries(operations),
      events: Object.fromEntries(events),
    };
    if (process.env['RECORD_SAMPLES'] === 'on') record(now);
    const recorded = JSON.parse(readFileSync(SAMPLES, 'utf8')) as typeof now;
    expect(contentsOf(recorded.messages)).to.deep.equal(contentsOf(now.messages));
    for (const part of ['operations', 'events'] as const) {
      expect(Object.keys(recorded[part]), part).to.have.members(Object.keys(now[part]));
    }
  });
});

function record(samples: Row): void {
  const text = JSON.stringify(samples, null, 1).replaceAll(
    /http:\/\/127\.0\.0\.1:\d+/g,
    'https://recado.example.com',
  );
  writeFileSync(SAMPLES, `${text}\n`);
}

/** The fields of each content by their paths; values differ in every run. */
const contentsOf = (all: Readonly<Record<string, MessageBody>>): Row =>
  Object.fromEntries(Object.entries(all).map(([name, { content }]) => [name, [...fieldsIn(content)].sort()]));

const fieldsIn = (value: unknown, path = ''): readonly string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, child]) => [
        `${path}/${name}`,
        ...fieldsIn(child, `${path}/${name}`),
      ])
    : [];
