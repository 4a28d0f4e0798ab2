import { Command, Option } from 'commander';
import { maybe, part, parts } from '../answer.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['FLOW', 'flow_name'],
  ['TRIGGER', 'trigger'],
  ['STATUS', 'status'],
  ['BLOCK', 'block'],
  ['WAITS FOR', ({ waiting }) => maybe(waiting, part)?.['for']],
  ['REASON', 'reason'],
  ['CREATED', 'created_at'],
];
const RECENT: readonly Column[] = [
  ['WHEN', 'at'],
  ['BLOCK', 'block'],
  ['WAY', 'way'],
  ['TO', 'to'],
];
const STORY: readonly Column[] = [
  ['WHEN', 'at'],
  ['WHAT', 'what'],
  ['BLOCK', 'block'],
  ['WAY', 'way'],
  ['VALUES', ({ variables, answers }) => valuesOf(variables, answers)],
  ['DETAILS', 'details'],
];
const STATUSES = [
  'queued',
  'processing',
  'waiting',
  'parked',
  'completed',
  'handed_off',
  'expired',
  'cancelled',
  'failed',
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';
const PERSONAL = ['--personal', 'show the content of variables and answers; the request is logged'] as const;

const personalToo = (asked: boolean | undefined) => ({ include_personal: asked ? 'true' : undefined });

interface Filters {
  readonly limit: number;
  readonly company?: string;
  readonly flow?: string;
  readonly contact?: string;
  readonly status?: string;
}

export function flowExecutions(io: Io): Command {
  const noun = new Command('executions').description('runs of flows: one flow, one person');

  examples(
    listOptions(noun.command('list').description('list executions, newest first'))
      .option('--company <uuid>', 'only those of one company')
      .option('--flow <uuid>', 'only those of one flow')
      .option('--contact <uuid>', 'only those with one person')
      .addOption(new Option('--status <status>', 'only these').choices(STATUSES)),
    'flows executions list --status parked',
    `flows executions list --flow ${EXAMPLE} --json`,
  ).action(
    act<Filters>(io, async ({ client, out }, { limit, company, flow, contact, status }) =>
      out.list(await client.list('/executions', { company, flow, contact, status }, limit), COLUMNS),
    ),
  );

  examples(
    noun
      .command('show')
      .description('show an execution and its newest steps')
      .argument('<execution_uuid>')
      .option(...PERSONAL),
    `flows executions show ${EXAMPLE}`,
  ).action(
    act<{ personal?: boolean }>(io, async ({ client, out }, { personal }, uuid) => {
      const execution = await client.get(`/executions/${path(uuid)}`, personalToo(personal));
      if (out.json) return out.one(execution);
      const { steps, ...rest } = execution;
      out.one(rest);
      if (parts(steps).length === 0) return;
      io.stdout.write('\n');
      out.list(parts(steps), RECENT);
    }),
  );

  examples(
    listOptions(
      noun
        .command('steps')
        .description('everything that happened, oldest first')
        .argument('<execution_uuid>'),
    ).option(...PERSONAL),
    `flows executions steps ${EXAMPLE}`,
  ).action(
    act<{ limit: number; personal?: boolean }>(io, async ({ client, out }, { limit, personal }, uuid) =>
      out.list(await client.list(`/executions/${path(uuid)}/steps`, personalToo(personal), limit), STORY),
    ),
  );

  for (const [verb, description] of [
    ['cancel', 'end an execution where it is'],
    ['resume', 'resume a parked execution'],
  ] as const) {
    examples(
      noun.command(verb).description(description).argument('<execution_uuid>'),
      `flows executions ${verb} ${EXAMPLE}`,
    ).action(
      act(io, async ({ client, out }, _options, uuid) => {
        const execution = await client.send('POST', `/executions/${path(uuid)}/${verb}`);
        const { steps: _steps, ...rest } = execution;
        out.one(out.json ? execution : rest);
      }),
    );
  }
  return noun;
}

function valuesOf(variables: unknown, answers: unknown): string {
  const pairs = [
    ...Object.entries(part(variables ?? {})).map(([name, value]) => [`vars.${name}`, value] as const),
    ...Object.entries(part(answers ?? {})).map(([name, value]) => [`answer.${name}`, value] as const),
  ];
  return pairs
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
