/** Texts that try to be more than texts, wherever people and systems outside can put one. */
import type { Product } from './e2e/product.js';
import { DEMO_NUMBER } from './e2e/product.js';
import { eventually } from './e2e/eventually.js';
import { serve, type Serving } from './servers.js';

/** Each tries to run, to load, to leave the place where it is shown, or to be taken for something else. */
export const PAYLOADS = [
  '"><script>window.ran=1</script>',
  "'><img src=x onerror=window.ran=1>",
  '<svg/onload=window.ran=1>',
  '<iframe srcdoc="<script>parent.ran=1</script>">',
  '<a href="javascript:window.ran=1">x</a>',
  'javascript:window.ran=1',
  'data:text/html,<script>window.ran=1</script>',
  '</textarea></title></style><script>window.ran=1</script>',
  '<style>@import "https://evil.example/a.css";</style>',
  '<link rel=stylesheet href=https://evil.example/b.css>',
  '<img src=https://evil.example/c.png>',
  '<form action=https://evil.example><button autofocus onfocus=window.ran=1>',
  '{{constructor.constructor("window.ran=1")()}}${window.ran=1}',
  '<math><mtext><style><img src=x onerror=window.ran=1></style>',
  '\u202e<b onmouseover=window.ran=1>gpj.exe',
  '&lt;script&gt;window.ran=1&lt;/script&gt;&#60;img src=x onerror=window.ran=1&#62;',
  'null\u2028\u200bundefined NaN [object Object] __proto__',
  '=HYPERLINK("https://evil.example/d","x")',
  `${'W'.repeat(150)}<img src=x onerror=window.ran=1>`,
] as const;

export const phoneOf = (nth: number): string => `55119876543${String(10 + nth)}`;

interface Row {
  readonly uuid: string;
}

/** A receiver of webhooks that answers with all of them, as an error. */
export const hostileReceiver = (): Promise<Serving> =>
  serve((request, response) => {
    request.resume();
    response.writeHead(500, { 'content-type': 'text/html' }).end(PAYLOADS.join('\n'));
  });

/** @param receiver origin of `hostileReceiver` */
export async function plant(product: Product, receiver: string): Promise<void> {
  const company = `/companies/${product.company}`;
  const post = (path: string, body: object): Promise<Row> => product.admin<Row>('POST', path, body);
  await product.subscribe(`${receiver}/?q=${encodeURIComponent(PAYLOADS.slice(0, 3).join())}`);
  plantTemplate(product);
  await product.admin('POST', `/channels/${product.channel}/templates/sync`, {});
  for (const [nth, payload] of PAYLOADS.entries()) {
    const from = phoneOf(nth);
    write(product, from, payload);
    const category = await post(`${company}/store/categories`, { name: payload });
    const bare = { name: payload, description: payload, category_uuid: category.uuid, price: '10.00' };
    const made = await post(`${company}/store/products`, {
      ...bare,
      sku: payload.slice(0, 60),
      brand: payload.slice(0, 60),
      stock: 5,
    });
    if (nth < VARIED)
      await post(`${company}/store/products`, {
        ...bare,
        variants: [{ options: { Cor: payload.slice(0, 60) }, sku: `v${payload}`.slice(0, 60), stock: 1 }],
      });
    await post(`${company}/store/orders`, {
      items: [{ product_uuid: made.uuid, quantity: 1 }],
      customer: { name: payload, phone: `+${from}` },
      fulfillment: { type: 'pickup' },
      payment: { method: 'pix' },
      note: payload,
    });
    await post(`${company}/flows`, {
      name: payload,
      definition: {
        schema: 1,
        start: 'hello',
        blocks: { hello: { type: 'send_text', label: payload.slice(0, 100), text: payload, next: null } },
      },
    });
    const agent = await post(`${company}/team`, { kind: 'agent', name: payload });
    const group = await post(`${company}/team`, { kind: 'group', name: payload });
    await post(`${company}/saved-replies`, {
      title: payload.slice(0, 80),
      short_cut: `texto-${nth}`,
      // The API refuses a placeholder other than that of the name.
      text: payload.includes('{{') ? 'Oi' : payload,
    });
    const { uuid } = await post(`${company}/integrations`, { name: payload });
    await product.admin('POST', `/integrations/${uuid}/keys`, {
      label: payload,
      scopes: ['channels:read'],
    });
    await known(product, from, payload, { agent_uuid: agent.uuid, group_uuid: group.uuid });
  }
  await deliver(product);
  await product.admin('PATCH', `${company}/store`, {
    name: PAYLOADS[0],
    description: PAYLOADS.join('\n').slice(0, 2_000),
    pickup: { location: PAYLOADS[3] },
    pix: {
      key: '11222333000181',
      key_type: 'cnpj',
      merchant_name: PAYLOADS[2].slice(0, 25),
      merchant_city: PAYLOADS[5].slice(0, 15),
    },
  });
  await product.quiet();
}

