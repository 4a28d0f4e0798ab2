/** A first start against servers that implement only part of WhatsApp's API: the demo still works. */
import { expect } from 'chai';
import { TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { withProduct } from '../support/e2e/opened-product.js';
import { order } from '../support/e2e/templates.js';
import { serveBodies } from '../support/servers.js';

/** Accepts every message; answers every other request with this status and body. */
async function standIn(status: number, body: string) {
  const sent: Record<string, unknown>[] = [];
  const server = await serveBodies(({ method }, response, raw) => {
    response.setHeader('content-type', 'application/json');
    if (method !== 'POST') return void response.writeHead(status).end(body);
    sent.push(JSON.parse(raw.toString()) as Record<string, unknown>);
    const messages = [{ id: `wamid.${sent.length}` }];
    response.end(JSON.stringify({ messaging_product: 'whatsapp', messages }));
  });
  return { ...server, sent };
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
      try {
        await withProduct({ env: { WHATSAPP_API_URL: provider.origin } }, async (product) => {
          const text = await product.accepted('+5511987654321');
          const template = await product.accepted('+5511987654321', { body: order('1') });
          for (const operation of [text, template]) {
            expect((await product.settled(operation)).status).to.equal('succeeded');
          }
          expect(provider.sent.map((message) => message['type'])).to.have.members(['text', 'template']);
        });
      } finally {
        await provider.close();
      }
    });
  }
});
