import { expect } from 'chai';
import { accountAggregate } from '../../domain/account/decide.js';
import type { AccountEvent } from '../../domain/account/events.js';
import { REVEALS_A_DAY, REVEALS_AN_HOUR } from '../../domain/account/reveals.js';
import { given } from '../support/decider.js';
import { accountEventExamples } from '../support/examples/account.js';
import { EXAMPLE_NOW } from '../support/examples/example.js';

const NOON = Date.parse(EXAMPLE_NOW);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let acts = 0;

const revealed = (ms: number): AccountEvent => {
  acts += 1;
  const act_uuid = `0198a6f0-3a51-7c3e-9d0b-${String(acts).padStart(12, '0')}`;
  const at = new Date(ms).toISOString();
  return { type: 'PersonalDataRevealed', data: { ...accountEventExamples.revealed.data, act_uuid, at } };
};
const recording = (act: AccountEvent) => ({ type: 'RecordAct', act }) as const;

describe('what a person did about access on a day', () => {
  it('records a reveal, and the same act once', () => {
    const act = revealed(NOON);
    given(accountAggregate).when(recording(act)).then(act);
    given(accountAggregate, act).when(recording(act)).then();
  });

  it('refuses more reveals in an hour than a person needs, and says when the next may follow', () => {
    const before = Array.from({ length: REVEALS_AN_HOUR }, (_, index) => revealed(NOON + index * MINUTE));
    const next = revealed(NOON + 30 * MINUTE);
    given(accountAggregate, ...before.slice(1))
      .when(recording(next))
      .then(next);
    given(accountAggregate, ...before)
      .when(recording(next))
      .thenRefused('reveals_exhausted', {
        retry_after_seconds: 1_800,
        per_hour: REVEALS_AN_HOUR,
        per_day: REVEALS_A_DAY,
      });
    const later = revealed(NOON + HOUR);
    given(accountAggregate, ...before)
      .when(recording(later))
      .then(later);
  });

  it('refuses more in a day, until the next one begins', () => {
    const midnight = Date.parse('2026-03-02T00:00:00.000Z');
    const before = Array.from({ length: REVEALS_A_DAY }, (_, index) =>
      revealed(midnight + index * 6 * MINUTE),
    );
    const refused = recording(revealed(midnight + 23 * HOUR));
    given(accountAggregate, ...before)
      .when(refused)
      .thenRefused('reveals_exhausted', {
        retry_after_seconds: 3_600,
        per_hour: REVEALS_AN_HOUR,
        per_day: REVEALS_A_DAY,
      });
    expect(before.length).to.be.greaterThan(REVEALS_AN_HOUR);
  });
});
