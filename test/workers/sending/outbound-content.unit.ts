/** The content that WhatsApp receives for each type of message. */
import { expect } from 'chai';
import { operationEventExamples } from '../../support/examples/operation.js';
import type { SendAsAccepted } from '../../../domain/operation/state.js';
import { outboundContent } from '../../../workers/sending/outbound-content.js';

describe('what WhatsApp is told of', () => {
  const link = 'https://shop.example/file';
  const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }];
  const question = {
    kind: 'buttons',
    text: 'Posso ajudar?',
    buttons: [{ id: 'yes', title: 'Sim' }],
  };
  const told = (message_type: string, content: object, more: Partial<SendAsAccepted> = {}) =>
    outboundContent({
      ...operationEventExamples.accepted.data,
      message_type,
      content,
      components: [],
      ...more,
    } as SendAsAccepted);

  for (const [what, type, content, expected] of [
    ['a text', 'text', { text: 'Olá' }, { text: 'Olá', previewUrl: false }],
    ['a text with a preview', 'text', { text: 'Olá', preview_url: true }, { text: 'Olá', previewUrl: true }],
    [
      'a text without one',
      'text',
      { text: 'Olá', preview_url: false, link: 'x' },
      { text: 'Olá', previewUrl: false },
    ],
    ['a question', 'interactive', question, question],
    ['an audio', 'audio', { link, caption: 'Ouça' }, { link }],
    ['an image', 'image', { link }, { link }],
    ['an image with words', 'image', { link, caption: 'Veja', filename: 'a' }, { link, caption: 'Veja' }],
    ['a video with words', 'video', { link, caption: 'Veja' }, { link, caption: 'Veja' }],
    ['a document', 'document', { link, caption: null, filename: null }, { link }],
    [
      'a document with words and a name',
      'document',
      { link, caption: 'Leia', filename: 'nota.pdf' },
      { link, caption: 'Leia', filename: 'nota.pdf' },
    ],
  ] as const) {
    it(what, () => {
      expect(told(type, content)).to.deep.equal({ type, ...expected });
    });
  }

  it('a template: its name, its language and its values', () => {
    const content = { name: 'pedido_saiu', language: 'pt_BR', parameters: ['Ana'] };
    const template = { type: 'template', name: 'pedido_saiu', language: 'pt_BR' };
    expect(told('template', content, { components })).to.deep.equal({ ...template, components });
    const none = { components: null } as unknown as Partial<SendAsAccepted>;
    expect(told('template', content, none), 'of an older release').to.deep.equal({
      ...template,
      components: [],
    });
  });
});
