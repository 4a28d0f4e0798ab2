import { Command, InvalidArgumentError, Option } from 'commander';
import { parts } from '../answer.js';
import { messageOf } from '../../ports/thrown.js';
import { EXIT, Failure, usage } from '../failure.js';
import type { Resource } from '../client.js';
import { confirm, readText, type Io } from '../io.js';
import type { Column, Output } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';
import { flowExecutions } from './flow-executions.js';
import { tryFlow } from '../try-flow.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['NAME', 'name'],
  ['STATUS', 'status'],
  ['VERSION', 'version'],
  ['UPDATED', 'updated_at'],
];
const PROBLEMS: readonly Column[] = [
  ['SEVERITY', 'severity'],
  ['BLOCK', 'block'],
  ['FIELD', 'path'],
  ['PROBLEM', 'message'],
];
const CHANGES: readonly Column[] = [
  ['CHANGE', 'change'],
  ['BLOCK', 'block'],
  ['FIELD', 'field'],
  ['BEFORE', 'before'],
  ['AFTER', 'after'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

export function flows(io: Io): Command {
  const noun = new Command('flows').description('automated conversations: drafts, versions, publication');

  examples(
    listOptions(noun.command('list').description('list flows, newest first'))
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

  examples(
    noun.command('show').description('show a flow and the problems of its draft').argument('<flow_uuid>'),
    `flows show ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) => {
      tell(out, await client.get(`/flows/${path(uuid)}`));
    }),
  );

  examples(
    noun
      .command('check')
      .description(
        'list every problem of a definition, without saving it; fails when it could not be published',
      )
      .argument('<file>', 'JSON; - for standard input'),
    'flows check welcome.json',
  ).action(
    act(io, async ({ client, out, say }, _options, file) => {
      const definition = await readJson(io, file);
      const checked = await client.send('POST', '/flows/check', { definition });
      const problems = parts(checked['problems']);
      if (problems.length === 0 && !out.json) return say('No problems: it can be published.');
      out.list(problems, PROBLEMS);
      if (checked['publishable'] !== true)
        throw new Failure(EXIT.failed, 'The definition could not be published.');
    }),
  );

  examples(
    noun
      .command('create')
      .description('make a flow, as a draft')
      .argument('<name>')
      .option('--company <uuid>', 'company (default: the demo company, or the only one)')
      .option('--file <file>', 'its definition, JSON; - for standard input'),
    'flows create "Boas-vindas" --file welcome.json',
  ).action(
    act<{ company?: string; file?: string }>(
      io,
      async ({ client, out, company }, { file, ...options }, name) => {
        const definition = file === undefined ? {} : { definition: await readJson(io, file) };
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

  examples(
    noun
      .command('save')
      .description('replace the draft; what is published stays as it is')
      .argument('<flow_uuid>')
      .argument('<file>', 'JSON; - for standard input'),
    `flows save ${EXAMPLE} welcome.json`,
  ).action(
    act(io, async ({ client, out }, _options, uuid, file) => {
      const definition = await readJson(io, file);
      tell(out, await client.send('PUT', `/flows/${path(uuid)}/draft`, { definition }));
    }),
  );

  examples(
    noun.command('rename').description('give it another name').argument('<flow_uuid>').argument('<name>'),
    `flows rename ${EXAMPLE} "Olá"`,
  ).action(
    act(io, async ({ client, out }, _options, uuid, name) =>
      tell(out, await client.send('PATCH', `/flows/${path(uuid)}`, { name })),
    ),
  );

  for (const [name, what] of [
    ['publish', 'make the draft the next version; executions in progress keep theirs'],
    ['unpublish', 'stop new executions from starting'],
  ] as const) {
    examples(noun.command(name).description(what).argument('<flow_uuid>'), `flows ${name} ${EXAMPLE}`).action(
      act(io, async ({ client, out }, _options, uuid) =>
        tell(out, await client.send('POST', `/flows/${path(uuid)}/${name}`)),
      ),
    );
  }

  examples(
    noun
      .command('export')
      .description('print a definition as JSON, for `flows save` or `flows create`')
      .argument('<flow_uuid>')
      .option('--flow-version <version>', 'draft, published or a number', 'draft'),
    `flows export ${EXAMPLE} --flow-version published > welcome.json`,
  ).action(
    act<{ flowVersion: string }>(io, async ({ client }, { flowVersion: version }, uuid) => {
      const { definition } = await client.get(`/flows/${path(uuid)}/definition`, { version });
      io.stdout.write(`${JSON.stringify(definition, null, 2)}\n`);
    }),
  );

  examples(
    noun
      .command('diff')
      .description('what changed between two versions')
      .argument('<flow_uuid>')
      .option('--from <version>', 'draft, published or a number', 'published')
      .option('--to <version>', 'draft, published or a number', 'draft'),
    `flows diff ${EXAMPLE} --from 1 --to published`,
  ).action(
    act<{ from: string; to: string }>(io, async ({ client, out }, { from, to }, uuid) => {
      const changes = parts((await client.get(`/flows/${path(uuid)}/diff`, { from, to }))['changes']);
      out.list(out.json ? changes : changes.map(inWords), CHANGES);
    }),
  );

  examples(
    noun
      .command('render')
      .description('print a Mermaid flowchart, for any viewer of Markdown')
      .argument('<flow_uuid>')
      .option('--flow-version <version>', 'draft, published or a number', 'draft'),
    `flows render ${EXAMPLE} > welcome.mmd`,
  ).action(
    act<{ flowVersion: string }>(io, async ({ client, out }, { flowVersion: version }, uuid) => {
      const drawn = await client.get(`/flows/${path(uuid)}/render`, { version });
      if (out.json) out.one(drawn);
      else io.stdout.write(String(drawn['mermaid']));
    }),
  );

  examples(
    noun
      .command('delete')
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

  examples(
    noun
      .command('try')
      .description('play a flow through without sending anything; you are the customer')
      .argument('<flow_uuid_or_file>', 'a flow, or a file with a definition')
      .option('--flow-version <version>', 'of a flow: draft, published or a number', 'draft')
      .option('--var <name=value>', 'variable that it starts with; repeat for more', collect, {})
      .option('--contact <name=value>', 'name, phone, email or external_id of the customer', collect, {}),
    'flows try welcome.json --var utm_source=instagram --contact name=Ana',
    `flows try ${EXAMPLE} --json < answers.txt`,
  ).action(
    act<{ flowVersion: string; var: Pairs; contact: Pairs }>(io, async ({ client, out }, options, target) => {
      const definition = isUuid(target)
        ? (await client.get(`/flows/${path(target)}/definition`, { version: options.flowVersion }))[
            'definition'
          ]
        : await readJson(io, target);
      await tryFlow(io, out, (inputs) =>
        client.send('POST', '/flows/rehearse', {
          definition,
          variables: options.var,
          contact: options.contact,
          inputs,
        }),
      );
    }),
  );

  noun.addCommand(flowExecutions(io));

  examples(noun.command('schema').description('print the JSON Schema of definitions'), 'flows schema').action(
    act(io, async ({ client }) => {
      io.stdout.write(`${JSON.stringify(await client.get('/flows/schema'), null, 2)}\n`);
    }),
  );
  return noun;
}

type Pairs = Readonly<Record<string, string>>;

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** @throws Failure with the exit code of wrong usage */
function collect(given: string, before: Pairs): Pairs {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write name=value.');
  return { ...before, [name]: value };
}

/** Without `--json`, the problems are a table below the flow. */
function tell(out: Output, flow: Resource): void {
  if (out.json) return out.one(flow);
  const { problems, ...rest } = flow;
  out.one(rest);
  if (parts(problems).length > 0) out.list(parts(problems), PROBLEMS);
}

const inWords = (change: Resource): Resource => ({
  ...change,
  before: shorten(change['before']),
  after: shorten(change['after']),
});

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

async function readJson(io: Io, file: string): Promise<unknown> {
  const text = await readText(io, file);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usage(`${file} is not JSON: ${messageOf(error)}`, 'See "recado flows schema" for the format.');
  }
}
