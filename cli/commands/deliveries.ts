import { Command } from 'commander';
import { parts } from '../answer.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['ID', 'id'],
  ['EVENT', 'event_type'],
  ['STATUS', 'status'],
  ['ATTEMPTS', 'attempt_count'],
  ['HTTP', 'last_status_code'],
  ['ERROR', 'last_error'],
  ['NEXT', 'next_attempt_at'],
];
const ATTEMPT_COLUMNS: readonly Column[] = [
  ['#', 'number'],
  ['WHEN', 'started_at'],
  ['HTTP', 'status_code'],
  ['ERROR', 'error'],
  ['MS', 'duration_ms'],
  ['ANSWER', 'response_body'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

export function deliveries(io: Io): Command {
  const noun = new Command('deliveries').description('webhook events on their way to their endpoints');

  examples(
    listOptions(noun.command('list').description('list deliveries, newest first'))
      .option('--integration <uuid>', 'only those of one integration')
      .option('--endpoint <uuid>', 'only those to one endpoint')
      .option('--status <status>', 'pending, delivered, failed or cancelled'),
    'deliveries list --status failed',
  ).action(
    act<{ limit: number; integration?: string; endpoint?: string; status?: string }>(
      io,
      async ({ client, out }, { limit, integration, endpoint, status }) =>
        out.list(await client.list('/deliveries', { integration, endpoint, status }, limit), COLUMNS),
    ),
  );

  examples(
    noun.command('show').description('show one delivery and its attempts').argument('<delivery_id>'),
    `deliveries show ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, id) => {
      const delivery = await client.get(`/deliveries/${path(id)}`);
      if (out.json) return out.one(delivery);
      const { attempts, ...rest } = delivery;
      out.one(rest);
      io.stdout.write('\n');
      out.list(parts(attempts), ATTEMPT_COLUMNS);
    }),
  );

  examples(
    noun
      .command('redeliver')
      .description('send the same event again, as a new delivery')
      .argument('<delivery_id>'),
    `deliveries redeliver ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, id) =>
      out.one(await client.send('POST', `/deliveries/${path(id)}/redeliver`)),
    ),
  );
  return noun;
}
