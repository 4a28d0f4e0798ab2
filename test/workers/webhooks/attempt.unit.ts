/** The request to a receiver, and the effect of its answer on the delivery: every field of both. */
import { expect } from 'chai';
import {
  serviceSignature,
  signingKey,
  standardWebhooksSignature,
} from '../../../domain/policies/webhook-signature.js';
import type { ClaimedEntry } from '../../../ports/due-times.js';
import type { HttpResult } from '../../../ports/http-sender.js';
import type { DeliveryDoc } from '../../../read-models/deliveries.js';
import {
  attemptHeaders,
  cancellation,
  classify,
  type Held,
  signingSecrets,
} from '../../../workers/webhooks/attempt.js';

const NOW = Date.parse('2026-03-10T12:00:00.500Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const doc: DeliveryDoc = {
  delivery_id: 'delivery',
  company_uuid: 'company',
  integration_uuid: 'integration',
  endpoint_uuid: 'endpoint',
  event_id: 'event',
  event_type: 'order.created',
  correlation_id: 'trace',
  trigger: 'manual',
  redelivery_of: 'before',
  status: 'pending',
  body: '{}',
  body_sha256: 'hash',
  attempts: 1,
  created_at: iso(NOW - 9_000),
  updated_at: iso(NOW - 9_000),
  next_attempt_at: iso(NOW),
  last_status: 500,
  last_error: 'status 500',
};
const held: Held = {
  entry: { queue: 'webhook', id: 'delivery', fence: 4 } as unknown as ClaimedEntry,
  stored: { id: 'delivery', doc, version: '0000000002' },
  leaseUntil: NOW + 60_000,
};
const answered = (status: number, headers: Readonly<Record<string, string>> = {}): HttpResult => ({
  kind: 'answered',
  status,
  headers,
  bodyText: 'x'.repeat(1_001),
  durationMs: 300,
  address: '203.0.113.1',
});
const failed = (failure: Extract<HttpResult, { kind: 'failed' }>['failure']): HttpResult => ({
  kind: 'failed',
  failure,
  message: 'why',
  durationMs: 300,
  address: null,
});

/** The second attempt, with a retry schedule of three. */
const judged = (result: HttpResult, schedule: readonly number[] = [0, 5_000, 300_000]) =>
  classify({
    held,
    endpoint: {
      endpoint_uuid: 'endpoint',
      integration_uuid: 'integration',
      company_uuid: 'company',
      url: 'https://example.com/hook',
      enabled: true,
      secrets: () => [],
    },
    keyFingerprint: 'fingerprint',
    result,
    startedAt: NOW,
    finishedAt: NOW + 300,
    random: () => 0,
    schedule,
  });

