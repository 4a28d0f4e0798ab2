import { Command } from 'commander';
import { confirm, type Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['NAME', 'name'],
  ['PHONE', 'phone'],
  ['LAST SEEN', 'last_interaction_at'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

export function contacts(io: Io): Command {
  const noun = new Command('contacts').description('people that a company writes with');

  examples(
    listOptions(noun.command('list').description('list contacts, newest first'))
      .option('--company <uuid>', 'whose (default: the demo company)')
      .option('--query <text>', 'part of a name, an e-mail address or a phone'),
    'contacts list --query ana',
  ).action(
    act<{ limit: number; company?: string; query?: string }>(
      io,
      async ({ client, out, company }, { limit, query, ...options }) =>
        out.list(
          await client.list(`/companies/${company(options.company)}/contacts`, { query }, limit),
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
  return noun;
}
