import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import type { Client, Query, Resource } from '../client.js';
import type { Io } from '../io.js';
import { show, type Column, type Output } from '../output.js';
import { act, examples, listOptions, wholeNumber } from '../session.js';

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
];

interface Filter {
  readonly types?: string;
  readonly company?: string;
  readonly stream?: string;
}

const filtered = (command: Command): Command =>
  command
    .option('--types <list>', 'only these event types, comma-separated')
    .option('--company <uuid>', 'only those of one company')
    .option('--stream <name>', 'only those of one stream, such as operation-<uuid>');

const queryOf = ({ types, company, stream }: Filter): Query => ({ types, company, stream });

export function events(io: Io): Command {
  const noun = new Command('events').description(
    'the history: what happened, in order, personal data masked',
  );

  examples(
    filtered(listOptions(noun.command('list').description('list events, oldest first'))).option(
      '--after <position>',
      'only those after this position',
    ),
    'events list --types SendFailed,MessageRefused',
    'events list --stream operation-3b0c8f5e-0000-4000-8000-000000000000 --json',
  ).action(
    act<Filter & { limit: number; after?: string }>(io, async ({ client, out }, options) =>
      out.list(await history(client, queryOf(options), options.after, options.limit), COLUMNS),
    ),
  );

  examples(
    filtered(noun.command('tail').description('show events as they happen, until Ctrl-C'))
      .option('--after <position>', 'start there (default: now)')
      .option('--interval <ms>', 'between two looks', wholeNumber(50, 60_000), 1000),
    'events tail',
    'events tail --types MessageReceived --json | jq .data',
  ).action(
    act<Filter & { after?: string; interval: number }>(io, async ({ client, out }, options) => {
      await tail(client, out, queryOf(options), options.after, options.interval);
    }),
  );

  examples(noun.command('types').description('list the kinds of events'), 'events types').action(
    act(io, async ({ client, out }) => out.list((await client.page('/events/types', {})).data, TYPE_COLUMNS)),
  );
  return noun;
}

const PAGE = 100;

/** A page may be empty and yet have a successor: the filter hid what was in it. */
async function history(
  client: Client,
  query: Query,
  after: string | undefined,
  limit: number,
): Promise<readonly Resource[]> {
  const found: Resource[] = [];
  let from = after;
  for (;;) {
    const page = await client.page('/events', {
      ...query,
      after: from,
      limit: Math.min(PAGE, limit - found.length),
    });
    found.push(...page.data);
    if (page.next === null || found.length >= limit) return found;
    from = page.next;
  }
}

const head = async (client: Client): Promise<string | undefined> => {
  const { positions } = await client.get('/status');
  return (positions as Readonly<Record<string, string | null>>)['history'] ?? undefined;
};

async function tail(
  client: Client,
  out: Output,
  query: Query,
  start: string | undefined,
  interval: number,
): Promise<never> {
  let after = start ?? (await head(client));
  for (;;) {
    // Taken before the read: a filter that hides everything must not make each round longer than the one before.
    const seen = await head(client);
    let next: string | null = null;
    do {
      const page = await client.page('/events', { ...query, after: next ?? after, limit: PAGE });
      for (const event of page.data) {
        const { occurred_at, type, stream, data } = event;
        out.line(event, [occurred_at, type, stream, data].map(show).join('  '));
        after = event['position'] as string;
      }
      next = page.next;
    } while (next !== null);
    if (seen !== undefined && (after === undefined || seen > after)) after = seen;
    await pause(interval);
  }
}