describe('an attempt at a delivery', () => {
  it('says which event, delivery and attempt it is, signed for this second', () => {
    const body = Buffer.from('{}');
    const keys = [signingKey('whsec_bmV3'), signingKey('whsec_b2xk')];
    const timestamp = String(Math.floor(NOW / 1_000));
    expect(attemptHeaders(doc, body, keys, NOW)).to.deep.equal({
      'content-type': 'application/json',
      'user-agent': 'Recado-Webhooks/1.0',
      'Service-Event-Id': 'event',
      'Service-Event': 'order.created',
      'Service-Delivery-Id': 'delivery',
      'Service-Timestamp': timestamp,
      'Service-Signature': serviceSignature({ timestamp, rawBody: body, secrets: keys }),
      'Service-Attempt': '2',
      'webhook-id': 'event',
      'webhook-timestamp': timestamp,
      'webhook-signature': standardWebhooksSignature({
        id: 'event',
        timestamp,
        rawBody: body,
        secrets: keys,
      }),
    });
  });

  it('that is taken ends its delivery and its row', () => {
    expect(judged(answered(204, { server: 'nginx', 'set-cookie': 'a=b' }))).to.deep.equal({
      update: {
        delivery: {
          id: 'delivery',
          version: '0000000003',
          doc: {
            ...doc,
            status: 'delivered',
            attempts: 2,
            updated_at: iso(NOW + 300),
            next_attempt_at: null,
            last_status: 204,
            last_error: null,
            delivered_by: {
              at: iso(NOW),
              url: 'https://example.com/hook',
              address: '203.0.113.1',
              status: 204,
              duration_ms: 300,
              response_headers: { server: 'nginx' },
              response_body: 'x'.repeat(1_000),
              key_fingerprint: 'fingerprint',
            },
          },
        },
        attempt: null,
        contained: {
          id: 'delivery:0002:4',
          version: '0000000001',
          doc: {
            delivery_id: 'delivery',
            company_uuid: 'company',
            integration_uuid: 'integration',
            endpoint_uuid: 'endpoint',
            event_id: 'event',
            number: 2,
            trigger: 'manual',
            at: iso(NOW),
            url: 'https://example.com/hook',
            address: '203.0.113.1',
            status: 204,
            failure: null,
            message: null,
            duration_ms: 300,
            response_headers: { server: 'nginx' },
            response_body: 'x'.repeat(1_000),
            key_fingerprint: 'fingerprint',
            next_attempt_at: null,
          },
        },
        settlement: { queue: 'webhook', id: 'delivery', fence: 4, then: 'done' },
      },
      step: 'delivered',
      dueAt: null,
      signal: 'answered',
      failure: null,
    });
  });

  it('that is refused is due again after the time of the table, from its end on', () => {
    const { update, ...rest } = judged(answered(500, { server: 'nginx' }));
    const dueAt = NOW + 300 + 300_000;
    expect(rest).to.deep.equal({ step: 'retry', dueAt, signal: 'answered', failure: 'http_status' });
    expect(update.delivery!.doc).to.include({
      status: 'pending',
      attempts: 2,
      next_attempt_at: iso(dueAt),
      last_status: 500,
      last_error: 'status 500',
    });
    expect(update.attempt!.doc).to.deep.include({
      status: 500,
      response_headers: { server: 'nginx' },
      failure: 'http_status',
      message: 'status 500',
      response_body: 'x'.repeat(1_001),
      next_attempt_at: iso(dueAt),
    });
    expect(update.settlement).to.deep.equal({
      queue: 'webhook',
      id: 'delivery',
      fence: 4,
      then: 'again',
      dueAt,
      payload: { attempts: 2 },
    });
  });

  it('that nobody answers is kept with the kind of failure', () => {
    const { update, signal, failure, step } = judged(failed('dns'));
    expect({ signal, failure, step }).to.deep.equal({ signal: 'unreachable', failure: 'dns', step: 'retry' });
    expect(update.delivery!.doc).to.include({ last_status: null, last_error: 'dns: why' });
    expect(update.attempt!.doc).to.deep.include({
      address: null,
      status: null,
      failure: 'dns',
      message: 'dns: why',
      response_headers: {},
      response_body: '',
    });
  });

  it('that was the last of the table fails its delivery, and ends its row', () => {
    const { update, step, dueAt } = judged(answered(500), [0, 5_000]);
    expect({ step, dueAt }).to.deep.equal({ step: 'exhausted', dueAt: null });
    expect(update.delivery!.doc).to.include({ status: 'failed', next_attempt_at: null });
    expect(update.settlement.then).to.equal('done');
  });

  it('waits as long as a receiver asks for', () => {
    const { dueAt } = judged(answered(503, { 'retry-after': '900' }));
    expect(dueAt).to.equal(NOW + 300 + 900_000);
  });

  it('gives a receiver that is too slow a minute at least', () => {
    expect(judged(failed('timeout'), [0, 5_000, 10_000]).dueAt).to.equal(NOW + 300 + 60_000);
    expect(judged(failed('reset'), [0, 5_000, 10_000]).dueAt).to.equal(NOW + 300 + 10_000);
  });

  for (const [result, signal] of [
    [answered(200), 'answered'],
    [answered(404), 'answered'],
    [answered(429), 'overloaded'],
    [answered(503), 'overloaded'],
    [failed('timeout'), 'timed_out'],
    [failed('connect'), 'unreachable'],
  ] as const) {
    const what = result.kind === 'answered' ? result.status : result.failure;
    it(`tells the pace of the endpoint: ${what} is ${signal}`, () => {
      expect(judged(result).signal).to.equal(signal);
    });
  }

  it('names the address that a redirect points to, and no address that is none', () => {
    const location = { location: 'https://new.example/' };
    const messageOf = (result: HttpResult): unknown => judged(result).update.attempt!.doc!['message'];
    for (const status of [300, 399]) {
      expect(messageOf(answered(status, location)))
        .to.include(`status ${status}: `)
        .and.include('new.example');
    }
    for (const result of [answered(400, location), answered(199, location), answered(302)]) {
      expect(messageOf(result)).to.match(/^status \d+$/);
    }
  });

  it('is not made where the endpoint is gone: the delivery is cancelled, with the reason', () => {
    expect(cancellation(held, 'the endpoint was removed', NOW + 300)).to.deep.equal({
      delivery: {
        id: 'delivery',
        version: '0000000003',
        doc: {
          ...doc,
          status: 'cancelled',
          updated_at: iso(NOW + 300),
          next_attempt_at: null,
          last_error: 'the endpoint was removed',
        },
      },
      attempt: null,
      settlement: { queue: 'webhook', id: 'delivery', fence: 4, then: 'done' },
    });
  });

  it('signs with the current secret and one earlier one, which take turns from the oldest', () => {
    const named = (...names: string[]) => names.map((secret) => ({ secret, fingerprint: secret }));
    const pairs = (...names: string[]) =>
      [0, 1, 2, 3].map((attempts) =>
        signingSecrets(named(...names), attempts)
          .map(({ secret }) => secret)
          .join('+'),
      );
    expect(pairs()).to.deep.equal(['', '', '', '']);
    expect(pairs('new')).to.deep.equal(['new', 'new', 'new', 'new']);
    expect(pairs('new', 'old')).to.deep.equal(['new+old', 'new+old', 'new+old', 'new+old']);
    expect(pairs('new', 'lost', 'used')).to.deep.equal(['new+used', 'new+lost', 'new+used', 'new+lost']);
    expect(pairs('d', 'c', 'b', 'a')).to.deep.equal(['d+a', 'd+b', 'd+c', 'd+a']);
  });
});
