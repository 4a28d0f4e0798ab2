import { Command } from 'commander';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['ID', 'id'],
  ['GROUP', 'group'],
  ['PARKED', 'parked_at'],
  ['REASON', 'reason'],
];

export function parked(io: Io): Command {
  const noun = new Command('parked').description('work that was given up; it is kept until it is retried');
  examples(
    listOptions(noun.command('list').description('list what was given up, newest first')).option(
      '--group <group>',
      'of one group of workers: inbound, notifications, transcriptions, …',
    ),
    'parked list',
    'parked list --group transcriptions',
  ).action(
    act<{ limit: number; group?: string }>(io, async ({ client, out }, { limit, group }) =>
      out.list(await client.list('/parked-messages', { group }, limit), COLUMNS),
    ),
  );
  examples(
    noun.command('retry').description('retry it from the start').argument('<id>'),
    'parked retry inbound:42',
  ).action(
    act(io, async ({ client, out }, _options, id) =>
      out.one(await client.send('POST', `/parked-messages/${path(id)}/retry`)),
    ),
  );
  return noun;
}
