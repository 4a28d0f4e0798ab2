/** Checks a recorded event against the current schema of its type, as far as its data has not been erased. */
import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import type { EventDefinition } from '../../domain/kernel/event.js';
import type { RecordedEvent } from '../codec.js';

/** @returns the fault, without any values; null when the event is valid */
export type CheckRecorded = (recorded: RecordedEvent) => string | null;

/** Personal fields may be null, as the person may have been erased since. */
export function createRecordedCheck(definitions: readonly EventDefinition[]): CheckRecorded {
  const ajv = new Ajv({ allErrors: false, strict: false });
  ajvFormats.default(ajv);
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  const compiled = new Map<string, ValidateFunction>();

  function validatorOf({ type, schema, personal }: EventDefinition): ValidateFunction {
    let validate = compiled.get(type);
    if (validate) return validate;
    const open = Object.entries(schema.properties).map(([name, field]) => {
      return [name, personal.includes(name) ? { anyOf: [field, { type: 'null' }] } : field] as const;
    });
    validate = ajv.compile({ ...schema, properties: Object.fromEntries(open) });
    compiled.set(type, validate);
    return validate;
  }

  return ({ event, record }) => {
    const definition = byType.get(event.type);
    if (!definition) return 'is of a type that this release does not know';
    if (record.meta.schema_version > definition.version) {
      return `is of version ${record.meta.schema_version}; this release knows ${definition.version}`;
    }
    const validate = validatorOf(definition);
    if (validate(event.data)) return null;
    const where = validate.errors?.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
    return `does not fit its schema: ${where?.join('; ')}`;
  };
}
