/** A receiver with Fastify: `node fastify.mjs`. Needs RECADO_WEBHOOK_SECRET and @recado/client; listens at PORT, path /hook. */
import Fastify from 'fastify';
import { WebhookError, Webhooks } from '@recado/client';
import { handle, keep, work } from './inbox.mjs';

const { RECADO_WEBHOOK_SECRET: secret = '', PORT = '3000' } = process.env;
const webhooks = new Webhooks();
const app = Fastify({ bodyLimit: 1_048_576 });

// The bytes as they arrived: a signature does not cover JSON that was parsed and written again.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post('/hook', async (request, reply) => {
  try {
    await keep(await webhooks.unwrap(request.body, request.headers, secret));
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error; // 500: Recado sends it again
    return reply.code(400).send(error.message);
  }
  work(handle); // not awaited: the answer goes at once
  return reply.code(200).send();
});

work(handle);
await app.listen({ port: Number(PORT), host: '0.0.0.0' });
console.log(`listening: ${PORT}`);
