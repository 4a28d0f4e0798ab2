/**
 * Messages of flows as they are stored and shown, and refusals of unacceptable content, worded for the flow's author.
 */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import {
  composeFlowSend,
  messageTypeOf,
  type FlowSend,
} from '../../../application/send/compose-flow-send.js';
import { flowTemplate } from '../../../application/send/flow-template.js';
import type { TemplateContent } from '../../../domain/policies/template-content.js';
import { refusalOf } from '../provisioning/workspace.js';

const none = undefined as unknown as App;
const compose = (send: FlowSend) => composeFlowSend(none, 'company', 'waba', send);

const link = 'https://example.com/a.pdf';
const file = (over: Partial<Extract<FlowSend, { type: 'media' }>> = {}): FlowSend => ({
  type: 'media',
  media: 'document',
  file: { link },
  caption: 'A nota',
  filename: 'nota.pdf',
  ...over,
});
const SIM = { id: 'y', title: 'Sim' };
const NAO = { id: 'n', title: 'Não' };
const question = (over: Partial<Extract<FlowSend, { type: 'question' }>> = {}): FlowSend => ({
  type: 'question',
  text: 'Posso?',
  choices: [SIM, NAO],
  listButton: 'Opções',
  ...over,
});
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `${n}`, title: `Linha ${n}` }));
const choices = (...all: Extract<FlowSend, { type: 'question' }>['choices'] & object): FlowSend =>
  question({ choices: all });

describe('what a flow sends', () => {
  const shown: readonly [string, FlowSend, type: string, content: object, text: string | null][] = [
    [
      'a text',
      { type: 'text', text: 'Oi', previewUrl: true },
      'text',
      { text: 'Oi', preview_url: true },
      'Oi',
    ],
    ['a document', file(), 'document', { link, caption: 'A nota', filename: 'nota.pdf' }, 'A nota'],
    ['an image, which has no name', file({ media: 'image' }), 'image', { link, caption: 'A nota' }, 'A nota'],
    ['a video without words', file({ media: 'video', caption: ' ' }), 'video', { link }, null],
    ['audio, which has no caption either', file({ media: 'audio' }), 'audio', { link }, null],
    ['a question without choices', question({ choices: null }), 'text', { text: 'Posso?' }, 'Posso?'],
    [
      'up to three choices',
      question(),
      'interactive',
      { kind: 'buttons', text: 'Posso?', buttons: [SIM, NAO] },
      'Posso?',
    ],
    [
      'more than three',
      question({ choices: many(4) }),
      'interactive',
      { kind: 'list', text: 'Posso?', button: 'Opções', rows: many(4) },
      'Posso?',
    ],
    [
      'a title that no button has room for',
      choices(SIM, { id: 'n', title: 'x'.repeat(21) }),
      'interactive',
      { kind: 'list', text: 'Posso?', button: 'Opções', rows: [SIM, { id: 'n', title: 'x'.repeat(21) }] },
      'Posso?',
    ],
    [
      'a second line',
      choices(SIM, { ...NAO, description: 'Talvez' }),
      'interactive',
      { kind: 'list', text: 'Posso?', button: 'Opções', rows: [SIM, { ...NAO, description: 'Talvez' }] },
      'Posso?',
    ],
    [
      'an empty second line, which is none',
      choices(SIM, { ...NAO, description: '' }),
      'interactive',
      { kind: 'buttons', text: 'Posso?', buttons: [SIM, NAO] },
      'Posso?',
    ],
    [
      'twenty characters as people count them',
      choices({ id: 'y', title: '👍'.repeat(20) }),
      'interactive',
      { kind: 'buttons', text: 'Posso?', buttons: [{ id: 'y', title: '👍'.repeat(20) }] },
      'Posso?',
    ],
  ];
  for (const [name, send, type, content, text] of shown) {
    it(`shows ${name}`, async () => {
      expect(await compose(send)).to.deep.equal({
        type,
        content,
        components: [],
        text,
        templateUuid: null,
        category: null,
      });
      expect(messageTypeOf(send)).to.equal(type);
    });
  }

  const refused: readonly [string, FlowSend, path: string, message: string][] = [
    ['an empty text', { type: 'text', text: ' \n', previewUrl: false }, 'content.text', 'The text is empty.'],
    [
      'a text too long once its values are in',
      { type: 'text', text: 'x'.repeat(4_097), previewUrl: false },
      'text',
      'The text is 4097 characters long; WhatsApp takes at most 4096.',
    ],
    ['a question of nothing', question({ choices: null, text: '' }), 'content.text', 'The text is empty.'],
    ['choices under nothing', question({ text: ' ' }), 'text', 'The text is empty.'],
    [
      'a text too long over buttons',
      question({ text: 'x'.repeat(1_025) }),
      'text',
      'The text over buttons is 1025 characters long; WhatsApp takes at most 1024.',
    ],
    [
      'a text too long over a list',
      question({ choices: many(4), text: 'x'.repeat(4_097) }),
      'text',
      'The text over a list is 4097 characters long; WhatsApp takes at most 4096.',
    ],
    ['no choice', question({ choices: [] }), 'choices', 'A question has 1 to 10 choices.'],
    ['eleven choices', question({ choices: many(11) }), 'choices', 'A question has 1 to 10 choices.'],
    [
      'a choice without a title',
      choices(SIM, { id: 'n', title: ' ' }),
      'choices[1].title',
      'The title of a choice is empty.',
    ],
    [
      'a title that fits no row',
      choices({ id: 'n', title: 'x'.repeat(25) }),
      'choices[0].title',
      'The title of a choice is 25 characters long; WhatsApp takes at most 24.',
    ],
    [
      'a second line too long',
      choices({ ...SIM, description: 'x'.repeat(73) }),
      'choices[0].description',
      'The description of a choice is 73 characters long; WhatsApp takes at most 72.',
    ],
    [
      'the id of a button',
      choices({ id: 'x'.repeat(257), title: 'x' }),
      'choices[0].id',
      'The id of a choice is 257 characters long; WhatsApp takes at most 256.',
    ],
    [
      'the id of a row',
      question({ choices: [...many(3), { id: 'x'.repeat(201), title: 'x' }] }),
      'choices[3].id',
      'The id of a choice is 201 characters long; WhatsApp takes at most 200.',
    ],
    [
      'what opens a list',
      question({ choices: many(4), listButton: 'x'.repeat(21) }),
      'list_button',
      'What opens the list is 21 characters long; WhatsApp takes at most 20.',
    ],
    [
      'a caption',
      file({ caption: 'x'.repeat(1_025) }),
      'caption',
      'The caption is 1025 characters long; WhatsApp takes at most 1024.',
    ],
    [
      'a filename',
      file({ filename: 'x'.repeat(241) }),
      'filename',
      'The filename is 241 characters long; WhatsApp takes at most 240.',
    ],
    ...['', 'example.com/a', 'ftp://example.com/a', 'javascript:alert(1)', 'https://example.com/a b'].map(
      (address): [string, FlowSend, string, string] => [
        `the link ${address || 'of nothing'}`,
        file({ file: { link: address } }),
        'link',
        'The link of the file must be an http or https address.',
      ],
    ),
  ];
  for (const [name, send, path, message] of refused) {
    it(`refuses ${name}`, async () => {
      const { code, message: said, details } = await refusalOf(compose(send));
      expect([code, said]).to.deep.equal(['validation_failed', message]);
      expect((details['fields'] as { path: string }[]).map((field) => field.path)).to.deep.equal([path]);
    });
  }
});

