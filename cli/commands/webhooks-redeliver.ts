import type { Command } from 'commander';
import { number, text, type Resource } from '../answer.js';
import type { Io } from '../io.js';
import { counted } from '../readable.js';
import { act, examples, path, wholeNumber } from '../session.js';

interface RedeliverOptions {
  readonly since?: string;
  readonly perSecond?: number;
  readonly dryRun?: boolean;
}

const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';
const REPLAY = '3b0c8f5e-0000-4000-8000-000000000001';

/** Jobs of the server: they go on when the command has ended. */
export function webhooksRedeliver(io: Io, noun: Command): void {
  examples(
    noun
      .command('redeliver-failed')
      .description('deliver what an endpoint missed: deliveries that wait, were cancelled or have failed')
      .argument('<endpoint_uuid>')
      .option('--since <time>', 'only deliveries created at this time or later, such as 2026-11-20T00:00:00Z')
      .option(
        '--per-second <number>',
        'most deliveries per second, 1 to 100 (default: 10)',
        wholeNumber(1, 100),
      )
      .option('--dry-run', 'only count'),
    `webhooks redeliver-failed ${EXAMPLE}`,
    `webhooks redeliver-failed ${EXAMPLE} --since 2026-11-20T00:00:00Z --dry-run`,
  ).action(
    act<RedeliverOptions>(io, async ({ client, out, say }, { since, perSecond, dryRun }, uuid) => {
      const started = await client.send('POST', `/webhooks/${path(uuid)}/redeliver-failed`, {
        ...(since === undefined ? {} : { since }),
        ...(perSecond === undefined ? {} : { per_second: perSecond }),
        ...(dryRun === true ? { dry_run: true } : {}),
      });
      out.one(started);
      say(`It goes on in the server. See its progress with: recado webhooks replays ${uuid}`);
    }),
  );

  examples(
    noun
      .command('replays')
      .description('list the replays and redeliveries of an endpoint, newest first')
      .argument('<endpoint_uuid>'),
    `webhooks replays ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) => {
      const { data } = await client.page(`/webhooks/${path(uuid)}/replays`, {});
      out.list(data, [
        ['UUID', 'uuid'],
        ['KIND', 'kind'],
        ['STATUS', 'status'],
        ['WAITS FOR', 'waits_for'],
        ['DONE', ({ progress }) => (typeof progress === 'number' ? `${Math.floor(progress * 100)} %` : null)],
        ['DELIVERIES', made],
        ['STARTED', 'created_at'],
      ]);
    }),
  );

  examples(
    noun
      .command('cancel-replay')
      .description('end a replay or redelivery; what is queued is still delivered')
      .argument('<endpoint_uuid>')
      .argument('<replay_uuid>'),
    `webhooks cancel-replay ${EXAMPLE} ${REPLAY}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid, replay) => {
      const ended = await client.send('POST', `/webhooks/${path(uuid)}/replays/${path(replay)}/cancel`);
      out.one(ended);
      out.done(`It is ${text(ended['status'])}, after ${counted(made(ended), 'delivery', 'deliveries')}.`);
    }),
  );
}

const made = (job: Resource): number => number(job['first_time']) + number(job['again']);
