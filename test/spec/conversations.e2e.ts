/** The specification of conversations, notes and marketing opt-outs, over the running product (spec §2, §4, §6). */
import { expect } from 'chai';
import { fieldsOf } from '../support/api/client.js';
import { eventually } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';

type Row = Record<string, unknown>;

describe('conversations by the specification', () => {
  const product = openedWithReceiver();

  const admin = (method: string, path: string, json: object = {}) => product.admin(method, path, json);
  const rows = (path: string) => product.get<Row[]>(path);
  const detail = (uuid: string, query = '') => product.get(`/conversations/${uuid}${query}`);
  /** A customer writes; returns the conversation once it shows the message. */
  async function writes(from: string, text: string): Promise<string> {
    product.reply(from, text);
    return eventually(async () => {
      const found = (await rows('/conversations?limit=100')).find(
        ({ contact }) => (contact as Row)['phone'] === from,
      );
      if (found === undefined) return undefined;
      const [latest] = await rows(`/conversations/${String(found['uuid'])}/messages?limit=1`);
      return (latest?.['content'] as Row | undefined)?.['text'] === text && String(found['uuid']);
    });
  }

  it('are listed most recently active first, whoever was active, and stay so over pages', async () => {
    const [a, b, c] = [
      await writes('+5511987680001', 'primeira'),
      await writes('+5511987680002', 'segunda'),
      await writes('+5511987680003', 'terceira'),
    ];
    const order = async (): Promise<unknown[]> => (await rows('/conversations')).map(({ uuid }) => uuid);
    expect(await order()).to.deep.equal([c, b, a]);
    await product.sent('+5511987680001');
    expect(await order()).to.deep.equal([a, c, b]);
    await writes('+5511987680002', 'de novo');
    expect(await order()).to.deep.equal([b, a, c]);
    const first = await product.ask('GET', '/conversations?limit=2');
    const rest = await rows(`/conversations?after=${first.body.meta!.next_cursor!}`);
    expect(rest.map(({ uuid }) => uuid)).to.deep.equal([c]);
  });

  it('have exactly the fields of the specification, and more of them in the detail', async () => {
    const uuid = await writes('+5511987680004', 'campos');
    const [listed] = await rows('/conversations?limit=1');
    const fields = [
      'uuid',
      'status',
      'channel_uuid',
      'contact',
      'unread_count',
      'last_message_at',
      'created_at',
      'updated_at',
    ];
    expect(listed).to.have.all.keys(...fields);
    const channel_uuid = product.channel;
    expect(listed).to.include({ uuid, status: 'open', unread_count: 1, channel_uuid });
    expect(await detail(uuid)).to.have.all.keys(
      ...fields,
      'channel',
      'assigned_agent',
      'assigned_group',
      'counters',
    );
    expect(await detail(uuid, '?include=messages')).to.include.all.keys(...fields, 'messages');
    for (const query of ['?include=contact', '?include=messages,contact', '?include=', '?include=MESSAGES']) {
      const answer = await product.ask('GET', `/conversations/${uuid}${query}`);
      expect([answer.status, fieldsOf(answer)[0]?.path], query).to.deep.equal([422, 'query.include']);
    }
  });

  it('embed the first page of messages, whose cursor goes on in the list', async () => {
    const from = '+5511987680005';
    for (let n = 0; n < 51; n += 1) product.reply(from, `m${n}`);
    const uuid = await eventually(async () => {
      const found = (await rows('/conversations?limit=100')).find(
        ({ contact }) => (contact as Row)['phone'] === from,
      );
      return found?.['unread_count'] === 51 && String(found['uuid']);
    });
    const { messages } = await product.get<{
      messages: { data: Row[]; meta: { next_cursor: string } };
    }>(`/conversations/${uuid}?include=messages`);
    expect(messages.data).to.have.length(50);
    const rest = await rows(`/conversations/${uuid}/messages?after=${messages.meta.next_cursor}`);
    expect(rest).to.have.length(1);
    const texts = [...messages.data, ...rest].map(({ content }) => (content as Row)['text']);
    expect(new Set(texts).size).to.equal(51);
  });

  it('show contact tags, status, agent and group as they are now, and are found by their status', async () => {
    const phone = '+5511987680006';
    const put = await product.ask('PUT', '/contacts/external/conv-6', { json: { phone, tags: ['vip'] } });
    expect(put.status).to.equal(200);
    const uuid = await writes(phone, 'oi');
    const team = `/companies/${product.company}/team`;
    const agent = await admin('POST', team, { kind: 'agent', name: 'Ana' });
    const group = await admin('POST', team, { kind: 'group', name: 'Vendas' });
    await admin('PUT', `/conversations/${uuid}/assignment`, {
      agent_uuid: agent['uuid'],
      group_uuid: group['uuid'],
    });
    for (const [verb, status] of [
      ['pending', 'pending'],
      ['resolve', 'resolved'],
      ['reopen', 'open'],
    ] as const) {
      await admin('POST', `/conversations/${uuid}/${verb}`);
      const shown = await detail(uuid);
      expect(shown).to.deep.include({
        status,
        assigned_agent: { uuid: agent['uuid'], name: 'Ana' },
        assigned_group: { uuid: group['uuid'], name: 'Vendas' },
      });
      expect(shown['contact']).to.deep.include({ external_id: 'conv-6', tags: ['vip'] });
      for (const filter of ['open', 'pending', 'resolved']) {
        const found = (await rows(`/conversations?status=${filter}`)).map((row) => row['uuid']);
        expect(found.includes(uuid), `${status} under ${filter}`).to.equal(filter === status);
      }
    }
  });

  it('keep notes to the team: shown as note, never sent, told to nobody', async () => {
    const uuid = await writes('+5511987680007', 'tem desconto?');
    const { deliveries } = product.receiver;
    const heard = (text: string) => eventually(() => deliveries.find(({ raw }) => raw.includes(text)));
    await heard('tem desconto?');
    await product.quiet();
    const calls = product.sandbox.totals().calls;
    await admin('POST', `/conversations/${uuid}/notes`, { text: 'Cliente antiga: 10%' });
    const [note] = await rows(`/conversations/${uuid}/messages?limit=1`);
    expect(note).to.include({ type: 'note', status: 'note', provider_message_id: null });
    expect(await detail(uuid)).to.deep.include({
      unread_count: 1,
      counters: { messages: 2, inbound: 1, outbound: 0, notes: 1 },
    });
    // Sent after the note, so that a webhook of the note would have arrived before this message's.
    await writes('+5511987680007', 'ainda aí?');
    await heard('ainda aí?');
    await product.quiet();
    expect(deliveries.filter(({ raw }) => raw.includes('Cliente antiga'))).to.deep.equal([]);
    expect(deliveries.filter(({ event }) => event.data.message?.type === 'note')).to.deep.equal([]);
    expect(product.sandbox.totals().calls).to.equal(calls);
  });

  it('a contact is shown as opted out after a reply of PARAR or STOP, and by hand', async () => {
    const contactOf = async (uuid: string): Promise<Row> => (await detail(uuid))['contact'] as Row;
    const optedOut = (uuid: string) =>
      eventually(async () => {
        const contact = await contactOf(uuid);
        return contact['marketing_opted_out'] === true && contact;
      });
    for (const word of ['PARAR', 'STOP']) {
      const uuid = await writes(`+55119876800${word.length + 10}`, word);
      expect((await optedOut(uuid))['marketing_opt_out_at']).to.be.a('string');
    }
    const uuid = await writes('+5511987680020', 'Não quero PARAR');
    await product.quiet();
    const contact = await contactOf(uuid);
    expect(contact).to.include({ marketing_opted_out: false, marketing_opt_out_at: null });
    await admin('POST', `/contacts/${String(contact['uuid'])}/opt-out`);
    expect((await optedOut(uuid))['marketing_opt_out_at']).to.be.a('string');
  });

  describe('templates', () => {
    it('are filtered by each status of the specification and no other', async () => {
      const seen = new Set<unknown>();
      for (const status of ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'DRAFT']) {
        const found = await rows(`/templates?status=${status}&limit=100`);
        for (const template of found) expect(template['status']).to.equal(status);
        if (found.length > 0) seen.add(status);
      }
      expect([...seen]).to.include.members(['APPROVED', 'PAUSED']);
      const approved = await rows('/templates?status=APPROVED&limit=100');
      expect(await rows('/templates?limit=100')).to.deep.equal(approved);
      for (const status of ['approved', 'DELETED', '']) {
        expect((await product.ask('GET', `/templates?status=${status}`)).status, status).to.equal(422);
      }
    });

    it('are asked for by names of up to 512 characters', async () => {
      for (const [length, status] of [
        [512, 404],
        [513, 422],
      ] as const) {
        expect((await product.ask('GET', `/templates/${'x'.repeat(length)}`)).status).to.equal(status);
      }
    });
  });
});
