/** Conversation events from WhatsApp to an integrator: signed webhooks in, signed webhooks out. */
import { expect } from 'chai';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';
import type { MessageBody } from '../support/e2e/product.js';
import { tell } from '../support/e2e/whatsapp.js';
import { OWN_PHONE } from '../support/whatsapp-webhook.js';

describe('what WhatsApp tells of a conversation', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const product = openedWithReceiver();

  const timestamp = '1767225599';
  const says = (node: object) => tell(product, 'messages', { messages: [{ timestamp, ...node }] });
  const writes = (node: object) =>
    tell(product, 'smb_message_echoes', { message_echoes: [{ timestamp, from: OWN_PHONE, ...node }] });

  type Heard = MessageBody & { readonly deleted_by?: string | null; readonly edited_at?: string | null };
  const heard = (type: string, providerMessageId: string) =>
    product.receiver.told<Heard>(type, providerMessageId);
  const types = (from: number): string[] =>
    product.receiver.deliveries.slice(from).map(({ event }) => event.type);
  const listed = async (conversation: string, providerMessageId: string) =>
    (await product.messages(conversation)).find((m) => m.provider_message_id === providerMessageId);
  const conversationOf = (phone: string): Promise<string> => product.conversationWith(`+${phone}`);

  it('an edit is message.updated with the new words, a deletion message.deleted with none', async () => {
    const from = '5511987653001';
    await says({ from, id: 'wamid.E1', type: 'text', text: { body: 'dois' } });
    const received = { content: { text: 'dois' }, sent_at: '2025-12-31T23:59:59.000Z' };
    expect(await heard('message.received', 'wamid.E1')).to.deep.include(received);
    const edit = { original_message_id: 'wamid.E1', message: { type: 'text', text: { body: 'três' } } };
    await says({ from, id: 'wamid.E2', type: 'edit', edit });
    const updated = await heard('message.updated', 'wamid.E1');
    expect(updated).to.deep.include({ content: { text: 'três' }, edited_at: '2025-12-31T23:59:59.000Z' });
    await says({ from, id: 'wamid.E3', type: 'revoke', revoke: { original_message_id: 'wamid.E1' } });
    const deleted = await heard('message.deleted', 'wamid.E1');
    expect(deleted).to.deep.include({ content: { deleted: true }, deleted_by: 'contact' });
    const conversation = await conversationOf(from);
    expect(await listed(conversation, 'wamid.E1')).to.deep.include({ content: { deleted: true } });
    expect(await product.get(`/conversations/${conversation}`)).to.deep.include({ unread_count: 1 });
  });

  it('what the business wrote in its app is shown and told as outbound, and never sent', async () => {
    const calls = product.sandbox.totals().calls;
    await writes({ to: '5511987653002', id: 'wamid.B1', type: 'text', text: { body: 'Já saiu!' } });
    const told = await heard('message.status.updated', 'wamid.B1');
    expect(told).to.deep.include({ direction: 'outbound', status: 'sent', content: { text: 'Já saiu!' } });
    await tell(product, 'messages', { statuses: [{ id: 'wamid.B1', status: 'read', timestamp }] });
    const conversation = await conversationOf('5511987653002');
    await eventually(async () => (await listed(conversation, 'wamid.B1'))?.status === 'read');
    await product.quiet();
    expect(product.sandbox.totals().calls).to.equal(calls);
    const writers = product.receiver.of('message.received').map(({ event }) => event.data.contact?.phone);
    expect(writers).to.not.include('+5511987653002');
  });

  it('an edit without its words is a notice in the conversation, told to nobody', async () => {
    const from = '5511987653003';
    await says({ from, id: 'wamid.N1', type: 'text', text: { body: 'oi' } });
    await heard('message.received', 'wamid.N1');
    await product.quiet();
    const before = product.receiver.deliveries.length;
    await says({
      from,
      id: 'wamid.N2',
      type: 'unsupported',
      unsupported: { type: 'edit' },
      errors: [{ code: 131051, title: 'Message type unknown' }],
    });
    const conversation = await conversationOf(from);
    const notice = await eventually(() => listed(conversation, 'wamid.N2'));
    expect(notice).to.deep.include({ type: 'system_notice', content: { kind: 'message_edited' } });
    expect(await listed(conversation, 'wamid.N1')).to.deep.include({ content: { text: 'oi' } });
    await product.quiet();
    expect(types(before)).to.deep.equal([]);
  });

  it('a history is there to be read and told to nobody; what comes after it is', async () => {
    const user = '5511987653004';
    await product.quiet();
    const before = product.receiver.deliveries.length;
    const messages = Array.from({ length: 50 }, (_, n) => ({
      id: `wamid.H${n}`,
      ...(n % 2 === 0 ? { from: user } : { from: OWN_PHONE, to: user }),
      timestamp: String(1_764_500_000 + n),
      type: 'text',
      text: { body: `${n}` },
    }));
    const history = [{ metadata: { phase: 0 }, threads: [{ id: user, messages }] }];
    await tell(product, 'history', { history });
    const path = `/conversations/${await conversationOf(user)}`;
    await eventually(async () => {
      const { counters } = await product.get<{ counters: { messages: number } }>(path);
      return counters.messages === 50;
    });
    await product.quiet();
    expect(types(before)).to.deep.equal([]);
    await says({ from: user, id: 'wamid.H-live', type: 'text', text: { body: 'e agora?' } });
    await heard('message.received', 'wamid.H-live');
    expect(await product.get(`${path}?include=messages`)).to.deep.include({ unread_count: 1 });
  });
});
