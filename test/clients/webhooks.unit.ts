import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { RecadoError, WebhookError, Webhooks } from '../../clients/typescript/src/index.js';
import { serviceSignature } from '../../domain/policies/webhook-signature.js';
import { bodyOf, VECTOR_FILE, type VectorFile } from '../vectors/generate-webhook-signatures.js';
import { thrown } from './scripted.js';

const { vectors } = JSON.parse(readFileSync(VECTOR_FILE, 'utf8')) as VectorFile;
const webhooks = new Webhooks();
const SECRET = 'whsec_c2VjcmV0';
const NOW = 1_772_366_400;
const EVENT = { id: 'e', type: 'webhook.test', api_version: '1.8.0', created_at: '', sequence: 1, data: {} };

const signed = (body: string) => ({
  'Service-Timestamp': String(NOW),
  'Service-Signature': serviceSignature({ timestamp: NOW, rawBody: body, secrets: [SECRET] }),
});

async function faultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'valid';
  } catch (error) {
    if (error instanceof WebhookError) return error.fault;
    throw error;
  }
}

describe('client: webhooks.unwrap', () => {
  for (const { name, headers, secrets, now, expect: verdict, ...vector } of vectors) {
    it(`${name}: ${verdict.service}`, async () => {
      const body = bodyOf({ name, headers, secrets, now, expect: verdict, ...vector });
      const fault = await faultOf(webhooks.unwrap(body, headers, secrets, { now }));
      // Some bodies of the vectors are signed, and are no event.
      expect(fault === 'not_an_event' ? 'valid' : fault).to.equal(verdict.service);
    });
  }

  it('takes bytes or text, and headers of any kind, and returns the event', async () => {
    const body = JSON.stringify(EVENT);
    const headers = signed(body);
    const bytes = new TextEncoder().encode(body);
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const given of [new Headers(headers), headers, lower, lists]) {
      for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)]) {
        expect(await webhooks.unwrap(raw, given, SECRET, { now: NOW })).to.deep.equal(EVENT);
      }
    }
  });

  it('tells types apart', async () => {
    const body = JSON.stringify({ ...EVENT, type: 'order.created', data: { order: { number: 7 } } });
    const event = await webhooks.unwrap(body, signed(body), SECRET, { now: NOW });
    expect(event.type === 'order.created' && event.data.order.number).to.equal(7);
  });

  it('says what is usually wrong', async () => {
    const body = JSON.stringify(EVENT);
    const again = webhooks.unwrap(`${body} `, signed(body), SECRET, { now: NOW });
    expect(await thrown(again))
      .to.have.property('message')
      .that.includes('not parsed and written again');
  });

  it('takes the tolerance that it is given', async () => {
    const body = JSON.stringify(EVENT);
    const late = (toleranceSeconds: number) =>
      faultOf(webhooks.unwrap(body, signed(body), SECRET, { now: NOW + 60, toleranceSeconds }));
    expect([await late(59), await late(60)]).to.deep.equal(['stale', 'valid']);
  });

  for (const body of ['', 'null', '[]', '{}', '{"id":1', '"text"']) {
    it(`refuses ${JSON.stringify(body)}, which is no event`, async () => {
      expect(await faultOf(webhooks.unwrap(body, signed(body), SECRET, { now: NOW }))).to.equal(
        'not_an_event',
      );
    });
  }

  it('refuses to work without a secret', async () => {
    const body = JSON.stringify(EVENT);
    const headers = {
      'Service-Timestamp': String(NOW),
      'Service-Signature': serviceSignature({ timestamp: NOW, rawBody: body, secrets: [''] }),
    };
    for (const secret of ['', [], [SECRET, '']]) {
      const refused = webhooks.unwrap(body, headers, secret, { now: NOW });
      const error = await thrown(refused);
      expect(error).to.be.instanceOf(RecadoError);
      expect(error).to.have.property('message').that.includes('secret is empty');
    }
  });
});
