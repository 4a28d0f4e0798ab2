/** The catalogue of event types for analysts, generated from the schemas that validate every append. */
import type { SchemaOptions } from '@sinclair/typebox';
import { aggregates } from '../../domain/catalog.js';
import { PERSONAL, type EventDefinition } from '../../domain/kernel/event.js';

/** Column type. `json` is used for every structured or mixed value. */
export type FieldKind = 'string' | 'uuid' | 'timestamp' | 'integer' | 'number' | 'boolean' | 'json';

export interface EventField {
  readonly name: string;
  readonly type: FieldKind;
  readonly nullable: boolean;
  readonly personal: boolean;
  /** The allowed values, where the schema lists them. */
  readonly values: readonly string[] | null;
}

export interface EventTypeDescription {
  readonly type: string;
  /** The schema version of new events. */
  readonly version: number;
  /** Category of the streams that contain it. */
  readonly aggregate: string;
  /** When the event is recorded. */
  readonly description: string;
  readonly personal_fields: readonly string[];
  readonly fields: readonly EventField[];
}

/** The subset of JSON Schema that TypeBox produces for events. */
interface Schema extends SchemaOptions {
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly [PERSONAL]?: boolean;
}

/** In the order of the catalogue. */
export const describeEvents = (): readonly EventTypeDescription[] =>
  aggregates.flatMap(({ stream, events }) =>
    events.map((definition) => ({
      type: definition.type,
      version: definition.version,
      aggregate: stream.category,
      description: definition.when,
      personal_fields: definition.personal.map((name) => `/${name}`),
      fields: fieldsOf(definition),
    })),
  );

export function fieldsOf({ schema }: EventDefinition): readonly EventField[] {
  return Object.entries<Schema>(schema.properties).map(([name, field]) => {
    const alternatives = alternativesOf(field);
    const present = alternatives.filter(({ type }) => type !== 'null');
    const [kind = 'json', ...others] = new Set(present.map(kindOf));
    const personal = field[PERSONAL] === true;
    const literals = present.map((one) => one.const);
    return {
      name,
      type: others.length === 0 ? kind : 'json',
      // Personal fields read as null after the person was erased.
      nullable: personal || present.length < alternatives.length,
      personal,
      values: literals.every((value) => typeof value === 'string') && literals.length > 0 ? literals : null,
    };
  });
}

const alternativesOf = (schema: Schema): readonly Schema[] =>
  schema.anyOf?.flatMap(alternativesOf) ?? [schema];

function kindOf({ type, format, const: value }: Schema): FieldKind {
  if (typeof value === 'string') return 'string';
  switch (type) {
    case 'string':
      return format === 'uuid' ? 'uuid' : format === 'date-time' ? 'timestamp' : 'string';
    case 'integer':
    case 'number':
    case 'boolean':
      return type;
    default:
      return 'json';
  }
}
