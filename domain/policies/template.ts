/**
 * Templates: which variables one has, whether a send fills them exactly, what the provider must be told, and how the
 * message reads to its recipient (spec §2 Template, §4 Messages).
 */
import { Refusal } from '../kernel/refusal.js';

export type TemplateFormat = 'POSITIONAL' | 'NAMED';
type Component = Readonly<Record<string, unknown>>;

export interface TemplateVariables {
  readonly body_parameter_count: number;
  readonly body_named_parameters: readonly string[];
  readonly header: { readonly format: string; readonly has_variable: boolean } | null;
  readonly has_dynamic_buttons: boolean;
}

/** `content` of a template send, as the API takes it. */
export interface TemplateContent {
  readonly name: string;
  readonly language?: string;
  readonly parameters?: readonly string[];
  readonly named_parameters?: Readonly<Record<string, string>>;
  readonly header?: {
    readonly text?: string;
    readonly link?: string;
    readonly filename?: string;
    readonly latitude?: number;
    readonly longitude?: number;
    readonly name?: string;
    readonly address?: string;
  };
  readonly buttons?: readonly { readonly index: number; readonly value: string }[];
}

export interface TemplateSource {
  readonly name: string;
  readonly language: string;
  readonly parameter_format: TemplateFormat;
  readonly components: readonly Component[];
}

export interface ComposedTemplate {
  /** In the shape of ports/provider `TemplateComponent`, as plain data for an event. */
  readonly components: readonly Record<string, unknown>[];
  /** Body with its placeholders filled, or null when the template has no body. */
  readonly text: string | null;
}

const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;
const MEDIA = new Set(['IMAGE', 'VIDEO', 'DOCUMENT']);

export function placeholders(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1]!))];
}

export function templateVariables(
  components: readonly Component[],
  format: TemplateFormat,
): TemplateVariables {
  const body = placeholders(textOf(component(components, 'BODY')));
  const header = component(components, 'HEADER');
  return {
    body_parameter_count: format === 'POSITIONAL' ? body.length : 0,
    body_named_parameters: format === 'NAMED' ? body : [],
    header: header
      ? {
          format: headerFormat(header),
          has_variable: headerFormat(header) === 'TEXT' ? placeholders(textOf(header)).length > 0 : true,
        }
      : null,
    has_dynamic_buttons: dynamicButtons(components).some((button) => !button.fromBody),
  };
}

/**
 * @throws Refusal `template_parameters_invalid` naming what is missing, too much or not allowed
 */
export function composeTemplate(template: TemplateSource, content: TemplateContent): ComposedTemplate {
  const composed: Record<string, unknown>[] = [];
  const header = composeHeader(component(template.components, 'HEADER'), content);
  if (header) composed.push(header);
  const bodyComponent = component(template.components, 'BODY');
  const bodyText = textOf(bodyComponent);
  const names = bodyNames(bodyText, template.parameter_format);
  const values = bodyValues(names, template.parameter_format, content);
  if (names.length > 0) {
    composed.push({
      type: 'body',
      parameters: names.map((name) => ({
        type: 'text',
        text: values[name],
        ...(template.parameter_format === 'NAMED' ? { name } : {}),
      })),
    });
  }
  composed.push(...composeButtons(dynamicButtons(template.components), content));
  return {
    components: composed,
    // A function, so that `$&` and the like in a value stay what they are.
    text: bodyComponent ? bodyText.replace(PLACEHOLDER, (_, name: string) => values[name] ?? '') : null,
  };
}

/** The provider takes positional values by number, wherever the numbers stand in the text. */
function bodyNames(text: string, format: TemplateFormat): readonly string[] {
  const names = placeholders(text);
  return format === 'NAMED' ? names : [...names].sort((a, b) => Number(a) - Number(b));
}

function bodyValues(
  names: readonly string[],
  format: TemplateFormat,
  content: TemplateContent,
): Readonly<Record<string, string>> {
  if (format === 'NAMED') {
    const given = content.named_parameters ?? {};
    const missing = names.filter((name) => !Object.hasOwn(given, name));
    const unknown = Object.keys(given).filter((name) => !names.includes(name));
    if (missing.length > 0 || unknown.length > 0 || (content.parameters?.length ?? 0) > 0) {
      throw invalid('content.named_parameters', `This template takes the named parameters ${list(names)}.`, {
        expected_named_parameters: names,
        missing,
        unknown,
      });
    }
    for (const name of names) checkValue(given[name]!, `content.named_parameters.${name}`);
    return given;
  }
  const given = content.parameters ?? [];
  if (given.length !== names.length || Object.keys(content.named_parameters ?? {}).length > 0) {
    throw invalid(
      'content.parameters',
      `This template takes exactly ${names.length} parameters, ${given.length} were given.`,
      {
        expected_count: names.length,
        given_count: given.length,
      },
    );
  }
  given.forEach((value, index) => checkValue(value, `content.parameters[${index}]`));
  return Object.fromEntries(names.map((name, index) => [name, given[index]!]));
}

