/** Which events are shown, exported and replayed. A slip in a filter must not look like a history in which nothing happened. */
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

/** @throws Failure where one of the types is none */
export async function checkTypes(client: Client, types: string | undefined): Promise<void> {
  if (types === undefined) return;
  const { data } = await client.page('/events/types', {});
  const known = new Set(data.map(({ type }) => type));
  const unknown = words(types).filter((type) => !known.has(type));
  if (unknown.length === 0) return;
  throw usage(`There is no event type ${unknown.join(', ')}.`, 'See "recado events types".');
}

/** Places of one kind; a time and a position can't be compared here. @throws Failure where it ends before it begins */
export function checkRange(
  from: string | null | undefined,
  to: string | null | undefined,
  end: string,
): void {
  if (!from || !to || isTime(from) !== isTime(to)) return;
  const backwards = isTime(from) ? Date.parse(from) > Date.parse(to) : from > to;
  if (backwards) throw usage(`--from ${from} lies after ${end} ${to}: no event can be in between.`);
}

export const isTime = (place: string): boolean => /^\d{4}-\d{2}-\d{2}/.test(place);
