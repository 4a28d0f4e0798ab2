/** Request body schemas of a contract, for tests that send an invalid value in every place. */
import type { ContractDocument, ContractOperation } from '../../../api/contract.js';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

export interface Place {
  /** Property names, and 0 for the items of a list; outermost first. */
  readonly path: readonly (string | number)[];
  readonly schema: Schema;
  /** JSON types that the schema allows here; empty when it allows any. */
  readonly types: readonly string[];
}

export interface RequestBody {
  /** The contract's own examples. */
  readonly valid: readonly unknown[];
  /** Every place that the schema or an example describes, without duplicates. The first is the whole body. */
  readonly places: readonly Place[];
}

const MAX_LEVELS = 8;
const BRANCHES = ['anyOf', 'oneOf', 'allOf'] as const;
const CONDITIONS = ['if', 'then', 'else'] as const;

/** Resolves a `$ref` inside the document. */
export function resolve<T extends { readonly $ref?: string }>(document: ContractDocument, value: T): T {
  if (value.$ref === undefined) return value;
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  return resolve(document, found as T);
}

/** Returns the body of an operation; undefined when the operation takes none, or bytes. */
export function requestBodyOf(
  document: ContractDocument,
  { path, method }: ContractOperation,
): RequestBody | undefined {
  const item = document.paths[path]![method.toLowerCase()]!;
  if (item['requestBody'] === undefined) return undefined;
  const { content } = resolve(document, item['requestBody'] as Schema) as unknown as {
    readonly content: Readonly<Record<string, Schema>>;
  };
  const json = content['application/json'] as (Schema & { readonly schema: Schema }) | undefined;
  if (json === undefined) return undefined;
  const { schema, example, examples } = json;
  const named = Object.values((examples ?? {}) as unknown as Readonly<Record<string, Schema>>);
  const valid = [
    ...(example === undefined ? [] : [example]),
    ...named.map((one) => resolve(document, one)['value']),
  ];
  return { valid: valid.length > 0 ? valid : [{}], places: placesOf(document, schema, valid) };
}

/** Places that the schema describes, plus places that occur only in examples because the schema leaves them open. */
function placesOf(document: ContractDocument, root: Schema, examples: readonly unknown[]): readonly Place[] {
  const found = new Map<string, { place: Place; types: Set<string> }>();
  const walk = (given: Schema | boolean | undefined, path: Place['path']): void => {
    if (typeof given !== 'object' || path.length > MAX_LEVELS) return;
    const schema = resolve(document, given);
    const key = JSON.stringify(path);
    const known = found.get(key) ?? { place: { path, schema, types: [] }, types: new Set() };
    found.set(key, known);
    for (const type of [schema.type ?? []].flat()) known.types.add(type);
    for (const name of BRANCHES) for (const one of (schema[name] ?? []) as Schema[]) walk(one, path);
    for (const name of CONDITIONS) walk(schema[name] as Schema | undefined, path);
    for (const [name, child] of Object.entries(schema.properties ?? {})) walk(child, [...path, name]);
    walk(schema.items, [...path, 0]);
    walk(schema.additionalProperties, [...path, 'any']);
  };
  walk(root, []);
  const described = [...found.values()].map(({ place, types }) => ({ ...place, types: [...types] }));
  return [...described, ...examplePlaces(examples).filter(({ path }) => !found.has(JSON.stringify(path)))];
}

/** Every place in these values, without duplicates; for a list, only the places of its first item. */
export function examplePlaces(examples: readonly unknown[]): readonly Place[] {
  const found = new Map<string, Place>();
  const walk = (value: unknown, path: Place['path']): void => {
    const key = JSON.stringify(path);
    const type = Array.isArray(value) ? 'array' : typeof value;
    if (!found.has(key)) found.set(key, { path, schema: {}, types: [type] });
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value)) {
      if (!Array.isArray(value)) walk(child, [...path, name]);
      else if (name === '0') walk(child, [...path, 0]);
    }
  };
  for (const example of examples) walk(example, []);
  return [...found.values()];
}

/** Returns a copy with another value at one place. The place is created when it does not exist. */
export function replaceAt(value: unknown, [key, ...rest]: Place['path'], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (typeof key === 'number') {
    const copy = Array.isArray(value) ? [...(value as unknown[])] : [];
    copy[key] = replaceAt(copy[key], rest, replacement);
    return copy;
  }
  const copy: Record<string, unknown> =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  copy[key] = replaceAt(copy[key], rest, replacement);
  return copy;
}

const MARK = 'here comes what no JSON.stringify writes';

/** Returns JSON text with `text`, valid JSON or not, as the value of one place. */
export const textWith = (value: unknown, path: Place['path'], text: string): string =>
  JSON.stringify(replaceAt(value, path, MARK)).replace(JSON.stringify(MARK), () => text);
