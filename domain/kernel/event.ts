/**
 * Event types are values: a name, a schema version and a JSON Schema (TypeBox). The TypeScript type is derived from the
 * schema, so validation, documentation and compiled code can't drift apart.
 */
import {
  Type,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox';

export const PERSONAL = 'x-personal';

type Fields = TSchema & { readonly properties: TProperties };

export interface EventDefinition<Name extends string = string, Data extends Fields = Fields> {
  readonly type: Name;
  /** The schema version of new events. Older ones are upcast when read. */
  readonly version: number;
  readonly schema: Data;
  /** Names of the fields marked with `personal`. */
  readonly personal: readonly string[];
  /** When the event is recorded, in one sentence for analysts. */
  readonly when: string;
}

export function defineEvent<const Name extends string, Props extends TProperties>(
  type: Name,
  version: number,
  when: string,
  properties: Props,
): EventDefinition<Name, TObject<Props>> {
  const schema = Type.Object(properties, {
    additionalProperties: false,
    $id: `${type}@${version}`,
    description: when,
  });
  const marked = Object.entries<TSchema>(properties).filter(([, field]) => field[PERSONAL] === true);
  return { type, version, schema, personal: marked.map(([name]) => name), when };
}

/** The union of events that a list of definitions describes. */
export type EventOf<Definitions extends readonly EventDefinition[]> = {
  [K in keyof Definitions]: Definitions[K] extends EventDefinition<infer Name, infer Data>
    ? { readonly type: Name; readonly data: Readonly<Static<Data>> }
    : never;
}[number];

export interface DomainEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Marks a field as personal data: it is stored sealed under the key of the person the event is about, and reads as
 * `null` once that key has been destroyed. Writers must give a value; readers must handle null.
 */
export function personal<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  return { ...schema, [PERSONAL]: true };
}

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const uuid = () => Type.String({ format: 'uuid' });
export const instant = () => Type.String({ format: 'date-time' });
/** Free pairs that a caller attaches to a send. */
export const metadataSchema = () => Type.Record(Type.String(), Type.String());
export const freeObject = () => Type.Record(Type.String(), Type.Unknown());
