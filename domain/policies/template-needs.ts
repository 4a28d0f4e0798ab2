/**
 * The values that a send of a template needs, read from the provider's components in one place. The `variables` of the
 * API, the checks of given values and the provider request all use it (spec §2, Template). Components are the
 * provider's JSON, unchecked: nothing here throws on unexpected content.
 */
import { isObject } from '../kernel/json.js';

export type TemplateFormat = 'POSITIONAL' | 'NAMED';
export type Component = Readonly<Record<string, unknown>>;

export type MediaFormat = 'IMAGE' | 'VIDEO' | 'DOCUMENT';

export type HeaderNeed =
  /** `placeholder` null: a fixed text. */
  | { readonly format: 'TEXT'; readonly text: string; readonly placeholder: string | null }
  | { readonly format: MediaFormat }
  | { readonly format: 'LOCATION' };

export interface ButtonNeed {
  readonly index: number;
  readonly kind: 'url' | 'quick_reply' | 'copy_code';
  readonly label: string | null;
  /** For a link: the address with its placeholder. */
  readonly url: string | null;
  /** `code`: a one-time-password button repeats the code of the body, so callers need not give it. */
  readonly value: 'required' | 'optional' | 'code';
  readonly example: string | null;
}

export interface TemplateNeeds {
  readonly header: HeaderNeed | null;
  /** Placeholders in the order in which the provider takes their values. Null without a body. */
  readonly body: { readonly text: string; readonly names: readonly string[]; readonly named: boolean } | null;
  readonly buttons: readonly ButtonNeed[];
  /** The part that this API can't fill, in words; null when it can fill all of them. */
  readonly unsupported: string | null;
  /** Sample values from the template's review; only parts whose samples are complete. */
  readonly examples: { readonly header: string | null; readonly body: readonly string[] | null };
}

const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;
const isDigits = (name: string): boolean => /^\d+$/.test(name);

/** Distinct placeholders of a text, in order of appearance. */
export function placeholders(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name))];
}

/** Fills each place by a function, so that `$&` and the like in a value are not interpreted. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(PLACEHOLDER, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''));

export function templateNeeds(components: readonly Component[], format: TemplateFormat): TemplateNeeds {
  const headerNode = find(components, 'HEADER');
  const bodyNode = find(components, 'BODY');
  const header = headerNode ? readHeader(headerNode) : null;
  const body = bodyNode ? readBody(bodyNode, format) : null;
  const buttons = readButtons(components);
  return {
    header: header === 'unsupported' ? null : header,
    body,
    buttons: buttons.flatMap((button, index) => readButton(button, index)),
    unsupported: unsupportedPart(components, header, buttons),
    examples: {
      header: headerNode ? headerExample(headerNode) : null,
      body: bodyNode && body ? bodyExamples(bodyNode, body) : null,
    },
  };
}

function readHeader(node: Component): HeaderNeed | 'unsupported' {
  const format = upper(node['format']) || 'TEXT';
  switch (format) {
    case 'TEXT': {
      const text = textOf(node['text']);
      const names = placeholders(text);
      // Meta allows one variable in a header.
      return names.length > 1 ? 'unsupported' : { format, text, placeholder: names[0] ?? null };
    }
    case 'IMAGE':
    case 'VIDEO':
    case 'DOCUMENT':
    case 'LOCATION':
      return { format };
    default:
      return 'unsupported';
  }
}

/** The provider takes positional values by number, independent of their order in the text. */
function readBody(node: Component, format: TemplateFormat): NonNullable<TemplateNeeds['body']> {
  const text = textOf(node['text']);
  const names = placeholders(text);
  const named = format === 'NAMED';
  const sorted = !named && names.every(isDigits) ? [...names].sort((a, b) => Number(a) - Number(b)) : names;
  return { text, names: sorted, named };
}

