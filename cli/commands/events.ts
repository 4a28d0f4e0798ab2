import { Command } from 'commander';
import { parts } from '../answer.js';
import type { Client, Listed, Query, Resource } from '../client.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { usage } from '../failure.js';
import { place } from '../position.js';
import { act, examples, listOptions } from '../session.js';
import { checkRange, checkTypes, filtered, filterQuery, type EventFilter } from './events-filter.js';
import { eventsExport } from './events-export.js';
import { eventsImport } from './events-import.js';
import { eventsReplay } from './events-replay.js';
import { eventsTail } from './events-tail.js';

const COLUMNS: readonly Column[] = [
  ['POSITION', 'position'],
  ['WHEN', 'occurred_at'],
  ['TYPE', 'type'],
  ['STREAM', 'stream'],
  ['REVISION', 'revision'],
];
const TYPE_COLUMNS: readonly Column[] = [
  ['TYPE', 'type'],
  ['VERSION', 'version'],
  ['AGGREGATE', 'aggregate'],
  ['PERSONAL FIELDS', 'personal_fields'],
  ['RECORDED', 'description'],
];
const FIELD_COLUMNS: readonly Column[] = [
  ['FIELD', 'name'],
  ['TYPE', 'type'],
  ['NULL', ({ nullable }) => (nullable === true ? 'yes' : 'no')],
  ['PERSONAL', ({ personal }) => (personal === true ? 'yes' : 'no')],
  ['VALUES', 'values'],
];

interface ListOptions extends EventFilter {
  readonly limit: number;
  readonly after?: string;
  readonly from?: string;
  readonly to?: string;
  readonly actor?: string;
  readonly correlation?: string;
  readonly newest?: true;
}

export function events(io: Io): Command {
  const noun = new Command('events').description(
    'the history: what happened, in order, personal data masked',
  );

  examples(
    filtered(listOptions(noun.command('list').description('list events, oldest first unless --newest')))
      .option('--actor <actor>', 'only those that this actor caused, such as worker:sending or key:<id>')
      .option('--correlation <id>', 'only those with this correlation id')
      .option('--newest', 'newest first')
      .option(
        '--from <place>',
        'after this position, or from this time on (2026-11-20, 2026-11-20T14:00Z)',
        place,
      )
      .option('--to <place>', 'up to this position, or before this time', place)
      .option('--after <position>', 'only those after this position; with --newest, before it', place),
    'events list --types SendFailed,MessageRefused --from 2026-11-20',
    'events list --newest --limit 20',
    'events list --stream operation-3b0c8f5e-0000-4000-8000-000000000000 --json',
  ).action(
    act<ListOptions>(io, async ({ client, out }, options) => {
      const { from, to, after, limit, actor, correlation, newest } = options;
      const order = newest === true ? 'desc' : undefined;
      checkRange(from, to, '--to');
      await checkTypes(client, options.types);
      const query = { ...filterQuery(options), from, to, actor, correlation, order };
      out.list(await history(client, query, after, limit), COLUMNS);
    }),
  );

  examples(
    noun
      .command('types')
      .description('list the kinds of events, or the fields of one')
      .argument('[type]', 'one of them'),
    'events types',
    'events types OrderPlaced',
    'events types --json > catalogue.json',
  ).action(
    act(io, async ({ client, out, say }, _options, type?: string) => {
      const { data } = await client.page('/events/types', {});
      if (type === undefined) return out.list(data, TYPE_COLUMNS);
      const found = data.find((one) => one['type'] === type);
      if (!found) throw usage(`There is no event type ${type}.`, 'See "recado events types".');
      if (out.json) return out.one(found);
      say(`${type}, version ${String(found['version'])}: ${String(found['description'])}`);
      out.list(parts(found['fields']), FIELD_COLUMNS);
    }),
  );

  eventsTail(io, noun);
  eventsExport(io, noun);
  eventsReplay(io, noun);
  eventsImport(io, noun);
  return noun;
}

const PAGE = 100;

/** A page may be empty and still have a successor: the filter removed all of its events. */
async function history(
  client: Client,
  query: Query,
  after: string | undefined,
  limit: number,
): Promise<Listed> {
  const rows: Resource[] = [];
  let from = after;
  for (;;) {
    const page = await client.page('/events', {
      ...query,
      after: from,
      limit: Math.min(PAGE, limit - rows.length),
    });
    rows.push(...page.data);
    if (page.next === null || rows.length >= limit) {
      return { rows, more: page.next !== null, total: page.total };
    }
    from = page.next;
  }
}
