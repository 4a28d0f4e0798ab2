import { Command } from 'commander';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['ID', 'id'],
  ['RECEIVED', 'received_at'],
  ['BYTES', 'bytes'],
  ['REASON', 'reason'],
];

export function intake(io: Io): Command {
  const noun = new Command('intake').description(
    'provider webhooks that could not be understood; they are kept',
  );
  examples(
    listOptions(noun.command('list').description('list what was parked, newest first')),
    'intake list',
  ).action(
    act<{ limit: number }>(io, async ({ client, out }, { limit }) =>
      out.list(await client.list('/intake/parked', {}, limit), COLUMNS),
    ),
  );
  examples(
    noun
      .command('show')
      .description('show one with its raw body, which may hold personal data')
      .argument('<id>'),
    'intake show 3b0c8f5e-0000-4000-8000-000000000000 --json | jq -r .body',
  ).action(
    act(io, async ({ client, out }, _options, id) => out.one(await client.get(`/intake/parked/${path(id)}`))),
  );
  return noun;
}
