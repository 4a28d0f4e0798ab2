import { isObject } from '../domain/kernel/json.js';
import { fault, type GraphFault } from './graph-errors.js';
import type { SandboxTemplate } from './template.js';

type Node = Readonly<Record<string, unknown>>;

const MAX_BODY = 1_024;

/** Checks the `template` of a send against the account's templates; returns the template to send. */
export function checkTemplateSend(
  node: unknown,
  templates: readonly SandboxTemplate[],
): { readonly template: SandboxTemplate } | { readonly fault: GraphFault } {
  const name = isObject(node) ? node['name'] : null;
  const language = isObject(node) && isObject(node['language']) ? node['language']['code'] : null;
  if (!isObject(node) || typeof name !== 'string' || name === '') {
    return { fault: fault(131008, "The required parameter template['name'] is missing.") };
  }
  if (typeof language !== 'string' || language === '') {
    return { fault: fault(131008, "The required parameter template['language']['code'] is missing.") };
  }
  const template = templates.find((t) => t.name === name && t.language === language);
  if (template?.status === 'PAUSED') return { fault: fault(132015, `template (${name}) is paused`) };
  if (template?.status === 'DISABLED') return { fault: fault(132016, `template (${name}) is disabled`) };
  if (template?.status !== 'APPROVED') {
    return { fault: fault(132001, `template name (${name}) does not exist in ${language}`) };
  }
  const given = (Array.isArray(node['components']) ? node['components'] : []).filter(isObject);
  const problem = checkHeader(template, given) ?? checkBody(template, given) ?? checkButtons(template, given);
  return problem === null ? { template } : { fault: problem };
}

/** Distinct placeholders of a text, in order of appearance. */
export function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = '']) => name))];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const component = (template: SandboxTemplate, type: string): Node | null =>
  template.components.find((c) => String(c['type']).toUpperCase() === type) ?? null;

const parametersOf = (node: Node | undefined): readonly unknown[] =>
  Array.isArray(node?.['parameters']) ? node['parameters'] : [];

const ofType = (given: readonly Node[], type: string): Node | undefined =>
  given.find((c) => String(c['type']).toLowerCase() === type);

function checkHeader(template: SandboxTemplate, given: readonly Node[]): GraphFault | null {
  const header = component(template, 'HEADER');
  const parameters = parametersOf(ofType(given, 'header'));
  if (header === null) {
    return parameters.length === 0
      ? null
      : fault(132018, 'header: the template has no header, so it takes no parameters');
  }
  const format = String(header['format']).toUpperCase();
  if (format === 'TEXT') return checkTexts(template, 'header', textOf(header['text']), parameters);
  const first = parameters[0];
  const type = isObject(first) ? String(first['type']).toUpperCase() : 'UNKNOWN';
  return type === format
    ? null
    : fault(132012, `header: Format mismatch, expected ${format}, received ${type}`);
}

function checkBody(template: SandboxTemplate, given: readonly Node[]): GraphFault | null {
  const text = textOf(component(template, 'BODY')?.['text']);
  const parameters = parametersOf(ofType(given, 'body'));
  const problem = checkTexts(template, 'body', text, parameters);
  if (problem !== null) return problem;
  const written = parameters.reduce<number>(
    (sum, parameter) => sum + (isObject(parameter) ? textOf(parameter['text']).length : 0),
    text.replace(/\{\{\s*\w+\s*\}\}/g, '').length,
  );
  return written > MAX_BODY ? fault(132005, `body: the text is longer than ${MAX_BODY} characters`) : null;
}

function checkTexts(
  template: SandboxTemplate,
  part: string,
  text: string,
  parameters: readonly unknown[],
): GraphFault | null {
  const expected = placeholders(text);
  if (parameters.length !== expected.length) {
    return fault(
      132000,
      `${part}: number of localizable_params (${parameters.length}) does not match the expected number of params (${expected.length})`,
    );
  }
  for (const parameter of parameters) {
    const problem = checkParameter(template, part, expected, parameter);
    if (problem !== null) return problem;
  }
  return null;
}

function checkParameter(
  template: SandboxTemplate,
  part: string,
  expected: readonly string[],
  parameter: unknown,
): GraphFault | null {
  const node = isObject(parameter) ? parameter : {};
  const value =
    node['text'] ?? (isObject(node['currency']) || isObject(node['date_time']) ? 'localized' : null);
  if (typeof value !== 'string' || value === '') {
    return fault(131008, `${part}: Parameter of type text is missing text value`);
  }
  const name = node['parameter_name'];
  if (template.parameterFormat === 'NAMED' && (typeof name !== 'string' || !expected.includes(name))) {
    return fault(132012, `${part}: Parameter name is missing or not part of the template: ${String(name)}`);
  }
  return /[\n\t\r]| {5,}/.test(value)
    ? fault(
        132018,
        `${part}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
      )
    : null;
}

function checkButtons(template: SandboxTemplate, given: readonly Node[]): GraphFault | null {
  const defined = component(template, 'BUTTONS')?.['buttons'];
  const buttons = (Array.isArray(defined) ? defined : []).filter(isObject);
  const sent = given.filter((c) => String(c['type']).toLowerCase() === 'button');
  const stray = sent.find((c) => buttons[Number(c['index'])] === undefined);
  if (stray !== undefined)
    return fault(132018, `buttons: there is no button at index ${String(stray['index'])}`);
  for (const [index, button] of buttons.entries()) {
    const needsValue =
      String(button['type']).toUpperCase() === 'URL' && placeholders(textOf(button['url'])).length > 0;
    if (!needsValue) continue;
    const value = parametersOf(sent.find((c) => Number(c['index']) === index))[0];
    if (!isObject(value) || typeof value['text'] !== 'string' || value['text'] === '') {
      return fault(131008, `buttons: Button at index ${index} of type Url requires a parameter`);
    }
  }
  return null;
}
