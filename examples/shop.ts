/**
 * A shop with @recado/client: 500 products, 20 contacts, a template message, its outcome, and an answer to each
 * customer who writes. Needs RECADO_URL, RECADO_API_KEY, RECADO_WEBHOOK_SECRET, and an endpoint at PORT.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Recado, WebhookError } from '@recado/client';

const { RECADO_URL = '', RECADO_API_KEY = '', RECADO_WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
const recado = new Recado({ baseUrl: RECADO_URL, apiKey: RECADO_API_KEY });

const products = Array.from({ length: 500 }, (_, n) => ({
  import_handle: `mug-${n}`,
  name: `Caneca ${n}`,
  price: '39.90',
  stock: 10,
}));
const { created, unchanged, failed } = await recado.store.products.import(products);
console.log(`products: ${created} created, ${unchanged} unchanged, ${failed.length} failed`);

for (let n = 0; n < 20; n += 1) {
  const phone = `+55119870011${String(n).padStart(2, '0')}`;
  await recado.contacts.upsert(`customer-${n}`, { phone, name: `Cliente ${n}`, tags: ['shop'] });
}
console.log('contacts: 20');

const { data: operation } = await recado.messages.send(
  {
    recipient: { phone: '+5511987001100' },
    type: 'template',
    content: { name: 'order_confirmation', language: 'pt_BR', parameters: ['Ana', '1042'] },
  },
  { idempotencyKey: 'order-1042-confirmed' },
);
const sent = await recado.operations.wait(operation);
console.log(`template: ${sent.type === 'message.send' ? sent.result.text : sent.status}`);

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const event = await recado.webhooks.unwrap(Buffer.concat(chunks), request.headers, RECADO_WEBHOOK_SECRET);
  response.writeHead(200).end();
  const phone = event.type === 'message.received' ? event.data.contact?.phone : null;
  if (!phone) return;
  const content = { text: 'Obrigado! Já vamos responder.' };
  // The event's id as the key: an event that arrives twice is answered once.
  await recado.messages.send({ recipient: { phone }, type: 'text', content }, { idempotencyKey: event.id });
  console.log(`answered: ${phone}`);
}

const server = createServer((request, response) => {
  receive(request, response).catch((error: unknown) => {
    if (!response.headersSent) response.writeHead(error instanceof WebhookError ? 400 : 500).end();
    console.log(`refused: ${String(error)}`);
  });
});
server.listen(Number(PORT), () => console.log(`listening: ${PORT}`));
