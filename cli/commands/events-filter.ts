/** Filters for listing, exporting and replaying events. A typo in a filter must not pass for an empty history. */
import type { Command } from 'commander';
import type { Client, Query } from '../client.js';
import { usage } from '../failure.js';
import { words } from '../session.js';

export interface EventFilter {
  readonly types?: string;
  readonly company?: string;
  readonly stream?: string;
}

export const filtered = (command: Command): Command =>
  command
    .option('--types <list>', 'only these event types, comma-separated')
    .option('--company <uuid>', 'only those of one company')
    .option('--stream <name>', 'only those of one stream, such as operation-<uuid>');

export const filterQuery = ({ types, company, stream }: EventFilter): Query => ({ types, company, stream });

/** @throws Failure when an event type does not exist */
export async function checkTypes(client: Client, types: string | undefined): Promise<void> {
  if (types === undefined) return;
  const { data } = await client.page('/events/types', {});
  const known = new Set(data.map(({ type }) => type));
  const unknown = words(types).filter((type) => !known.has(type));
  if (unknown.length === 0) return;
  throw usage(`There is no event type ${unknown.join(', ')}.`, 'See "recado events types".');
}

/** Compares two times or two positions, not one with the other. @throws Failure when the range ends before it begins */
export function checkRange(
  from: string | null | undefined,
  to: string | null | undefined,
  end: string,
): void {
  if (!from || !to || isTime(from) !== isTime(to)) return;
  const backwards = isTime(from) ? Date.parse(from) > Date.parse(to) : from > to;
  if (backwards) throw usage(`--from ${from} is after ${end} ${to}: no event can be in between.`);
}

export const isTime = (place: string): boolean => /^\d{4}-\d{2}-\d{2}/.test(place);
