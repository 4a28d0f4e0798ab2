import { Command } from 'commander';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['NAME', 'name'],
  ['VERSION', 'version'],
  ['STATUS', 'status'],
  ['LAG', 'lag_events'],
  ['POSITION', 'position'],
  ['ERROR', 'last_error'],
];

export function projections(io: Io): Command {
  const noun = new Command('projections').description('read models: how far each has followed the history');
  examples(noun.command('list').description('list projections and their lag'), 'projections list').action(
    act(io, async ({ client, out }) => out.list((await client.page('/projections', {})).data, COLUMNS)),
  );
  return noun;
}
