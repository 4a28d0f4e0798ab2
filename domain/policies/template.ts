/**
 * Templates: their variables, the check that a send fills them exactly, the request to the provider, and the text that
 * the recipient reads (spec §2 Template, §4 Messages).
 */
import { Refusal } from '../kernel/refusal.js';
import { fill, templateNeeds, type Component, type TemplateFormat } from './template-needs.js';
import { fillBody, fillButtons, fillHeader, type Problem } from './template-values.js';
import type { TemplateContent } from './template-content.js';

export { placeholders, type TemplateFormat } from './template-needs.js';

export interface TemplateVariables {
  /** Number of positional placeholders in the body: as many strings in `content.parameters`. */
  readonly body_parameter_count: number;
  readonly body_named_parameters: readonly string[];
  readonly header: { readonly format: string; readonly has_variable: boolean } | null;
  readonly has_dynamic_buttons: boolean;
  /** Buttons that take a value in `content.buttons`; with `required` false it may be left out. */
  readonly buttons: readonly {
    readonly index: number;
    readonly type: 'url' | 'quick_reply' | 'copy_code';
    readonly text: string | null;
    readonly required: boolean;
  }[];
  /** Sample values from the template's review, in the shape of `content`; only parts that are completely known. */
  readonly example: {
    readonly parameters?: readonly string[];
    readonly named_parameters?: Readonly<Record<string, string>>;
    readonly header?: { readonly text: string };
    readonly buttons?: readonly { readonly index: number; readonly value: string }[];
  };
}

export interface TemplateSource {
  readonly name: string;
  readonly language: string;
  readonly parameter_format: TemplateFormat;
  readonly components: readonly Component[];
}

export interface ComposedTemplate {
  /** In the shape of `TemplateComponent` in ports/provider, as plain data for an event. */
  readonly components: readonly Record<string, unknown>[];
  /** The body with its placeholders filled, or null when the template has no body. */
  readonly text: string | null;
}

export function templateVariables(
  components: readonly Component[],
  format: TemplateFormat,
): TemplateVariables {
  const { header, body, buttons, examples } = templateNeeds(components, format);
  const names = body?.names ?? [];
  const named = body?.named ?? false;
  const required = buttons.filter(({ value }) => value === 'required');
  const samples = required.flatMap(({ index, example }) =>
    example === null ? [] : [{ index, value: example }],
  );
  const variable = header !== null && (header.format !== 'TEXT' || header.placeholder !== null);
  return {
    body_parameter_count: named ? 0 : names.length,
    body_named_parameters: named ? names : [],
    header: header && { format: header.format, has_variable: variable },
    has_dynamic_buttons: required.length > 0,
    buttons: buttons
      .filter(({ value }) => value !== 'code')
      .map(({ index, kind, label, value }) => ({
        index,
        type: kind,
        text: label,
        required: value === 'required',
      })),
    example: {
      ...(names.length > 0 && examples.body !== null
        ? named
          ? { named_parameters: Object.fromEntries(names.map((name, i) => [name, examples.body![i]!])) }
          : { parameters: examples.body }
        : {}),
      ...(variable && header.format === 'TEXT' && examples.header !== null
        ? { header: { text: examples.header } }
        : {}),
      ...(samples.length > 0 && samples.length === required.length ? { buttons: samples } : {}),
    },
  };
}

/**
 * @throws Refusal `template_parameters_invalid`: `details.fields` names every missing, superfluous or invalid value;
 * the message is about the first of them
 */
export function composeTemplate(template: TemplateSource, content: TemplateContent): ComposedTemplate {
  const needs = templateNeeds(template.components, template.parameter_format);
  if (needs.unsupported !== null) {
    const message = `This template has ${needs.unsupported}, which can not be sent through this API.`;
    throw refusal({ path: 'content.name', message });
  }
  const body = fillBody(needs.body, content);
  const header = fillHeader(needs.header, content);
  const buttons = fillButtons(needs.buttons, content);
  const [first, ...rest] = [...header.problems, ...body.problems, ...buttons.problems];
  if (first) throw refusal(first, ...rest);
  return {
    components: [...header.components, ...body.components, ...buttons.components],
    text: needs.body && fill(needs.body.text, body.values),
  };
}

function refusal(first: Problem, ...rest: readonly Problem[]): Refusal {
  const problems = [first, ...rest];
  const more = rest.length === 0 ? '' : ` (${rest.length} more in details.fields)`;
  // Of details with the same name, the first problem's value wins, as its message does.
  const details = problems.toReversed().map((problem) => Object.entries(problem.details ?? {}));
  return new Refusal('template_parameters_invalid', `${first.message}${more}`, {
    ...Object.fromEntries(details.flat()),
    fields: problems.map(({ path, message }) => ({ path, code: 'template_parameters_invalid', message })),
  });
}
