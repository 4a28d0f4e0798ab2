/** A receiver with Express: `node express.mjs`. Needs RECADO_WEBHOOK_SECRET and @recado/client; listens at PORT, path /hook. */
import express from 'express';
import { WebhookError, Webhooks } from '@recado/client';
import { handle, keep, work } from './inbox.mjs';

const { RECADO_WEBHOOK_SECRET: secret = '', PORT = '3000' } = process.env;
const webhooks = new Webhooks();
const app = express();

// The bytes as they arrived: a signature does not cover JSON that was parsed and written again.
app.post('/hook', express.raw({ type: '*/*', limit: '1mb' }), async (request, response) => {
  try {
    await keep(await webhooks.unwrap(request.body, request.headers, secret));
    response.sendStatus(200); // at once: what is slow comes after it
    work(handle);
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error; // 500: Recado sends it again
    response.status(400).send(error.message);
  }
});

work(handle);
app.listen(Number(PORT), () => console.log(`listening: ${PORT}`));
