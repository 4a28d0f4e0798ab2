import { Command, InvalidArgumentError } from 'commander';
import { usage } from '../failure.js';
import type { Io } from '../io.js';
import { act, examples, wholeNumber, words } from '../session.js';
import { storeCategories } from './store-categories.js';
import { storeImport } from './store-import.js';
import { storeOrders } from './store-orders.js';
import { storeProducts } from './store-products.js';

interface SettingsOptions {
  readonly company?: string;
  readonly name?: string;
  readonly slug?: string;
  readonly status?: string;
  readonly description?: string;
  readonly whatsapp?: string;
  readonly channel?: string;
  readonly locale?: string;
  readonly payment?: readonly string[];
  readonly pixKey?: string;
  readonly pixKeyType?: string;
  readonly pixName?: string;
  readonly pixCity?: string;
  readonly deliveryFee?: string;
  readonly freeFrom?: string;
  readonly zip?: readonly string[];
  readonly pickup?: string;
  readonly hold?: Readonly<Record<string, number | null>>;
  readonly maxUnits?: number;
  readonly maxUnpaid?: number;
  /** Names of settings to clear. */
  readonly clear?: readonly string[];
}

const CLEARABLE: Readonly<Record<string, string>> = {
  description: 'description',
  whatsapp: 'whatsapp_phone',
  channel: 'channel_uuid',
  pix: 'pix',
  delivery: 'delivery',
  pickup: 'pickup',
  'max-units': 'max_product_units_per_order',
  'max-unpaid': 'max_unpaid_orders_per_contact',
};

export function store(io: Io): Command {
  const noun = new Command('store').description(
    'the storefront of a company: settings, categories, products, orders',
  );

  examples(
    noun
      .command('show')
      .description('show settings and counts')
      .option('--company <uuid>', 'company (default: the demo company, or the only one)'),
    'store show',
    'store show --json | jq .public_url',
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company }, options) =>
      out.one(await client.get(`/companies/${await company(options.company)}/store`)),
    ),
  );

  examples(
    settings(noun.command('open').description('give a company a store; an existing one stays as it is')),
    'store open --company 3b0c8f5e-0000-4000-8000-000000000000 --name "Loja da Ana"',
    'store open --slug loja-da-ana --pickup "Rua das Flores, 10" --status active',
  ).action(
    act<SettingsOptions>(io, async ({ client, out, company }, options) =>
      out.one(
        await client.send(
          'POST',
          `/companies/${await company(options.company)}/store`,
          settingsBody(options),
        ),
      ),
    ),
  );

  examples(
    settings(noun.command('set').description('change settings; what is not named stays')),
    'store set --status paused',
    'store set --pix-key 11.222.333/0001-81 --pix-key-type cnpj --pix-name "Loja da Ana" --pix-city Recife --payment pix,cash',
    'store set --hold pix=2h,payment_link=3d,cash=off',
    'store set --max-units 5 --max-unpaid 2',
    'store set --delivery-fee 12.50 --free-from 150 --zip 50,51,52 --clear pickup',
  ).action(
    act<SettingsOptions>(io, async ({ client, out, company }, options) =>
      out.one(
        await client.send(
          'PATCH',
          `/companies/${await company(options.company)}/store`,
          settingsBody(options),
        ),
      ),
    ),
  );

  examples(
    noun
      .command('plan')
      .description('switch the storefront of the company on or off; nothing is lost')
      .argument('<on|off>')
      .option('--company <uuid>', 'company (default: the demo company, or the only one)'),
    'store plan on',
    'store plan off --company 3b0c8f5e-0000-4000-8000-000000000000',
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company }, options, word) => {
      if (word !== 'on' && word !== 'off') throw usage('Say on or off.');
      const body = { allowed: word === 'on' };
      out.one(await client.send('PUT', `/companies/${await company(options.company)}/store/plan`, body));
    }),
  );

  noun.addCommand(storeCategories(io));
  noun.addCommand(storeProducts(io));
  noun.addCommand(storeOrders(io));
  storeImport(io, noun);
  return noun;
}

