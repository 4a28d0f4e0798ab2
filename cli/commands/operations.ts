import { Command, Option } from 'commander';
import { maybe, part, parts } from '../answer.js';
import { usage } from '../failure.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { settled, throwIfFailed, type Waiting } from '../settled.js';
import { act, examples, listOptions, path, wholeNumber } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['TYPE', 'type'],
  ['STATUS', 'status'],
  ['ERROR', ({ error }) => maybe(error, part)?.['code']],
  ['CREATED', 'created_at'],
];
const EVENT_COLUMNS: readonly Column[] = [
  ['WHEN', 'occurred_at'],
  ['EVENT', 'type'],
  ['DATA', 'data'],
];
const HELD_COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['KIND', 'kind'],
  ['ABOUT', 'about'],
  ['DUE', 'due_at'],
];
const STATUSES = ['queued', 'processing', 'waiting', 'succeeded', 'failed'];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

export function operations(io: Io): Command {
  const noun = new Command('operations').description('asynchronous work: sends and flow executions');

  examples(
    listOptions(noun.command('list').description('list operations, newest first'))
      .option('--company <uuid>', 'only those of one company')
      .addOption(new Option('--status <status>', 'only these').choices(STATUSES))
      .option('--held', 'what a restore holds: sends, flows, webhooks; oldest first'),
    'operations list --status failed',
    'operations list --held',
  ).action(
    act<{ limit: number; company?: string; status?: string; held?: boolean }>(
      io,
      async ({ client, out }, { limit, company, status, held }) => {
        if (held !== true) {
          return out.list(await client.list('/operations', { company, status }, limit), COLUMNS);
        }
        if (status !== undefined) throw usage('Held work has no --status.');
        out.list(await client.list('/held-work', { company }, limit), HELD_COLUMNS);
      },
    ),
  );
  addVerdict(io, noun, 'release', 'run what a restore holds, although it may have run before');
  addVerdict(io, noun, 'end', 'end what a restore holds: sends and flows fail with send_outcome_unknown');

  examples(
    noun.command('show').description('show one operation and what happened').argument('<operation_uuid>'),
    `operations show ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) => {
      const operation = await client.get(`/operations/${path(uuid)}`);
      if (out.json) return out.one(operation);
      const { events, ...rest } = operation;
      out.one(rest);
      io.stdout.write('\n');
      out.list(parts(events), EVENT_COLUMNS);
    }),
  );

  examples(
    noun
      .command('watch')
      .description('wait until an operation has succeeded (exit 0) or failed (exit 1)')
      .argument('<operation_uuid>')
      .option('--interval <ms>', 'between two polls', wholeNumber(50, 60_000), 500)
      .option('--wait <seconds>', 'give up (exit 5) after', wholeNumber(1, 86_400), 900),
    `operations watch ${EXAMPLE} --wait 60`,
  ).action(
    act<Omit<Waiting, 'next'>>(io, async (session, options, uuid) => {
      const { out, say } = session;
      const operation = await settled(
        session,
        uuid,
        { ...options, next: `Check again with: recado operations watch ${uuid}` },
        (status) => {
          if (!out.json) say(`${out.show(new Date(io.clock.now()).toISOString())} ${out.show(status)}`);
        },
      );
      const { events: _events, ...rest } = operation;
      out.one(rest);
      throwIfFailed(operation, `See what happened with: recado operations show ${uuid}`);
    }),
  );
  return noun;
}

function addVerdict(io: Io, noun: Command, verdict: 'release' | 'end', description: string): void {
  examples(
    noun
      .command(verdict)
      .description(description)
      .argument('[uuid]', 'as "operations list --held" shows it')
      .option('--held', 'all that is held'),
    `operations ${verdict} ${EXAMPLE}`,
    `operations ${verdict} --held`,
  ).action(
    act<{ held?: boolean }>(io, async ({ client, out }, { held }, uuid?: string) => {
      if ((uuid === undefined) === (held !== true)) throw usage('Name one UUID, or --held for all.');
      if (uuid !== undefined) {
        return out.one(await client.send('POST', `/held-work/${path(uuid)}/${verdict}`));
      }
      let done = 0;
      for (;;) {
        const step = await client.send('POST', `/held-work/${verdict}`);
        done += Number(step['done']);
        if (step['left'] === 0 || step['done'] === 0) return out.one({ ...step, done });
      }
    }),
  );
}
