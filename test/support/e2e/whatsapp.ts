/** Signed webhooks from WhatsApp to the product. */
import { expect } from 'chai';
import { DEMO_WABA_ID } from '../../../sandbox/seeds.js';
import { signWebhook } from '../../../adapters/whatsapp/webhook-signature.js';
import * as webhook from '../whatsapp-webhook.js';
import { OWN_PHONE } from '../whatsapp-webhook.js';
import { APP_SECRET, DEMO_NUMBER, type Product } from './product.js';

export const doorOf = ({ running }: Product): string => `${running.url}/providers/whatsapp/webhooks`;

/** The demo's phone number and account. */
export const DEMO_PLACE = { number: DEMO_NUMBER, phone: OWN_PHONE, waba: DEMO_WABA_ID };

/** A webhook with one change on the demo's number, unless `value` overrides it. */
export const webhookOf = (field: string, value: object): string =>
  JSON.stringify(webhook.webhookOf(field, value, DEMO_PLACE));

export const post = (
  product: Product,
  body: string,
  signature = signWebhook(Buffer.from(body), APP_SECRET),
): Promise<Response> =>
  fetch(doorOf(product), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  });

/** Posts a webhook with one change. The product must accept it. */
export async function tell(product: Product, field: string, value: object): Promise<void> {
  const answer = await post(product, webhookOf(field, value));
  expect(answer.status, await answer.text()).to.equal(200);
}