const settings = (command: Command): Command =>
  command
    .option('--company <uuid>', 'company (default: the demo company, or the only one)')
    .option('--name <name>', 'as customers see it')
    .option('--slug <slug>', 'its part of the address of the page; unique in the deployment')
    .option(
      '--status <status>',
      'active: the page sells; paused: it shows products but does not sell; setup: no page',
    )
    .option('--description <text>', 'a few words below the name')
    .option('--whatsapp <phone>', 'phone of the shop, with + and country code')
    .option('--channel <uuid>', 'channel of carts and order messages (default: the only one)')
    .option('--locale <locale>', 'language of the page: pt-BR or en')
    .option('--payment <methods>', 'with commas between: pix, card, cash, payment_link, other', words)
    .option('--pix-key <key>', 'with --pix-key-type, --pix-name and --pix-city')
    .option('--pix-key-type <type>', 'cpf, cnpj, phone, email or random')
    .option('--pix-name <name>', 'name of the recipient, at most 25 characters')
    .option('--pix-city <city>', 'city of the recipient, at most 15 characters')
    .option('--delivery-fee <amount>', 'for every order, such as 12.50', amount)
    .option('--free-from <amount>', 'no fee from this subtotal on; with --delivery-fee', amount)
    .option('--zip <prefixes>', 'beginnings of CEPs delivered to (default: all); with --delivery-fee', words)
    .option('--pickup <location>', 'where orders are picked up')
    .option(
      '--hold <times>',
      'how long unpaid orders keep their stock, such as pix=24h,cash=off (m, h, d); by --payment, and not_chosen for carts',
      holdTimes,
    )
    .option(
      '--max-units <count>',
      'most units of one product in one order of a visitor',
      wholeNumber(1, 1_000_000),
    )
    .option('--max-unpaid <count>', 'most unpaid orders of one visitor at a time', wholeNumber(1, 100))
    .option('--clear <names>', `clear: ${Object.keys(CLEARABLE).join(', ')}`, words);

function settingsBody(options: SettingsOptions): Readonly<Record<string, unknown>> {
  const cleared = Object.fromEntries(
    (options.clear ?? []).map((name) => {
      const field = CLEARABLE[name];
      if (field === undefined) {
        throw usage(`${name} can't be cleared. These can: ${Object.keys(CLEARABLE).join(', ')}.`);
      }
      return [field, null];
    }),
  );
  const { pickup } = options;
  const body = {
    ...cleared,
    name: options.name,
    slug: options.slug,
    status: options.status,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.whatsapp === undefined ? {} : { whatsapp_phone: options.whatsapp }),
    ...(options.channel === undefined ? {} : { channel_uuid: options.channel }),
    locale: options.locale,
    payment_methods: options.payment,
    hold_minutes: options.hold,
    ...(options.maxUnits === undefined ? {} : { max_product_units_per_order: options.maxUnits }),
    ...(options.maxUnpaid === undefined ? {} : { max_unpaid_orders_per_contact: options.maxUnpaid }),
    ...pixOf(options),
    ...deliveryOf(options),
    ...(pickup === undefined ? {} : { pickup: { location: pickup } }),
  };
  return body;
}

function pixOf({ pixKey, pixKeyType, pixName, pixCity }: SettingsOptions) {
  const given = [pixKey, pixKeyType, pixName, pixCity];
  if (given.every((value) => value === undefined)) return {};
  if (given.some((value) => value === undefined)) {
    throw usage('Pix is set as a whole: give --pix-key, --pix-key-type, --pix-name and --pix-city.');
  }
  return { pix: { key: pixKey, key_type: pixKeyType, merchant_name: pixName, merchant_city: pixCity } };
}

function deliveryOf({ deliveryFee, freeFrom, zip }: SettingsOptions) {
  if (deliveryFee === undefined) {
    if (freeFrom === undefined && zip === undefined) return {};
    throw usage('Delivery is set as a whole: give --delivery-fee too (0 is no fee).');
  }
  return { delivery: { fee: deliveryFee, free_from: freeFrom ?? null, zip_prefixes: zip ?? [] } };
}

const UNIT_MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60 };

/** `pix=24h,cash=off` in minutes; null for off. */
function holdTimes(text: string): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    words(text).map((pair) => {
      const [, method, off, count, unit] = /^([a-z_]+)=(?:(off)|(\d{1,6})([mhd]))$/.exec(pair) ?? [];
      if (method === undefined) throw new InvalidArgumentError(`"${pair}" is not like pix=24h or cash=off.`);
      return [method, off ? null : Number(count) * UNIT_MINUTES[unit!]!];
    }),
  );
}

function amount(text: string): string {
  const plain = text.replace(',', '.');
  if (/^\d{1,7}(?:\.\d{1,2})?$/.test(plain)) return plain;
  throw new InvalidArgumentError('Give an amount such as 12.50.');
}
