import { Command, Option } from 'commander';
import { randomUUID } from 'node:crypto';
import { usage } from '../failure.js';
import { confirm, type Io } from '../io.js';
import type { Column } from '../output.js';
import { jsonObject } from '../pairs.js';
import { act, examples, listOptions, path, wholeNumber } from '../session.js';
import { storePictures } from './store-pictures.js';

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

interface Shelf {
  readonly limit: number;
  readonly query?: string;
  readonly category?: string;
  readonly active?: 'yes' | 'no';
  readonly stockAtMost?: number;
}

export function storeProducts(io: Io): Command {
  const noun = new Command('products').description('products of the store; "store import" writes many');
  const whose = (command: Command): Command =>
    command.option('--company <uuid>', 'company of the store (default: the demo company, or the only one)');

  examples(
    whose(listOptions(noun.command('list').description('list products, newest first')))
      .option('--query <text>', 'words of the name, the description or a code')
      .option('--category <uuid>', 'only of this category')
      .addOption(new Option('--active <yes or no>', 'only on sale, or only not').choices(['yes', 'no']))
      .option('--stock-at-most <units>', 'only with at most this stock', wholeNumber(0, 1_000_000)),
    'store products list --query camiseta',
    'store products list --active yes --stock-at-most 3',
  ).action(
    act<Whose & Shelf>(io, async ({ client, out, company }, { limit, company: of, ...filter }) => {
      const { query, category, active, stockAtMost } = filter;
      const asked = {
        query,
        category,
        active: active === undefined ? undefined : String(active === 'yes'),
        stock_at_most: stockAtMost,
      };
      out.list(await client.list(`/companies/${await company(of)}/store/products`, asked, limit), COLUMNS);
    }),
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
    fields(whose(noun.command('create').description('create a product, and show it'))).option(
      '--idempotency-key <key>',
      'the same key and product are created once (default: a new key)',
    ),
    'store products create --name "Camiseta lisa" --price 49.90 --stock 12',
    `store products create --json-body '{"name": "Camiseta", "price": "49.90", "variants": []}'`,
  ).action(
    act<Whose & Fields & { idempotencyKey?: string }>(
      io,
      async ({ client, out, company }, { company: of, idempotencyKey, ...given }) =>
        out.one(
          await client.send('POST', `/companies/${await company(of)}/store/products`, productOf(given), {
            'idempotency-key': idempotencyKey ?? randomUUID(),
          }),
        ),
    ),
  );

  examples(
    fields(
      whose(
        noun
          .command('change')
          .description('change the named fields of a product; the others stay')
          .argument('<product_uuid>'),
      ),
    ).option('--if-version <n>', 'only if the product is still at this version'),
    `store products change ${EXAMPLE} --price 59.90 --stock 30`,
    `store products change ${EXAMPLE} --active off --if-version 7`,
  ).action(
    act<Whose & Fields & { ifVersion?: string }>(
      io,
      async ({ client, out, company }, { company: of, ifVersion, ...given }, uuid) =>
        out.one(
          await client.send(
            'PATCH',
            `/companies/${await company(of)}/store/products/${path(uuid)}`,
            productOf(given),
            ifVersion === undefined ? {} : { 'if-match': `"${ifVersion}"` },
          ),
        ),
    ),
  );

  storePictures(io, noun, whose);

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

interface Fields {
  readonly name?: string;
  readonly price?: string;
  readonly stock?: number;
  readonly description?: string;
  readonly handle?: string;
  readonly active?: string;
  readonly jsonBody?: string;
}

const fields = (command: Command): Command =>
  command
    .option('--name <name>', 'what customers read')
    .option('--price <amount>', 'such as 49.90')
    .option('--stock <n>', 'how many are left', wholeNumber(0, 1_000_000))
    .option('--description <text>', 'what customers read under the name')
    .option('--handle <handle>', 'your own code (import_handle)')
    .addOption(new Option('--active <switch>', 'whether it is for sale').choices(['on', 'off']))
    .option('--json-body <json>', 'the product as a JSON object, for variants and pictures');

/** @throws Failure when no field is given, or both ways are used */
function productOf({ jsonBody, name, price, stock, description, handle, active }: Fields): object {
  const given = {
    name,
    price,
    stock,
    description,
    import_handle: handle,
    active: active === undefined ? undefined : active === 'on',
  };
  const any = Object.values(given).some((value) => value !== undefined);
  if (any === (jsonBody !== undefined))
    throw usage('Give fields such as --name and --price, or --json-body.');
  return jsonBody === undefined
    ? given
    : jsonObject(jsonBody, '--json-body takes a JSON object, such as \'{"name": "Camiseta"}\'.');
}
