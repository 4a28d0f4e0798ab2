/**
 * Events as rows: one table with the fields that all events share, and one for each type with a column for each field
 * of its schema. DuckDB, pandas and spreadsheets read these tables without parsing JSON.
 */
import { streamParts } from '../../domain/kernel/stream.js';

export type FieldKind = 'string' | 'uuid' | 'timestamp' | 'integer' | 'number' | 'boolean' | 'json';

/** An entry of `GET /events/types`. */
export interface EventType {
  readonly type: string;
  readonly version: number;
  readonly fields: readonly { readonly name: string; readonly type: FieldKind; readonly personal: boolean }[];
}

/** A line of an export. */
export interface ExportedEvent {
  readonly position: string;
  readonly occurred_at: string;
  readonly id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly stream: string;
  readonly revision: number;
  readonly company_uuid: string | null;
  readonly person: string | null;
  readonly actor: { readonly kind: string; readonly id?: string };
  readonly correlation_id: string | null;
  readonly causation_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface TableColumn {
  readonly name: string;
  readonly kind: FieldKind;
  readonly of: (event: ExportedEvent) => unknown;
}

export interface Table {
  /** Name of the file, without the extension of the format. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
}

const ENVELOPE: readonly TableColumn[] = [
  { name: 'position', kind: 'string', of: (event) => event.position },
  { name: 'occurred_at', kind: 'timestamp', of: (event) => event.occurred_at },
  { name: 'id', kind: 'uuid', of: (event) => event.id },
  { name: 'stream', kind: 'string', of: (event) => event.stream },
  // The aggregate's id, under the name that other events use (message_uuid, order_uuid, …).
  { name: 'stream_uuid', kind: 'uuid', of: ({ stream }) => streamParts(stream).id },
  { name: 'revision', kind: 'integer', of: (event) => event.revision },
  { name: 'company_uuid', kind: 'uuid', of: (event) => event.company_uuid },
  { name: 'person', kind: 'uuid', of: (event) => event.person },
  { name: 'actor_kind', kind: 'string', of: ({ actor }) => actor.kind },
  { name: 'actor_id', kind: 'string', of: ({ actor }) => actor.id ?? null },
  { name: 'correlation_id', kind: 'string', of: (event) => event.correlation_id },
  { name: 'causation_id', kind: 'string', of: (event) => event.causation_id },
  { name: 'schema_version', kind: 'integer', of: (event) => event.schema_version },
];

export const EVENTS: Table = {
  name: 'events',
  columns: [{ name: 'type', kind: 'string', of: ({ type }) => type }, ...ENVELOPE],
};

const TAKEN = new Set(ENVELOPE.map(({ name }) => name));

/**
 * The table of one type. A field with the name of a shared field gets the prefix `data_`. Personal
 * fields are left out where they are masked. A type that the catalogue does not know has its data in one column.
 */
export function tableOf(type: string, catalogue: readonly EventType[], personal: boolean): Table {
  const known = catalogue.find((one) => one.type === type);
  const data: TableColumn[] = known
    ? known.fields
        // The same as the event's own.
        .filter((field) => field.name !== 'company_uuid' && (personal || !field.personal))
        .map(({ name, type: kind }) => ({
          name: TAKEN.has(name) ? `data_${name}` : name,
          kind,
          of: (event) => event.data[name],
        }))
    : [{ name: 'data', kind: 'json', of: (event) => event.data }];
  return { name: `types/${type}`, columns: [...ENVELOPE, ...data] };
}

/** Returns the value if it fits the column's kind; otherwise null, so that one odd value does not end an export. */
export function valueOf(kind: FieldKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'json':
      return value;
    case 'integer':
      return Number.isSafeInteger(value) ? value : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'timestamp':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;
    case 'string':
    case 'uuid':
      return typeof value === 'string' ? value : JSON.stringify(value);
    default:
      return kind satisfies never;
  }
}
