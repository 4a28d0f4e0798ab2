/** What a flow says: its definition as a file, checked, compared, drawn and played through. */
import { Command, InvalidArgumentError } from 'commander';
import { messageOf } from '../../ports/thrown.js';
import { parts } from '../answer.js';
import type { Resource } from '../client.js';
import { EXIT, Failure, usage } from '../failure.js';
import { readText, type Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, path } from '../session.js';
import { tryFlow } from '../try-flow.js';

export const PROBLEMS: readonly Column[] = [
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

export const check = (io: Io): Command =>
  examples(
    new Command('check')
      .description(
        'list every problem of a definition, without saving it; fails when it could not be published',
      )
      .argument('<file>', 'JSON; - for standard input'),
    'flows check welcome.json',
  ).action(
    act(io, async ({ client, out, say }, _options, file) => {
      const definition = await readDefinition(io, file);
      const checked = await client.send('POST', '/flows/check', { definition });
      const problems = parts(checked['problems']);
      if (problems.length === 0 && !out.json) return say('No problems: it can be published.');
      out.list(problems, PROBLEMS);
      if (checked['publishable'] !== true)
        throw new Failure(EXIT.failed, 'The definition could not be published.');
    }),
  );

export const exportOne = (io: Io): Command =>
  examples(
    new Command('export')
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

export const diff = (io: Io): Command =>
  examples(
    new Command('diff')
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

export const render = (io: Io): Command =>
  examples(
    new Command('render')
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

export const tryOut = (io: Io): Command =>
  examples(
    new Command('try')
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
        : await readDefinition(io, target);
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

export const schema = (io: Io): Command =>
  examples(new Command('schema').description('print the JSON Schema of definitions'), 'flows schema').action(
    act(io, async ({ client }) => {
      io.stdout.write(`${JSON.stringify(await client.get('/flows/schema'), null, 2)}\n`);
    }),
  );

/** @throws Failure with the exit code of wrong usage */
export async function readDefinition(io: Io, file: string): Promise<unknown> {
  const text = await readText(io, file);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usage(`${file} is not JSON: ${messageOf(error)}`, 'See "recado flows schema" for the format.');
  }
}

type Pairs = Readonly<Record<string, string>>;

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** @throws Failure with the exit code of wrong usage */
function collect(given: string, before: Pairs): Pairs {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write name=value.');
  return { ...before, [name]: value };
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
