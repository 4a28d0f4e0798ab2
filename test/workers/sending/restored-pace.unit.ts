/** The pace that a channel's next holder restores from the last one's, when the clock was set in between. */
import { expect } from 'chai';
import { nextSendAt, channelPace } from '../../../workers/sending/lane.js';
import { restoredPace } from '../../../workers/sending/restored-pace.js';
import type { PacingDoc } from '../../../read-models/pacing.js';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const CEILING = 50;
const INTERVAL = 20;
/** Five messages at once. */
const BURST_MS = 5 * INTERVAL;

describe('the pace of a channel that is taken over', () => {
  const clock = { now: () => NOW, monotonic: () => 5_000 };
  const waitMs = (doc?: PacingDoc, left = {}) =>
    Math.max(
      0,
      nextSendAt({ tat: restoredPace(doc, left, clock, CEILING).tat } as never, channelPace(CEILING)) - 5_000,
    );
  const debtMs = (doc?: PacingDoc, left = {}) => restoredPace(doc, left, clock, CEILING).tat - 5_000;
  const attempted = (at: number, debt: number) => ({
    last_at: at,
    channel_tat: at + debt,
    interval_ms: INTERVAL,
  });

  it('begins where it was left', () => {
    expect(debtMs()).to.equal(0);
    expect(debtMs(attempted(NOW, 50))).to.equal(50);
    expect(debtMs(attempted(NOW - 20, 50))).to.equal(30);
    expect(debtMs(attempted(NOW - 1_000, 50))).to.equal(0);
    expect(debtMs(undefined, { at: NOW - 100, tat: NOW + 2_000 })).to.equal(2_000);
  });

  it('lets a number rest for as long as WhatsApp asked for, however long a burst is', () => {
    expect(debtMs(attempted(NOW, 50), { at: NOW, tat: NOW + 60_000 })).to.equal(60_000);
  });

  for (const step of [HOUR, 48 * HOUR]) {
    it(`waits for no more than a burst after a clock that was ${step / HOUR} h ahead`, () => {
      expect(debtMs(attempted(NOW + step, 50))).to.equal(50);
      // Attempts after the clock was set back add to the debt that earlier attempts left.
      expect(debtMs({ ...attempted(NOW, 50), channel_tat: NOW + step })).to.be.closeTo(BURST_MS, 0.001);
      expect(waitMs({ ...attempted(NOW, 50), channel_tat: NOW + step })).to.be.closeTo(INTERVAL, 0.001);
      expect(debtMs(undefined, { at: NOW + step, tat: NOW + step + 2_000 })).to.equal(2_000);
    });

    it(`owes nothing after a clock that was ${step / HOUR} h behind`, () => {
      expect(debtMs(attempted(NOW - step, 50))).to.equal(0);
      expect(debtMs(undefined, { at: NOW - step, tat: NOW - step + 2_000 })).to.equal(0);
    });
  }

  it('grows from now on, also where it was dated ahead', () => {
    for (const at of [NOW - 1_000, NOW, NOW + HOUR]) {
      const { rate } = restoredPace(undefined, { at, tat: at, per_second: 30, grown_at: at }, clock, CEILING);
      expect(rate.grownAt).to.equal(5_000);
      expect(rate.perSecond).to.be.within(30, 31);
    }
  });

  it('is the rate of the last holder, else that of the last attempt, else a third of the ceiling', () => {
    const rateOf = (doc?: PacingDoc, left = {}) => restoredPace(doc, left, clock, CEILING).rate.perSecond;
    const history = { ...attempted(NOW, 0), interval_ms: 40 };
    expect(rateOf(history)).to.equal(25);
    expect(rateOf(history, { per_second: 30, grown_at: NOW })).to.equal(30);
    expect(rateOf(history, { per_second: 30 }), 'grown since nobody knows when').to.equal(25);
    expect(rateOf(undefined)).to.be.closeTo(CEILING / 3, 1e-9);
    expect(rateOf({ ...history, interval_ms: 0 }), 'its pace was off').to.be.closeTo(CEILING / 3, 1e-9);
  });

  it('understands what releases before this one left', () => {
    expect(debtMs(undefined, { tat: NOW + 2_000, per_second: 30, grown_at: NOW })).to.equal(2_000);
  });
});
