import { Command } from 'commander';
import { confirm, type Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, path, wholeNumber } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['NAME', 'name'],
  ['SLUG', 'slug'],
  ['UNDER', 'parent_uuid'],
  ['POSITION', 'position'],
  ['PRODUCTS', 'product_count'],
  ['SHOWN', 'active'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

interface Whose {
  readonly company?: string;
}

interface CategoryOptions extends Whose {
  readonly name?: string;
  readonly slug?: string;
  readonly under?: string;
  readonly position?: number;
  readonly hide?: boolean;
  readonly show?: boolean;
}

export function storeCategories(io: Io): Command {
  const noun = new Command('categories').description('categories of the store: a tree of up to three levels');
  const whose = (command: Command): Command =>
    command.option('--company <uuid>', 'company of the store (default: the demo company, or the only one)');

  examples(
    whose(noun.command('list').description('list the tree, each category before those under it')),
    'store categories list',
  ).action(
    act<Whose>(io, async ({ client, out, company }, options) => {
      const { data } = await client.page(`/companies/${await company(options.company)}/store/categories`, {});
      out.list(data, COLUMNS);
    }),
  );

  examples(
    whose(noun.command('create').description('make a category').argument('<name>'))
      .option('--slug <slug>', 'its part of the address (default: made from the name)')
      .option('--under <category_uuid>', 'put it under another one')
      .option(
        '--position <n>',
        'place among its siblings, from 0 (default: the last)',
        wholeNumber(0, 100_000),
      )
      .option('--hide', 'do not show it yet'),
    'store categories create Roupas',
    `store categories create Camisetas --under ${EXAMPLE}`,
  ).action(
    act<CategoryOptions>(io, async ({ client, out, company }, options, name) => {
      const target = `/companies/${await company(options.company)}/store/categories`;
      out.one(await client.send('POST', target, { ...fields(options), name }));
    }),
  );

  examples(
    whose(noun.command('change').description('rename, show or hide a category').argument('<category_uuid>'))
      .option('--name <name>')
      .option('--slug <slug>')
      .option('--hide', 'do not show it')
      .option('--show', 'show it'),
    `store categories change ${EXAMPLE} --name "Moda praia" --show`,
  ).action(act<CategoryOptions>(io, change));

  examples(
    whose(
      noun
        .command('move')
        .description('put a category elsewhere, with all that is under it')
        .argument('<category_uuid>'),
    )
      .option('--under <category_uuid>', 'the new parent; "top" for none')
      .option('--position <n>', 'place among its siblings, from 0', wholeNumber(0, 100_000)),
    `store categories move ${EXAMPLE} --position 0`,
    `store categories move ${EXAMPLE} --under top`,
  ).action(act<CategoryOptions>(io, change));

  examples(
    whose(
      noun
        .command('remove')
        .description('remove a category; its products stay, without one')
        .argument('<category_uuid>'),
    ).option('--yes', 'do not ask'),
    `store categories remove ${EXAMPLE} --yes`,
  ).action(
    act<Whose & { yes?: boolean }>(io, async ({ client, out, company }, { company: of, yes }, uuid) => {
      await confirm(io, `The category ${uuid} will be gone, and its products without one.`, yes);
      await client.send('DELETE', `/companies/${await company(of)}/store/categories/${path(uuid)}`);
      out.done('Removed.');
    }),
  );
  return noun;
}

const change: Parameters<typeof act<CategoryOptions>>[1] = async (
  { client, out, company },
  options,
  uuid,
) => {
  const target = `/companies/${await company(options.company)}/store/categories/${path(uuid)}`;
  out.one(await client.send('PATCH', target, fields(options)));
};

const fields = ({ name, slug, under, position, hide, show }: CategoryOptions) => ({
  name,
  slug,
  ...(under === undefined ? {} : { parent_uuid: under === 'top' ? null : under }),
  position,
  active: hide ? false : show ? true : undefined,
});
