import { Command } from 'commander';
import { maybe, part, text, type Resource } from '../answer.js';
import { usage } from '../failure.js';
import { confirm, type Io } from '../io.js';
import type { Column, Output } from '../output.js';
import { act, examples, path, wholeNumber, words } from '../session.js';
import { webhooksRedeliver } from './webhooks-redeliver.js';
import { webhooksReplay } from './webhooks-replay.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['URL', 'url'],
  ['EVENTS', ({ event_types }) => event_types ?? 'all'],
  [
    'ON',
    ({ enabled, disabled_reason }) => (enabled ? 'yes' : `no ${maybe(disabled_reason, text) ?? ''}`.trim()),
  ],
  ['HEALTH', ({ health }) => maybe(health, part)?.['status']],
  ['SINCE', ({ health }) => maybe(health, part)?.['failing_since']],
  ['WAITING', ({ health }) => maybe(health, part)?.['waiting']],
];

const WHOSE = [
  '--integration <uuid>',
  'integration (default: the demo integration, or the only one)',
] as const;
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

export function webhooks(io: Io): Command {
  const noun = new Command('webhooks').description('addresses that signed events are sent to');

  examples(
    noun
      .command('list')
      .description('list webhook endpoints')
      .option(...WHOSE),
    'webhooks list',
  ).action(
    act<{ integration?: string }>(io, async ({ client, out, integration }, options) => {
      const { data } = await client.page(
        `/integrations/${await integration(options.integration)}/webhooks`,
        {},
      );
      out.list(data, COLUMNS);
    }),
  );

  examples(
    noun
      .command('create')
      .description('add a webhook endpoint')
      .requiredOption('--url <url>', 'https address')
      .option('--events <list>', 'comma-separated event types (default: all)', words)
      .option('--disabled', 'do not send to it yet')
      .option('--from <time>', 'also deliver the events since this time, such as 2026-11-20T00:00:00Z')
      .option(
        '--from-sequence <number>',
        'also deliver the events from this sequence on',
        wholeNumber(0, Number.MAX_SAFE_INTEGER),
      )
      .option(...WHOSE),
    'webhooks create --url https://example.com/hook',
    'webhooks create --url https://example.com/hook --events message.received,order.created',
    'webhooks create --url https://example.com/hook --from 2026-11-20T00:00:00Z',
  ).action(
    act<CreateOptions>(io, async ({ client, out, say, integration }, options) => {
      const { url, events, disabled, from, fromSequence } = options;
      const target = `/integrations/${await integration(options.integration)}/webhooks`;
      const added = await client.send('POST', target, {
        url,
        event_types: events ?? null,
        enabled: disabled !== true,
        ...(from === undefined ? {} : { from }),
        ...(fromSequence === undefined ? {} : { from_sequence: fromSequence }),
      });
      showEndpoint(out, added);
      if (from === undefined && fromSequence === undefined) return;
      say(`Earlier events follow. See the progress with: recado webhooks replays ${text(added['uuid'])}`);
    }),
  );

  examples(
    noun.command('show').description('show one webhook endpoint').argument('<endpoint_uuid>'),
    `webhooks show ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) =>
      showEndpoint(out, await client.get(`/webhooks/${path(uuid)}`)),
    ),
  );

  examples(
    noun
      .command('update')
      .description('change a webhook endpoint; what is not named stays as it is')
      .argument('<endpoint_uuid>')
      .option('--url <url>', 'https address')
      .option('--events <list>', 'comma-separated event types', words)
      .option('--all-events', 'every event type')
      .option('--enable', 'send to it')
      .option('--disable', 'stop sending to it'),
    `webhooks update ${EXAMPLE} --events message.received`,
    `webhooks update ${EXAMPLE} --enable`,
  ).action(
    act<UpdateOptions>(io, async ({ client, out }, options, uuid) =>
      showEndpoint(out, await client.send('PATCH', `/webhooks/${path(uuid)}`, changes(options))),
    ),
  );

  examples(
    noun
      .command('delete')
      .description('remove a webhook endpoint')
      .argument('<endpoint_uuid>')
      .option('--yes', 'do not ask'),
    `webhooks delete ${EXAMPLE} --yes`,
  ).action(
    act<{ yes?: boolean }>(io, async ({ client, out }, { yes }, uuid) => {
      await confirm(io, `Nothing will be sent to the endpoint ${uuid} any more.`, yes);
      await client.send('DELETE', `/webhooks/${path(uuid)}`);
      out.done(`Deleted ${uuid}.`);
    }),
  );

  examples(
    noun.command('test').description('send a webhook.test event').argument('<endpoint_uuid>'),
    `webhooks test ${EXAMPLE}`,
    `deliveries list --endpoint ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) => {
      out.one(await client.send('POST', `/webhooks/${path(uuid)}/test`));
      out.done(`See the outcome with: recado deliveries list --endpoint ${uuid}`);
    }),
  );
  webhooksRedeliver(io, noun);
  webhooksReplay(io, noun);
  return noun;
}

/** No list of event types means all of them. */
const showEndpoint = (out: Output, endpoint: Resource): void =>
  out.one(out.json ? endpoint : { ...endpoint, event_types: endpoint['event_types'] ?? 'all' });

interface CreateOptions {
  readonly url: string;
  readonly events?: readonly string[];
  readonly disabled?: boolean;
  readonly from?: string;
  readonly fromSequence?: number;
  readonly integration?: string;
}

interface UpdateOptions {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly allEvents?: boolean;
  readonly enable?: boolean;
  readonly disable?: boolean;
}

function changes({ url, events, allEvents, enable, disable }: UpdateOptions): object {
  if (enable && disable) throw usage('--enable and --disable exclude each other.');
  if (events && allEvents) throw usage('--events and --all-events exclude each other.');
  const body = {
    ...(url === undefined ? {} : { url }),
    ...(allEvents ? { event_types: null } : events ? { event_types: events } : {}),
    ...(enable ? { enabled: true } : disable ? { enabled: false } : {}),
  };
  if (Object.keys(body).length === 0)
    throw usage('Nothing to change was named.', 'See "recado webhooks update --help".');
  return body;
}
