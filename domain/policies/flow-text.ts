/**
 * Texts with placeholders: `Olá {{contact.name|cliente}}`. Values are data: each is inserted once, and placeholders
 * within it are not replaced.
 */

export type Placeholder =
  | { readonly from: 'vars' | 'answer' | 'callback'; readonly name: string }
  | { readonly from: 'contact'; readonly name: 'name' | 'phone' | 'email' | 'external_id' }
  | { readonly from: 'contact.field'; readonly name: string };

export type Part = string | { readonly placeholder: Placeholder; readonly otherwise: string };

export interface FlowValues {
  readonly vars: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly contact: Readonly<Record<'name' | 'phone' | 'email' | 'external_id', string | null>>;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Signed addresses by block id. */
  readonly callback: Readonly<Record<string, string>>;
}

export class FlowTextError extends Error {
  override readonly name = 'FlowTextError';

  /** @param values of the sentence, by name */
  constructor(
    readonly reason:
      | 'placeholder_open'
      | 'placeholder_names_no_field'
      | 'placeholder_unknown_of_contact'
      | 'placeholder_unknown',
    readonly values: Readonly<Record<string, string>>,
    message: string,
  ) {
    super(message);
  }
}

/** The text with its values would exceed its limit: a value can contain other values and double at each step. */
export class FlowTextTooLong extends Error {
  override readonly name = 'FlowTextTooLong';
}

const CONTACT = ['name', 'phone', 'email', 'external_id'] as const;

/** @throws FlowTextError with one sentence for the author of the text */
export function parseFlowText(text: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{{', at);
    if (open === -1) break;
    if (open > at) parts.push(text.slice(at, open));
    const close = text.indexOf('}}', open + 2);
    if (close === -1)
      throw new FlowTextError('placeholder_open', {}, '"{{" is opened and never closed with "}}".');
    parts.push(readPlaceholder(text.slice(open + 2, close)));
    at = close + 2;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

function readPlaceholder(inside: string): Part {
  const bar = inside.indexOf('|');
  const path = (bar === -1 ? inside : inside.slice(0, bar)).trim();
  const otherwise = bar === -1 ? '' : inside.slice(bar + 1).trim();
  const placeholder = `{{${inside.trim().slice(0, 80)}}}`;
  const said = `"${placeholder}"`;
  if (path.startsWith('contact.field.')) {
    const name = path.slice('contact.field.'.length);
    if (name === '')
      throw new FlowTextError('placeholder_names_no_field', { placeholder }, `${said} names no field.`);
    return { placeholder: { from: 'contact.field', name }, otherwise };
  }
  const dot = path.indexOf('.');
  const from = path.slice(0, Math.max(dot, 0));
  const name = path.slice(dot + 1);
  if (from === 'contact') {
    const known = CONTACT.find((one) => one === name);
    if (!known) {
      throw new FlowTextError(
        'placeholder_unknown_of_contact',
        { placeholder },
        `${said} is not known of a contact; there are ${CONTACT.map((one) => `contact.${one}`).join(', ')} and contact.field.<key>.`,
      );
    }
    return { placeholder: { from, name: known }, otherwise };
  }
  if ((from === 'vars' || from === 'answer' || from === 'callback') && name !== '') {
    return { placeholder: { from, name }, otherwise };
  }
  throw new FlowTextError(
    'placeholder_unknown',
    { placeholder },
    `${said} begins with none of vars., answer., contact., contact.field. and callback. Write {{vars.<key>}}.`,
  );
}

/**
 * The text as it is sent. A value that is missing, null or empty is replaced by the default behind `|`.
 * @param escape applied to each value where the text is not plain: JSON, a URL
 * @param most limit in characters; rendering stops at the first value beyond it
 * @throws FlowTextTooLong
 */
export function renderFlowText(
  parts: readonly Part[],
  values: FlowValues,
  escape: (value: string) => string = (value) => value,
  most = Infinity,
): string {
  let text = '';
  for (const part of parts) {
    text += typeof part === 'string' ? part : escape(valueText(part, values));
    if (text.length > most) throw new FlowTextTooLong();
  }
  return text;
}

function valueText({ placeholder, otherwise }: Exclude<Part, string>, values: FlowValues): string {
  const text = asText(lookUp(placeholder, values));
  return text === '' ? otherwise : text;
}

function lookUp(placeholder: Placeholder, values: FlowValues): unknown {
  switch (placeholder.from) {
    case 'contact':
      return values.contact[placeholder.name];
    case 'contact.field':
      return own(values.fields, placeholder.name);
    default:
      return own(values[placeholder.from], placeholder.name);
  }
}

const own = (values: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** Numbers and booleans as JSON writes them, objects and lists as JSON. */
function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
