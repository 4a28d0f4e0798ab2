import { expect } from 'chai';
import fc from 'fast-check';
import {
  classifyProviderError,
  KNOWN_PROVIDER_CODES,
  provesNotAccepted,
} from '../../../domain/policies/provider-errors.js';

describe('provider error policy', () => {
  const operationCodes: readonly [number, string, string][] = [
    [131047, 'service_window_closed', 'permanent'],
    [131026, 'recipient_unreachable', 'permanent'],
    [131049, 'recipient_marketing_limit_reached', 'wait'],
    [131050, 'recipient_opted_out', 'permanent'],
    [132015, 'template_quality_blocked', 'template'],
    [132016, 'template_sends_disabled', 'template'],
    [132001, 'template_not_approved', 'template'],
    [0, 'channel_not_connected', 'token'],
    [190, 'channel_not_connected', 'token'],
    [3, 'channel_not_connected', 'token'],
    [10, 'channel_not_connected', 'token'],
    [200, 'channel_not_connected', 'token'],
    [299, 'channel_not_connected', 'token'],
    [131005, 'channel_not_connected', 'token'],
    [368, 'provider_rejected', 'account'],
    [131031, 'provider_rejected', 'account'],
    [131048, 'provider_rejected', 'wait'],
    [132000, 'provider_rejected', 'fix'],
    [2_388_039, 'provider_rejected', 'fix'],
    [130429, 'provider_unavailable', 'retry'],
    [131056, 'provider_unavailable', 'retry'],
    [80007, 'provider_unavailable', 'wait'],
    [4, 'provider_unavailable', 'wait'],
    [131016, 'provider_unavailable', 'retry'],
    [424_242, 'provider_rejected', 'permanent'],
  ];
  for (const [code, operationCode, errorClass] of operationCodes) {
    it(`${code} is ${operationCode}, ${errorClass}`, () => {
      expect(classifyProviderError(code)).to.include({ operationCode, class: errorClass });
    });
  }

  it('covers the codes of Meta\u2019s table one by one', () => {
    const meta = [
      ...[
        0, 1, 2, 3, 4, 10, 33, 100, 190, 368, 80007, 130403, 130429, 130472, 130497, 131000, 131005, 131008,
        131009,
      ],
      ...[
        131016, 131021, 131026, 131031, 131037, 131042, 131045, 131047, 131048, 131049, 131050, 131051,
        131052,
      ],
      ...[
        131053, 131055, 131056, 131057, 131060, 131062, 131063, 131064, 132000, 132001, 132005, 132007,
        132012,
      ],
      ...[
        132015, 132016, 132018, 132068, 132069, 133000, 133004, 133005, 133006, 133008, 133009, 133010,
        133015,
      ],
      ...[133016, 134011, 134100, 134101, 134102, 135000, 2494100],
    ];
    expect(KNOWN_PROVIDER_CODES).to.include.members(meta);
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

  it('subcode 33 makes code 100 a matter of the channel', () => {
    expect(classifyProviderError(100).class).to.equal('fix');
    expect(classifyProviderError(100, 33)).to.include({ class: 'account', scope: 'number' });
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

  it('proof of refusal: WhatsApp\u2019s own codes always, the front end\u2019s only below 500, unknown ones only as 4xx', () => {
    for (const code of KNOWN_PROVIDER_CODES.filter((known) => known !== 1 && known !== 2)) {
      for (const status of [200, 400, 500, 503])
        expect(provesNotAccepted(code, status), String(code)).to.equal(true);
    }
    for (const code of [1, 2]) {
      expect(provesNotAccepted(code, 400)).to.equal(true);
      expect(provesNotAccepted(code, 500)).to.equal(false);
    }
    expect(provesNotAccepted(987_654, 404)).to.equal(true);
    for (const status of [200, 302, 500, 502]) expect(provesNotAccepted(987_654, status)).to.equal(false);
  });
});
