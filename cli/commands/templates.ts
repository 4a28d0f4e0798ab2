import { Command, Option } from 'commander';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['NAME', 'name'],
  ['LANGUAGE', 'language'],
  ['STATUS', 'status'],
  ['CATEGORY', 'category'],
  ['UUID', 'uuid'],
];
const STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'DRAFT'];

export function templates(io: Io): Command {
  const noun = new Command('templates').description('message templates of a WhatsApp account');

  examples(
    listOptions(noun.command('list').description('list templates'))
      .option('--company <uuid>', 'whose (default: the demo company)')
      .addOption(new Option('--status <status>', 'only these').choices(STATUSES)),
    'templates list --status APPROVED',
  ).action(
    act<{ limit: number; company?: string; status?: string }>(
      io,
      async ({ client, out, company }, { limit, status, ...options }) =>
        out.list(
          await client.list(`/companies/${company(options.company)}/templates`, { status }, limit),
          COLUMNS,
        ),
    ),
  );

  examples(
    noun
      .command('sync')
      .description("bring over the templates of a channel's account")
      .argument('<channel_uuid>'),
    'templates sync 3b0c8f5e-0000-4000-8000-000000000000',
  ).action(
    act(io, async ({ client, out }, _options, uuid) =>
      out.one(await client.send('POST', `/channels/${path(uuid)}/templates/sync`)),
    ),
  );
  return noun;
}
