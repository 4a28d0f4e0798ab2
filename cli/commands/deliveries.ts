import { Command, Option } from 'commander';
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

interface Filters {
  readonly limit: number;
  readonly integration?: string;
  readonly endpoint?: string;
  readonly status?: string;
  readonly type?: string;
  readonly since?: string;
  readonly before?: string;
}

const STATUSES = ['pending', 'delivered', 'failed', 'cancelled'];

export function deliveries(io: Io): Command {
  const noun = new Command('deliveries').description('webhook events on their way to their endpoints');

  examples(
    listOptions(noun.command('list').description('list deliveries, newest first'))
      .option('--integration <uuid>', 'only those of one integration')
      .option('--endpoint <uuid>', 'only those to one endpoint')
      .addOption(new Option('--status <status>', 'only these').choices(STATUSES))
      .option('--type <event_type>', 'only events of this type; with --integration')
      .option('--since <time>', 'only those created at this time or later; with --integration')
      .option('--before <time>', 'only those created before this time; with --integration'),
    'deliveries list --status failed',
  ).action(
    act<Filters>(io, async ({ client, out }, options) => {
      const { limit, integration, endpoint, status, type, since, before } = options;
      const query = {
        ...{ integration, endpoint, status },
        ...{ event_type: type, created_from: since, created_before: before },
      };
      out.list(await client.list('/deliveries', query, limit), COLUMNS);
    }),
  );

  examples(
    noun
      .command('show')
      .description('show one delivery and its attempts')
      .argument('<delivery_id>')
      .option('--body', 'also what was sent; it may contain personal data'),
    `deliveries show ${EXAMPLE}`,
  ).action(
    act<{ body?: true }>(io, async ({ client, out }, { body }, id) => {
      const delivery = await client.get(`/deliveries/${path(id)}${body ? '?body=true' : ''}`);
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
