import { Command } from 'commander';
import type { Envelope } from '../feed/envelope.js';
import { followFeed } from '../feed/follow.js';
import { readPages } from '../feed/pages.js';
import type { Io } from '../io.js';
import { actByKey, examples, listOptions, wholeNumber, type KeySession } from '../session.js';

interface TailOptions {
  readonly types?: string;
  readonly after?: number;
}

interface ListOptions extends TailOptions {
  readonly limit: number;
}

/** With --json, exactly the bytes that the webhooks have. */
const printEvent =
  ({ out, io }: KeySession) =>
  ({ raw, created_at: at, type, sequence, data }: Envelope): void => {
    const line = out.json
      ? raw.toString('utf8')
      : [at, type, sequence, data].map((value) => out.show(value)).join('  ');
    io.stdout.write(`${line}\n`);
  };

export function feed(io: Io): Command {
  const noun = new Command('feed').description(
    'the events of your integration, as its webhooks have them, by RECADO_API_KEY (operators: "events")',
  );

  examples(
    listOptions(noun.command('list').description('show the events that the server has kept, oldest first'))
      .option('--types <list>', 'only these event types, comma-separated (default: all)')
      .option(
        '--after <sequence>',
        'after the event with this sequence (default: from the oldest that is kept)',
        wholeNumber(0, 2 ** 53 - 1),
      ),
    'feed list --after 48213',
    'feed list --types order.created --limit 100000 --json > orders.ndjson',
  ).action(
    actByKey<ListOptions>(io, async (session, { types, after, limit }) => {
      let count = 0;
      const print = printEvent(session);
      const stopped = await readPages(session, { types, after, limit }, (envelope) => {
        count += 1;
        print(envelope);
      });
      if (stopped.waiting) {
        session.say('The next event is not made yet: the server waits for it. Read on later.');
      } else if (count === 0) session.say('Nothing found.');
      if (stopped.more) session.say(`There are more: read on with --after ${stopped.after}.`);
    }),
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
      const { say } = session;
      await followFeed(session, {
        types,
        after: after === undefined ? undefined : String(after),
        // Only Ctrl-C ends it.
        signal: new AbortController().signal,
        onOpen: () => say('Listening.'),
        onEvent: printEvent(session),
      });
    }),
  );
  return noun;
}
