/**
 * The template of a flow's block. A definition declares `header` and `buttons` only as objects, and values arrive as
 * text. This converts them to the shape of POST /messages.
 */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { TemplateContent } from '../../domain/policies/template-content.js';

type Header = NonNullable<TemplateContent['header']>;
type Button = NonNullable<TemplateContent['buttons']>[number];

const TEXTS: ReadonlySet<string> = new Set<keyof Header>([
  ...(['text', 'link', 'filename', 'name', 'address'] as const),
  ...(['media_id', 'mime_type'] as const),
]);
/** Maximum absolute value, degrees. */
const DEGREES: Readonly<Record<string, number>> = { latitude: 90, longitude: 180 };

/** @throws Refusal template_parameters_invalid */
export function flowTemplate(given: TemplateContent): TemplateContent {
  const { header, buttons, ...content } = given;
  return {
    ...content,
    ...(header === undefined ? {} : { header: headerOf(header) }),
    ...(buttons === undefined ? {} : { buttons: buttons.map(buttonOf) }),
  };
}

function headerOf(given: Readonly<Record<string, unknown>>): Header {
  const fields = Object.entries(given).map(([name, value]) => {
    const path = `content.header.${name}`;
    if (TEXTS.has(name)) {
      if (typeof value !== 'string') throw invalid(path, `${path} must be a text.`);
      return [name, value] as const;
    }
    const most = Object.hasOwn(DEGREES, name) ? DEGREES[name] : undefined;
    if (most === undefined) throw invalid(path, `A header has no field "${name}".`);
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number !== 'number' || !(Math.abs(number) <= most)) {
      throw invalid(path, `${path} must be a number from -${most} to ${most}.`);
    }
    return [name, number] as const;
  });
  return Object.fromEntries(fields) as Header;
}

function buttonOf(given: Readonly<Record<'index' | 'value', unknown>>, place: number): Button {
  const path = `content.buttons[${place}]`;
  const { index, value } = given;
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) {
    throw invalid(`${path}.index`, `${path}.index must be the place of a button, from 0.`);
  }
  if (typeof value !== 'string') throw invalid(`${path}.value`, `${path}.value must be a text.`);
  return { index, value };
}

const invalid = (path: string, message: string): Refusal =>
  new Refusal('template_parameters_invalid', message, {
    fields: [{ path, code: 'template_parameters_invalid', message }],
  });
