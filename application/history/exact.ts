/**
 * Events exactly as they are stored, one per line: the input of an import that recreates the history elsewhere.
 * Personal fields and secrets stay sealed; without the master key none of them can be opened.
 */
import { isObject } from '../../domain/kernel/json.js';
import type { EventMeta, NewRecord } from '../../ports/event-store.js';
import type { TextRecord } from '../../ports/history-texts.js';

/** A record as it was in another store: its position is that store's. */
export interface ExactRecord extends NewRecord {
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
}

export const exactLine = ({ position, eventId, type, stream, revision, meta, data }: TextRecord): string =>
  `{"position":"${position}","id":"${eventId}","type":${JSON.stringify(type)},"stream":${JSON.stringify(stream)},"revision":${revision},"meta":${meta},"data":${data}}`;

const META_TEXTS = ['correlation_id', 'causation_id', 'command_id', 'actor', 'company', 'occurred_at'];

/** Null when it is not a line of an exact export. */
export function readExactLine(line: string): ExactRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const { position, id, type, stream, revision, meta, data } = value;
  if (typeof position !== 'string' || typeof id !== 'string' || typeof type !== 'string') return null;
  if (typeof stream !== 'string' || typeof revision !== 'number') return null;
  if (!Number.isSafeInteger(revision) || revision < 0) return null;
  if (!isObject(data) || !isObject(meta) || typeof meta['schema_version'] !== 'number') return null;
  if (META_TEXTS.some((name) => typeof meta[name] !== 'string')) return null;
  return {
    position,
    eventId: id,
    type,
    stream,
    revision,
    meta: meta as EventMeta,
    data,
  };
}
