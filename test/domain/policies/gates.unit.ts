import { expect } from 'chai';
import type { Quota } from '../../../domain/quota/state.js';
import { initialQuota } from '../../../domain/quota/state.js';
import {
  companyRules,
  DAY_MS,
  DEFAULT_MARKETING,
  identicalRules,
  judge,
  opening,
  recipientRules,
} from '../../../domain/policies/gates.js';

const NOON = Date.parse('2026-03-10T12:00:00.000Z');
const slot = (minutesAgo: number, what = 'greeting', counted = true) => ({
  what,
  counted,
  at: NOON - minutesAgo * 60_000,
  operationUuid: `${what}-${minutesAgo}`,
});
const ledger = (...slots: readonly ReturnType<typeof slot>[]): Quota => ({ ...initialQuota, slots });
const limitedAt = (minutesAgo: number): Quota => ({
  ...initialQuota,
  limited: { at: NOON - minutesAgo * 60_000, operationUuid: `limited-${minutesAgo}` },
});
const settings = { ...DEFAULT_MARKETING, perContactPerDay: 1, perContactPerWeek: 2, perDay: 12 };

describe('gates', () => {
  it('say in a sentence what was reached, within which time', () => {
    const daily = judge([ledger(slot(5, 'other'))], 'greeting', recipientRules(settings, false), NOON);
    expect(daily?.message).to.equal(
      'The recipient got as much marketing as the company allows: 1 in 24 hours.',
    );
    const twoThisWeek = ledger(slot(2 * 1440, 'a'), slot(3 * 1440, 'b'));
    const weekly = judge([twoThisWeek], 'greeting', recipientRules(settings, false), NOON);
    expect(weekly?.message).to.equal(
      'The recipient got as much marketing as the company allows: 2 in 7 days.',
    );
    const repeated = judge([ledger(slot(5))], 'greeting', identicalRules, NOON);
    expect(repeated?.message).to.equal('This was sent to the same recipient within the last 24 hours.');
    const company = judge([ledger(slot(5))], 'x', companyRules({ ...settings, perDay: 1 }), NOON);
    expect(company?.message).to.equal('The company sent as much marketing as it may: 1 in 24 hours.');
  });

  it('name a cap and the sends that it counts, and no cap for a repeated message', () => {
    const twelve = ledger(...Array.from({ length: 12 }, (_, index) => slot(index + 1)));
    const company = judge([twelve], 'x', companyRules(settings), NOON);
    expect(company?.code).to.equal('company_daily_marketing_cap_exceeded');
    expect(company?.details).to.deep.include({ cap: 12, window_seconds: 86_400 });
    // The last ten, in the order in which they were sent.
    expect(company?.details['earlier_events']).to.deep.equal(
      [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((minutes) => ({
        operation_uuid: `greeting-${minutes}`,
        at: new Date(NOON - minutes * 60_000).toISOString(),
      })),
    );
    const repeated = judge([ledger(slot(5))], 'greeting', identicalRules, NOON);
    expect(repeated?.code).to.equal('duplicate_template_send');
    expect(repeated?.details).to.not.have.property('cap');
  });

  it('count all ledgers of a person together', () => {
    const rules = companyRules({ ...settings, perDay: 2 });
    expect(judge([ledger(slot(1))], 'x', rules, NOON)).to.equal(null);
    expect(judge([ledger(slot(1)), ledger(slot(2))], 'x', rules, NOON)).to.not.equal(null);
  });

  it('never open for a cap of none', () => {
    const refusal = judge([ledger()], 'x', companyRules({ ...settings, perDay: 0 }), NOON);
    expect(refusal?.details).to.deep.include({ cap: 0, earlier_events: [] });
    expect(refusal?.details).to.not.have.any.keys('opens_at', 'retry_after_seconds');
  });

  it('open a day after the latest limit of the provider, in whichever order the ledgers come', () => {
    const ledgers = [limitedAt(60), limitedAt(10), ledger()];
    for (const given of [ledgers, [...ledgers].reverse()]) {
      const refusal = judge(given, 'x', [], NOON);
      expect(refusal?.code).to.equal('recipient_marketing_limit_reached');
      expect(refusal?.details).to.deep.equal({
        ...opening(NOON - 600_000 + DAY_MS, NOON),
        earlier_events: [{ operation_uuid: 'limited-10', at: new Date(NOON - 600_000).toISOString() }],
        provider: { code: 131049 },
      });
    }
    expect(judge([limitedAt(1440)], 'x', [], NOON)).to.equal(null);
  });

  it('are never said to open a second too early, nor now', () => {
    expect(opening(NOON + 1_001, NOON)).to.deep.equal({
      retry_after_seconds: 2,
      opens_at: '2026-03-10T12:00:01.001Z',
    });
    expect(opening(NOON, NOON)).to.deep.include({ retry_after_seconds: 1 });
  });

  it('count nothing towards caps while the customer service window is open, but repeat nothing', () => {
    const rules = recipientRules(settings, true);
    expect(judge([ledger(slot(1, 'other'), slot(2, 'another'))], 'greeting', rules, NOON)).to.equal(null);
    expect(judge([ledger(slot(1))], 'greeting', rules, NOON)?.code).to.equal('duplicate_template_send');
    const uncounted = ledger(slot(1, 'a', false), slot(2, 'b', false), slot(3, 'c', false));
    expect(judge([uncounted], 'greeting', recipientRules(settings, false), NOON)).to.equal(null);
  });

  it('open when the last of the caps does, and never under a cap of none', () => {
    const sent = [ledger(slot(6 * 1440, 'a'), slot(60, 'b'))];
    const opens = (perContactPerDay: number, perContactPerWeek: number) =>
      judge(
        sent,
        'greeting',
        recipientRules({ ...settings, perContactPerDay, perContactPerWeek }, false),
        NOON,
      )?.details['opens_at'];
    expect(opens(1, 2)).to.equal('2026-03-11T12:00:00.000Z');
    expect(opens(1, 1)).to.equal('2026-03-17T11:00:00.000Z');
    expect(opens(0, 1)).to.equal(undefined);
    expect(opens(1, 0)).to.equal(undefined);
  });
});
