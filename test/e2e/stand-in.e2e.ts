/** A first start against servers that play only part of WhatsApp: the demo works all the same. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { freshKey, startProduct, type Product } from '../support/e2e/product.js';

interface StandIn {
  readonly url: string;
  readonly sent: readonly Record<string, unknown>[];
  close(): void;
}

/** Takes every message; answers everything else as given. */
async function standIn(status: number, body: string): Promise<StandIn> {
  const sent: Record<string, unknown>[] = [];
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      res.setHeader('content-type', 'application/json');
      if (req.method === 'POST') {
        sent.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
        res.end(
          JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: `wamid.${sent.length}` }] }),
        );
      } else {
        res.writeHead(status).end(body);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a first start against a server that stands in for WhatsApp', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const graphError = JSON.stringify({ error: { message: 'no', type: 'OAuthException', code: 100 } });
  for (const [name, status, body] of [
    ['knows no other path', 404, 'Not found'],
    ['refuses the number node', 400, graphError],
    ['lists no template', 200, '{"data":[]}'],
  ] as const) {
    it(`that ${name}: texts and the demo's templates are sent`, async () => {
      const provider = await standIn(status, body);
      let product: Product | undefined;
      try {
        product = await startProduct({ WHATSAPP_API_URL: provider.url });
        const text = await product.accepted('+5511987654321');
        const template = await product.ask('POST', '/messages', {
          headers: { 'Idempotency-Key': freshKey() },
          json: {
            recipient: { phone: '+5511987654321' },
            type: 'template',
            content: { name: 'order_confirmation', language: 'pt_BR', parameters: ['Ana', '1'] },
          },
        });
        expect(template.status).to.equal(202);
        const uuid = (template.body as { data: { uuid: string } }).data.uuid;
        for (const operation of [text, uuid]) {
          expect((await product.settled(operation)).status).to.equal('succeeded');
        }
        expect(provider.sent.map((message) => message['type'])).to.have.members(['text', 'template']);
      } finally {
        await product?.close();
        provider.close();
      }
    });
  }
});
