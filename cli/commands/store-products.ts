import { Command } from 'commander';
import { confirm, type Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['HANDLE', 'import_handle'],
  ['NAME', 'name'],
  ['PRICE', 'effective_price'],
  ['STOCK', ({ variants, stock }) => (Array.isArray(variants) && variants.length > 0 ? 'variants' : stock)],
  ['ACTIVE', 'active'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

interface Whose {
  readonly company?: string;
}

export function storeProducts(io: Io): Command {
  const noun = new Command('products').description('products of the store; "store import" writes them');
  const whose = (command: Command): Command =>
    command.option('--company <uuid>', 'company of the store (default: the demo company, or the only one)');

  examples(
    whose(listOptions(noun.command('list').description('list products, newest first'))).option(
      '--query <text>',
      'words of the name, the description or a code',
    ),
    'store products list --query camiseta',
  ).action(
    act<Whose & { limit: number; query?: string }>(
      io,
      async ({ client, out, company }, { limit, query, company: of }) =>
        out.list(
          await client.list(`/companies/${await company(of)}/store/products`, { query }, limit),
          COLUMNS,
        ),
    ),
  );

  examples(
    whose(noun.command('get').description('show one product').argument('<product_uuid>')),
    `store products get ${EXAMPLE} --json`,
  ).action(
    act<Whose>(io, async ({ client, out, company }, options, uuid) =>
      out.one(await client.get(`/companies/${await company(options.company)}/store/products/${path(uuid)}`)),
    ),
  );

  examples(
    whose(
      noun
        .command('delete')
        .description('delete a product for good; orders keep their copy of its details')
        .argument('<product_uuid>'),
    ).option('--yes', 'do not ask'),
    `store products delete ${EXAMPLE} --yes`,
  ).action(
    act<Whose & { yes?: boolean }>(io, async ({ client, out, company }, { company: of, yes }, uuid) => {
      await confirm(io, `The product ${uuid} will be gone for good, with its variants and pictures.`, yes);
      await client.send('DELETE', `/companies/${await company(of)}/store/products/${path(uuid)}`);
      out.done('Deleted.');
    }),
  );
  return noun;
}
