import { expect } from 'chai';
import fc from 'fast-check';
import { Refusal } from '../../../domain/kernel/refusal.js';
import type { TemplateContent } from '../../../domain/policies/template-content.js';
import {
  composeTemplate,
  placeholders,
  templateVariables,
  type TemplateSource,
} from '../../../domain/policies/template.js';

type Component = Record<string, unknown>;

function template(
  components: readonly Component[],
  parameter_format: TemplateSource['parameter_format'] = 'POSITIONAL',
): TemplateSource {
  return { name: 'pedido', language: 'pt_BR', parameter_format, components };
}
const body = (text: string): Component => ({ type: 'BODY', text });
const buttons = (...list: Component[]): Component => ({ type: 'BUTTONS', buttons: list });
const content = (fields: Omit<TemplateContent, 'name'> = {}): TemplateContent => ({
  name: 'pedido',
  ...fields,
});

function refusalOf(source: TemplateSource, given: TemplateContent): Refusal {
  try {
    composeTemplate(source, given);
  } catch (error) {
    if (error instanceof Refusal) {
      expect(error.code).to.equal('template_parameters_invalid');
      return error;
    }
    throw error;
  }
  throw new Error('expected a refusal');
}
const pathOf = (refusal: Refusal) => (refusal.details['fields'] as { path: string }[])[0]!.path;

