/**
 * All event types and versions of the product: validation before an append, upcasting after a read, the list of
 * personal fields, and the catalogue for analysts.
 */
import { Ajv, type CodeOptions, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { DomainEvent, EventDefinition } from './event.js';

/** Converts data of one version to the next. Keyed by the version it reads: `OrderPlaced@1`. */
export type Upcaster = (data: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

export interface SchemaRegistry {
  readonly definitions: readonly EventDefinition[];
  definition(type: string): EventDefinition | undefined;
  /** @throws InvalidEvent when the data does not fit the current version of the type */
  validate(event: DomainEvent): void;
  /** Names of the personal fields of a type (current version); empty for most types. */
  personalFields(type: string): readonly string[];
  /** The data in the shape of the current version. Unknown types and versions are returned unchanged. */
  upcast(
    type: string,
    version: number,
    data: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
}

export class InvalidEvent extends Error {
  override readonly name = 'InvalidEvent';
}

/** With the options of all validators of events, whenever they are compiled. */
export function createEventAjv(code: CodeOptions = {}): Ajv {
  const ajv = new Ajv({ allErrors: false, strict: false, code });
  ajvFormats.default(ajv);
  return ajv;
}

/** @param compiled validators of these definitions, by type; those that are left out are compiled here */
export function createSchemaRegistry(
  definitions: readonly EventDefinition[],
  upcasters: Readonly<Record<string, Upcaster>> = {},
  compiled: Readonly<Record<string, ValidateFunction>> = {},
): SchemaRegistry {
  let ajv: Ajv | undefined;
  interface Entry {
    definition: EventDefinition;
    validate: ValidateFunction;
  }
  const entries = new Map<string, Entry>();
  for (const definition of definitions) {
    if (entries.has(definition.type)) throw new Error(`event type ${definition.type} is defined twice`);
    const validate = compiled[definition.type] ?? (ajv ??= createEventAjv()).compile(definition.schema);
    entries.set(definition.type, { definition, validate });
  }
  const none: readonly string[] = [];
  return {
    definitions,
    definition: (type) => entries.get(type)?.definition,
    validate(event) {
      const entry = entries.get(event.type);
      if (!entry) throw new InvalidEvent(`unknown event type ${event.type}`);
      if (!entry.validate(event.data)) {
        // The message names paths and rules only: the values may be personal.
        const where = entry.validate.errors?.map((e) => `${e.instancePath || '/'} ${e.message}`).join('; ');
        throw new InvalidEvent(`${event.type}@${entry.definition.version}: ${where}`);
      }
    },
    personalFields: (type) => entries.get(type)?.definition.personal ?? none,
    upcast(type, version, data) {
      const current = entries.get(type)?.definition.version ?? version;
      let result = data;
      for (let v = version; v < current; v += 1) {
        const step = upcasters[`${type}@${v}`];
        if (step) result = step(result);
      }
      return result;
    },
  };
}
