/** What operators send in a conversation, and the messages that they read there. */
import { expect } from 'chai';
import { eraseContact } from '../../../application/provisioning/erase-contact.js';
import { addCustomer, addInboundMessage, addTemplate } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';
import { newChannel, newCompany, openAdmin } from './server.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('admin: messages of a conversation', () => {
  const server = opened(openAdmin);
  let company: string;
  let channel: string;
  let keys = 0;

  before(async () => {
    company = await newCompany(server);
    channel = await newChannel(server, company);
  });

  const customer = (n: number) =>
    addCustomer(server.app, { company, channel }, { phone: `+55119876543${String(n).padStart(2, '0')}` });
  const send = (conversation: string, body: unknown, key = `key-${(keys += 1)}`) =>
    server.call('POST', `/conversations/${conversation}/messages`, body, undefined, {
      'idempotency-key': key,
    });
  const text = (words: string) => ({ type: 'text', content: { text: words } });

  it('accepts a text as an operation of nobody but the operators, and records who sent it', async () => {
    const { conversation, contact } = await customer(1);
    const mark = await server.mark();
    const answer = await send(conversation, text('Seu pedido sai hoje.'));
    expect([answer.status, answer.data['type'], answer.data['status']]).to.deep.equal([
      202,
      'message.send',
      'queued',
    ]);
    const uuid = answer.data['uuid'] as string;
    expect(answer.headers.get('location')).to.equal(`/admin/v1/operations/${uuid}`);
    const [accepted, ...others] = await server.recordsSince(mark);
    expect(others).to.deep.equal([]);
    expect(accepted).to.include({ type: 'SendAccepted' });
    expect(accepted!.meta).to.include({ actor: 'admin', company });
    expect(accepted!.data).to.include({
      integration_uuid: null,
      execution_uuid: null,
      contact_uuid: contact,
      channel_uuid: channel,
    });
    expect(JSON.stringify(accepted!.data), 'sealed').not.to.include('pedido');
    expect((await server.call('GET', `/operations/${uuid}`)).data).to.include({ integration_uuid: null });
  });

  it('answers a repeated request with its operation, and refuses the key for another one', async () => {
    const [one, two] = [await customer(2), await customer(3)];
    const first = await send(one.conversation, text('Oi'), 'once');
    const mark = await server.mark();
    const again = await send(one.conversation, text('Oi'), 'once');
    expect(again.data['uuid']).to.equal(first.data['uuid']);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    for (const [conversation, words] of [
      [one.conversation, 'Olá'],
      [two.conversation, 'Oi'],
    ] as const) {
      const refused = await send(conversation, text(words), 'once');
      expect([refused.status, refused.code]).to.deep.equal([409, 'idempotency_key_reused']);
    }
    expect(await server.eventsSince(mark)).to.deep.equal([]);
  });

  it('accepts templates, files and questions', async () => {
    const { conversation } = await customer(4);
    await addTemplate(
      server.app,
      { company, channel, integration: '', key: '', keyId: '' },
      {
        name: 'pedido_enviado',
        wabaId: await waba(),
      },
    );
    const mark = await server.mark();
    for (const body of [
      { type: 'template', content: { name: 'pedido_enviado', parameters: ['Maria', '#1001'] } },
      {
        type: 'document',
        content: { link: 'https://cdn.example.com/nota.pdf', filename: 'nota.pdf', caption: 'A nota' },
      },
      { type: 'image', content: { link: 'https://cdn.example.com/foto.jpg' } },
      { type: 'question', content: { text: 'Amanhã?', choices: [{ id: 'sim', title: 'Sim' }] } },
    ]) {
      const answer = await send(conversation, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(202);
    }
    const events = await server.eventsSince(mark);
    expect(events.map(({ data }) => data['message_type'])).to.deep.equal([
      'template',
      'document',
      'image',
      'interactive',
    ]);
  });

  it('names the field that is wrong, and records nothing', async () => {
    const { conversation } = await customer(5);
    const mark = await server.mark();
    for (const [body, path] of [
      [{ type: 'text', content: { body: 'Oi' } }, 'content.text'],
      [{ type: 'text', content: { text: '   ' } }, 'content.text'],
      [{ type: 'image', content: { link: 'ftp://example.com/a.jpg' } }, 'content.link'],
      [{ type: 'image', content: { text: 'Oi' } }, 'content.text'],
      [{ type: 'image', content: {} }, 'content'],
      [
        {
          type: 'question',
          content: { text: 'Qual?', choices: [{ id: 'a', title: ' ' }] },
        },
        'content.choices[0].title',
      ],
      [
        {
          type: 'question',
          content: { text: 'x'.repeat(1025), choices: [{ id: 'a', title: 'A' }] },
        },
        'content.text',
      ],
      [{ type: 'sticker', content: {} }, 'type'],
      [{ type: 'text', content: null }, 'content'],
    ] as const) {
      const refused = await send(conversation, body);
      expect([refused.status, refused.code], JSON.stringify(body)).to.deep.equal([422, 'validation_failed']);
      const { fields } = (refused.body['error'] as { details: { fields: { path: string }[] } }).details;
      expect(fields.map((field) => field.path)).to.include(path);
    }
    const without = await server.call('POST', `/conversations/${conversation}/messages`, text('Oi'));
    expect([without.status, without.code]).to.deep.equal([422, 'idempotency_key_required']);
    expect((await send(NOBODY, text('Oi'))).status).to.equal(404);
    expect(await server.eventsSince(mark)).to.deep.equal([]);
  });

  it('refuses what the gates refuse, and what would go to an erased person', async () => {
    const { conversation, contact } = await customer(6);
    await addTemplate(
      server.app,
      { company, channel, integration: '', key: '', keyId: '' },
      {
        name: 'oferta',
        category: 'MARKETING',
        wabaId: await waba(),
      },
    );
    const offer = { type: 'template', content: { name: 'oferta', parameters: ['Maria', '10%'] } };
    const off = await send(conversation, offer);
    expect([off.status, off.code]).to.deep.equal([403, 'marketing_sends_disabled']);
    await server.call('PATCH', `/companies/${company}/marketing`, { enabled: true });
    expect((await send(conversation, offer)).status).to.equal(202);
    await server.call('POST', `/contacts/${contact}/opt-out`);
    const refused = await send(conversation, offer);
    expect([refused.status, refused.code]).to.deep.equal([422, 'recipient_opted_out']);
    await eraseContact(server.app, { contactUuid: contact, reason: undefined }, { actor: 'admin' });
    const erased = await send(conversation, text('Oi'));
    expect([erased.status, erased.code]).to.deep.equal([422, 'recipient_erased']);
  });

  it('lists messages and notes, newest first, page by page', async () => {
    const one = await customer(7);
    await addInboundMessage(server.app, { company, channel }, one, 'Oi');
    await addInboundMessage(server.app, { company, channel }, one, 'Tem camiseta azul?');
    await server.call('POST', `/conversations/${one.conversation}/notes`, { text: 'Cliente antiga' });
    const pages = await server.pages(`/conversations/${one.conversation}/messages?limit=2`);
    expect(pages.flat().map(({ type, content }) => [type, (content as { text: string }).text])).to.deep.equal(
      [
        ['note', 'Cliente antiga'],
        ['text', 'Tem camiseta azul?'],
        ['text', 'Oi'],
      ],
    );
    const recorded = await server.call('GET', `/conversations/${one.conversation}/messages?order=recorded`);
    expect(recorded.list.map(({ type }) => type)).to.deep.equal(['text', 'text', 'note']);
    expect((await server.call('GET', `/conversations/${NOBODY}/messages`)).status).to.equal(404);
  });

  async function waba(): Promise<string> {
    const { list } = await server.call('GET', `/companies/${company}/channels`);
    return list[0]!['waba_id'] as string;
  }
});
