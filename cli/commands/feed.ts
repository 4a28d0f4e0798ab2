import { Command } from 'commander';
import { followFeed } from '../feed/follow.js';
import type { Io } from '../io.js';
import { actByKey, examples, wholeNumber } from '../session.js';

interface TailOptions {
  readonly types?: string;
  readonly after?: number;
}

export function feed(io: Io): Command {
  const noun = new Command('feed').description(
    'the events of your integration, as its webhooks have them, by RECADO_API_KEY (operators: "events")',
  );

  examples(
    noun
      .command('tail')
      .description('show events as they happen, until Ctrl-C')
      .option('--types <list>', 'only these event types, comma-separated (default: all)')
      .option(
        '--after <sequence>',
        'after the event with this sequence (default: now)',
        wholeNumber(0, 2 ** 53 - 1),
      ),
    'feed tail',
    'feed tail --types message.received --json | jq .data',
  ).action(
    actByKey<TailOptions>(io, async (session, { types, after }) => {
      const { out, say } = session;
      await followFeed(session, {
        types,
        after: after === undefined ? undefined : String(after),
        // Only Ctrl-C ends it.
        signal: new AbortController().signal,
        onOpen: () => say('Listening.'),
        onEvent({ raw, created_at: at, type, sequence, data }) {
          if (out.json) return void io.stdout.write(`${raw.toString('utf8')}\n`);
          const line = [at, type, sequence, data].map((value) => out.show(value));
          io.stdout.write(`${line.join('  ')}\n`);
        },
      });
    }),
  );
  return noun;
}
