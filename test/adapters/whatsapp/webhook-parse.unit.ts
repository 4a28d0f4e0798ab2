import { expect } from 'chai';
import fc from 'fast-check';
import { toMetaJson } from '../../../sandbox/meta-json.js';
import { signWebhook, verifyWebhookSignature } from '../../../adapters/whatsapp/webhook-signature.js';
import { parseProviderWebhook } from '../../../application/provider-webhook/parse.js';
import type { ProviderUpdate } from '../../../ports/provider-webhook.js';
import { runs } from '../../support/soak.js';

const METADATA = { display_phone_number: '5511400289222', phone_number_id: '10001' };
const envelope = (field: string, value: unknown): unknown => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '777', changes: [{ field, value }] }],
});
const inNumber = (value: Record<string, unknown>): unknown =>
  envelope('messages', { messaging_product: 'whatsapp', metadata: METADATA, ...value });

const parseOne = (body: unknown): ProviderUpdate => {
  const updates = parseProviderWebhook(body);
  expect(updates).to.have.length(1);
  return updates[0] as ProviderUpdate;
};
const parseMessage = (message: Record<string, unknown>): ProviderUpdate =>
  parseOne(
    inNumber({
      contacts: [{ profile: { name: 'Ana' }, wa_id: '5511912345678', user_id: 'BR.1' }],
      messages: [
        { from: '5511912345678', from_user_id: 'BR.1', id: 'wamid.1', timestamp: '1767225599', ...message },
      ],
    }),
  );

