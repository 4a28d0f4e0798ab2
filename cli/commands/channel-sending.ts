import { Command, InvalidArgumentError } from 'commander';
import { usage } from '../failure.js';
import type { Io } from '../io.js';
import { act, examples, path } from '../session.js';

const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';
const sendingOf = (uuid: string): string => `/channels/${path(uuid)}/sending`;

const NONE = 'none';

/** Messages per second; `none` removes the limit. Not null: commander would convert it to an empty string. */
function perSecond(text: string): number | typeof NONE {
  if (text === NONE) return NONE;
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value <= 1_000) return value;
  throw new InvalidArgumentError('Give a number above 0 and up to 1000, or none.');
}

/** Subcommands of `channels` that control how a channel may send. */
export function channelSending(io: Io): readonly Command[] {
  const show = examples(
    new Command('sending').description('how a channel may send, and what waits').argument('<channel_uuid>'),
    `channels sending ${EXAMPLE}`,
  ).action(act(io, async ({ client, out }, _options, uuid) => out.one(await client.get(sendingOf(uuid)))));

  const stop = examples(
    new Command('stop')
      .description('stop the sends of a channel; what waits longer than the pacing window fails')
      .argument('<channel_uuid>')
      .option('--marketing', 'only MARKETING templates'),
    `channels stop ${EXAMPLE}`,
    `channels stop ${EXAMPLE} --marketing`,
  ).action(
    act<{ marketing?: boolean }>(io, async ({ client, out }, { marketing }, uuid) =>
      out.one(
        await client.send('PATCH', sendingOf(uuid), { stopped: marketing ? 'marketing' : 'everything' }),
      ),
    ),
  );

  const resume = examples(
    new Command('resume').description('let a stopped channel send again').argument('<channel_uuid>'),
    `channels resume ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) =>
      out.one(await client.send('PATCH', sendingOf(uuid), { stopped: 'nothing' })),
    ),
  );

  const limit = examples(
    new Command('limit')
      .description('limit the messages per second, even if the number is allowed more')
      .argument('<channel_uuid>')
      .option('--per-second <n>', 'messages per second, or none', perSecond),
    `channels limit ${EXAMPLE} --per-second 20`,
    `channels limit ${EXAMPLE} --per-second none`,
  ).action(
    act<{ perSecond?: number | typeof NONE }>(io, async ({ client, out }, options, uuid) => {
      if (options.perSecond === undefined) throw usage('How many? Give --per-second.');
      out.one(
        await client.send('PATCH', sendingOf(uuid), {
          max_per_second: options.perSecond === NONE ? null : options.perSecond,
        }),
      );
    }),
  );
  return [show, stop, resume, limit];
}
