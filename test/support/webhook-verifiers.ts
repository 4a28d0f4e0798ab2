/** Independent libraries that verify webhooks: Stripe's, and that of Standard Webhooks. */
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';

export interface SignedDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
}

const stripe = new Stripe('sk_test_unused');

const passes = (verify: () => unknown): boolean => {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
};

export const stripeAccepts = ({ headers, raw }: SignedDelivery, secret: string): boolean => {
  const header = `t=${String(headers['service-timestamp'])},${String(headers['service-signature'])}`;
  return passes(() => stripe.webhooks.constructEvent(raw, header, secret));
};

export const standardAccepts = ({ headers, raw }: SignedDelivery, secret: string): boolean =>
  passes(() => new Webhook(secret).verify(raw, headers as Record<string, string>));