describe('the template of a block', () => {
  const shaped = (content: object) => flowTemplate(content as TemplateContent);

  it('gets the shape of POST /messages: numbers that came in as text are numbers', () => {
    const plain = { name: 'a', language: 'pt_BR', parameters: ['x'] };
    expect(shaped(plain)).to.deep.equal(plain);
    const header = { latitude: '-23.5', longitude: 46, name: 'Loja' };
    const buttons = [{ index: 0, value: 'v' }];
    expect(shaped({ ...plain, header, buttons })).to.deep.equal({
      ...plain,
      header: { latitude: -23.5, longitude: 46, name: 'Loja' },
      buttons,
    });
  });

  const wrong: readonly [object, string][] = [
    [{ header: { link: 5 } }, 'content.header.link'],
    [{ header: { text: null } }, 'content.header.text'],
    [{ header: { colour: 'red' } }, 'content.header.colour'],
    [{ header: { latitude: '' } }, 'content.header.latitude'],
    [{ header: { latitude: 'norte' } }, 'content.header.latitude'],
    [{ header: { longitude: 181 } }, 'content.header.longitude'],
    [{ header: { latitude: true } }, 'content.header.latitude'],
    [{ buttons: [{ index: '0', value: 'x' }] }, 'content.buttons[0].index'],
    [{ buttons: [{ index: 0, value: 'x' }, { index: 1 }] }, 'content.buttons[1].value'],
  ];
  for (const [content, path] of wrong) {
    it(`refuses ${JSON.stringify(content)}`, async () => {
      const { code, details } = await refusalOf((async () => shaped({ name: 'a', ...content }))());
      expect(code).to.equal('template_parameters_invalid');
      expect(details).to.have.nested.property('fields[0].path', path);
    });
  }
});
