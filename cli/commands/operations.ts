import { Command, Option } from 'commander';
import { pause } from '../../ports/waiting.js';
import type { Resource } from '../client.js';
import { EXIT, Failure } from '../failure.js';
import type { Io } from '../io.js';
import { show, type Column } from '../output.js';
import { act, examples, listOptions, path, wholeNumber, type Session } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['TYPE', 'type'],
  ['STATUS', 'status'],
  ['ERROR', ({ error }) => (error as Resource | null)?.['code']],
  ['CREATED', 'created_at'],
];
const EVENT_COLUMNS: readonly Column[] = [
  ['WHEN', 'occurred_at'],
  ['EVENT', 'type'],
  ['DATA', 'data'],
];
const STATUSES = ['queued', 'processing', 'waiting', 'succeeded', 'failed'];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

export function operations(io: Io): Command {
  const noun = new Command('operations').description('asynchronous work: sends and flow executions');

  examples(
    listOptions(noun.command('list').description('list operations, newest first'))
      .option('--company <uuid>', 'only those of one company')
      .addOption(new Option('--status <status>', 'only these').choices(STATUSES)),
    'operations list --status failed',
  ).action(
    act<{ limit: number; company?: string; status?: string }>(
      io,
      async ({ client, out }, { limit, company, status }) =>
        out.list(await client.list('/operations', { company, status }, limit), COLUMNS),
    ),
  );

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
      out.list(events as readonly Resource[], EVENT_COLUMNS);
    }),
  );

  examples(
    noun
      .command('watch')
      .description('wait until an operation has succeeded (exit 0) or failed (exit 1)')
      .argument('<operation_uuid>')
      .option('--interval <ms>', 'between two looks', wholeNumber(50, 60_000), 500)
      .option('--wait <seconds>', 'give up (exit 5) after', wholeNumber(1, 86_400), 900),
    `operations watch ${EXAMPLE} --wait 60`,
  ).action(
    act<Waiting>(io, async (session, options, uuid) => {
      const { out, say } = session;
      const operation = await settled(session, uuid, options, (status) => {
        if (!out.json) say(`${new Date(io.clock.now()).toISOString()} ${show(status)}`);
      });
      const { events: _events, ...rest } = operation;
      out.one(rest);
      if (operation['status'] === 'failed') {
        const error = operation['error'] as { readonly code: string; readonly message: string | null };
        throw new Failure(
          EXIT.failed,
          `The operation failed: ${error.code}. ${error.message ?? ''}`.trim(),
          `See what happened with: recado operations show ${uuid}`,
        );
      }
    }),
  );
  return noun;
}

interface Waiting {
  /** Milliseconds. */
  readonly interval: number;
  /** Seconds. */
  readonly wait: number;
}

async function settled(
  { client, io: { clock } }: Session,
  uuid: string,
  { interval, wait }: Waiting,
  onChange: (status: unknown) => void,
): Promise<Resource> {
  const until = clock.monotonic() + wait * 1000;
  let last: unknown;
  for (;;) {
    const operation = await client.get(`/operations/${path(uuid)}`);
    const { status } = operation;
    if (status !== last) onChange(status);
    last = status;
    if (status === 'succeeded' || status === 'failed') return operation;
    if (clock.monotonic() + interval > until) {
      throw new Failure(
        EXIT.unreachable,
        `The operation is still ${String(status)} after ${wait} seconds. It goes on by itself.`,
        `Look again with: recado operations watch ${uuid}`,
      );
    }
    await pause(clock, interval);
  }
}
