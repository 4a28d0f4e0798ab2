import { Command } from 'commander';
import { maybe, number, part, parts, text, whoOf, type Resource } from '../answer.js';
import { readTable, type TableRow } from '../contact-table.js';
import { EXIT, Failure } from '../failure.js';
import { confirm, type Io } from '../io.js';
import type { Column } from '../output.js';
import { counted } from '../readable.js';
import { act, examples, listOptions, path, wholeNumber, type Session } from '../session.js';
import { contactsChange } from './contacts-change.js';
import { contactsExport } from './contacts-export.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['NAME', 'name'],
  ['PHONE', 'phone'],
  ['LAST SEEN', 'last_interaction_at'],
];
const ERASURES: readonly Column[] = [
  ['UUID', 'uuid'],
  ['CONTACT', 'contact_uuid'],
  ['STATUS', 'status'],
  ['REQUESTED', 'requested_at'],
  ['WAITS FOR', 'waiting_for'],
];
const CHOICES: readonly Column[] = [
  ['TIME', 'at'],
  ['CHOICE', 'choice'],
  ['HOW', 'source'],
  ['WHO', ({ actor }) => whoOf(part(actor))],
  ['MESSAGE', 'message_uuid'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

export function contacts(io: Io): Command {
  const noun = new Command('contacts').description('people that a company writes with');

  examples(
    listOptions(noun.command('list').description('list contacts, newest first'))
      .option('--company <uuid>', 'company (default: the demo company, or the only one)')
      .option('--query <text>', 'part of a name, an e-mail address or a phone'),
    'contacts list --query ana',
  ).action(
    act<{ limit: number; company?: string; query?: string }>(
      io,
      async ({ client, out, company }, { limit, query, ...options }) =>
        out.list(
          await client.list(`/companies/${await company(options.company)}/contacts`, { query }, limit),
          COLUMNS,
        ),
    ),
  );

  examples(
    noun.command('show').description('show one contact').argument('<contact_uuid>'),
    `contacts show ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) => out.one(await client.get(`/contacts/${path(uuid)}`))),
  );

  noun.addCommand(contactsChange(io));

  examples(
    noun
      .command('erase')
      .description('forget a person for good: the key of their data is destroyed')
      .argument('<contact_uuid>')
      .option('--yes', 'do not ask'),
    `contacts erase ${EXAMPLE}`,
    `contacts erase ${EXAMPLE} --yes --timeout 300`,
  ).action(
    act<{ yes?: boolean }>(io, async ({ client, out }, { yes }, uuid) => {
      await confirm(
        io,
        `Name, phones, messages and everything else of the contact ${uuid} will be gone for good.`,
        yes,
      );
      out.one(await client.send('POST', `/contacts/${path(uuid)}/erase`));
    }),
  );
  examples(
    listOptions(
      noun.command('erasures').description('list erasures with what they wait for, newest first'),
    ).option('--open', 'only those that have not ended'),
    'contacts erasures',
    'contacts erasures --open',
  ).action(
    act<{ limit: number; open?: boolean }>(io, async ({ client, out }, { limit, open }) =>
      out.list(await client.list('/erasures', { open: open === true ? 'true' : undefined }, limit), ERASURES),
    ),
  );
  for (const [name, what] of [
    ['opt-out', 'stop marketing to the contact'],
    ['opt-in', 'allow marketing to the contact again'],
  ] as const) {
    examples(
      noun.command(name).description(what).argument('<contact_uuid>'),
      `contacts ${name} ${EXAMPLE}`,
    ).action(
      act(io, async ({ client, out }, _options, uuid) =>
        out.one(await client.send('POST', `/contacts/${path(uuid)}/${name}`)),
      ),
    );
  }

  examples(
    listOptions(
      noun
        .command('choices')
        .description('what the contact chose about marketing, with the message that is the evidence')
        .argument('<contact_uuid>'),
    ),
    `contacts choices ${EXAMPLE}`,
  ).action(
    act<{ limit: number }>(io, async ({ client, out }, { limit }, uuid) =>
      out.list(await client.list(`/contacts/${path(uuid)}/marketing-choices`, {}, limit), CHOICES),
    ),
  );

  examples(
    noun
      .command('merge')
      .description('merge two contacts of one person; the older one remains, and both uuids return it')
      .argument('<contact_uuid>')
      .argument('<other_uuid>')
      .option('--yes', 'do not ask'),
    `contacts merge ${EXAMPLE} ${EXAMPLE.replace('3b', '4c')}`,
  ).action(
    act<{ yes?: boolean }>(io, async ({ client, out }, { yes }, uuid, other) => {
      await confirm(io, `The contacts ${uuid} and ${other} will be one for good.`, yes);
      out.one(await client.send('POST', `/contacts/${path(uuid)}/merge`, { contact_uuid: other }));
    }),
  );

  examples(
    noun
      .command('import')
      .description('make and change contacts from a CSV file; repeating it changes nothing')
      .argument('<file>', 'columns: external_id, phone, name, email, tags (a|b), custom.<key>')
      .option('--company <uuid>', 'company (default: the demo company, or the only one)')
      .option(
        '--integration <uuid>',
        'owner of the external ids (default: the demo integration, or the only one)',
      )
      .option('--preview', 'show what would happen to each row, and change nothing')
      .option('--country-code <digits>', 'put before phones without one', wholeNumber(1, 999))
      .option('--from <line>', 'resume at this line of the file', wholeNumber(1, 2_147_483_647), 1),
    'contacts import customers.csv --preview',
    'contacts import customers.csv --country-code 55',
  ).action(act<ImportOptions>(io, importFile));

  contactsExport(io, noun);
  return noun;
}

interface ImportOptions {
  readonly company?: string;
  readonly integration?: string;
  readonly preview?: boolean;
  readonly countryCode?: number;
  readonly from: number;
}

const ROWS = 100;

/** Rows are sent in batches, in order: after an interruption, `--from` resumes after the last batch answered. */
async function importFile(session: Session, options: ImportOptions, file: string): Promise<void> {
  const { client, out, io } = session;
  const target = `/companies/${await session.company(options.company)}/contacts/import`;
  const integration_uuid = await session.integration(options.integration, options.company);
  const counts: Record<string, number> = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  let done = options.from - 1;
  const send = async (rows: readonly TableRow[]): Promise<void> => {
    if (rows.length === 0) return;
    const body = { integration_uuid, preview: options.preview ?? false, rows };
    let answer: Resource;
    try {
      answer = await client.send('POST', target, body);
    } catch (error) {
      session.say(`Stopped after line ${done}. Resume with --from ${done + 1}.`);
      throw error;
    }
    for (const result of parts(answer['rows'])) {
      const status = text(result['status']);
      const error = maybe(result['error'], part);
      counts[status] = (counts[status] ?? 0) + 1;
      if (error !== null) {
        out.line(result, `line ${number(result['line'])}: ${text(error['code'])}: ${text(error['message'])}`);
      } else if (out.json) out.line(result, '');
    }
    done = rows.at(-1)?.line ?? done;
    if (io.stderr.isTTY) io.stderr.write(`\r${summary(counts)}`);
  };
  let batch: TableRow[] = [];
  const countryCode = options.countryCode === undefined ? undefined : String(options.countryCode);
  for await (const row of readTable(file, countryCode)) {
    if (row.line < options.from) continue;
    batch.push(row);
    if (batch.length < ROWS) continue;
    await send(batch);
    batch = [];
  }
  await send(batch);
  if (io.stderr.isTTY) io.stderr.write('\n');
  session.say(`${options.preview ? 'Preview: ' : ''}${summary(counts)}.`);
  if ((counts['failed'] ?? 0) > 0) {
    throw new Failure(
      EXIT.refused,
      `${counted(counts['failed'] ?? 0, 'row')} failed.`,
      'Correct them and import the file again.',
    );
  }
}

const summary = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
