import type { Command } from 'commander';
import { pause } from '../../ports/waiting.js';
import type { Client, Query } from '../client.js';
import { EXIT, Failure } from '../failure.js';
import type { Io } from '../io.js';
import { place } from '../position.js';
import { act, examples, wholeNumber, type GlobalOptions, type Session } from '../session.js';
import { checkTypes, filtered, filterQuery, type EventFilter } from './events-filter.js';

const PAGE = 100;
/** A server that restarts is back within seconds; one that stays unreachable is polled less often. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

interface TailOptions extends EventFilter {
  readonly after?: string;
  readonly from?: string;
  readonly wait: number;
}

export function eventsTail(io: Io, noun: Command): void {
  examples(
    filtered(
      noun
        .command('tail')
        .description(
          'show events of the history as they happen, until Ctrl-C (of an integration: feed tail)',
        ),
    )
      .option('--from <place>', 'after this position, or from this time on (default: now)', place)
      .option('--after <position>', 'after this position', place)
      .option(
        '--wait <seconds>',
        'longest that the server waits for events before it answers',
        wholeNumber(1, 30),
        20,
      ),
    'events tail',
    'events tail --types MessageReceived --json | jq .data',
    'events tail --from 2026-11-20T09:00-03:00',
  ).action(act<TailOptions>(io, tail));
}

async function tail(session: Session, options: TailOptions & GlobalOptions): Promise<never> {
  const { client, out } = session;
  // The response must arrive before the call times out.
  const wait = Math.max(0, Math.min(options.wait, options.timeout - 5));
  await checkTypes(client, options.types);
  const query: Query = { ...filterQuery(options), limit: PAGE, wait };
  // Fixed before the first request, so that no event is missed if the server stops meanwhile.
  let after = options.after ?? (await beginning(client, options.from));
  let failures = 0;
  for (;;) {
    try {
      const page = await client.follow('/events', { ...query, after });
      if (failures > 0) session.say('The server answers again.');
      failures = 0;
      for (const event of page.data) {
        const { occurred_at, type, stream, data } = event;
        const words = [occurred_at, type, stream, data].map((value) => out.show(value));
        out.line(event, words.join('  '));
      }
      after = page.position ?? after;
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode !== EXIT.unreachable) throw error;
      if (failures === 0) session.say(`${error.message} Waiting for it to come back.`);
      await pause(session.io.clock, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures));
      failures += 1;
    }
  }
}

/** After the newest event, unless the caller names a position. */
async function beginning(client: Client, from: string | undefined): Promise<string | undefined> {
  const range = await client.get('/events/range', { from });
  return (range[from === undefined ? 'up_to' : 'after'] as string | null) ?? undefined;
}
