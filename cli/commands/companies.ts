import { Command } from 'commander';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['NAME', 'name'],
  ['TIME ZONE', 'timezone'],
  ['CREATED', 'created_at'],
];

export function companies(io: Io): Command {
  const noun = new Command('companies').description('tenants: each has its own channels, contacts and keys');

  examples(listOptions(noun.command('list').description('list companies')), 'companies list --json').action(
    act<{ limit: number }>(io, async ({ client, out }, { limit }) =>
      out.list(await client.list('/companies', {}, limit), COLUMNS),
    ),
  );

  examples(
    noun
      .command('create')
      .description('register a company')
      .requiredOption('--name <name>', 'its name')
      .option('--timezone <zone>', 'IANA time zone (default: America/Sao_Paulo)'),
    'companies create --name "Loja da Ana"',
    'companies create --name "Loja Norte" --timezone America/Manaus --json',
  ).action(
    act<{ name: string; timezone?: string }>(io, async ({ client, out }, { name, timezone }) =>
      out.one(await client.send('POST', '/companies', { name, timezone })),
    ),
  );

  examples(
    noun.command('show').description('show one company').argument('<company_uuid>'),
    'companies show 3b0c8f5e-0000-4000-8000-000000000000',
  ).action(
    act(io, async ({ client, out }, _options, uuid) => out.one(await client.get(`/companies/${path(uuid)}`))),
  );
  return noun;
}