/** A second product of each of so many, with variants. */
const VARIED = 3;

/** What a stranger can write, and how. */
function write(product: Product, from: string, payload: string): void {
  const { id, sha256 } = product.sandbox.media.put({
    bytes: Buffer.from('%PDF-1.4'),
    mimeType: 'application/pdf',
  });
  const file = { id, sha256, mime_type: 'application/pdf' };
  product.reply(from, payload, payload);
  for (const message of [
    { type: 'document', document: { ...file, filename: payload, caption: payload } },
    { type: 'location', location: { latitude: -22.9, longitude: -43.2, name: payload, address: payload } },
    {
      type: 'contacts',
      contacts: [{ name: { formatted_name: payload, first_name: payload }, phones: [{ phone: payload }] }],
    },
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'x', title: payload } } },
    {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'y', title: payload, description: payload } },
    },
    {
      type: 'order',
      order: {
        catalog_id: '1',
        text: payload,
        product_items: [{ product_retailer_id: payload, quantity: 1, item_price: 1, currency: 'BRL' }],
      },
    },
    { type: 'unsupported', errors: [{ code: 131_051, title: payload, message: payload }] },
  ])
    product.sandbox.receive({ phoneNumberId: DEMO_NUMBER, from, name: payload, message });
}

/** Texts in the address of one order. */
const IN_ADDRESS = ['street', 'complement', 'district', 'city'] as const;

/** Orders that are delivered: each has the next texts in its address, in its note and in that of its item. */
async function deliver(product: Product): Promise<void> {
  const company = `/companies/${product.company}`;
  const item = await product.admin<Row>('POST', `${company}/store/products`, {
    name: 'Vaso',
    price: '20.00',
    stock: PAYLOADS.length,
  });
  for (let first = 0; first < PAYLOADS.length; first += IN_ADDRESS.length) {
    const payload = PAYLOADS[first] ?? '';
    const texts = IN_ADDRESS.map(
      (part, nth) => [part, (PAYLOADS[first + nth] ?? payload).slice(0, 200)] as const,
    );
    await product.admin('POST', `${company}/store/orders`, {
      items: [{ product_uuid: item.uuid, quantity: 1, note: payload }],
      customer: { name: 'Entrega', phone: `+${phoneOf(first)}` },
      fulfillment: {
        type: 'delivery',
        address: {
          zipcode: '01310100',
          number: payload.slice(0, 32),
          state: 'SP',
          ...Object.fromEntries(texts),
        },
      },
      note: payload,
    });
  }
}

/** What the team can write about a person. */
async function known(product: Product, from: string, payload: string, inCharge: object): Promise<void> {
  const conversation = await product.conversationWith(`+${from}`);
  const path = `/conversations/${conversation}`;
  await product.admin('POST', `${path}/notes`, { text: payload });
  await product.admin('PUT', `${path}/assignment`, inCharge);
  await product.accepted(`+${from}`, { body: { content: { text: payload } } });
  const { contact } = await product.admin<{ readonly contact: Row }>('GET', path);
  await product.admin('PATCH', `/contacts/${contact.uuid}`, {
    tags: [payload.slice(0, 50)],
    custom_fields: { campo: payload },
  });
}

/** A template is written at WhatsApp. Its texts have no more room than these. */
function plantTemplate(product: Product): void {
  const [one] = product.sandbox.templates;
  if (one === undefined) throw new Error('the sandbox has templates');
  product.sandbox.putTemplate({
    ...one,
    id: '900100000000999',
    name: 'hostile',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'TEXT', text: PAYLOADS[0] },
      {
        type: 'BODY',
        text: PAYLOADS.filter((text) => !text.includes('{{'))
          .join('\n')
          .slice(0, 1000),
      },
      { type: 'FOOTER', text: PAYLOADS[2] },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: PAYLOADS[5] }] },
    ],
  });
}

/** Waits for a delivery whose answer had the texts in it; returns its endpoint and its id. */
export const refusedDelivery = (product: Product) =>
  eventually(async () => {
    const found = await product.admin<
      readonly {
        readonly id: string;
        readonly endpoint_uuid: string;
        readonly last_status_code: number | null;
      }[]
    >('GET', `/deliveries?company=${product.company}&limit=20`);
    return found.find(({ last_status_code: status }) => status === 500);
  });
