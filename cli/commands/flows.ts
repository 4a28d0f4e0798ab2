import { Command, Option } from 'commander';
import { parts } from '../answer.js';
import type { Resource } from '../client.js';
import { confirm, type Io } from '../io.js';
import type { Column, Output } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';
import {
  check,
  diff,
  exportOne,
  PROBLEMS,
  readDefinition,
  render,
  schema,
  tryOut,
} from './flow-definitions.js';
import { flowExecutions } from './flow-executions.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['NAME', 'name'],
  ['STATUS', 'status'],
  ['VERSION', 'version'],
  ['UPDATED', 'updated_at'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

export function flows(io: Io): Command {
  const noun = new Command('flows').description('automated conversations: drafts, versions, publication');
  // In the order in which the help lists them.
  const commands = [
    ...[list, show, check, create, save, rename, publish, unpublish],
    ...[exportOne, diff, render, remove, tryOut, flowExecutions, schema],
  ];
  for (const command of commands) noun.addCommand(command(io));
  return noun;
}

const list = (io: Io): Command =>
  examples(
    listOptions(new Command('list').description('list flows, newest first'))
      .option('--company <uuid>', 'company (default: the demo company, or the only one)')
      .addOption(new Option('--status <status>', 'only these').choices(['draft', 'active'])),
    'flows list --status active',
  ).action(
    act<{ limit: number; company?: string; status?: string }>(
      io,
      async ({ client, out, company }, { limit, status, ...options }) =>
        out.list(
          await client.list(`/companies/${await company(options.company)}/flows`, { status }, limit),
          COLUMNS,
        ),
    ),
  );

const show = (io: Io): Command =>
  examples(
    new Command('show').description('show a flow and the problems of its draft').argument('<flow_uuid>'),
    `flows show ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) => {
      tell(out, await client.get(`/flows/${path(uuid)}`));
    }),
  );

const create = (io: Io): Command =>
  examples(
    new Command('create')
      .description('make a flow, as a draft')
      .argument('<name>')
      .option('--company <uuid>', 'company (default: the demo company, or the only one)')
      .option('--file <file>', 'its definition, JSON; - for standard input'),
    'flows create "Boas-vindas" --file welcome.json',
  ).action(
    act<{ company?: string; file?: string }>(
      io,
      async ({ client, out, company }, { file, ...options }, name) => {
        const definition = file === undefined ? {} : { definition: await readDefinition(io, file) };
        tell(
          out,
          await client.send('POST', `/companies/${await company(options.company)}/flows`, {
            name,
            ...definition,
          }),
        );
      },
    ),
  );

const save = (io: Io): Command =>
  examples(
    new Command('save')
      .description('replace the draft; what is published stays as it is')
      .argument('<flow_uuid>')
      .argument('<file>', 'JSON; - for standard input'),
    `flows save ${EXAMPLE} welcome.json`,
  ).action(
    act(io, async ({ client, out }, _options, uuid, file) => {
      const definition = await readDefinition(io, file);
      tell(out, await client.send('PUT', `/flows/${path(uuid)}/draft`, { definition }));
    }),
  );

const rename = (io: Io): Command =>
  examples(
    new Command('rename').description('give it another name').argument('<flow_uuid>').argument('<name>'),
    `flows rename ${EXAMPLE} "Olá"`,
  ).action(
    act(io, async ({ client, out }, _options, uuid, name) =>
      tell(out, await client.send('PATCH', `/flows/${path(uuid)}`, { name })),
    ),
  );

const setPublished =
  (name: 'publish' | 'unpublish', what: string) =>
  (io: Io): Command =>
    examples(new Command(name).description(what).argument('<flow_uuid>'), `flows ${name} ${EXAMPLE}`).action(
      act(io, async ({ client, out }, _options, uuid) =>
        tell(out, await client.send('POST', `/flows/${path(uuid)}/${name}`)),
      ),
    );
const publish = setPublished(
  'publish',
  'make the draft the next version; executions in progress keep theirs',
);
const unpublish = setPublished('unpublish', 'stop new executions from starting');

const remove = (io: Io): Command =>
  examples(
    new Command('delete')
      .description('delete a flow; executions in progress continue')
      .argument('<flow_uuid>')
      .option('--yes', 'do not ask'),
    `flows delete ${EXAMPLE} --yes`,
  ).action(
    act<{ yes?: boolean }>(io, async ({ client, say }, { yes }, uuid) => {
      await confirm(io, `The flow ${uuid} will be gone; nobody can start it any more.`, yes);
      await client.send('DELETE', `/flows/${path(uuid)}`);
      say('deleted');
    }),
  );

/** Without `--json`, the problems are a table below the flow. */
function tell(out: Output, flow: Resource): void {
  if (out.json) return out.one(flow);
  const { problems, ...rest } = flow;
  out.one(rest);
  if (parts(problems).length > 0) out.list(parts(problems), PROBLEMS);
}