/** WhatsApp refuses such values with error 132018; better to say so before the message is accepted. */
function checkValue(value: string, path: string): void {
  if (value.trim() === '') throw invalid(path, 'A template parameter must not be empty.', {});
  if (/[\n\r\t]/.test(value))
    throw invalid(path, 'A template parameter must not hold line breaks or tabs.', {});
  if (/ {5,}/.test(value)) {
    throw invalid(path, 'A template parameter must not hold more than four spaces in a row.', {});
  }
}

function composeHeader(
  header: Component | undefined,
  content: TemplateContent,
): Record<string, unknown> | undefined {
  const given = content.header;
  const format = header ? headerFormat(header) : null;
  const variable = header !== undefined && (format !== 'TEXT' || placeholders(textOf(header)).length > 0);
  if (!variable) {
    if (given) throw invalid('content.header', 'This template has no variable header.', {});
    return undefined;
  }
  if (format === 'TEXT') {
    if (given?.text === undefined) {
      throw invalid('content.header.text', 'This template needs a header text.', { header_format: format });
    }
    checkValue(given.text, 'content.header.text');
    const [name] = placeholders(textOf(header));
    const named = name !== undefined && !/^\d+$/.test(name);
    return { type: 'header', parameters: [{ type: 'text', text: given.text, ...(named ? { name } : {}) }] };
  }
  if (format === 'LOCATION') {
    if (given?.latitude === undefined || given.longitude === undefined) {
      throw invalid('content.header', 'This template needs a location header: latitude and longitude.', {
        header_format: format,
      });
    }
    const { latitude, longitude, name, address } = given;
    return {
      type: 'header',
      parameters: [
        {
          type: 'location',
          latitude,
          longitude,
          ...(name === undefined ? {} : { name }),
          ...(address === undefined ? {} : { address }),
        },
      ],
    };
  }
  if (format !== null && MEDIA.has(format)) {
    if (given?.link === undefined) {
      throw invalid(
        'content.header.link',
        `This template needs a link to its header's ${format.toLowerCase()}.`,
        {
          header_format: format,
        },
      );
    }
    const { link, filename } = given;
    return {
      type: 'header',
      parameters: [{ type: format.toLowerCase(), link, ...(filename === undefined ? {} : { filename }) }],
    };
  }
  return undefined;
}

interface DynamicButton {
  readonly index: number;
  readonly subType: 'url' | 'copy_code';
  /** A one-time-password button repeats the code of the body, so callers need not give it. */
  readonly fromBody: boolean;
}

/** Buttons whose content depends on the send. */
function dynamicButtons(components: readonly Component[]): readonly DynamicButton[] {
  const buttons = component(components, 'BUTTONS')?.['buttons'];
  if (!Array.isArray(buttons)) return [];
  return buttons.flatMap((raw: unknown, index): DynamicButton[] => {
    const button = (raw ?? {}) as Component;
    const type = upper(button['type']);
    const url = button['url'];
    if (type === 'URL' && typeof url === 'string' && placeholders(url).length > 0)
      return [{ index, subType: 'url', fromBody: false }];
    if (type === 'OTP') return [{ index, subType: 'url', fromBody: true }];
    if (type === 'COPY_CODE') return [{ index, subType: 'copy_code', fromBody: false }];
    return [];
  });
}

function composeButtons(
  dynamic: readonly DynamicButton[],
  content: TemplateContent,
): readonly Record<string, unknown>[] {
  const given = new Map((content.buttons ?? []).map((button) => [button.index, button.value]));
  const unknown = [...given.keys()].filter((index) => !dynamic.some((button) => button.index === index));
  if (unknown.length > 0) {
    throw invalid('content.buttons', `These buttons take no value: ${list(unknown)}.`, {
      unknown_indexes: unknown,
    });
  }
  return dynamic.map(({ index, subType, fromBody }) => {
    const value = given.get(index) ?? (fromBody ? content.parameters?.[0] : undefined);
    if (value === undefined || value === '') {
      throw invalid('content.buttons', `Button ${index} of this template needs a value.`, {
        missing_index: index,
      });
    }
    return { type: 'button', subType, index, value };
  });
}

function component(components: readonly Component[], type: string): Component | undefined {
  return components.find((c) => upper(c['type']) === type);
}

const textOf = (c: Component | undefined): string => (typeof c?.['text'] === 'string' ? c['text'] : '');
const headerFormat = (c: Component): string => upper(c['format']) || 'TEXT';
/** Components are the provider's JSON, unchecked: anything but text reads as none. */
const upper = (value: unknown): string => (typeof value === 'string' ? value.toUpperCase() : '');
const list = (items: readonly (string | number)[]): string =>
  items.length === 0 ? '(none)' : items.join(', ');

function invalid(path: string, message: string, details: Readonly<Record<string, unknown>>): Refusal {
  return new Refusal('template_parameters_invalid', message, {
    ...details,
    fields: [{ path, code: 'template_parameters_invalid', message }],
  });
}
