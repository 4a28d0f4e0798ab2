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
  TIMESTAMP_TOLERANCE_SECONDS,
  verifyServiceSignature,
} from '../../../domain/policies/webhook-signature.js';
import {
  bodyOf,
  signatureVectors,
  VECTOR_FILE,
  type VectorFile,
} from '../../vectors/generate-webhook-signatures.js';

const file = JSON.parse(readFileSync(VECTOR_FILE, 'utf8')) as VectorFile;
const { vectors } = file;
const stripe = new Stripe('sk_test_unused');

describe('webhook signature', () => {
  it('the vectors in the repository are what their generator makes', () => {
    expect(file).to.deep.equal(signatureVectors());
    expect(vectors.length).to.be.above(30);
    expect(file.tolerance_seconds).to.equal(TIMESTAMP_TOLERANCE_SECONDS);
  });

  for (const vector of vectors) {
    it(`${vector.name}: ${vector.expect.service}`, () => {
      const rawBody = bodyOf(vector);
      const received = {
        timestamp: vector.headers['Service-Timestamp'] ?? '',
        signature: vector.headers['Service-Signature'] ?? '',
        rawBody,
        secrets: vector.secrets,
        now: vector.now,
      };
      expect(verifyServiceSignature(received)).to.equal(vector.expect.service);
      expect(verifyServiceSignature({ ...received, secrets: vector.secrets.map(signingKey) })).to.equal(
        vector.expect.service,
      );
    });
  }

  it('signs what the vectors say, from bytes, text and prepared keys', () => {
    const signedByOne = vectors.filter(
      ({ name, expect: { service, standard_webhooks } }) =>
        service === 'valid' && standard_webhooks === 'valid' && !/^(rotation|several)/.test(name),
    );
    expect(signedByOne.length).to.be.above(5);
    for (const vector of signedByOne) {
      const { headers } = vector;
      for (const secrets of [vector.secrets, vector.secrets.map(signingKey)]) {
        const rawBody = bodyOf(vector);
        const input = {
          id: headers['webhook-id']!,
          timestamp: headers['webhook-timestamp']!,
          rawBody,
          secrets,
        };
        expect(serviceSignature(input), vector.name).to.equal(headers['Service-Signature']);
        expect(standardWebhooksSignature(input), vector.name).to.equal(headers['webhook-signature']);
        if (!('text' in vector.body)) continue;
        expect(serviceSignature({ ...input, rawBody: vector.body.text })).to.equal(
          headers['Service-Signature'],
        );
      }
    }
  });

  it('Standard Webhooks judges the vectors as they say', () => {
    const realNow = Date.now;
    try {
      // Their library for JavaScript turns bytes into text, so it can't judge a body that is not UTF-8.
      for (const vector of vectors.filter(({ name }) => name !== 'bytes that are not UTF-8')) {
        const { standard_webhooks: expected } = vector.expect;
        if (expected === undefined) continue;
        Date.now = () => vector.now * 1000;
        const accepts = vector.secrets.some((secret) => {
          try {
            // It parses what it has verified; a body that is not JSON is accepted all the same.
            new Webhook(secret).verify(bodyOf(vector), vector.headers);
            return true;
          } catch (error) {
            return error instanceof SyntaxError;
          }
        });
        expect(accepts, vector.name).to.equal(expected === 'valid');
      }
    } finally {
      Date.now = realNow;
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