describe('parseProviderWebhook', () => {
  it('a status with its opaque value, price and errors', () => {
    const update = parseOne(
      inNumber({
        statuses: [
          {
            id: 'wamid.O1',
            status: 'failed',
            timestamp: '1767225601',
            recipient_id: '5511912345678',
            recipient_user_id: 'BR.1',
            biz_opaque_callback_data: 'op-1',
            pricing: { billable: true, category: 'utility' },
            errors: [{ code: 131049, title: 'T', message: 'M', error_data: { details: 'D' } }],
          },
        ],
      }),
    );
    expect(update).to.deep.equal({
      kind: 'status',
      wabaId: '777',
      phoneNumberId: '10001',
      messageId: 'wamid.O1',
      status: 'failed',
      at: '2026-01-01T00:00:01.000Z',
      opaque: 'op-1',
      recipientId: '5511912345678',
      recipientUserId: 'BR.1',
      errors: [{ code: 131049, title: 'T', message: 'M', details: 'D' }],
      pricing: { billable: true, category: 'utility' },
    });
  });

  it('a text with its writer, quoted message and ad', () => {
    const message = {
      type: 'text',
      text: { body: 'oi' },
      context: { from: '5511400289222', id: 'wamid.O1', forwarded: true },
      referral: { source_id: '12', ctwa_clid: 'Aff' },
    };
    expect(parseMessage(message)).to.deep.equal({
      kind: 'message',
      wabaId: '777',
      phoneNumberId: '10001',
      messageId: 'wamid.1',
      from: '5511912345678',
      fromUserId: 'BR.1',
      profileName: 'Ana',
      at: '2025-12-31T23:59:59.000Z',
      type: 'text',
      content: { text: 'oi' },
      context: { id: 'wamid.O1', from: '5511400289222', forwarded: 'forwarded' },
      referral: { source_id: '12', ctwa_clid: 'Aff' },
      errors: [],
      raw: {
        from: '5511912345678',
        from_user_id: 'BR.1',
        id: 'wamid.1',
        timestamp: '1767225599',
        ...message,
      },
    });
  });

  const contents: readonly [string, Record<string, unknown>, string, unknown][] = [
    [
      'image',
      { type: 'image', image: { id: '9', mime_type: 'image/jpeg', sha256: 'x=', caption: 'c', url: 'u' } },
      'image',
      { media_id: '9', mime_type: 'image/jpeg', sha256: 'x=', caption: 'c' },
    ],
    [
      'voice note',
      { type: 'audio', audio: { id: '9', mime_type: 'audio/ogg', sha256: 'x', voice: true } },
      'audio',
      { media_id: '9', mime_type: 'audio/ogg', sha256: 'x', voice: true },
    ],
    [
      'document',
      { type: 'document', document: { id: 9, mime_type: 'application/pdf', sha256: 'x', filename: 'a.pdf' } },
      'document',
      { media_id: '9', mime_type: 'application/pdf', sha256: 'x', filename: 'a.pdf' },
    ],
    [
      'sticker',
      { type: 'sticker', sticker: { id: '9', mime_type: 'image/webp', sha256: 'x', animated: false } },
      'sticker',
      { media_id: '9', mime_type: 'image/webp', sha256: 'x', animated: false },
    ],
    [
      'location with numbers as strings',
      { type: 'location', location: { latitude: '-23.5', longitude: -46.6, name: 'Loja' } },
      'location',
      { latitude: -23.5, longitude: -46.6, name: 'Loja' },
    ],
    [
      'contacts',
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Bia' } }] },
      'contacts',
      { contacts: [{ name: { formatted_name: 'Bia' } }] },
    ],
    [
      'button reply',
      { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'y', title: 'Sim' } } },
      'interactive',
      { kind: 'button_reply', id: 'y', title: 'Sim' },
    ],
    [
      'list reply',
      {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: 'y', title: 'Sim', description: 'd' } },
      },
      'interactive',
      { kind: 'list_reply', id: 'y', title: 'Sim', description: 'd' },
    ],
    [
      'form answer',
      {
        type: 'interactive',
        interactive: {
          type: 'nfm_reply',
          nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"a":1}' },
        },
      },
      'interactive',
      { kind: 'nfm_reply', id: 'flow', title: 'Sent', response: { a: 1 } },
    ],
    [
      'template button',
      { type: 'button', button: { payload: 'STOP', text: 'Parar' } },
      'button',
      { payload: 'STOP', text: 'Parar' },
    ],
    [
      'reaction',
      { type: 'reaction', reaction: { message_id: 'wamid.O', emoji: '👍' } },
      'reaction',
      { message_id: 'wamid.O', emoji: '👍' },
    ],
    [
      'reaction taken back',
      { type: 'reaction', reaction: { message_id: 'wamid.O' } },
      'reaction',
      { message_id: 'wamid.O', emoji: null },
    ],
    [
      'order',
      {
        type: 'order',
        order: {
          catalog_id: '5',
          text: '',
          product_items: [{ product_retailer_id: 'sku', quantity: '2', item_price: 9.9, currency: 'BRL' }],
        },
      },
      'order',
      {
        catalog_id: '5',
        items: [{ product_retailer_id: 'sku', quantity: 2, item_price: 9.9, currency: 'BRL' }],
      },
    ],
    [
      'what Meta calls unsupported',
      { type: 'unsupported', unsupported: { type: 'poll_creation' }, errors: [{ code: 131051 }] },
      'unsupported',
      {
        kind: 'poll_creation',
        errors: [{ code: 131051, title: null, message: null, details: null }],
      },
    ],
    [
      'a type of tomorrow',
      { type: 'hologram', hologram: { id: 1 } },
      'unsupported',
      { kind: 'hologram', raw: { hologram: { id: 1 } } },
    ],
    [
      'a type named like a property of every object',
      { type: 'constructor' },
      'unsupported',
      { kind: 'constructor' },
    ],
    [
      'a text without its text',
      { type: 'text', text: {} },
      'unsupported',
      { kind: 'text', raw: { text: {} } },
    ],
    [
      'contacts without any',
      { type: 'contacts', contacts: [] },
      'unsupported',
      { kind: 'contacts', raw: { contacts: [] } },
    ],
    ['no type', {}, 'unsupported', { kind: 'unknown' }],
  ];
  for (const [name, message, type, content] of contents) {
    it(`content: ${name}`, () => {
      const update = parseMessage(message);
      expect(update).to.deep.include({ kind: 'message', type, content });
    });
  }

  it('someone without a phone: the user id identifies and names them', () => {
    const update = parseOne(
      inNumber({
        contacts: [{ profile: { name: 'Bia' }, user_id: 'BR.2' }],
        messages: [
          {
            from_user_id: 'BR.2',
            id: 'wamid.2',
            timestamp: '1767225599',
            type: 'text',
            text: { body: 'oi' },
          },
        ],
      }),
    );
    expect(update).to.include({ from: null, fromUserId: 'BR.2', profileName: 'Bia' });
  });

  it('edit, deletion and change of identity', () => {
    expect(
      parseMessage({
        type: 'edit',
        edit: { original_message_id: 'wamid.0', message: { type: 'text', text: { body: 'novo' } } },
      }),
    ).to.deep.include({
      kind: 'edit',
      originalMessageId: 'wamid.0',
      by: 'contact',
      contact: { waId: '5511912345678', userId: 'BR.1' },
      type: 'text',
      content: { text: 'novo' },
    });
    expect(parseMessage({ type: 'revoke', revoke: { original_message_id: 'wamid.0' } })).to.include({
      kind: 'revoke',
      originalMessageId: 'wamid.0',
      by: 'contact',
    });
    expect(
      parseMessage({
        type: 'system',
        system: { type: 'user_changed_user_id', user_id: 'BR.3', previous_user_id: 'BR.1' },
      }),
    ).to.include({
      kind: 'identity',
      previousUserId: 'BR.1',
      previousWaId: '5511912345678',
      userId: 'BR.3',
      waId: null,
    });
  });

  it('what people of the business write in the Business app is an echo, never inbound', () => {
    const updates = parseProviderWebhook(
      envelope('smb_message_echoes', {
        metadata: METADATA,
        message_echoes: [
          {
            from: '5511400289222',
            to: '5511912345678',
            id: 'wamid.E',
            timestamp: '1767225599',
            type: 'text',
            text: { body: 'oi' },
          },
          {
            from: '5511400289222',
            id: 'wamid.R',
            timestamp: '1767225599',
            type: 'revoke',
            revoke: { original_message_id: 'wamid.E' },
          },
        ],
      }),
    );
    expect(updates[0]).to.deep.include({
      kind: 'echo',
      to: '5511912345678',
      type: 'text',
      content: { text: 'oi' },
    });
    expect(updates[1]).to.include({ kind: 'revoke', by: 'business_app', originalMessageId: 'wamid.E' });
  });

  it('the native marketing control, whose timestamp is a number', () => {
    const update = parseOne(
      envelope('user_preferences', {
        metadata: METADATA,
        user_preferences: [
          {
            wa_id: '5511912345678',
            user_id: 'BR.1',
            category: 'marketing_messages',
            value: 'stop',
            timestamp: 1767225600,
          },
        ],
      }),
    );
    expect(update).to.deep.include({
      kind: 'preference',
      value: 'stop',
      waId: '5511912345678',
      at: '2026-01-01T00:00:00.000Z',
    });
  });

  it('tells a template\u2019s quality from its status by the value, not by the field', () => {
    const template = {
      message_template_id: 777,
      message_template_name: 'promo',
      message_template_language: 'pt-BR',
    };
    expect(
      parseOne(
        envelope('message_template_status_update', {
          ...template,
          previous_quality_score: 'GREEN',
          new_quality_score: 'RED',
        }),
      ),
    ).to.include({
      kind: 'template',
      templateId: '777',
      name: 'promo',
      language: 'pt_BR',
      event: null,
      quality: 'RED',
    });
    expect(
      parseOne(envelope('message_template_status_update', { ...template, event: 'paused', reason: 'NONE' })),
    ).to.include({
      event: 'PAUSED',
      reason: 'NONE',
      quality: null,
    });
  });

  const odd: readonly [string, unknown, string][] = [
    ['null', null, 'not_an_object'],
    ['an array', [], 'not_an_object'],
    ['another product', { object: 'page', entry: [] }, 'unknown_object'],
    ['no entries', { object: 'whatsapp_business_account' }, 'no_entries'],
    ['an entry without changes', { object: 'whatsapp_business_account', entry: [{ id: '1' }] }, 'no_changes'],
    ['a field of tomorrow', envelope('telepathy', { a: 1 }), 'unknown_field'],
    ['messages of no number', envelope('messages', { messages: [{}] }), 'no_phone_number_id'],
    ['a message without id', inNumber({ messages: [{ type: 'text' }] }), 'message_without_id'],
    ['a status without status', inNumber({ statuses: [{ id: 'x' }] }), 'status_without_id_or_status'],
    ['an account error', inNumber({ errors: [{ code: 131000 }] }), 'account_error'],
    ['an empty value', inNumber({}), 'nothing_known_inside'],
  ];
  for (const [name, body, reason] of odd) {
    it(`keeps what it does not understand: ${name}`, () => {
      expect(parseOne(body)).to.include({ kind: 'other', reason }).and.have.property('raw');
    });
  }

  it('an unreadable time is null, not a crash', () => {
    for (const timestamp of ['', 'soon', '99999999999999999999', null, {}, Number.MAX_VALUE]) {
      expect(parseMessage({ timestamp, type: 'text', text: { body: 'oi' } })).to.include({ at: null });
    }
  });

  describe('properties', () => {
    it('never throws on any JSON', () => {
      fc.assert(
        fc.property(fc.jsonValue(), (body) => {
          expect(parseProviderWebhook(body)).to.be.an('array').with.length.greaterThan(0);
        }),
        { numRuns: runs(300) },
      );
    });

    const node = fc.dictionary(
      fc.constantFrom(
        ...[
          'id',
          'type',
          'status',
          'timestamp',
          'from',
          'from_user_id',
          'text',
          'image',
          'interactive',
          'order',
        ],
        ...[
          'errors',
          'context',
          'system',
          'edit',
          'revoke',
          'reaction',
          'location',
          'contacts',
          'unsupported',
        ],
      ),
      fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.constantFrom(
          'text',
          'image',
          'system',
          'edit',
          'revoke',
          'interactive',
          'order',
          'location',
          'contacts',
        ),
      ),
    );
    const items = fc.array(
      fc.oneof({ weight: 5, arbitrary: node }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) }),
      {
        maxLength: 4,
      },
    );

    it('gives exactly one update per item, whatever the items hold', () => {
      fc.assert(
        fc.property(
          items,
          items,
          items,
          fc.jsonValue({ maxDepth: 2 }),
          (messages, statuses, errors, contacts) => {
            const updates = parseProviderWebhook(inNumber({ messages, statuses, errors, contacts }));
            expect(updates).to.have.length(Math.max(1, messages.length + statuses.length + errors.length));
          },
        ),
        { numRuns: runs(500) },
      );
    });
  });
});

