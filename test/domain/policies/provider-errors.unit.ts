import { expect } from 'chai';
import fc from 'fast-check';
import {
  classifyProviderError,
  KNOWN_PROVIDER_CODES,
  provesNotAccepted,
  type ProviderErrorClass,
  type ProviderErrorScope,
} from '../../../domain/policies/provider-errors.js';

type Row = readonly [
  code: number,
  documented: string,
  kind: ProviderErrorClass,
  scope: ProviderErrorScope,
  operationCode?: string,
  blockedSeconds?: number,
];

/** WhatsApp's error codes, with their meaning in its documentation and the effect on the message. */
const FINAL: readonly Row[] = [
  [0, 'the access token is invalid', 'token', 'account', 'channel_not_connected'],
  [3, 'the app lacks the capability', 'token', 'account', 'channel_not_connected'],
  [10, 'the permission is missing', 'token', 'account', 'channel_not_connected'],
  [190, 'the access token has expired', 'token', 'account', 'channel_not_connected'],
  [131005, 'access denied', 'token', 'account', 'channel_not_connected'],

  [33, 'the business number was deleted', 'account', 'number'],
  [368, 'temporarily blocked for policy violations', 'account', 'account'],
  [131031, 'the account is locked', 'account', 'account'],
  [131037, 'the number needs an approved display name', 'account', 'number'],
  [131042, 'the payment method is missing or invalid', 'account', 'account'],
  [131045, 'the certificate of the number registration is wrong', 'account', 'number'],
  [131063, 'marketing over Cloud API is switched off for the account', 'account', 'account'],
  [133000, 'an earlier deregistration of the number failed', 'account', 'number'],
  [133005, 'the two-step PIN is wrong', 'account', 'number'],
  [133006, 'the number has to be verified again', 'account', 'number'],
  [133008, 'too many guesses of the two-step PIN', 'account', 'number'],
  [133009, 'the two-step PIN was entered too fast', 'account', 'number'],
  [133010, 'the number is not registered', 'account', 'number'],
  [133016, 'the number was registered and deregistered too often', 'account', 'number'],
  [134011, 'the payment terms of service are not accepted', 'account', 'account'],

  [130403, 'the business blocked this person', 'permanent', 'recipient'],
  [130472, 'the person takes part in a marketing experiment', 'permanent', 'recipient'],
  [130497, 'the country of the person is restricted', 'permanent', 'recipient'],
  [131021, 'sender and recipient are the same', 'permanent', 'recipient'],
  [131026, 'the message is undeliverable', 'permanent', 'recipient', 'recipient_unreachable'],
  [131047, '24 hours since the last message have passed', 'permanent', 'recipient', 'service_window_closed'],
  [131050, 'the person stopped marketing', 'permanent', 'recipient', 'recipient_opted_out'],
  [131052, 'the media of an incoming message cannot be downloaded', 'permanent', 'message'],
  [131060, 'an incoming message is unavailable', 'permanent', 'message'],
  [131062, 'no authentication template to a business-scoped user id', 'permanent', 'recipient'],

  [131048, 'spam rate limit of the number', 'wait', 'number', 'provider_rejected', 3_600],
  [
    131049,
    'marketing limit of this person; wait 24 hours',
    'wait',
    'recipient',
    'recipient_marketing_limit_reached',
    86_400,
  ],
  [131064, 'the messaging limit was cut for a while', 'wait', 'account', 'provider_rejected', 86_400],

  [100, 'unsupported, misspelled or over-long parameter', 'fix', 'message'],
  [131008, 'a parameter is missing', 'fix', 'message'],
  [131009, 'a parameter is invalid', 'fix', 'message'],
  [131051, 'the type of message is unsupported', 'fix', 'message'],
  [131053, 'the media cannot be uploaded', 'fix', 'message'],
  [131055, 'the method is not allowed', 'fix', 'message'],
  [132000, 'the number of template parameters is wrong', 'fix', 'message'],
  [132005, 'the filled-in template is too long', 'fix', 'message'],
  [132007, 'the template text breaks the policy', 'fix', 'message'],
  [132012, 'a template parameter has the wrong format', 'fix', 'message'],
  [132018, 'a template parameter is wrong', 'fix', 'message'],
  [134100, 'only marketing templates go through this interface', 'fix', 'message'],
  [135000, 'a parameter is wrong', 'fix', 'message'],
  [139200, 'the account may not send directly', 'fix', 'message'],

  [132001, 'the template is missing or not approved', 'template', 'template', 'template_not_approved'],
  [132015, 'the template is paused', 'template', 'template', 'template_quality_blocked'],
  [132016, 'the template is disabled', 'template', 'template', 'template_sends_disabled'],
  [132068, 'the flow is blocked', 'template', 'template'],
  [132069, 'the flow is throttled', 'template', 'template'],
];

type Again = readonly [
  code: number,
  documented: string,
  kind: 'retry' | 'wait',
  scope: ProviderErrorScope,
  baseSeconds: number,
  maxSeconds: number,
  more?: { readonly factor?: number; readonly maxAttempts?: number },
];

