/**
 * What a contract promises, in short: of each operation its parameters, its body and its answers, field by field. Two
 * versions of a contract are compared by it.
 */
import { isObject } from '../../../domain/kernel/json.js';

export interface Field {
  readonly required: boolean;
  readonly nullable: boolean;
  /** The only values that it takes, or an open list of those in use; null when any fits its type. */
  readonly values: readonly string[] | null;
}

/** By path: `data.status`, `data[].uuid`; the value itself is the empty path. */
export type Shape = Readonly<Record<string, Field>>;

/** By place: `GET /contacts 200`, `POST /messages body`, `GET /contacts query limit`. */
export type Shapes = Readonly<Record<string, Shape>>;

type Node = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const EMPTY: Node = {};
const nodeOf = (value: unknown): Node => (isObject(value) ? value : EMPTY);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** @param root a contract */
export function shapesOf(root: Node): Shapes {
  const shapes: Record<string, Shape> = {};
  const items = { ...nodeOf(root['paths']), ...nodeOf(root['webhooks']) };
  for (const [path, item] of Object.entries(items)) {
    for (const [method, value] of Object.entries(nodeOf(item))) {
      if (!METHODS.includes(method)) continue;
      const place = `${method.toUpperCase()} ${path}`;
      const operation = nodeOf(value);
      for (const parameter of listOf(operation['parameters']).map((one) => resolve(root, one))) {
        const shape = shapeOf(root, parameter['schema']);
        const required = parameter['required'] === true;
        shapes[`${place} ${String(parameter['in'])} ${String(parameter['name'])}`] = {
          ...shape,
          '': { ...shape['']!, required },
        };
      }
      const body = resolve(root, operation['requestBody']);
      const inBody = schemaIn(body);
      if (inBody !== undefined) shapes[`${place} body`] = shapeOf(root, inBody);
      for (const [status, response] of Object.entries(nodeOf(operation['responses']))) {
        const schema = schemaIn(resolve(root, response));
        shapes[`${place} ${status}`] = schema === undefined ? {} : shapeOf(root, schema);
      }
    }
  }
  return shapes;
}

const schemaIn = (holder: Node): unknown => nodeOf(nodeOf(holder['content'])['application/json'])['schema'];

function resolve(root: Node, value: unknown): Node {
  const node = nodeOf(value);
  const ref = node['$ref'];
  if (typeof ref !== 'string') return node;
  const { $ref: _ref, ...beside } = node;
  const found = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => nodeOf(at)[key.replaceAll('~1', '/').replaceAll('~0', '~')], root);
  return { ...resolve(root, found), ...beside };
}

const ANY: Field = { required: true, nullable: false, values: null };

function shapeOf(root: Node, value: unknown): Shape {
  const schema = resolve(root, value);
  const parts = [own(root, schema), ...listOf(schema['allOf']).map((one) => shapeOf(root, one))];
  for (const keyword of ['oneOf', 'anyOf']) {
    // What the handler judges is described by the other variants.
    const variants = listOf(schema[keyword]).filter((one) => nodeOf(one)['x-judged-by-handler'] !== true);
    if (variants.length > 0) parts.push(eitherOf(variants.map((one) => shapeOf(root, one))));
  }
  return parts.reduce(bothOf);
}

/** The schema without its combinations. */
function own(root: Node, schema: Node): Shape {
  const types = listOf(schema['type']);
  const nullOnly = schema['type'] === 'null';
  const values = nullOnly ? [] : valuesOf(schema);
  const shape: Record<string, Field> = {
    '': { required: true, nullable: nullOnly || types.includes('null'), values },
  };
  const add = (name: string, child: Shape, required: boolean): void => {
    for (const [path, field] of Object.entries(child)) {
      const inner = path === '' || path.startsWith('[') ? `${name}${path}` : `${name}.${path}`;
      shape[inner] = path === '' ? { ...field, required } : field;
    }
  };
  const names = listOf(schema['required']);
  for (const [name, child] of Object.entries(nodeOf(schema['properties']))) {
    add(name, shapeOf(root, child), names.includes(name));
  }
  if (isObject(schema['items'])) add('[]', shapeOf(root, schema['items']), true);
  return shape;
}

function valuesOf(schema: Node): readonly string[] | null {
  if (schema['const'] !== undefined) return [textOf(schema['const'])];
  const listed = schema['enum'] ?? schema['x-extensible-enum'];
  return Array.isArray(listed) ? listed.filter((one) => one !== null).map(textOf) : null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const shared = (a: Field['values'], b: Field['values']): Field['values'] =>
  a === null || b === null ? (a ?? b) : a.filter((value) => b.includes(value));

/** A value that fits both. */
function bothOf(a: Shape, b: Shape): Shape {
  const shape: Record<string, Field> = { ...a };
  for (const [path, field] of Object.entries(b)) {
    const other = shape[path];
    shape[path] = other
      ? {
          required: other.required || field.required,
          // A part without a type of its own, such as a list of variants, allows what the other one allows.
          nullable: path === '' ? other.nullable || field.nullable : other.nullable && field.nullable,
          values: shared(other.values, field.values),
        }
      : field;
  }
  return shape;
}

/** A value that fits one of them. A variant that is only null makes the value nullable and has no fields. */
function eitherOf(variants: readonly Shape[]): Shape {
  const isNull = (shape: Shape): boolean => shape['']!.nullable && shape['']!.values?.length === 0;
  const real = variants.filter((variant) => !isNull(variant));
  const nullable = variants.some((variant) => variant['']!.nullable);
  if (real.length === 0) return { '': { ...ANY, nullable: true, values: [] } };
  const paths = new Set(real.flatMap((variant) => Object.keys(variant)));
  const shape: Record<string, Field> = {};
  for (const path of paths) {
    const found = real.map((variant) => variant[path]);
    const known = found.filter((field) => field !== undefined);
    const open = known.some(({ values }) => values === null);
    shape[path] = {
      required: heldBy(real, path).every((variant) => variant[path]?.required === true),
      nullable: known.some((field) => field.nullable),
      values: open ? null : [...new Set(known.flatMap(({ values }) => values ?? []))],
    };
  }
  shape[''] = { ...shape['']!, required: true, nullable };
  return shape;
}

/** The variants that have the object in which the path is: a variant in which that is null says nothing of the path. */
function heldBy(variants: readonly Shape[], path: string): readonly Shape[] {
  const holder = path.replace(/(\.[^.[\]]+|\[\]|^[^.[\]]+)$/, '');
  return variants.filter((variant) => {
    const field = variant[holder];
    return field !== undefined && !(field.nullable && field.values?.length === 0);
  });
}

/** One character for each fact: `!` required, `?` nullable; then the values. */
export function written({ required, nullable, values }: Field): string {
  return `${required ? '!' : ''}${nullable ? '?' : ''}${values === null ? '' : `=${values.join('|')}`}`;
}

export function read(text: string): Field {
  const [flags, values] = text.split('=');
  return {
    required: flags!.includes('!'),
    nullable: flags!.includes('?'),
    values: values === undefined ? null : values === '' ? [] : values.split('|'),
  };
}
