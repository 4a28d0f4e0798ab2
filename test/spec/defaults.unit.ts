/** Figures that the specification leaves open ("not shown" in §7 and §8): the defaults that hold unless configured. */
import { expect } from 'chai';
import { SCOPES } from '../../application/provisioning/vocabulary.js';
import { companyRules, DAY_MS, DEFAULT_MARKETING, recipientRules } from '../../domain/policies/gates.js';
import { BUILT_IN_WORDS } from '../../domain/policies/opt-out-words.js';
import { readConfig } from '../../runtime/config.js';

describe('defaults where the specification shows no figure', () => {
  it('600 reads and 300 sends a minute for a key, 60 messages a second for a channel, 15 minutes of pacing', () => {
    expect(readConfig({}, false)).to.deep.include({
      rateLimits: { reads: 600, sends: 300 },
      channelRate: 60,
      paceRecipients: true,
      pacingWindowMs: 15 * 60_000,
    });
  });

  it('2 marketing messages to a person in 24 hours, 6 in 7 days, 1,000 of a company; none before an owner says so', () => {
    expect(DEFAULT_MARKETING.enabled).to.equal(false);
    const limits = (rules: ReturnType<typeof companyRules>) =>
      rules.map(({ code, most, windowMs }) => [code, most, windowMs / DAY_MS]);
    expect(limits(recipientRules(DEFAULT_MARKETING, false))).to.deep.equal([
      ['duplicate_template_send', 1, 1],
      ['template_frequency_cap_exceeded', 2, 1],
      ['template_frequency_cap_exceeded', 6, 7],
    ]);
    expect(limits(companyRules(DEFAULT_MARKETING))).to.deep.equal([
      ['company_daily_marketing_cap_exceeded', 1_000, 1],
    ]);
  });

  it('the scopes, and the words that stop and resume', () => {
    expect(SCOPES).to.have.members([
      'channels:read',
      'contacts:read',
      'contacts:write',
      'flows:read',
      'flows:execute',
      'templates:read',
      'messages:send',
      'operations:read',
      'conversations:read',
      'store:read',
      'store:write',
      // Additions to 1.8.0.
      'webhooks:read',
      'webhooks:write',
      'events:read',
    ]);
    expect(BUILT_IN_WORDS).to.deep.equal({ stop: ['PARAR', 'STOP'], resume: ['VOLTAR', 'START'] });
  });
});
