/** Reads the events to replay, from a file or folder of an export or from the live history. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { maybe, part, text, type Resource } from '../answer.js';
import { linesOf, wholeLines } from '../export/lines.js';
import { usage } from '../failure.js';
import type { Session } from '../session.js';
import type { ReplayedEvent } from './target.js';

export interface ReplayRange {
  /** Exclusive position; null for the beginning. */
  readonly after: string | null;
  /** Inclusive position; null for the end. */
  readonly upTo: string | null;
  readonly types: ReadonlySet<string> | null;
  readonly company: string | null;
}

/** The path of an export's lines. @throws Failure when the export has none */
export function exportedLines(source: string): string {
  if (!existsSync(source)) throw usage(`${source} does not exist.`);
  if (!statSync(source).isDirectory()) return source;
  const lines = join(source, 'events.ndjson');
  if (existsSync(lines)) return lines;
  throw usage(
    `${source} holds no events.ndjson.`,
    'Only an export with --format ndjson can be replayed; Parquet and CSV are tables to read.',
  );
}

/** The events in order, without those outside the range. @throws Failure */
export async function* eventsOf(
  { client }: Session,
  source: string | undefined,
  range: ReplayRange,
): AsyncGenerator<ReplayedEvent> {
  const { after, upTo, types, company } = range;
  const bytes =
    source === undefined
      ? client.stream('/events/export', {
          from: after ?? undefined,
          to: upTo ?? undefined,
          types: types === null ? undefined : [...types].join(','),
          company: company ?? undefined,
        })
      : createReadStream(exportedLines(source), { highWaterMark: 1 << 18 });
  for await (const piece of wholeLines(bytes)) {
    for (const line of linesOf(piece)) {
      if (line.startsWith('{"end":')) return;
      const event = parse(line);
      if (upTo !== null && event.position > upTo) return;
      if (after !== null && event.position <= after) continue;
      if (types !== null && !types.has(event.type)) continue;
      if (company !== null && event.company !== company) continue;
      yield event;
    }
  }
}

function parse(line: string): ReplayedEvent & { readonly company: string | null } {
  let event: Resource;
  try {
    event = part(JSON.parse(line));
  } catch {
    throw usage('The export holds a line that is no JSON.');
  }
  const { position, type, id, stream, occurred_at, company_uuid } = event;
  if (occurred_at === undefined || position === undefined) {
    throw usage('An exact export is for "events import": replay a masked one.');
  }
  return {
    line,
    position: text(position),
    type: text(type),
    id: text(id),
    stream: text(stream),
    at: Date.parse(text(occurred_at)),
    company: maybe(company_uuid, text),
  };
}