describe('template variables', () => {
  it('of nothing but a body without placeholders', () => {
    expect(templateVariables([body('Bom dia!')], 'POSITIONAL')).to.deep.equal({
      body_parameter_count: 0,
      body_named_parameters: [],
      header: null,
      has_dynamic_buttons: false,
      buttons: [],
      example: {},
    });
  });

  it('count each positional placeholder once', () => {
    const variables = templateVariables([body('{{1}}, {{2}} e de novo {{ 1 }}')], 'POSITIONAL');
    expect(variables.body_parameter_count).to.equal(2);
    expect(variables.body_named_parameters).to.deep.equal([]);
  });

  it('list named placeholders', () => {
    const variables = templateVariables([body('{{nome}}, pedido {{pedido_id}}')], 'NAMED');
    expect(variables.body_parameter_count).to.equal(0);
    expect(variables.body_named_parameters).to.deep.equal(['nome', 'pedido_id']);
  });

  const headers: readonly (readonly [Component, { format: string; has_variable: boolean }])[] = [
    [
      { type: 'HEADER', format: 'TEXT', text: 'Aviso' },
      { format: 'TEXT', has_variable: false },
    ],
    [
      { type: 'HEADER', format: 'TEXT', text: 'Aviso {{1}}' },
      { format: 'TEXT', has_variable: true },
    ],
    [
      { type: 'header', format: 'image' },
      { format: 'IMAGE', has_variable: true },
    ],
    [
      { type: 'HEADER', format: 'VIDEO' },
      { format: 'VIDEO', has_variable: true },
    ],
    [
      { type: 'HEADER', format: 'DOCUMENT' },
      { format: 'DOCUMENT', has_variable: true },
    ],
    [
      { type: 'HEADER', format: 'LOCATION' },
      { format: 'LOCATION', has_variable: true },
    ],
  ];
  for (const [header, expected] of headers) {
    it(`describe the header ${JSON.stringify(header)}`, () => {
      expect(templateVariables([header, body('x')], 'POSITIONAL').header).to.deep.equal(expected);
    });
  }

  const dynamic: readonly (readonly [string, Component, boolean])[] = [
    ['a fixed address', { type: 'URL', url: 'https://loja.example/' }, false],
    ['an address with a placeholder', { type: 'URL', url: 'https://loja.example/{{1}}' }, true],
    ['a quick reply', { type: 'QUICK_REPLY', text: 'Sim' }, false],
    ['a coupon to copy', { type: 'COPY_CODE' }, true],
    ['a one-time password, which repeats the body', { type: 'OTP' }, false],
  ];
  for (const [name, button, expected] of dynamic) {
    it(`say ${expected} for a button with ${name}`, () => {
      expect(templateVariables([body('x'), buttons(button)], 'POSITIONAL').has_dynamic_buttons).to.equal(
        expected,
      );
    });
  }

  it('list the buttons that take a value, and say which may go without', () => {
    const list = buttons(
      { type: 'QUICK_REPLY', text: 'Parar' },
      { type: 'PHONE_NUMBER', text: 'Ligar' },
      { type: 'URL', text: 'Ver', url: 'https://loja.example/{{1}}' },
    );
    expect(templateVariables([body('x'), list], 'POSITIONAL').buttons).to.deep.equal([
      { index: 0, type: 'quick_reply', text: 'Parar', required: false },
      { index: 2, type: 'url', text: 'Ver', required: true },
    ]);
  });

  it('show the samples of the review as a send takes them', () => {
    const positional = [
      { type: 'HEADER', format: 'TEXT', text: 'Oi {{1}}', example: { header_text: ['Ana'] } },
      { ...body('Pedido {{2}} de {{1}}'), example: { body_text: [['Ana', '881']] } },
      buttons(
        { type: 'URL', url: 'https://l.example/t/{{1}}', example: ['https://l.example/t/881'] },
        { type: 'COPY_CODE', example: 'VOLTA10' },
      ),
    ];
    const { example } = templateVariables(positional, 'POSITIONAL');
    expect(example).to.deep.equal({
      header: { text: 'Ana' },
      parameters: ['Ana', '881'],
      buttons: [
        { index: 0, value: '881' },
        { index: 1, value: 'VOLTA10' },
      ],
    });
    expect(composeTemplate(template(positional), content({ ...example })).text).to.equal('Pedido 881 de Ana');
    const named = {
      ...body('Olá {{nome}}'),
      example: { body_text_named_params: [{ param_name: 'nome', example: 'Ana' }] },
    };
    expect(templateVariables([named], 'NAMED').example).to.deep.equal({ named_parameters: { nome: 'Ana' } });
    const half = { ...body('{{1}} {{2}}'), example: { body_text: [['Ana']] } };
    expect(templateVariables([half], 'POSITIONAL').example).to.deep.equal({});
  });

  it('name no header of a kind the contract has not, and such templates can not be sent', () => {
    for (const part of [
      { type: 'HEADER', format: 'PRODUCT' },
      { type: 'CAROUSEL', cards: [] },
    ]) {
      expect(templateVariables([part, body('x')], 'POSITIONAL').header).to.equal(null);
      expect(refusalOf(template([part, body('x')]), content()).message).to.match(
        /can not be sent through this API/,
      );
    }
  });

  it('are read from whatever the provider sends, without throwing', () => {
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant<unknown>({ toString: 1 }));
    const component = fc.record(
      {
        type: fc.oneof(fc.constantFrom('HEADER', 'BODY', 'BUTTONS', 'FOOTER'), odd),
        text: odd,
        format: odd,
        buttons: fc.oneof(fc.array(odd), fc.array(fc.record({ type: odd, url: odd })), odd),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.array(component, { maxLength: 4 }),
        fc.constantFrom('POSITIONAL', 'NAMED'),
        (c, format) => {
          expect(templateVariables(c, format)).to.be.an('object');
        },
      ),
    );
  });
});

