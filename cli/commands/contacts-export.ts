import type { Command } from 'commander';
import { part, type Resource } from '../answer.js';
import type { Client } from '../client.js';
import { tableHeader, tableLine } from '../contact-table.js';
import type { Io } from '../io.js';
import { act, examples, words, type Session } from '../session.js';

interface ExportOptions {
  readonly company?: string;
  readonly query?: string;
  readonly custom?: readonly string[];
  readonly guard: boolean;
}

const ALL = 'all';
const PAGE = 100;

export function contactsExport(io: Io, noun: Command): void {
  examples(
    noun
      .command('export')
      .description('all contacts on stdout, newest first: as CSV, or with --json as an array')
      .option('--company <uuid>', 'company (default: the demo company, or the only one)')
      .option('--query <text>', 'only those that a search finds')
      .option('--custom <keys>', 'custom fields to give columns: with commas between, or all', words)
      .option(
        '--no-guard',
        'write texts as they are, for programs: no apostrophe before +55…, =SUM(…) and the like',
      ),
    'contacts export > customers.csv',
    'contacts export --no-guard --custom all > for-the-erp.csv',
    'contacts export --query vip --custom utm_source,utm_campaign',
    'contacts export --json > customers.json',
  ).action(act<ExportOptions>(io, exportContacts));
}

async function exportContacts({ io, client, company, out }: Session, options: ExportOptions): Promise<void> {
  const target = `/companies/${await company(options.company)}/contacts`;
  const contacts = () => every(client, target, options.query);
  if (out.json) return writeArray(io, contacts());
  const custom = options.custom?.includes(ALL) ? await keysOf(contacts()) : (options.custom ?? []);
  io.stdout.write(tableHeader(custom, options.guard));
  for await (const contact of contacts()) io.stdout.write(tableLine(contact, custom, options.guard));
}

async function* every(client: Client, target: string, query: string | undefined): AsyncGenerator<Resource> {
  let after: string | undefined;
  do {
    const page = await client.page(target, { query, limit: PAGE, after });
    yield* page.data;
    after = page.next ?? undefined;
  } while (after !== undefined);
}

/** The first line names the columns, so all contacts are read once before it is written. */
async function keysOf(contacts: AsyncIterable<Resource>): Promise<readonly string[]> {
  const keys = new Set<string>();
  for await (const contact of contacts) {
    for (const key of Object.keys(part(contact['custom_fields'] ?? {}))) keys.add(key);
  }
  return [...keys].sort();
}

/** One contact at a time, so memory use stays constant. */
async function writeArray(io: Io, contacts: AsyncIterable<Resource>): Promise<void> {
  let before = '[\n';
  for await (const contact of contacts) {
    io.stdout.write(`${before}${JSON.stringify(contact)}`);
    before = ',\n';
  }
  io.stdout.write(before === '[\n' ? '[]\n' : '\n]\n');
}
