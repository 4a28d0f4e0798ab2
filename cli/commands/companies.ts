import { Command, Option } from 'commander';
import { part } from '../answer.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { usage } from '../failure.js';
import { act, examples, listOptions, path, wholeNumber } from '../session.js';

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

  examples(
    noun
      .command('marketing')
      .description('switch MARKETING templates on or off, or change their caps')
      .argument('[company_uuid]', 'company (default: the demo company, or the only one)')
      .option('--enable', 'allow MARKETING templates')
      .option('--disable', 'refuse them with marketing_sends_disabled')
      .option('--per-contact-per-day <n>', 'to one contact within 24 hours', wholeNumber(0, 100_000))
      .option('--per-contact-per-week <n>', 'to one contact within 7 days', wholeNumber(0, 100_000))
      .option('--per-day <n>', 'of the whole company within 24 hours', wholeNumber(0, 100_000)),
    'companies marketing --enable',
    'companies marketing 3b0c8f5e-0000-4000-8000-000000000000 --per-contact-per-day 1 --per-day 5000',
  ).action(
    act<MarketingOptions>(io, async ({ client, out, company }, options, uuid) => {
      if (options.enable && options.disable) throw usage('Name --enable or --disable, not both.');
      const body = {
        enabled: options.enable ? true : options.disable ? false : undefined,
        per_contact_per_day: options.perContactPerDay,
        per_contact_per_week: options.perContactPerWeek,
        per_day: options.perDay,
      };
      out.one(await client.send('PATCH', `/companies/${path(await company(uuid))}/marketing`, body));
    }),
  );
  examples(
    noun
      .command('words')
      .description('set the words that stop and resume marketing, beside PARAR, STOP, VOLTAR and START')
      .argument('[company_uuid]', 'company (default: the demo company, or the only one)')
      .option('--stop <words>', 'words that stop it, separated by commas; "" for none', wordList)
      .option('--resume <words>', 'words that resume it', wordList),
    'companies words --stop "SAIR, não quero mais"',
    'companies words 3b0c8f5e-0000-4000-8000-000000000000 --stop ""',
  ).action(
    act<{ stop?: string[]; resume?: string[] }>(
      io,
      async ({ client, out, company }, { stop, resume }, uuid) => {
        const target = `/companies/${path(await company(uuid))}`;
        const asked = stop === undefined && resume === undefined;
        const shown = asked
          ? await client.get(target)
          : await client.send('PATCH', `${target}/opt-out-words`, { stop, resume });
        out.one(part(shown['opt_out_words']));
      },
    ),
  );
  examples(
    noun
      .command('person-words')
      .description(
        'set the words that call a person while a flow runs, beside ATENDENTE, HUMANO and similar ones',
      )
      .argument('[company_uuid]', 'company (default: the demo company, or the only one)')
      .option('--words <words>', 'the words, separated by commas; "" for none', wordList),
    'companies person-words --words "vendedor, chama a Ana"',
    'companies person-words 3b0c8f5e-0000-4000-8000-000000000000 --words ""',
  ).action(
    act<{ words?: string[] }>(io, async ({ client, out, company }, { words }, uuid) => {
      const target = `/companies/${path(await company(uuid))}`;
      const shown =
        words === undefined
          ? await client.get(target)
          : await client.send('PATCH', `${target}/person-words`, { words });
      out.one({ words: shown['person_words'] });
    }),
  );
  examples(
    noun
      .command('privacy')
      .description("let viewers reveal the customers' data of one thing, which is recorded, or not")
      .argument('[company_uuid]', 'company (default: the demo company, or the only one)')
      .addOption(new Option('--viewers-may-reveal <choice>', 'on or off').choices(['on', 'off'])),
    'companies privacy --viewers-may-reveal on',
    'companies privacy 3b0c8f5e-0000-4000-8000-000000000000',
  ).action(
    act<{ viewersMayReveal?: 'on' | 'off' }>(
      io,
      async ({ client, out, company }, { viewersMayReveal }, uuid) => {
        const target = `/companies/${path(await company(uuid))}`;
        const shown =
          viewersMayReveal === undefined
            ? await client.get(target)
            : await client.send('PATCH', `${target}/privacy`, {
                viewers_may_reveal: viewersMayReveal === 'on',
              });
        out.one(part(shown['privacy']));
      },
    ),
  );
  return noun;
}

const wordList = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

interface MarketingOptions {
  readonly enable?: boolean;
  readonly disable?: boolean;
  readonly perContactPerDay?: number;
  readonly perContactPerWeek?: number;
  readonly perDay?: number;
}
