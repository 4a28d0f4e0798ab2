/**
 * The metadata of an event as it is in its row. The seven fields repeat each other, their names, and a column: as JSON
 * they are a third of the row. So a row has an array of what nothing else says; the company is the column's.
 *
 * Rows of earlier schemas, and metadata that can't be told by such an array, are the JSON of an EventMeta. The first
 * character tells them apart.
 */
import { crc32 } from 'node:zlib';
import type { EventMeta } from '../../ports/event-store.js';

const FIELDS = 7;
/** All but the company. */
const PARTS = 6;
const SHORT = '[';
/** In place of an id that is the one before it. */
const SAME = 0;
const SAME_TEXT = '0';
/** What a reaction adds to the id of its cause, to name its command. */
const SEPARATOR = '/';

type Short = readonly [
  correlation: string,
  /** SAME: the correlation. */
  causation: string | typeof SAME,
  /** SAME: the causation. What begins with the separator is added to the causation. */
  command: string | typeof SAME,
  actor: string,
  occurredAt: string,
  schemaVersion: number,
];

/** The JSON of each of its parts. */
type ShortTexts = readonly [
  correlation: string,
  causation: string,
  command: string,
  actor: string,
  occurredAt: string,
  schemaVersion: string,
];

const isShort = (stored: string): boolean => stored.startsWith(SHORT);

export function shorten(meta: EventMeta): string {
  const { correlation_id, causation_id, command_id, actor, occurred_at, schema_version } = meta;
  // Fields of a later release, or of an import, are kept as they are.
  if (Object.keys(meta).length !== FIELDS || command_id.startsWith(SEPARATOR)) return JSON.stringify(meta);
  const short: Short = [
    correlation_id,
    causation_id === correlation_id ? SAME : causation_id,
    afterCause(causation_id, command_id),
    actor,
    occurred_at,
    schema_version,
  ];
  return JSON.stringify(short);
}

function afterCause(causation: string, command: string): string | typeof SAME {
  if (command === causation) return SAME;
  const added = command.startsWith(causation) && command.startsWith(SEPARATOR, causation.length);
  return added ? command.slice(causation.length) : command;
}

/** @param company of the row */
export function metaOf(stored: string, company: string): EventMeta {
  if (!isShort(stored)) return JSON.parse(stored) as EventMeta;
  const [correlation, cause, added, actor, occurredAt, schemaVersion] = JSON.parse(stored) as Short;
  const causation = cause === SAME ? correlation : cause;
  return {
    correlation_id: correlation,
    causation_id: causation,
    command_id: commandOf(causation, added),
    actor,
    company,
    occurred_at: occurredAt,
    schema_version: schemaVersion,
  };
}

function commandOf(causation: string, added: string | typeof SAME): string {
  if (added === SAME) return causation;
  return added.startsWith(SEPARATOR) ? causation + added : added;
}

/** JSON of the EventMeta. An export asks for each event's: so it is put together of texts, with nothing parsed. */
export function metaTextOf(stored: string, company: string): string {
  if (!isShort(stored)) return stored;
  const parts = stored.slice(1, -1).split(',');
  // A comma or a quote within a text.
  if (parts.length !== PARTS || stored.includes('\\')) return JSON.stringify(metaOf(stored, company));
  const [correlation, cause, added, actor, occurredAt, schemaVersion] = parts as unknown as ShortTexts;
  const causation = cause === SAME_TEXT ? correlation : cause;
  return (
    `{"correlation_id":${correlation},"causation_id":${causation},"command_id":${commandTextOf(causation, added)},` +
    `"actor":${actor},"company":${JSON.stringify(company)},"occurred_at":${occurredAt},"schema_version":${schemaVersion}}`
  );
}

function commandTextOf(causation: string, added: string): string {
  if (added === SAME_TEXT) return causation;
  return added.startsWith(SEPARATOR, 1) ? causation.slice(0, -1) + added.slice(1) : added;
}

/** The checksum of a row whose metadata lacks the company begins with it, so that it covers all of the event. */
export function checksumBegin(stored: string, company: string): number {
  if (!isShort(stored)) return 0;
  if (company !== lastCompany) {
    lastCompany = company;
    lastBegin = crc32(company);
  }
  return lastBegin;
}

/** Events that are read one after the other are mostly of one company. */
let lastCompany = '';
let lastBegin = 0;