describe('composing a template', () => {
  describe('positional parameters', () => {
    const source = template([body('Olá {{1}}, pedido {{2}}. Até, {{1}}!')]);

    it('fill the text and go to the provider in order', () => {
      expect(composeTemplate(source, content({ parameters: ['Ana', '881'] }))).to.deep.equal({
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Ana' },
              { type: 'text', text: '881' },
            ],
          },
        ],
        text: 'Olá Ana, pedido 881. Até, Ana!',
      });
    });

    it('go by number, not by place in the text', () => {
      const swapped = template([body('Pedido {{2}} de {{1}}, loja {{10}}')]);
      const composed = composeTemplate(swapped, content({ parameters: ['Ana', '881', 'Centro'] }));
      expect(composed.text).to.equal('Pedido 881 de Ana, loja Centro');
      expect(composed.components).to.deep.equal([
        { type: 'body', parameters: ['Ana', '881', 'Centro'].map((text) => ({ type: 'text', text })) },
      ]);
    });

    for (const parameters of [undefined, [], ['Ana'], ['Ana', '881', 'x']]) {
      it(`must be exactly as many: ${JSON.stringify(parameters)} for two`, () => {
        const refusal = refusalOf(source, content(parameters ? { parameters } : {}));
        expect(pathOf(refusal)).to.equal('content.parameters');
        expect(refusal.details).to.include({ expected_count: 2, given_count: parameters?.length ?? 0 });
      });
    }

    it('may not be named', () => {
      const given = content({ parameters: ['Ana', '881'], named_parameters: { nome: 'Ana' } });
      expect(pathOf(refusalOf(source, given))).to.equal('content.parameters');
    });

    it('are none for a template without placeholders', () => {
      const fixed = template([body('Bom dia!')]);
      expect(composeTemplate(fixed, content())).to.deep.equal({ components: [], text: 'Bom dia!' });
      expect(composeTemplate(fixed, content({ parameters: [] })).text).to.equal('Bom dia!');
      expect(refusalOf(fixed, content({ parameters: ['x'] })).details).to.include({ expected_count: 0 });
    });

    it('leave text null without a body', () => {
      expect(composeTemplate(template([]), content()).text).to.equal(null);
    });
  });

  describe('named parameters', () => {
    const source = template([body('Olá {{nome}}, pedido {{pedido}}')], 'NAMED');

    it('fill the text and go to the provider with their names', () => {
      const given = content({ named_parameters: { pedido: '881', nome: 'Ana' } });
      expect(composeTemplate(source, given)).to.deep.equal({
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Ana', name: 'nome' },
              { type: 'text', text: '881', name: 'pedido' },
            ],
          },
        ],
        text: 'Olá Ana, pedido 881',
      });
    });

    it('must be all of them and no other', () => {
      const refusal = refusalOf(source, content({ named_parameters: { nome: 'Ana', apelido: 'Aninha' } }));
      expect(pathOf(refusal)).to.equal('content.named_parameters');
      expect(refusal.details).to.deep.include({
        expected_named_parameters: ['nome', 'pedido'],
        missing: ['pedido'],
        unknown: ['apelido'],
      });
      expect(refusalOf(source, content()).details).to.deep.include({
        missing: ['nome', 'pedido'],
        unknown: [],
      });
    });

    it('may not be positional too', () => {
      const given = content({ named_parameters: { nome: 'Ana', pedido: '881' }, parameters: ['Ana'] });
      expect(pathOf(refusalOf(source, given))).to.equal('content.named_parameters');
    });

    it('are not found among what every object inherits', () => {
      const trap = template([body('{{constructor}}')], 'NAMED');
      expect(refusalOf(trap, content({ named_parameters: {} })).details).to.deep.include({
        missing: ['constructor'],
      });
    });
  });

  describe('values', () => {
    const source = template([body('[{{1}}]')]);
    for (const value of ['$&', '$1', '$$', "$'", '{{1}}', '{{2}}', '\\n', 'até 4    espaços', '😀', '0']) {
      it(`${JSON.stringify(value)} stays what it is`, () => {
        expect(composeTemplate(source, content({ parameters: [value] })).text).to.equal(`[${value}]`);
      });
    }

    const bad: readonly (readonly [string, RegExp])[] = [
      ['', /must not be empty/],
      ['   ', /must not be empty/],
      ['linha\nquebrada', /line breaks or tabs/],
      ['linha\rquebrada', /line breaks or tabs/],
      ['com\ttab', /line breaks or tabs/],
      ['cinco     espaços', /four spaces/],
    ];
    for (const [value, message] of bad) {
      it(`${JSON.stringify(value)} is refused before WhatsApp does (132018)`, () => {
        const refusal = refusalOf(source, content({ parameters: [value] }));
        expect(refusal.message).to.match(message);
        expect(pathOf(refusal)).to.equal('content.parameters[0]');
        const named = refusalOf(
          template([body('{{a}}')], 'NAMED'),
          content({ named_parameters: { a: value } }),
        );
        expect(pathOf(named)).to.equal('content.named_parameters.a');
      });
    }
  });

  it('says everything that is wrong at once, each by its path', () => {
    const source = template([
      { type: 'HEADER', format: 'IMAGE' },
      body('{{1}} {{2}}'),
      buttons({ type: 'URL', text: 'Ver', url: 'https://loja.example/{{1}}' }),
    ]);
    const given = content({ header: { link: 'http://x.example/a.jpg' }, parameters: ['a\nb', ''] });
    const refusal = refusalOf(source, given);
    const fields = refusal.details['fields'] as { path: string; message: string }[];
    expect(fields.map(({ path }) => path)).to.deep.equal([
      'content.header.link',
      'content.parameters[0]',
      'content.parameters[1]',
      'content.buttons',
    ]);
    expect(fields[1]!.message).to.equal('Body parameter {{1}} must not hold line breaks or tabs.');
    expect(fields[3]!.message).to.match(/^Button 0 \("Ver"\)/);
    expect(refusal.message).to.match(/https address.*\(3 more in details\.fields\)$/);
  });

  it('takes bodies of up to 1,024 characters once filled, repeated placeholders counted each time', () => {
    const source = template([body('{{1}} {{1}}')]);
    expect(composeTemplate(source, content({ parameters: ['x'.repeat(511)] })).text).to.have.length(1_023);
    const refusal = refusalOf(source, content({ parameters: ['x'.repeat(512)] }));
    expect(pathOf(refusal)).to.equal('content.parameters');
    expect(refusal.details).to.include({ body_length: 1_025, max_length: 1_024 });
    // A body without variables was accepted by the provider, so its length is not checked.
    expect(composeTemplate(template([body('x'.repeat(2_000))]), content()).components).to.deep.equal([]);
  });

  describe('header', () => {
    const withHeader = (header: Component) => template([{ type: 'HEADER', ...header }, body('x')]);
    const headerOf = (source: TemplateSource, header: NonNullable<TemplateContent['header']>) =>
      composeTemplate(source, content({ header })).components;

    it('with a positional or a named text variable', () => {
      expect(headerOf(withHeader({ format: 'TEXT', text: 'Oi {{1}}' }), { text: 'Ana' })).to.deep.equal([
        { type: 'header', parameters: [{ type: 'text', text: 'Ana' }] },
      ]);
      expect(headerOf(withHeader({ format: 'TEXT', text: 'Oi {{nome}}' }), { text: 'Ana' })).to.deep.equal([
        { type: 'header', parameters: [{ type: 'text', text: 'Ana', name: 'nome' }] },
      ]);
    });

    it('with media', () => {
      for (const format of ['IMAGE', 'VIDEO', 'DOCUMENT']) {
        expect(headerOf(withHeader({ format }), { link: 'https://x.example/a' })).to.deep.equal([
          { type: 'header', parameters: [{ type: format.toLowerCase(), link: 'https://x.example/a' }] },
        ]);
      }
      const document = { link: 'https://x.example/a.pdf', filename: 'nota.pdf' };
      expect(headerOf(withHeader({ format: 'DOCUMENT' }), document)).to.deep.equal([
        { type: 'header', parameters: [{ type: 'document', ...document }] },
      ]);
    });

    it('with a location, zero degrees included', () => {
      expect(headerOf(withHeader({ format: 'LOCATION' }), { latitude: 0, longitude: 0 })).to.deep.equal([
        { type: 'header', parameters: [{ type: 'location', latitude: 0, longitude: 0 }] },
      ]);
      const place = { latitude: -23.5, longitude: -46.6, name: 'Loja', address: 'Rua A, 1' };
      expect(headerOf(withHeader({ format: 'LOCATION' }), place)).to.deep.equal([
        { type: 'header', parameters: [{ type: 'location', ...place }] },
      ]);
    });

    const missing: readonly (readonly [Component, string])[] = [
      [{ format: 'TEXT', text: 'Oi {{1}}' }, 'content.header.text'],
      [{ format: 'IMAGE' }, 'content.header.link'],
      [{ format: 'LOCATION' }, 'content.header'],
    ];
    for (const [header, path] of missing) {
      it(`is required when it varies: ${JSON.stringify(header)}`, () => {
        for (const given of [content(), content({ header: {} }), content({ header: { latitude: 1 } })]) {
          const refusal = refusalOf(withHeader(header), given);
          expect(pathOf(refusal)).to.equal(path);
          expect(refusal.details['header_format']).to.equal(header['format']);
        }
      });
    }

    it('is checked like any value', () => {
      const source = withHeader({ format: 'TEXT', text: 'Oi {{1}}' });
      expect(pathOf(refusalOf(source, content({ header: { text: 'a\nb' } })))).to.equal(
        'content.header.text',
      );
    });

    it('of media is a public https address, with a file name for documents only', () => {
      const bad = [
        'http://x.example/a',
        'ftp://x.example/a',
        'x',
        'https://u:p@x.example/a',
        'https://x .example',
      ];
      for (const link of bad) {
        const refusal = refusalOf(withHeader({ format: 'IMAGE' }), content({ header: { link } }));
        expect(pathOf(refusal), link).to.equal('content.header.link');
      }
      const named = content({ header: { link: 'https://x.example/a', filename: 'a.jpg' } });
      expect(pathOf(refusalOf(withHeader({ format: 'IMAGE' }), named))).to.equal('content.header.filename');
    });

    it('of text fits into 60 characters once filled', () => {
      const source = withHeader({ format: 'TEXT', text: 'Oi {{1}}' });
      expect(headerOf(source, { text: 'x'.repeat(57) })).to.have.length(1);
      expect(refusalOf(source, content({ header: { text: 'x'.repeat(58) } })).details).to.include({
        header_length: 61,
      });
    });

    it('of a place lies on earth', () => {
      const given = content({ header: { latitude: 91, longitude: 0 } });
      expect(pathOf(refusalOf(withHeader({ format: 'LOCATION' }), given))).to.equal('content.header');
    });

    it('is refused when the template has none that varies', () => {
      for (const source of [template([body('x')]), withHeader({ format: 'TEXT', text: 'Aviso' })]) {
        expect(pathOf(refusalOf(source, content({ header: { text: 'x' } })))).to.equal('content.header');
        expect(composeTemplate(source, content()).components).to.deep.equal([]);
      }
    });
  });

  describe('buttons', () => {
    const url = { type: 'URL', url: 'https://loja.example/{{1}}' };
    const source = template([body('x'), buttons({ type: 'QUICK_REPLY' }, url, { type: 'COPY_CODE' })]);

    it('that vary are filled by index', () => {
      const given = content({
        buttons: [
          { index: 2, value: 'VOLTA10' },
          { index: 1, value: 'pedido/881' },
        ],
      });
      expect(composeTemplate(source, given).components).to.deep.equal([
        { type: 'button', subType: 'url', index: 1, value: 'pedido/881' },
        { type: 'button', subType: 'copy_code', index: 2, value: 'VOLTA10' },
      ]);
    });

    it('that vary are required', () => {
      const refusal = refusalOf(source, content({ buttons: [{ index: 1, value: 'x' }] }));
      expect(refusal.details).to.include({ missing_index: 2 });
      expect(refusalOf(source, content()).details).to.include({ missing_index: 1 });
      const empty = content({
        buttons: [
          { index: 1, value: '' },
          { index: 2, value: 'x' },
        ],
      });
      expect(refusalOf(source, empty).details).to.include({ missing_index: 1 });
    });

    it('that do not vary, and those that are not there, take no value', () => {
      const call = template([body('x'), buttons({ type: 'PHONE_NUMBER' }, url)]);
      const given = content({ buttons: [0, 1, 7].map((index) => ({ index, value: 'x' })) });
      expect(refusalOf(call, given).details).to.deep.include({ unknown_indexes: [0, 7] });
    });

    it('that reply carry a payload when they are given one', () => {
      const given = content({
        buttons: [
          { index: 0, value: 'PARAR_1' },
          { index: 1, value: 'x' },
          { index: 2, value: 'y' },
        ],
      });
      expect(composeTemplate(source, given).components[0]).to.deep.equal({
        type: 'button',
        subType: 'quick_reply',
        index: 0,
        value: 'PARAR_1',
      });
    });

    it('may not be given twice', () => {
      const twice = [1, 1, 2].map((index) => ({ index, value: 'x' }));
      expect(refusalOf(source, content({ buttons: twice })).message).to.match(/given twice: 1\./);
    });

    it('take codes of 15 characters and links of 2,000', () => {
      const fits = [
        { index: 1, value: 'x'.repeat(2_000 - 'https://loja.example/'.length) },
        { index: 2, value: 'A'.repeat(15) },
      ];
      expect(composeTemplate(source, content({ buttons: fits })).components).to.have.length(2);
      const long = fits.map(({ index, value }) => ({ index, value: `${value}A` }));
      const fields = refusalOf(source, content({ buttons: long })).details['fields'] as { path: string }[];
      expect(fields.map(({ path }) => path)).to.deep.equal([
        'content.buttons[0].value',
        'content.buttons[1].value',
      ]);
    });

    it('of a one-time password as Graph shows them (a link of WhatsApp) repeat the code too', () => {
      const otp = { type: 'URL', url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}' };
      const source = template([body('{{1}} é o seu código.'), buttons(otp)]);
      expect(templateVariables(source.components, 'POSITIONAL').has_dynamic_buttons).to.equal(false);
      expect(composeTemplate(source, content({ parameters: ['123456'] })).components.at(-1)).to.include({
        value: '123456',
      });
      const long = content({ parameters: ['1234567890123456'] });
      expect(pathOf(refusalOf(source, long))).to.equal('content.parameters[0]');
    });

    it('for a one-time password repeat the code, unless another value is given', () => {
      const otp = template([body('{{1}} é o seu código.'), buttons({ type: 'OTP' })]);
      expect(composeTemplate(otp, content({ parameters: ['123456'] })).components.at(-1)).to.deep.equal({
        type: 'button',
        subType: 'url',
        index: 0,
        value: '123456',
      });
      const given = content({ parameters: ['123456'], buttons: [{ index: 0, value: '654321' }] });
      expect(composeTemplate(otp, given).components.at(-1)).to.include({ value: '654321' });
    });
  });

  it('leaves no placeholder in the text when all are given', () => {
    const word = fc.stringMatching(/^[^{}\n\r\t ]{1,12}$/).filter((w) => w.trim() !== '');
    const pieces = fc.array(fc.tuple(word, fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pieces, fc.boolean(), (parts, named) => {
        const name = (n: number) => (named ? `v_${n}` : String(n));
        const text = parts.map(([before, n]) => `${before} {{${name(n)}}}`).join(' ');
        const names = [...new Set(parts.map(([, n]) => n))].sort((a, b) => a - b);
        const source = template([body(text)], named ? 'NAMED' : 'POSITIONAL');
        const given = named
          ? content({ named_parameters: Object.fromEntries(names.map((n) => [name(n), `<${n}>`])) })
          : content({ parameters: names.map((n) => `<${n}>`) });
        const composed = composeTemplate(source, given);
        expect(placeholders(composed.text!)).to.deep.equal([]);
        expect(composed.text).to.equal(parts.map(([before, n]) => `${before} <${n}>`).join(' '));
      }),
    );
  });
});
