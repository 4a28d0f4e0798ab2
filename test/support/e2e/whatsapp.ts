/** WhatsApp at the product's door: what it tells by webhook, signed. */
import { expect } from 'chai';
import { DEMO_WABA_ID } from '../../../sandbox/seeds.js';
import { signWebhook } from '../../../adapters/whatsapp/webhook-signature.js';
import { APP_SECRET, DEMO_NUMBER, type Product } from './product.js';

export const OWN_PHONE = '551140028922';

export const doorOf = ({ running }: Product): string => `${running.url}/providers/whatsapp/webhooks`;

/** A webhook with one change at the demo's number, unless `value` says otherwise. */
export function webhookOf(field: string, value: object): string {
  const metadata = { display_phone_number: OWN_PHONE, phone_number_id: DEMO_NUMBER };
  const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } };
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: DEMO_WABA_ID, changes: [change] }],
  });
}

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

/** Tells of one change, which has to be taken. */
export async function tell(product: Product, field: string, value: object): Promise<void> {
  const answer = await post(product, webhookOf(field, value));
  expect(answer.status, await answer.text()).to.equal(200);
}
