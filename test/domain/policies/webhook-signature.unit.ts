import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import {
  newWebhookSecret,
  secretFingerprint,
  serviceSignature,
  signingKey,
  standardWebhooksSignature,
  verifyServiceSignature,
} from '../../../domain/policies/webhook-signature.js';
import {
  signatureVectors,
  VECTOR_FILE,
  type SignatureVector,
} from '../../vectors/generate-webhook-signatures.js';

const vectors = JSON.parse(readFileSync(VECTOR_FILE, 'utf8')) as readonly SignatureVector[];
const bodyOf = (vector: SignatureVector): string =>
  vector.body_repeat === undefined ? vector.body : vector.body_repeat.unit.repeat(vector.body_repeat.times);
const stripe = new Stripe('sk_test_unused');

describe('webhook signature', () => {
  it('the vectors in the repository are what their generator makes', () => {
    expect(vectors).to.deep.equal(signatureVectors());
    expect(vectors.length).to.be.above(20);
  });

  for (const vector of vectors) {
    it(`${vector.name}: ${vector.expect}`, () => {
      const rawBody = bodyOf(vector);
      const received = {
        timestamp: vector.timestamp,
        signature: vector.service_signature,
        rawBody,
        secrets: vector.receiver_secrets,
        now: vector.now,
      };
      expect(verifyServiceSignature(received)).to.equal(vector.expect);
      expect(verifyServiceSignature({ ...received, rawBody: Buffer.from(rawBody) })).to.equal(vector.expect);
      expect(
        verifyServiceSignature({ ...received, secrets: vector.receiver_secrets.map(signingKey) }),
      ).to.equal(vector.expect);
    });
  }

  it('signs what the vectors say, from text, bytes and prepared keys', () => {
    for (const vector of vectors.filter((v) => v.expect === 'valid' && !v.name.startsWith('rotation'))) {
      const rawBody = bodyOf(vector);
      for (const secrets of [vector.receiver_secrets, vector.receiver_secrets.map(signingKey)]) {
        const input = { id: vector.event_id, timestamp: vector.timestamp, rawBody, secrets };
        expect(serviceSignature(input), vector.name).to.equal(vector.service_signature);
        expect(standardWebhooksSignature(input), vector.name).to.equal(vector.standard_webhooks_signature);
        expect(serviceSignature({ ...input, rawBody: Buffer.from(rawBody) })).to.equal(
          vector.service_signature,
        );
      }
    }
  });

  it('holds a delivery to the header pattern of the contract: two entries at most', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const signed = { timestamp: '1772366400', rawBody: '{}', secrets };
    const received = { ...signed, signature: serviceSignature(signed), now: 1_772_366_400 };
    expect(verifyServiceSignature(received)).to.equal('malformed');
    const two = serviceSignature({ ...signed, secrets: secrets.slice(0, 2) });
    expect(verifyServiceSignature({ ...received, signature: two })).to.equal('valid');
  });

  describe('independent libraries', () => {
    const current = newWebhookSecret();
    const previous = newWebhookSecret();
    const rawBody = '{"id":"1","type":"message.received","data":{"text":"ação 🇧🇷"}}';
    // Read inside each test: the libraries refuse a timestamp older than five minutes, and a whole run may take longer.
    const now = () => Math.floor(Date.now() / 1000);

    it('Stripe accepts current and previous secret and refuses another', () => {
      const timestamp = now();
      const signed = { id: 'evt', timestamp, rawBody, secrets: [current, previous] };
      const header = `t=${timestamp},${serviceSignature(signed)}`;
      for (const secret of [current, previous]) {
        expect(stripe.webhooks.constructEvent(rawBody, header, secret)).to.include({ id: '1' });
      }
      expect(() => stripe.webhooks.constructEvent(rawBody, header, newWebhookSecret())).to.throw(
        /signature/i,
      );
      expect(() => stripe.webhooks.constructEvent(rawBody + ' ', header, current)).to.throw(/signature/i);
    });

    it('Standard Webhooks accepts current and previous secret and refuses another', () => {
      const timestamp = now();
      const signed = { id: 'evt', timestamp, rawBody, secrets: [current, previous] };
      const headers = {
        'webhook-id': 'evt',
        'webhook-timestamp': String(timestamp),
        'webhook-signature': standardWebhooksSignature(signed),
      };
      for (const secret of [current, previous]) {
        expect(new Webhook(secret).verify(rawBody, headers)).to.include({ id: '1' });
      }
      expect(() => new Webhook(newWebhookSecret()).verify(rawBody, headers)).to.throw(/signature/i);
      expect(() => new Webhook(current).verify(rawBody, { ...headers, 'webhook-id': 'evt2' })).to.throw(
        /signature/i,
      );
    });
  });

  it('makes secrets of 32 random bytes, and fingerprints that differ and do not contain them', () => {
    const [one, two] = [newWebhookSecret(), newWebhookSecret()];
    expect(one).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(one).not.to.equal(two);
    expect(secretFingerprint(one))
      .to.match(/^[0-9a-f]{12}$/)
      .and.not.equal(secretFingerprint(two));
  });
});
