import { Command } from 'commander';
import { confirm, type Io } from '../io.js';
import type { Column } from '../output.js';
import { readScopes, SCOPES, shownScopes } from '../scopes.js';
import { act, examples, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['KEY ID', 'key_id'],
  ['LABEL', 'label'],
  ['SCOPES', ({ scopes }) => shownScopes(scopes)],
  ['LAST USED', 'last_used_at'],
  ['REVOKED', 'revoked_at'],
];

interface Options {
  readonly integration?: string;
}

const WHOSE = [
  '--integration <uuid>',
  'integration (default: the demo integration, or the only one)',
] as const;

export function keys(io: Io): Command {
  const noun = new Command('keys').description('API keys of an integration');

  examples(
    noun
      .command('list')
      .description('list API keys')
      .option(...WHOSE),
    'keys list',
  ).action(
    act<Options>(io, async ({ client, out, integration }, options) => {
      const { data } = await client.page(`/integrations/${await integration(options.integration)}/keys`, {});
      out.list(data, COLUMNS);
    }),
  );

  examples(
    noun
      .command('create')
      .description('issue an API key; shows it, this once')
      .requiredOption('--label <text>', 'what it is for')
      .requiredOption('--scopes <list>', `all, or with commas between: ${SCOPES.join(', ')}`, readScopes)
      .option(...WHOSE),
    'keys create --label website --scopes messages:send,operations:read',
    'keys create --label erp --scopes all',
    'keys create --label website --scopes messages:send --json | jq -r .api_key',
  ).action(
    act<Options & { label: string; scopes: readonly string[] }>(
      io,
      async ({ client, out, integration }, options) => {
        const { label, scopes } = options;
        const target = `/integrations/${await integration(options.integration)}/keys`;
        out.one(await client.send('POST', target, { label, scopes }));
        out.done('Keep the key: it is not shown again.');
      },
    ),
  );

  examples(
    noun
      .command('revoke')
      .description('make an API key stop working at once')
      .argument('<key_id>')
      .option(...WHOSE)
      .option('--yes', 'do not ask'),
    'keys revoke 0f1e2d3c4b5a6978 --yes',
  ).action(
    act<Options & { yes?: boolean }>(io, async ({ client, out, integration }, options, id) => {
      const owner = await integration(options.integration);
      await confirm(io, `Callers that use the key ${id} are locked out at once.`, options.yes);
      await client.send('DELETE', `/integrations/${owner}/keys/${path(id)}`);
      out.done(`Revoked ${id}.`);
    }),
  );
  return noun;
}
