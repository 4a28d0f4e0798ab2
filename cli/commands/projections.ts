import { Command } from 'commander';
import { number, parts } from '../answer.js';
import type { Resource } from '../client.js';
import { usage } from '../failure.js';
import { confirm, type Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, path, wholeNumber, type GlobalOptions, type Session } from '../session.js';
import { followRebuild } from '../watch-rebuild.js';

const COLUMNS: readonly Column[] = [
  ['NAME', 'name'],
  ['VERSION', ({ version, kept_versions: kept }) => withKept(version, kept)],
  ['GENERATION', ({ generation, kept_generations: kept }) => withKept(generation, kept)],
  ['STATUS', 'status'],
  ['LAG', 'lag_events'],
  ['SECONDS', ({ lag_seconds: seconds }) => Math.round(number(seconds))],
  ['RATE', 'events_per_second'],
  ['POSITION', 'position'],
  ['WORK WAITS SINCE', 'work_waiting_since'],
  ['ERROR', 'last_error'],
];
const ORDER_COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['KIND', 'kind'],
  ['STATUS', 'status'],
  ['PROJECTIONS', ({ projections }) => parts(projections).map(({ name }) => name)],
  ['REQUESTED', 'requested_at'],
  ['ERROR', 'error'],
];
const SKIP_COLUMNS: readonly Column[] = [
  ['EVENT', 'event_id'],
  ['TYPE', 'event_type'],
  ['SKIPPED', 'skipped_at'],
  ['BY', 'skipped_by'],
  ['REASON', 'reason'],
];
const EXAMPLE = '0198a6f0-9a01-7000-8000-000000000001';

const withKept = (live: unknown, kept: unknown): string => {
  const others = Array.isArray(kept) ? kept.map(number) : [];
  return others.length === 0 ? String(live) : `${String(live)} (kept: ${others.join(', ')})`;
};

interface RebuildOptions extends GlobalOptions {
  readonly all?: boolean;
  readonly sample?: number;
  readonly acceptDifferences?: boolean;
  readonly detach?: boolean;
}

interface DropOptions {
  readonly generation?: number;
  readonly version?: number;
  readonly yes?: boolean;
}

