/** The part of JSON Schema that the schema of blocks uses. */
export interface Schema {
  readonly type?: string;
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly description?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What a field is edited by. */
export type Kind =
  'edge' | 'choice' | 'text' | 'number' | 'tick' | 'list' | 'parts' | 'variants' | 'pairs' | 'json';

const BLOCK_ID = '^[a-z0-9_]{1,64}$';

export function kindOf(schema: Schema): Kind {
  const { anyOf, type } = schema;
  if (anyOf) {
    if (anyOf.some(({ pattern }) => pattern === BLOCK_ID)) return 'edge';
    if (anyOf.every((one) => one.const !== undefined)) return 'choice';
    return 'variants';
  }
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'tick';
  if (type === 'array') return schema.items && kindOf(schema.items) !== 'json' ? 'list' : 'json';
  if (schema.properties) return 'parts';
  const values = Object.values(schema.patternProperties ?? {})[0];
  return values?.type === 'string' ? 'pairs' : 'json';
}

/** The least that the schema allows, to be filled in. */
export function emptyOf(schema: Schema): unknown {
  switch (kindOf(schema)) {
    case 'edge':
      return null;
    case 'choice':
      return schema.anyOf?.[0]?.const;
    case 'text':
      return schema.const ?? '';
    case 'number':
      return schema.minimum ?? 0;
    case 'tick':
      return false;
    case 'list':
      return schema.minItems && schema.items ? [emptyOf(schema.items)] : [];
    case 'variants':
      return emptyOf(schema.anyOf![0]!);
    case 'parts':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, emptyOf(schema.properties![name]!)]),
      );
    default:
      return {};
  }
}

/** Which of several shapes a value has: the first whose required fields are there. */
export function variantOf(schema: Schema, value: unknown): number {
  const has = (name: string): boolean => typeof value === 'object' && value !== null && name in value;
  return Math.max(
    0,
    schema.anyOf!.findIndex(({ required = [] }) => required.every(has)),
  );
}

/** The schemas of blocks, by their type. */
export function blockSchemas(definition: Schema): ReadonlyMap<string, Schema> {
  const blocks = Object.values(definition.properties?.['blocks']?.patternProperties ?? {})[0];
  return new Map((blocks?.anyOf ?? []).map((one) => [one.properties!['type']!.const!, one]));
}