describe('webhook bytes and signature', () => {
  it('escapes as Meta does: slashes, and everything beyond ASCII in lower-case hex', () => {
    expect(toMetaJson({ a: 'Olá/🙂' }).toString('latin1')).to.equal('{"a":"Ol\\u00e1\\/\\ud83d\\ude42"}');
  });

  it('any JSON survives the escaping and is pure ASCII', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const bytes = toMetaJson(value);
        expect(bytes.every((byte) => byte < 0x80)).to.equal(true);
        expect(JSON.parse(bytes.toString('utf8'))).to.deep.equal(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: runs(300) },
    );
  });

  it('matches the published HMAC-SHA256 vector (RFC 4231, case 2)', () => {
    expect(signWebhook(Buffer.from('what do ya want for nothing?'), 'Jefe')).to.equal(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('verifies the exact bytes and nothing else', () => {
    const bytes = toMetaJson({ a: 'Olá' });
    const header = signWebhook(bytes, 's');
    expect(verifyWebhookSignature(bytes, header, 's')).to.equal(true);
    expect(
      verifyWebhookSignature(Buffer.from(JSON.stringify({ a: 'Olá' })), header, 's'),
      're-serialised',
    ).to.equal(false);
    expect(verifyWebhookSignature(bytes, header, 'other')).to.equal(false);
    for (const broken of [
      undefined,
      '',
      'sha256=',
      'sha1=abc',
      header.slice(0, -1),
      `${header}0`,
      header.replace('sha256', 'sha512'),
    ]) {
      expect(verifyWebhookSignature(bytes, broken, 's'), String(broken)).to.equal(false);
    }
  });
});