export function projections(io: Io): Command {
  const noun = new Command('projections').description(
    'read models: how far each has followed the history, and rebuilding them',
  );
  examples(noun.command('list').description('list projections and their lag'), 'projections list').action(
    act(io, async ({ client, out }) => out.list((await client.page('/projections', {})).data, COLUMNS)),
  );

  examples(
    noun
      .command('status')
      .description('position, lag, rate and last error of each, or all details of one')
      .argument('[name]'),
    'projections status',
    'projections status messages',
  ).action(
    act(io, async ({ client, out }, _options, name?: string) => {
      if (name === undefined) return out.list((await client.page('/projections', {})).data, COLUMNS);
      const shown = await client.get(`/projections/${path(name)}`);
      if (out.json) return out.one(shown);
      const { skips, ...rest } = shown;
      out.one(rest);
      if (parts(skips).length === 0) return;
      io.stdout.write('\n');
      out.list(parts(skips), SKIP_COLUMNS);
    }),
  );

  examples(
    noun
      .command('rebuild')
      .description('rebuild beside the live one, compare, and flip; GETs continue meanwhile')
      .argument('[name]')
      .option('--all', 'every projection, in one pass through the history')
      .option(
        '--sample <n>',
        'compare this many documents of each instead of all',
        wholeNumber(1, 10_000_000),
      )
      .option('--accept-differences', 'flip even if the comparison finds differences')
      .option('--detach', 'do not wait for it'),
    'projections rebuild messages',
    'projections rebuild --all --json',
  ).action(
    act<RebuildOptions>(io, async (session, options, name?: string) => {
      if ((name === undefined) === (options.all !== true)) {
        throw usage('Name one projection, or say --all.', 'See "recado projections list".');
      }
      const order = await session.client.send('POST', '/projections/rebuilds', {
        ...(name === undefined ? {} : { projections: [name] }),
        ...(options.sample === undefined ? {} : { sample: options.sample }),
        ...(options.acceptDifferences === true ? { accept_differences: true } : {}),
      });
      await finish(session, order, options.detach);
    }),
  );

  examples(
    noun.command('rebuilds').description('list rebuilds, flips and drops'),
    'projections rebuilds',
  ).action(
    act(io, async ({ client, out }) =>
      out.list((await client.page('/projections/rebuilds', {})).data, ORDER_COLUMNS),
    ),
  );

  examples(
    noun.command('watch').description('follow a rebuild until it ends').argument('<rebuild_uuid>'),
    `projections watch ${EXAMPLE}`,
  ).action(
    act(io, async (session, _options, uuid) =>
      followRebuild(session, await session.client.get(`/projections/rebuilds/${path(uuid)}`)),
    ),
  );

  for (const [verb, description] of [
    ['cancel', 'give up a rebuild and remove what it built'],
    ['accept', 'flip to what a rebuild built although it differs'],
  ] as const) {
    examples(
      noun.command(verb).description(description).argument('<rebuild_uuid>'),
      `projections ${verb} ${EXAMPLE}`,
    ).action(
      act(io, async (session, _options, uuid) => {
        const order = await session.client.send('POST', `/projections/rebuilds/${path(uuid)}/${verb}`);
        await followRebuild(session, order, verb === 'cancel' ? 'cancelled' : 'done');
      }),
    );
  }

  examples(
    noun
      .command('flip')
      .description('switch reads to another kept build (usually to roll back)')
      .argument('<name>')
      .requiredOption('--generation <n>', 'which one', wholeNumber(1, 100_000)),
    'projections flip messages --generation 1',
  ).action(
    act<{ generation: number }>(io, async (session, { generation }, name) => {
      const target = `/projections/${path(name)}/generations/${generation}/flip`;
      await followRebuild(session, await session.client.send('POST', target));
    }),
  );

  examples(
    noun
      .command('drop')
      .description('remove a generation that is kept, or what another release left')
      .argument('<name>')
      .option('--generation <n>', 'which one', wholeNumber(1, 100_000))
      .option('--version <n>', 'of another release, with all its generations', wholeNumber(1, 100_000))
      .option('--yes', 'do not ask'),
    'projections drop messages --generation 1',
    'projections drop messages --version 2',
  ).action(
    act<DropOptions>(io, async (session, { generation, version, yes }, name) => {
      if ((generation === undefined) === (version === undefined)) {
        throw usage('Say --generation or --version.', 'See "recado projections list" for what is kept.');
      }
      const what = generation === undefined ? `Version ${version}` : `Generation ${generation}`;
      await confirm(io, `${what} of ${name} will be removed.`, yes);
      const kept = generation === undefined ? `versions/${version}` : `generations/${generation}`;
      const target = `/projections/${path(name)}/${kept}`;
      await followRebuild(session, await session.client.send('DELETE', target));
    }),
  );

  examples(
    noun
      .command('skip')
      .description('skip the event that blocks a projection; the skip is recorded')
      .argument('<name>')
      .requiredOption('--event <id>', 'the event, as "projections status <name>" shows it')
      .requiredOption('--reason <text>', 'why; it is kept'),
    `projections skip messages --event ${EXAMPLE} --reason "written by a faulty import"`,
  ).action(
    act<{ event: string; reason: string }>(io, async ({ client, out }, { event, reason }, name) => {
      out.one(await client.send('POST', `/projections/${path(name)}/skips`, { event_id: event, reason }));
    }),
  );
  return noun;
}

async function finish(session: Session, order: Resource, detach: boolean | undefined): Promise<void> {
  if (detach !== true) return followRebuild(session, order);
  session.out.one(order);
}
