/** A definition as the page edits it: the server checks it, so any shape may be in between. */
import { named } from '../words.js';

export interface Block {
  readonly type: string;
  readonly label?: string;
  readonly [field: string]: unknown;
}

export interface Definition {
  readonly schema: 1;
  readonly start: string;
  readonly blocks: Readonly<Record<string, Block>>;
  readonly [field: string]: unknown;
}

export interface Output {
  /** As problems and steps name it: `next`, `choices[0].next`, … */
  readonly path: string;
  /** What people read: the title of a choice, a comparison. Null: the path says it. */
  readonly title: string | null;
  readonly to: string | null;
}

const WAYS = ['next', 'otherwise', 'on_error', 'on_invalid', 'on_timeout'] as const;

interface Way {
  readonly next?: string | null;
  readonly title?: string;
  readonly when?: Readonly<Record<string, unknown>>;
}

export function outputsOf(block: Block): readonly Output[] {
  const lists = (['branches', 'choices'] as const).flatMap((list) =>
    ((block[list] ?? []) as readonly Way[]).flatMap(({ next, title, when }, index) =>
      next === undefined
        ? []
        : [{ path: `${list}[${index}].next`, title: title ?? (when ? comparison(when) : null), to: next }],
    ),
  );
  const ways = WAYS.flatMap((path) => {
    const to = block[path] as string | null | undefined;
    return to === undefined ? [] : [{ path, title: null, to }];
  });
  return [...lists, ...ways];
}

function comparison(when: Readonly<Record<string, unknown>>): string {
  for (const word of ['all', 'any'] as const) {
    const several = when[word] as readonly Readonly<Record<string, unknown>>[] | undefined;
    if (several) return several.map(comparison).join(word === 'all' ? ' & ' : ' | ');
  }
  const { value, is, to } = when;
  return [value, typeof is === 'string' ? named('option', is) : is, to]
    .filter((part) => typeof part === 'string')
    .join(' ');
}

export const pauses = ({ type }: Block): 'flows.asks' | 'flows.waits' | null =>
  type === 'ask' ? 'flows.asks' : type === 'wait' || type === 'wait_for_callback' ? 'flows.waits' : null;

/** The first words of what a block does. */
export function summary(block: Block): string {
  const { text, name, tag, url, field, note, for: span } = block as Readonly<Record<string, unknown>>;
  const found = [text, name, tag, url, field, note, span].find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : '';
}

/** Everything that a text of the flow may name, for completion. */
export function placeholders({ blocks }: Definition): readonly string[] {
  const found = new Set(['contact.name', 'contact.phone', 'contact.email', 'contact.external_id']);
  for (const [id, block] of Object.entries(blocks)) {
    const saves = (block['save'] ?? []) as readonly { readonly as?: string }[];
    for (const { as } of saves) if (as) found.add(`vars.${as}`);
    if (block.type === 'ask' && typeof block['save_as'] === 'string') found.add(`answer.${block['save_as']}`);
    if (block.type === 'set_variable' && typeof block['name'] === 'string')
      found.add(`vars.${block['name']}`);
    if (block.type === 'set_field' && typeof block['field'] === 'string')
      found.add(`contact.field.${block['field']}`);
    if (block.type === 'wait_for_callback') found.add(`callback.${id}`);
    for (const [, name] of JSON.stringify(block).matchAll(/\{\{\s*([\w.]+)/g)) found.add(name!);
  }
  return [...found].sort();
}

/** Without a block; what led to it then ends the flow. */
export function without(definition: Definition, id: string): Definition {
  const cut = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => cut(one));
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one, name)]));
    return value === id && (WAYS as readonly string[]).includes(key) ? null : value;
  };
  const kept = Object.entries(definition.blocks).filter(([name]) => name !== id);
  const blocks = Object.fromEntries(kept.map(([name, block]) => [name, cut(block) as Block]));
  return { ...definition, blocks };
}
