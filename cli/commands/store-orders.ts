import { Command, InvalidArgumentError, Option } from 'commander';
import { part } from '../answer.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['NUMBER', 'code'],
  ['UUID', 'uuid'],
  ['STATUS', 'status'],
  ['TOTAL', 'total'],
  ['CUSTOMER', ({ customer }) => part(customer)['name']],
  ['SOURCE', 'source'],
  ['CREATED', 'created_at'],
];
const STATUSES = ['novo', 'confirmado', 'pago', 'entregue', 'cancelado'];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

interface Item {
  readonly product_uuid: string;
  readonly variant_uuid: string | null;
  readonly quantity: number;
}

interface PlaceOptions {
  readonly company?: string;
  readonly uuid?: string;
  readonly item: readonly Item[];
  readonly phone: string;
  readonly name?: string;
  readonly email?: string;
  readonly delivery?: boolean;
  readonly zip?: string;
  readonly street?: string;
  readonly number?: string;
  readonly city?: string;
  readonly state?: string;
  readonly payment?: string;
  readonly link?: string;
  readonly note?: string;
}

/** `<product>[/<variant>][:<quantity>]` */
function item(text: string, before: readonly Item[] = []): readonly Item[] {
  const [, product, variant, quantity] = /^([^/:]+)(?:\/([^/:]+))?(?::([1-9]\d{0,6}))?$/.exec(text) ?? [];
  if (product === undefined) {
    throw new InvalidArgumentError('Give <product_uuid>[/<variant_uuid>][:<quantity>].');
  }
  return [
    ...before,
    { product_uuid: product, variant_uuid: variant ?? null, quantity: Number(quantity ?? 1) },
  ];
}

export function storeOrders(io: Io): Command {
  const noun = new Command('orders').description('orders of the store, from novo to entregue');
  const whose = (command: Command): Command =>
    command.option('--company <uuid>', 'company of the store (default: the demo company, or the only one)');

  examples(
    whose(listOptions(noun.command('list').description('list orders, newest first'))).addOption(
      new Option('--status <status>', 'only these').choices(STATUSES),
    ),
    'store orders list --status novo',
  ).action(
    act<{ limit: number; company?: string; status?: string }>(
      io,
      async ({ client, out, company }, { limit, status, ...options }) =>
        out.list(
          await client.list(`/companies/${await company(options.company)}/store/orders`, { status }, limit),
          COLUMNS,
        ),
    ),
  );

  examples(
    whose(noun.command('get').description('show an order').argument('<order_uuid>')),
    `store orders get ${EXAMPLE}`,
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company }, options, uuid) =>
      out.one(await client.get(`/companies/${await company(options.company)}/store/orders/${path(uuid)}`)),
    ),
  );

  examples(
    whose(noun.command('place').description('place an order for a customer'))
      .requiredOption(
        '--item <item>',
        '<product_uuid>[/<variant_uuid>][:<quantity>]; once for each item',
        item,
      )
      .requiredOption('--phone <phone>', 'phone of the customer, with + and country code')
      .option('--name <name>', 'name of the customer')
      .option('--email <email>', 'of the customer')
      .option('--delivery', 'to be delivered (default: picked up)')
      .option('--zip <cep>', 'part of the delivery address')
      .option('--street <street>', 'part of the delivery address')
      .option('--number <number>', 'part of the delivery address')
      .option('--city <city>', 'part of the delivery address')
      .option('--state <state>', 'part of the delivery address')
      .addOption(
        new Option('--payment <method>', 'payment method').choices([
          'pix',
          'card',
          'cash',
          'payment_link',
          'other',
        ]),
      )
      .option('--link <url>', 'address of the payment page')
      .option('--note <text>', 'request of the customer')
      .option('--uuid <uuid>', 'uuid of the order: repeating it places no second order'),
    `store orders place --item ${EXAMPLE}:2 --phone +5511987654321 --name Maria --payment pix`,
  ).action(
    act<PlaceOptions>(io, async ({ client, out, company }, options) =>
      out.one(
        await client.send(
          'POST',
          `/companies/${await company(options.company)}/store/orders`,
          orderBody(options),
        ),
      ),
    ),
  );

  examples(
    whose(noun.command('move').description('change the status of an order; cancelling it returns its stock'))
      .argument('<order_uuid>')
      .argument('<status>', STATUSES.slice(1).join(', '))
      .option('--reason <text>', 'why it is cancelled'),
    `store orders move ${EXAMPLE} confirmado`,
    `store orders move ${EXAMPLE} cancelado --reason "Sem estoque"`,
  ).action(
    act<{ company?: string; reason?: string }>(
      io,
      async ({ client, out, company }, { reason, ...options }, uuid, status) =>
        out.one(
          await client.send(
            'POST',
            `/companies/${await company(options.company)}/store/orders/${path(uuid)}/status`,
            { status, reason },
          ),
        ),
    ),
  );
  return noun;
}

function orderBody(options: PlaceOptions): Readonly<Record<string, unknown>> {
  const { zip: zipcode, street, number, city, state } = options;
  const given = [zipcode, street, number, city, state].some((part) => part !== undefined);
  return {
    uuid: options.uuid,
    items: options.item,
    customer: { name: options.name, phone: options.phone, email: options.email },
    fulfillment: {
      type: options.delivery === true ? 'delivery' : 'pickup',
      address: given ? { zipcode, street, number, city, state } : undefined,
    },
    payment: { method: options.payment, link: options.link },
    note: options.note,
  };
}
