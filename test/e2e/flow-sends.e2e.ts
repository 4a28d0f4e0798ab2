/**
 * Every kind of message that a flow can send: it reaches the person once, enters the conversation, and can be answered.
 */
import { expect } from 'chai';
import { directCommand } from '../../application/app.js';
import { resolveContact, type ResolvedContact } from '../../application/people/resolve-contact.js';
import { acceptFlowSend } from '../../application/send/accept-flow-send.js';
import type { FlowSend } from '../../application/send/compose-flow-send.js';
import { phoneKey } from '../../domain/policies/phone.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedProduct } from '../support/e2e/opened-product.js';
import { callsOf, type MessageBody } from '../support/e2e/product.js';
import { order } from '../support/e2e/templates.js';

type Row = Readonly<Record<string, unknown>>;

const link = 'https://example.com/foto.jpg';
const choices = [
  { id: 'y', title: 'Sim' },
  { id: 'n', title: 'Não' },
];
const rows = Array.from({ length: 4 }, (_, n) => ({ id: `r${n}`, title: `Linha ${n}` }));

const KINDS: readonly [
  send: FlowSend,
  shown: { type: string; content: Row; text: string | null },
  told: Row,
][] = [
  [
    { type: 'text', text: 'Oi', previewUrl: false },
    { type: 'text', content: { text: 'Oi', preview_url: false }, text: 'Oi' },
    { type: 'text', text: { body: 'Oi', preview_url: false } },
  ],
  [
    { type: 'media', media: 'image', file: { link }, caption: 'Chegou', filename: null },
    { type: 'image', content: { link, caption: 'Chegou' }, text: 'Chegou' },
    { type: 'image', image: { link, caption: 'Chegou' } },
  ],
  [
    { type: 'media', media: 'video', file: { link }, caption: null, filename: null },
    { type: 'video', content: { link }, text: null },
    { type: 'video', video: { link } },
  ],
  [
    { type: 'media', media: 'audio', file: { link }, caption: null, filename: null },
    { type: 'audio', content: { link }, text: null },
    { type: 'audio', audio: { link } },
  ],
  [
    { type: 'media', media: 'document', file: { link }, caption: null, filename: 'nota.pdf' },
    { type: 'document', content: { link, filename: 'nota.pdf' }, text: null },
    { type: 'document', document: { link, filename: 'nota.pdf' } },
  ],
  [
    { type: 'question', text: 'Posso?', choices, listButton: 'Opções' },
    {
      type: 'interactive',
      content: { kind: 'buttons', text: 'Posso?', buttons: choices },
      text: 'Posso?',
    },
    {
      type: 'interactive',
      interactive: {
        type: 'button',
        body: { text: 'Posso?' },
        action: { buttons: choices.map((reply) => ({ type: 'reply', reply })) },
      },
    },
  ],
  [
    { type: 'question', text: 'Qual?', choices: rows, listButton: 'Opções' },
    {
      type: 'interactive',
      content: { kind: 'list', text: 'Qual?', button: 'Opções', rows },
      text: 'Qual?',
    },
    {
      type: 'interactive',
      interactive: {
        type: 'list',
        body: { text: 'Qual?' },
        action: { button: 'Opções', sections: [{ rows }] },
      },
    },
  ],
  [
    order('881'),
    { type: 'template', content: { name: 'order_confirmation', language: 'pt_BR' }, text: null },
    { type: 'template' },
  ],
];

describe('what a flow sends', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const product = openedProduct();

  const context = () => directCommand(product.app, { company: product.company, actor: 'worker:flows' });
  const person = (phone: string | null, waUserId: string | null): Promise<ResolvedContact> =>
    resolveContact(
      product.app,
      product.company,
      { phone, phoneKey: phone === null ? null : phoneKey(phone), waUserId, name: 'Ana' },
      'inbound',
      context(),
    );
  async function send(contact: ResolvedContact, what: FlowSend): Promise<string> {
    const operationUuid = product.app.newId();
    const input = {
      operationUuid,
      executionUuid: product.app.newId(),
      companyUuid: product.company,
      integrationUuid: null,
      channelUuid: product.channel,
      contact,
      send: what,
    };
    await acceptFlowSend(product.app, input, context());
    // A repetition, as after a crash.
    await acceptFlowSend(product.app, input, context());
    return operationUuid;
  }
  const find = (all: readonly MessageBody[], uuid: string): MessageBody =>
    all.find((one) => one.uuid === uuid)!;

  it('arrives once, whatever it is, and shows in the conversation', async () => {
    const contact = await person('+5511987653001', null);
    const sent: string[] = [];
    for (const [what] of KINDS) sent.push(await send(contact, what));
    for (const [place, [, shown, told]] of KINDS.entries()) {
      const operation = await product.settled(sent[place]!);
      expect(operation.error, shown.type).to.equal(null);
      const { result } = operation;
      expect(result!.contact_uuid).to.equal(contact.uuid);
      if (shown.type !== 'template') expect(result!.text).to.equal(shown.text);
      const calls = callsOf(product.sandbox, operation.uuid);
      expect(calls, shown.type).to.have.length(1);
      expect(calls[0]!.body).to.deep.include(told);
      const message = find(await product.messages(result!.conversation_uuid), result!.message_uuid);
      expect(message).to.include({ direction: 'outbound', type: shown.type });
      expect(message.content).to.deep.include(shown.content);
      await product.messageStatus(operation, 'read');
    }
  });

  it('finds somebody who has only a user id, and their tap comes back as an answer to it', async () => {
    const userId = 'BR.SANDBOX5511987653002';
    const contact = await person(null, userId);
    const operation = await product.settled(
      await send(contact, { type: 'question', text: 'Posso?', choices, listButton: 'Opções' }),
    );
    expect(operation.error).to.equal(null);
    const [call] = callsOf(product.sandbox, operation.uuid);
    expect(call!.body).to.include({ recipient: userId }).and.not.have.property('to');
    await product.sandbox.play('tap', { from: userId, choice: '2', hidden: true });
    const { conversation_uuid, message_uuid } = operation.result!;
    const answer = await eventually(
      async () =>
        (await product.messages(conversation_uuid)).find(({ direction }) => direction === 'inbound'),
      { what: 'the answer' },
    );
    expect(answer).to.deep.include({ type: 'interactive', content: { kind: 'button_reply', ...choices[1] } });
    expect(answer).to.have.nested.property('reply_to.message_uuid', message_uuid);
  });
});
