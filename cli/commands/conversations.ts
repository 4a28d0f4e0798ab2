import { Command, Option } from 'commander';
import type { Resource } from '../client.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['STATUS', 'status'],
  ['UNREAD', 'unread_count'],
  [
    'CONTACT',
    ({ contact }) => (contact as Resource | null)?.['name'] ?? (contact as Resource | null)?.['phone'],
  ],
  ['LAST MESSAGE', 'last_message_at'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

const VERBS = {
  resolve: 'mark a conversation as done',
  reopen: 'open a resolved conversation again',
  read: 'mark everything that came in as read',
} as const;

export function conversations(io: Io): Command {
  const noun = new Command('conversations').description('threads between a contact and a channel');

  examples(
    listOptions(noun.command('list').description('list conversations, most recently active first'))
      .option('--company <uuid>', 'whose (default: the demo company)')
      .addOption(new Option('--status <status>', 'only these').choices(['open', 'pending', 'resolved'])),
    'conversations list --status open',
  ).action(
    act<{ limit: number; company?: string; status?: string }>(
      io,
      async ({ client, out, company }, { limit, status, ...options }) =>
        out.list(
          await client.list(`/companies/${company(options.company)}/conversations`, { status }, limit),
          COLUMNS,
        ),
    ),
  );

  for (const [verb, description] of Object.entries(VERBS)) {
    examples(
      noun.command(verb).description(description).argument('<conversation_uuid>'),
      `conversations ${verb} ${EXAMPLE}`,
    ).action(
      act(io, async ({ client, out }, _options, uuid) =>
        out.one(await client.send('POST', `/conversations/${path(uuid)}/${verb}`)),
      ),
    );
  }
  return noun;
}
