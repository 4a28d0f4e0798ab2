import { Command, Option } from 'commander';
import { text } from '../answer.js';
import { storeWebhookSecret } from '../credentials.js';
import { confirm, type Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path, wholeNumber } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['NAME', 'name'],
  ['EVENTS FEED', 'events_feed'],
  ['OLD SECRET UNTIL', 'previous_secret_expires_at'],
  ['CREATED', 'created_at'],
];

const GAPS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['INTEGRATION', 'integration_uuid'],
  ['SEQUENCE', 'sequence'],
  ['TYPE', 'event_type'],
  ['SINCE', 'since'],
  ['REASON', 'reason'],
];

const MAX_GRACE = 604_800;

export function integrations(io: Io): Command {
  const noun = new Command('integrations').description('callers of the API, with their keys and webhooks');

  examples(
    listOptions(noun.command('list').description('list the integrations of a company')).option(
      '--company <uuid>',
      'company (default: the demo company, or the only one)',
    ),
    'integrations list',
  ).action(
    act<{ limit: number; company?: string }>(io, async ({ client, out, company }, options) =>
      out.list(
        await client.list(`/companies/${await company(options.company)}/integrations`, {}, options.limit),
        COLUMNS,
      ),
    ),
  );

  examples(
    noun
      .command('create')
      .description('register an integration; shows its webhook secret, this once')
      .requiredOption('--name <name>', 'its name')
      .option('--company <uuid>', 'company (default: the demo company, or the only one)'),
    'integrations create --name "ERP"',
  ).action(
    act<{ name: string; company?: string }>(io, async ({ client, out, company }, options) => {
      const { name } = options;
      out.one(
        await client.send('POST', `/companies/${await company(options.company)}/integrations`, { name }),
      );
      out.done('Keep the webhook secret: it is not shown again.');
    }),
  );

  examples(
    noun.command('show').description('show one integration').argument('<integration_uuid>'),
    'integrations show 3b0c8f5e-0000-4000-8000-000000000000',
  ).action(
    act(io, async ({ client, out }, _options, uuid) =>
      out.one(await client.get(`/integrations/${path(uuid)}`)),
    ),
  );

  examples(
    noun
      .command('update')
      .description('switch the events feed of an integration on or off')
      .argument('<integration_uuid>')
      .addOption(
        new Option(
          '--events-feed <on|off>',
          'keep every event for GET /api/v1/events, also without an endpoint',
        )
          .choices(['on', 'off'])
          .makeOptionMandatory(),
      ),
    'integrations update 3b0c8f5e-0000-4000-8000-000000000000 --events-feed on',
  ).action(
    act<{ eventsFeed: string }>(io, async ({ client, out }, { eventsFeed }, uuid) =>
      out.one(
        await client.send('PATCH', `/integrations/${path(uuid)}`, { events_feed: eventsFeed === 'on' }),
      ),
    ),
  );

  examples(
    listOptions(
      noun
        .command('gaps')
        .description('list events that an events feed waits for, because they could not be added'),
    ),
    'integrations gaps',
  ).action(
    act<{ limit: number }>(io, async ({ client, out }, { limit }) =>
      out.list(await client.list('/event-gaps', {}, limit), GAPS),
    ),
  );

  examples(
    noun
      .command('leave-out')
      .description('leave an event out of the events feed, which then goes on; it appears with empty data')
      .argument('<gap_uuid>')
      .option('--yes', 'do not ask'),
    'integrations leave-out 4a6f9a52-6f0e-5a3b-9d6e-0d1f6d0a7c11',
  ).action(
    act<{ yes?: boolean }>(io, async ({ client, out }, { yes }, uuid) => {
      await confirm(io, 'Readers of the feed will never get the data of this event.', yes);
      out.one(await client.send('POST', `/event-gaps/${path(uuid)}/leave-out`, undefined));
    }),
  );

  examples(
    noun
      .command('rotate-secret')
      .description('replace the webhook secret; shows the new one, this once')
      .argument('<integration_uuid>')
      .option(
        '--grace-seconds <n>',
        'how long deliveries carry the old signature too (default: 24 hours; 0 for a secret that leaked)',
        wholeNumber(0, MAX_GRACE),
      )
      .option('--yes', 'do not ask'),
    'integrations rotate-secret 3b0c8f5e-0000-4000-8000-000000000000',
    'integrations rotate-secret 3b0c8f5e-0000-4000-8000-000000000000 --grace-seconds 0 --yes',
  ).action(
    act<{ graceSeconds?: number; yes?: boolean }>(io, async ({ client, out }, options, uuid) => {
      if (options.graceSeconds === 0) {
        await confirm(
          io,
          'Receivers that know only the old secret will refuse every event from now on.',
          options.yes,
        );
      }
      const body = { grace_seconds: options.graceSeconds };
      const rotated = await client.send('POST', `/integrations/${path(uuid)}/webhook-secret/rotate`, body);
      out.one(rotated);
      out.done('Keep the webhook secret: it is not shown again.');
      const file = storeWebhookSecret(io, options, uuid, text(rotated['webhook_secret']));
      if (file !== null) out.done(`${file} holds it too.`);
    }),
  );
  return noun;
}
