/**
 * Templates: which variables one has, whether a send fills them exactly, what the provider must be told, and how the
 * message reads to its recipient (spec §2 Template, §4 Messages).
 */
import { Refusal } from '../kernel/refusal.js';
import { fill, templateNeeds, type Component, type TemplateFormat } from './template-needs.js';
import { fillBody, fillButtons, fillHeader, type Problem } from './template-values.js';
import type { TemplateContent } from './template-content.js';

export { placeholders, type TemplateFormat } from './template-needs.js';

export interface TemplateVariables {
  /** Positional placeholders of the body: as many strings in `content.parameters`. */
  readonly body_parameter_count: number;
  readonly body_named_parameters: readonly string[];
  readonly header: { readonly format: string; readonly has_variable: boolean } | null;
  readonly has_dynamic_buttons: boolean;
  /** Buttons that take a value in `content.buttons`; `required` false: they may go without. */
  readonly buttons: readonly {
    readonly index: number;
    readonly type: 'url' | 'quick_reply' | 'copy_code';
    readonly text: string | null;
    readonly required: boolean;
  }[];
  /** Sample values of the template's review, in the shape of `content`; only parts that are known whole. */
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
  /** In the shape of ports/provider `TemplateComponent`, as plain data for an event. */
  readonly components: readonly Record<string, unknown>[];
  /** Body with its placeholders filled, or null when the template has no body. */
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
 * @throws Refusal `template_parameters_invalid`: `details.fields` names every value that is missing, too much or not
 * allowed; the message is the first of them
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
  // Of details with one name the first problem's count, as its message does.
  const details = problems.toReversed().map((problem) => Object.entries(problem.details ?? {}));
  return new Refusal('template_parameters_invalid', `${first.message}${more}`, {
    ...Object.fromEntries(details.flat()),
    fields: problems.map(({ path, message }) => ({ path, code: 'template_parameters_invalid', message })),
  });
}