function readButtons(components: readonly Component[]): readonly Component[] {
  const buttons = find(components, 'BUTTONS')?.['buttons'];
  return Array.isArray(buttons) ? buttons.map((button: unknown) => (isObject(button) ? button : {})) : [];
}

/** Graph reports the button of a one-time password as a link of this kind (Meta, "Authentication templates"). */
const OTP_LINK = /^https:\/\/www\.whatsapp\.com\/otp\//;

function readButton(button: Component, index: number): readonly ButtonNeed[] {
  const type = upper(button['type']);
  const url = textOf(button['url']);
  const common = { index, label: textOf(button['text']) || null, url: null };
  switch (type) {
    case 'URL':
      if (placeholders(url).length === 0) return [];
      return OTP_LINK.test(url)
        ? [{ ...common, kind: 'url', value: 'code', example: null }]
        : [{ ...common, kind: 'url', url, value: 'required', example: urlExample(button, url) }];
    case 'OTP':
      return [{ ...common, kind: 'url', value: 'code', example: null }];
    case 'COPY_CODE':
      return [{ ...common, kind: 'copy_code', value: 'required', example: firstText(button['example']) }];
    case 'QUICK_REPLY':
      return [{ ...common, kind: 'quick_reply', value: 'optional', example: null }];
    default:
      return [];
  }
}

const UNSUPPORTED_PARTS: Readonly<Record<string, string>> = {
  CAROUSEL: 'a carousel',
  LIMITED_TIME_OFFER: 'a limited-time offer',
};
const UNSUPPORTED_BUTTONS: Readonly<Record<string, string>> = {
  MPM: 'a button for several products',
  SPM: 'a button for a product',
};

function unsupportedPart(
  components: readonly Component[],
  header: HeaderNeed | 'unsupported' | null,
  buttons: readonly Component[],
): string | null {
  if (header === 'unsupported') return 'a header of a kind this API does not know';
  const parts = components.map((c) => UNSUPPORTED_PARTS[upper(c['type'])]);
  const kinds = buttons.map((button) => UNSUPPORTED_BUTTONS[upper(button['type'])]);
  return [...parts, ...kinds].find((part) => part !== undefined) ?? null;
}

function headerExample(node: Component): string | null {
  const example = objectOf(node['example']);
  return (
    firstText(example['header_text']) ?? namedExamples(example['header_text_named_params'])[0]?.[1] ?? null
  );
}

function bodyExamples(node: Component, body: NonNullable<TemplateNeeds['body']>): readonly string[] | null {
  const example = objectOf(node['example']);
  const rows = example['body_text'];
  const row: unknown = Array.isArray(rows) ? rows[0] : null;
  const named = new Map(namedExamples(example['body_text_named_params']));
  const given = body.named
    ? body.names.map((name) => named.get(name))
    : Array.isArray(row)
      ? row.map((value) => textOf(value) || undefined)
      : [];
  const whole = given.length === body.names.length && given.every((value) => value !== undefined);
  return whole ? given : null;
}

const namedExamples = (list: unknown): readonly (readonly [string, string])[] =>
  Array.isArray(list)
    ? list.flatMap((item: unknown) => {
        const { param_name, example } = objectOf(item);
        return typeof param_name === 'string' && typeof example === 'string' ? [[param_name, example]] : [];
      })
    : [];

/** Meta's samples contain the whole address; callers give only the value of the placeholder. */
function urlExample(button: Component, url: string): string | null {
  const example = firstText(button['example']);
  const prefix = url.slice(0, url.search(PLACEHOLDER));
  return example !== null && example.startsWith(prefix) ? example.slice(prefix.length) || null : example;
}

const firstText = (value: unknown): string | null => {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return textOf(first) || null;
};
const find = (components: readonly Component[], type: string): Component | undefined =>
  components.find((c) => upper(c['type']) === type);
const objectOf = (value: unknown): Component => (isObject(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const upper = (value: unknown): string => textOf(value).toUpperCase();
