/** The first steps of a new user, on which every integration depends: one key, one message. */
import { expect } from 'chai';
import { verifyServiceSignature } from '../../domain/policies/webhook-signature.js';
import { dataOf, outcomeOf } from '../support/api/client.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';
import { callsOf, DEMO_NUMBER, freshKey, type OperationBody } from '../support/e2e/product.js';
import { collection, order, template } from '../support/e2e/templates.js';

describe('the whole product, against the sandbox', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const product = openedWithReceiver();

  it('takes a message to its recipient, tells of it, and brings the answer back', async () => {
    const { receiver } = product;
    const phone = '+5511987650001';
    const operation = await product.sent(phone);
    expect(operation.status).to.equal('succeeded');
    expect(operation.result).to.include({ text: 'Olá!' });
    await product.messageStatus(operation, 'read');

    product.reply(phone, 'Quero dois', 'Ana');
    const received = await eventually(() => receiver.of('message.received')[0], { what: 'message.received' });
    expect(received.event.data.message).to.include({ type: 'text' });
    const { conversation_uuid } = operation.result!;
    expect(received.event.data.conversation?.uuid).to.equal(conversation_uuid);

    const statuses = receiver
      .of('message.status.updated')
      .filter(({ event }) => event.data.operation_uuid === operation.uuid)
      .sort((a, b) => a.event.sequence - b.event.sequence)
      .map(({ event }) => event.data.message!.status);
    expect(statuses[0]).to.equal('sent');
    expect(statuses[statuses.length - 1]).to.equal('read');

    for (const { headers, raw, event } of receiver.deliveries) {
      expect(event.api_version).to.equal('1.8.0');
      expect(headers['service-event-id']).to.equal(event.id);
      expect(
        verifyServiceSignature({
          timestamp: String(headers['service-timestamp']),
          signature: String(headers['service-signature']),
          rawBody: raw,
          secrets: [product.running.credentials['webhook_secret']!],
          now: Math.floor(Date.now() / 1000),
        }),
      ).to.equal('valid');
    }
    const messages = await product.messages(conversation_uuid);
    expect(messages.map(({ direction, type }) => `${direction} ${type}`)).to.have.members([
      'outbound text',
      'inbound text',
    ]);
    expect(await product.get(`/conversations/${conversation_uuid}?include=messages`)).to.deep.include({
      unread_count: 1,
      counters: { messages: 2, inbound: 1, outbound: 1, notes: 0 },
    });
  });

  it('makes one operation and one call of two hundred parallel requests with one key', async () => {
    const idempotencyKey = freshKey();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => product.send('+5511987650002', { idempotencyKey })),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([202]));
    const uuids = new Set(answers.map(({ body }) => (body.data as OperationBody).uuid));
    expect(uuids.size).to.equal(1);
    expect(new Set(answers.map(({ headers }) => headers.location)).size).to.equal(1);
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    const first = answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined);
    expect(first).to.have.length(1);
    const [uuid] = [...uuids];
    await product.settled(uuid!);
    await product.sandbox.idle();
    expect(callsOf(product.sandbox, uuid!)).to.have.length(1);
  });

  it('answers a repeated request as it answered the first, byte for byte', async () => {
    const idempotencyKey = freshKey();
    const first = await product.send('+5511987650003', { idempotencyKey });
    const { uuid } = first.body.data as OperationBody;
    await product.settled(uuid);
    const again = await product.send('+5511987650003', { idempotencyKey });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(again.headers.location).to.equal(first.headers.location);
    expect(again.text).to.equal(first.text);
  });

  it('refuses a key that stands for another request, and sends nothing for it', async () => {
    const idempotencyKey = freshKey();
    const first = await product.send('+5511987650004', { idempotencyKey });
    const { uuid } = dataOf<OperationBody>(first, 202);
    const body = { content: { text: 'Outra coisa' } };
    const other = await product.send('+5511987650004', { idempotencyKey, body });
    expect(outcomeOf(other)).to.deep.equal([409, 'idempotency_key_reused']);
    await product.settled(uuid);
    expect(callsOf(product.sandbox, uuid)).to.have.length(1);
  });

  describe('templates', () => {
    it('are filled in, and the result says what the recipient reads', async () => {
      const { status, result } = await product.sent('+5511987650010', { body: order('1042') });
      expect(status).to.equal('succeeded');
      expect(result?.text).to.equal('Olá Ana, seu pedido 1042 foi confirmado. Obrigado!');
    });

    it('take named parameters, a header and a button with a variable', async () => {
      const named_parameters = { first_name: 'Ana', order_number: '1042' };
      const body = template({ name: 'delivery_update', named_parameters });
      const named = await product.sent('+5511987650012', { body });
      expect(named.result?.text).to.equal('Olá Ana, o pedido 1042 saiu para entrega.');
      const rich = await product.sent('+5511987650012', { body: collection });
      expect(rich.status).to.equal('succeeded');
      const [call] = callsOf(product.sandbox, rich.uuid);
      expect(JSON.stringify(call?.body))
        .to.include('https://example.com/verao.jpg')
        .and.to.include('"verao"');
    });

    for (const [what, content, status, code] of [
      [
        'a wrong count',
        { name: 'order_confirmation', language: 'pt_BR', parameters: ['Ana'] },
        422,
        'template_parameters_invalid',
      ],
      [
        'a language it lacks',
        { name: 'order_confirmation', language: 'fr_FR', parameters: ['A', 'B'] },
        422,
        'template_language_invalid',
      ],
      [
        'several languages and none named',
        { name: 'order_confirmation', parameters: ['A', 'B'] },
        422,
        'template_language_invalid',
      ],
      ['a name nobody knows', { name: 'no_such_template', language: 'pt_BR' }, 404, 'template_not_found'],
      [
        'a paused template',
        { name: 'flash_sale', language: 'pt_BR', parameters: ['A'] },
        422,
        'template_not_approved',
      ],
    ] as const) {
      it(`with ${what} are refused on the call`, async () => {
        const before = product.sandbox.totals().calls;
        const answer = await product.send('+5511987650011', { body: template(content) });
        expect(outcomeOf(answer)).to.deep.equal([status, code]);
        expect(product.sandbox.totals().calls).to.equal(before);
      });
    }
  });

  it('keeps a customer’s message of every type', async () => {
    const media = { id: '1234', mime_type: 'application/octet-stream', sha256: 'abc' };
    const inbound: Readonly<Record<string, object>> = {
      text: { body: 'Oi' },
      image: { ...media, caption: 'foto' },
      audio: { ...media, voice: true },
      video: media,
      document: { ...media, filename: 'nota.pdf' },
      sticker: { ...media, animated: false },
      location: { latitude: -23.5, longitude: -46.6, name: 'Loja' },
      contacts: {},
      interactive: { type: 'button_reply', button_reply: { id: 'sim', title: 'Sim' } },
      button: { payload: 'sim', text: 'Sim' },
      reaction: { message_id: 'wamid.1', emoji: '👍' },
      order: {
        catalog_id: '1',
        product_items: [{ product_retailer_id: 'p', quantity: 1, item_price: 10, currency: 'BRL' }],
      },
      hologram: { shape: 'cube' },
    };
    for (const [type, node] of Object.entries(inbound)) {
      const content = type === 'contacts' ? [{ name: { formatted_name: 'Bia' } }] : node;
      product.sandbox.receive({
        phoneNumberId: DEMO_NUMBER,
        from: '+5511987650020',
        message: { type, [type]: content },
      });
    }
    const expected = Object.keys(inbound).map((type) => (type === 'hologram' ? 'unsupported' : type));
    // A notice about the order message: the store does not have the product that it names.
    expected.push('system_notice');
    const conversation = await product.conversationWith('+5511987650020');
    const messages = await eventually(async () => {
      const found = await product.messages(conversation);
      return found.length === expected.length && found;
    });
    expect(messages.map(({ type }) => type)).to.have.members(expected);
    expect(new Set(messages.map(({ direction, status }) => `${direction} ${status}`))).to.deep.equal(
      new Set(['inbound received']),
    );
  });
});
