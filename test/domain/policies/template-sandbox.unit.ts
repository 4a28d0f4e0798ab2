/**
 * `variables` is the one source of truth. A caller who fills exactly these gets a message that WhatsApp accepts (by the
 * sandbox's rules). A caller who omits one of them is refused before the send.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { toMetaBody } from '../../../adapters/whatsapp/message-body.js';
import { checkMessage } from '../../../sandbox/validate-message.js';
import type { SandboxTemplate } from '../../../sandbox/template.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import type { TemplateContent } from '../../../domain/policies/template-content.js';
import {
  composeTemplate,
  templateVariables,
  type TemplateVariables,
} from '../../../domain/policies/template.js';
import type { TemplateComponent } from '../../../ports/provider.js';
import { runs } from '../../support/soak.js';

type Component = Record<string, unknown>;

/** A valid variable value: text without the characters and spacing that are refused. */
const value = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((text) => text.replace(/[\n\r\t\u2028\u2029]/g, '_').replace(/ {5,}/g, ' '))
  .filter((text) => text.trim() !== '' && text.length <= 15);

const templates = fc.boolean().chain((named) => {
  const name = (n: number): string => (named ? `campo_${n}` : String(n));
  const header: fc.Arbitrary<Component | null> = fc.oneof(
    fc.constant(null),
    fc.constant({ type: 'HEADER', format: 'TEXT', text: 'Aviso' }),
    fc.constant({ type: 'HEADER', format: 'TEXT', text: `Oi {{${name(1)}}}` }),
    fc.constantFrom('IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION').map((format) => ({ type: 'HEADER', format })),
  );
  const body = fc
    .array(fc.integer({ min: 1, max: 6 }), { maxLength: 8 })
    .map((places) => ({ type: 'BODY', text: `Olá ${places.map((n) => `{{${name(n)}}}`).join(' e ')}!` }));
  const button: fc.Arbitrary<Component> = fc.constantFrom<Component>(
    { type: 'URL', text: 'Ver', url: 'https://loja.example/{{1}}' },
    { type: 'URL', text: 'Loja', url: 'https://loja.example/' },
    { type: 'QUICK_REPLY', text: 'Parar' },
    { type: 'PHONE_NUMBER', text: 'Ligar', phone_number: '+551140028922' },
    { type: 'COPY_CODE', text: 'Copiar' },
  );
  return fc.record({
    parameterFormat: fc.constant(named ? ('NAMED' as const) : ('POSITIONAL' as const)),
    components: fc
      .tuple(header, body, fc.array(button, { maxLength: 4 }))
      .map(([first, second, buttons]) => [
        ...(first ? [first] : []),
        second,
        ...(buttons.length > 0 ? [{ type: 'BUTTONS', buttons }] : []),
      ]),
  });
});

const HEADER_VALUES: Readonly<Record<string, NonNullable<TemplateContent['header']>>> = {
  TEXT: { text: 'Ana' },
  IMAGE: { link: 'https://loja.example/a.jpg' },
  VIDEO: { link: 'https://loja.example/a.mp4' },
  DOCUMENT: { link: 'https://loja.example/a.pdf', filename: 'nota.pdf' },
  LOCATION: { latitude: -23.5, longitude: -46.6, name: 'Loja', address: 'Rua A, 1' },
};

/** Fills in only the variables that `variables` lists, as a caller would. */
function contentFor(
  variables: TemplateVariables,
  values: readonly string[],
  optional: boolean,
): TemplateContent {
  let next = 0;
  const take = (): string => values[next++ % values.length]!;
  const buttons = variables.buttons
    .filter(({ required }) => required || optional)
    .map(({ index }) => ({ index, value: take() }));
  return {
    name: 'aviso',
    ...(variables.body_parameter_count > 0
      ? { parameters: Array.from({ length: variables.body_parameter_count }, take) }
      : {}),
    ...(variables.body_named_parameters.length > 0
      ? {
          named_parameters: Object.fromEntries(variables.body_named_parameters.map((name) => [name, take()])),
        }
      : {}),
    ...(variables.header?.has_variable ? { header: HEADER_VALUES[variables.header.format]! } : {}),
    ...(buttons.length > 0 ? { buttons } : {}),
  };
}

describe('a template filled by its variables', () => {
  it('is taken by WhatsApp, and with any one part left out is refused here', () => {
    fc.assert(
      fc.property(
        templates,
        fc.array(value, { minLength: 1, maxLength: 9 }),
        fc.boolean(),
        ({ parameterFormat, components }, values, optional) => {
          const source = { name: 'aviso', language: 'pt_BR', parameter_format: parameterFormat, components };
          const variables = templateVariables(components, parameterFormat);
          const content = contentFor(variables, values, optional);
          const composed = composeTemplate(source, content);
          const account: SandboxTemplate = {
            id: '1',
            wabaId: '2',
            name: 'aviso',
            language: 'pt_BR',
            category: 'UTILITY',
            status: 'APPROVED',
            parameterFormat,
            components,
          };
          const sent = toMetaBody({
            to: { phone: '+5511987654321' },
            opaque: 'o',
            content: {
              type: 'template',
              name: 'aviso',
              language: 'pt_BR',
              components: composed.components as unknown as readonly TemplateComponent[],
            },
          });
          const checked = checkMessage(sent, [account]);
          expect(checked, JSON.stringify({ components, content, sent })).to.include({ ok: true });

          for (const part of ['parameters', 'named_parameters', 'header'] as const) {
            if (content[part] === undefined) continue;
            const { [part]: _left, ...rest } = content;
            expect(() => composeTemplate(source, rest), part).to.throw(Refusal);
          }
          for (const { index } of variables.buttons.filter(({ required }) => required)) {
            const buttons = content.buttons!.filter((button) => button.index !== index);
            expect(() => composeTemplate(source, { ...content, buttons })).to.throw(Refusal);
          }
        },
      ),
      { numRuns: runs(400) },
    );
  });
});
