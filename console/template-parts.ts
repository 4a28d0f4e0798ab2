/** What a template looks like with its values: the parts as WhatsApp lists them. */
import type { Template } from './shapes.js';

export interface TemplateParts {
  /** A text, or the kind of file that stands there. */
  readonly header: {
    readonly format: string;
    readonly text: string;
    /** Of the file that was chosen for it. */
    readonly name?: string;
  } | null;
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly { readonly type: string; readonly text: string }[];
}

export interface Value {
  readonly part: 'HEADER' | 'BODY';
  readonly name: string;
  readonly example: string;
}

const PLACE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

type Component = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const componentOf = ({ components }: Template, type: string): Component | undefined =>
  components?.find((each) => textOf(each['type']).toUpperCase() === type);

/** Positional examples are a list (in a list, in a body), named ones pairs. */
function examplesOf(component: Component | undefined): readonly unknown[] {
  const example = component?.['example'] as Readonly<Record<string, unknown>> | undefined;
  return Object.values(example ?? {}).flat(2);
}

/** The values that the texts name, with the examples of the review. */
export function valuesOf(template: Template): readonly Value[] {
  return (['HEADER', 'BODY'] as const).flatMap((part) => {
    const component = componentOf(template, part);
    const examples = examplesOf(component);
    const names = [...textOf(component?.['text']).matchAll(PLACE)].map(([, name]) => name ?? '');
    return [...new Set(names)].map((name, index) => {
      const named = examples.find(
        (each) => typeof each === 'object' && each !== null && (each as Component)['param_name'] === name,
      ) as Component | undefined;
      const example = named === undefined ? examples[index] : named['example'];
      return { part, name, example: textOf(example) };
    });
  });
}

/** @param values by part and name, such as `BODY 1` */
export function partsOf(template: Template, values: Readonly<Record<string, string>>): TemplateParts {
  const filled = (part: 'HEADER' | 'BODY', text: unknown): string =>
    textOf(text).replace(PLACE, (all, name: string) => values[`${part} ${name}`] || all);
  const header = componentOf(template, 'HEADER');
  const buttons = componentOf(template, 'BUTTONS')?.['buttons'];
  return {
    header: header
      ? { format: textOf(header['format']).toUpperCase() || 'TEXT', text: filled('HEADER', header['text']) }
      : null,
    body: filled('BODY', componentOf(template, 'BODY')?.['text']),
    footer: textOf(componentOf(template, 'FOOTER')?.['text']) || null,
    buttons: (Array.isArray(buttons) ? (buttons as Component[]) : []).map((button) => ({
      type: textOf(button['type']),
      text: textOf(button['text']),
    })),
  };
}

/** How a review state is marked. */
export const templateKind = (status: string): 'good' | 'warn' | 'bad' | 'plain' =>
  status === 'APPROVED'
    ? 'good'
    : status === 'REJECTED' || status === 'DISABLED'
      ? 'bad'
      : status === 'PAUSED'
        ? 'warn'
        : 'plain';
