/** The demo's company after a busy week: much of everything, long names, failures, and things in each state. */
import type { Product } from './e2e/product.js';
import { eventually } from './e2e/eventually.js';
import { template } from './e2e/templates.js';

interface Row {
  readonly uuid: string;
}

const LONG = 'Maria Aparecida dos Santos Albuquerque de Oliveira Cavalcanti Neta';
/** No place to break a line at. */
const UNBROKEN = 'Pneumoultramicroscopicossilicovulcanoconiótico'.repeat(2);
const NAMES = [LONG, 'Rui', UNBROKEN, 'Ana Lima', 'João 🌻 da Floricultura', 'Bia', 'Zé', 'Dona Célia'];
const TEXTS = [
  'Oi',
  `Bom dia! ${'Queria saber se ainda tem a camiseta azul no tamanho M, e se vocês entregam em Niterói. '.repeat(4)}`,
  `https://example.com/${'muito-longo-'.repeat(14)}`,
  'linha um\nlinha dois\n\nlinha quatro',
];
/** The sandbox lets its messages fail later (docs/sandbox.md). */
const FAILING = '5511967131026';

const phoneOf = (nth: number): string => `55119876${String(10_000 + nth)}`;

/** @param failingUrl where the endpoint of webhooks is that does not answer */
export async function fillBusyCompany(product: Product, failingUrl: string): Promise<void> {
  const company = `/companies/${product.company}`;
  const post = (path: string, body: object = {}): Promise<Row> => product.admin<Row>('POST', path, body);
  await product.subscribe(failingUrl);
  await talk(product);
  const made: string[] = [];
  for (const [nth, name] of NAMES.entries()) {
    const product = {
      name: `Camiseta ${name}`,
      description: TEXTS[nth % TEXTS.length],
      price: ((nth + 1) * 1049.9).toFixed(2),
      stock: nth * 3,
    };
    made.push((await post(`${company}/store/products`, product)).uuid);
  }
  for (const [nth, status] of [
    [],
    [],
    ['confirmado'],
    ['confirmado', 'pago'],
    ['confirmado', 'pago', 'entregue'],
    ['cancelado'],
  ].entries()) {
    const { uuid } = await post(`${company}/store/orders`, {
      items: [4, 5, 6, 7].slice(0, 1 + (nth % 4)).map((each) => ({ product_uuid: made[each], quantity: 1 })),
      customer: { name: NAMES[nth], phone: `+${phoneOf(nth)}` },
      fulfillment: { type: 'pickup' },
      payment: { method: 'pix' },
      note: TEXTS[nth % TEXTS.length],
    });
    for (const one of status) await post(`${company}/store/orders/${uuid}/status`, { status: one });
  }
  for (const name of [LONG, 'Ana']) await post(`${company}/team`, { kind: 'agent', name });
  await post(`${company}/integrations`, { name: `ERP da matriz ${UNBROKEN}` });
  await post(`${company}/flows`, {
    name: `Boas-vindas ${LONG}`,
    definition: { schema: 1, start: 'a', blocks: { a: { type: 'send_text', text: TEXTS[1], next: 'gone' } } },
  });
  await product.quiet();
}

async function talk(product: Product): Promise<void> {
  for (const [nth, name] of NAMES.entries()) {
    for (const text of TEXTS.slice(0, 1 + (nth % TEXTS.length))) product.reply(phoneOf(nth), text, name);
    await product.conversationWith(`+${phoneOf(nth)}`);
  }
  // A flow that waits for an answer, and one person who wants no offers.
  product.reply(phoneOf(0), 'menu', NAMES[0]);
  product.reply(phoneOf(5), 'parar', NAMES[5]);
  await product.sent(`+${phoneOf(1)}`);
  await product.sent(`+${phoneOf(3)}`, {
    body: template({ name: 'order_confirmation', language: 'pt_BR', parameters: ['Ana', '1'] }),
  });
  await product.accepted(`+${FAILING}`);
  await eventually(
    async () => (await product.admin<readonly Row[]>('GET', '/executions?limit=1')).length > 0 || undefined,
  );
}