const AGAIN: readonly Again[] = [
  [1, 'unknown error of the API', 'retry', 'message', 2, 300, { maxAttempts: 3 }],
  [2, 'the service is down for a while', 'retry', 'message', 2, 300],
  [4, 'rate limit of the app', 'wait', 'app', 60, 3_600],
  [80007, 'rate limit of the business account', 'wait', 'account', 60, 3_600],
  [130429, 'throughput of the number', 'retry', 'number', 1, 60],
  [131000, 'message failed to send, reason unknown', 'retry', 'message', 2, 300, { maxAttempts: 3 }],
  [131016, 'the service is unavailable', 'retry', 'message', 2, 300],
  [131056, 'pair rate limit: try again after 4^X seconds', 'retry', 'pair', 1, 3_600, { factor: 4 }],
  [131057, 'the number is in maintenance, about a minute', 'retry', 'number', 60, 300],
  [133004, 'the registration server is busy', 'retry', 'number', 30, 300],
  [133015, 'the number was deleted just now: wait five minutes', 'retry', 'number', 300, 300],
  [134101, 'the template is syncing: try again after ten minutes', 'wait', 'template', 600, 600],
  [134102, 'the template is unavailable for a moment', 'retry', 'template', 2, 300],
  [2_494_100, 'the number is in maintenance', 'retry', 'number', 60, 300],
];

const DOCUMENTED = [...FINAL, ...AGAIN].map(([code]) => code);
const UNKNOWN = { class: 'permanent', operationCode: 'provider_rejected', scope: 'message' };

describe('provider error policy', () => {
  for (const [code, documented, kind, scope, operationCode = 'provider_rejected', blocked = null] of FINAL) {
    it(`${code}, ${documented}: ends the message as ${operationCode}, ${kind} for the ${scope}`, () => {
      expect(classifyProviderError(code)).to.deep.equal({
        class: kind,
        operationCode,
        scope,
        retryable: false,
        backoff: null,
        blockedSeconds: blocked,
      });
    });
  }

  for (const [code, documented, kind, scope, baseSeconds, maxSeconds, more = {}] of AGAIN) {
    it(`${code}, ${documented}: is tried again after ${baseSeconds} s, ${kind} for the ${scope}`, () => {
      expect(classifyProviderError(code)).to.deep.equal({
        class: kind,
        operationCode: 'provider_unavailable',
        scope,
        retryable: true,
        backoff: { baseSeconds, maxSeconds, factor: more.factor ?? 2, maxAttempts: more.maxAttempts ?? null },
        blockedSeconds: null,
      });
    });
  }

  it('names each documented code, and no code that is not documented', () => {
    expect(KNOWN_PROVIDER_CODES).to.have.members(DOCUMENTED);
  });

  it('only the pair rate backs off per pair, 1, 4, 16… seconds up to an hour', () => {
    const pairs = KNOWN_PROVIDER_CODES.filter((code) => classifyProviderError(code).scope === 'pair');
    expect(pairs).to.deep.equal([131056]);
    expect(classifyProviderError(131056).backoff).to.include({
      baseSeconds: 1,
      factor: 4,
      maxSeconds: 3_600,
    });
  });

  it('takes 200 to 299 for a missing permission', () => {
    for (const code of [200, 250, 299]) {
      expect(classifyProviderError(code), String(code)).to.deep.equal(classifyProviderError(10));
    }
    for (const code of [199, 300]) expect(classifyProviderError(code), String(code)).to.include(UNKNOWN);
  });

  it('takes 2388xxx for a wrong request about a template', () => {
    for (const code of [2_388_000, 2_388_039, 2_388_999]) {
      expect(classifyProviderError(code).class, String(code)).to.equal('fix');
    }
    for (const code of [2_387_999, 2_389_000]) {
      expect(classifyProviderError(code), String(code)).to.include(UNKNOWN);
    }
  });

  it('takes a code that is not documented for a rejection of this message alone', () => {
    expect(classifyProviderError(424_242)).to.deep.equal({
      ...UNKNOWN,
      retryable: false,
      backoff: null,
      blockedSeconds: null,
    });
  });

  it('subcode 33 makes code 100, and no other, a matter of the number', () => {
    expect(classifyProviderError(100, 33)).to.deep.equal({
      class: 'account',
      operationCode: 'provider_rejected',
      scope: 'number',
      retryable: false,
      backoff: null,
      blockedSeconds: null,
    });
    for (const subcode of [32, null, undefined]) {
      expect(classifyProviderError(100, subcode).class, String(subcode)).to.equal('fix');
    }
    expect(classifyProviderError(190, 33).class).to.equal('token');
  });

  it('is total, and has a backoff exactly when retryable', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...KNOWN_PROVIDER_CODES), fc.integer()), (code) => {
        const policy = classifyProviderError(code);
        expect(policy.backoff !== null).to.equal(policy.retryable);
        expect(policy.retryable).to.equal(policy.operationCode === 'provider_unavailable');
        if (policy.backoff !== null)
          expect(policy.backoff.maxSeconds).to.be.at.least(policy.backoff.baseSeconds);
      }),
    );
  });

  it('proof of refusal: WhatsApp\u2019s own codes always', () => {
    const own = DOCUMENTED.filter((code) => code !== 1 && code !== 2);
    for (const code of [...own, 200, 299]) {
      for (const status of [200, 400, 500, 503])
        expect(provesNotAccepted(code, status), `${code} ${status}`).to.equal(true);
    }
  });

  it('proof of refusal: the front end\u2019s codes only below 500', () => {
    for (const code of [1, 2]) {
      for (const status of [200, 400, 499]) {
        expect(provesNotAccepted(code, status), `${code} ${status}`).to.equal(true);
      }
      for (const status of [500, 503]) {
        expect(provesNotAccepted(code, status), `${code} ${status}`).to.equal(false);
      }
    }
  });

  it('proof of refusal: codes that are not documented only as 4xx', () => {
    for (const code of [199, 300, 987_654]) {
      for (const status of [400, 404, 499]) {
        expect(provesNotAccepted(code, status), `${code} ${status}`).to.equal(true);
      }
      for (const status of [200, 302, 399, 500, 502]) {
        expect(provesNotAccepted(code, status), `${code} ${status}`).to.equal(false);
      }
    }
  });
});
