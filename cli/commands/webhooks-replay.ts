import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { maybe, number, text } from '../answer.js';
import type { Io } from '../io.js';
import { place } from '../position.js';
import { counted } from '../readable.js';
import { act, examples, path, type Session } from '../session.js';
import { checkRange } from './events-filter.js';

interface ReplayOptions {
  readonly endpoint: string;
  readonly from: string;
  readonly to?: string;
  readonly deliver?: boolean;
  readonly replay?: string;
}

const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';
const COUNTS = ['first_time', 'again', 'under_way', 'left_out'] as const;

export function webhooksReplay(io: Io, noun: Command): void {
  examples(
    noun
      .command('replay')
      .description(
        'deliver the events of a part of the history to one endpoint again; counts unless --deliver',
      )
      .requiredOption('--endpoint <uuid>', 'the endpoint that receives them; its event types apply')
      .requiredOption(
        '--from <place>',
        'after this position, or from this time on (2026-11-20, 2026-11-20T14:00Z)',
        place,
      )
      .option(
        '--to <place>',
        'up to this position, or before this time (default: as far as it goes now)',
        place,
      )
      .option('--deliver', 'queue the deliveries; without it they are only counted')
      .option('--replay <uuid>', 'resume an interrupted replay: what it queued is not queued again'),
    `webhooks replay --endpoint ${EXAMPLE} --from 2026-11-20 --to 2026-11-21`,
    `webhooks replay --endpoint ${EXAMPLE} --from 2026-11-20 --to 2026-11-21 --deliver`,
  ).action(act<ReplayOptions>(io, replay));
}

/** Range by range, so that no request takes long. */
async function replay({ client, out, say }: Session, options: ReplayOptions): Promise<void> {
  const { endpoint, deliver = false } = options;
  checkRange(options.from, options.to ?? null, '--to');
  const replay_uuid = options.replay ?? randomUUID();
  const counts = { first_time: 0, again: 0, under_way: 0, left_out: 0 };
  let from = options.from;
  let to = options.to;
  try {
    for (let done = false; !done;) {
      const query = new URLSearchParams({ from, ...(to === undefined ? {} : { to }) });
      const piece = await client.send('POST', `/webhooks/${path(endpoint)}/replay?${query.toString()}`, {
        replay_uuid,
        deliver,
      });
      for (const name of COUNTS) counts[name] += number(piece[name]);
      done = piece['done'] === true;
      from = maybe(piece['position'], text) ?? from;
      to = maybe(piece['up_to'], text) ?? to;
    }
  } catch (error) {
    if (deliver)
      say(
        `Interrupted. Repeat the command with --replay ${replay_uuid}: what is queued is not queued again.`,
      );
    throw error;
  }
  out.one({
    endpoint_uuid: endpoint,
    replay_uuid: deliver ? replay_uuid : null,
    delivered: deliver,
    up_to: to ?? null,
    ...counts,
  });
  const events = counts.first_time + counts.again;
  say(
    deliver
      ? `Queued ${counted(events, 'delivery', 'deliveries')}. Follow them with: recado deliveries list --endpoint ${endpoint}`
      : `It would deliver ${counted(events, 'event')}. Nothing was delivered: repeat the command with --deliver.`,
  );
}
