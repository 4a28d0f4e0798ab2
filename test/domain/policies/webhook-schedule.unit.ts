import { expect } from 'chai';
import {
  nextStep,
  RETRY_SCHEDULE,
  retryAfterMs,
  type DeliveryOutcome,
} from '../../../domain/policies/webhook-schedule.js';

const now = Date.parse('2026-03-01T12:00:00Z');
const answered = (status: number, retryAfter: string | null = null): DeliveryOutcome => ({
  kind: 'answered',
  status,
  retryAfter,
});
const step = (outcome: DeliveryOutcome, attempt: number, random = 0) =>
  nextStep({ outcome, attempt, now, random: () => random });

describe('webhook schedule', () => {
  it('waits 0, 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h and then gives up', () => {
    const waits = RETRY_SCHEDULE.slice(1).map((_, index) => step(answered(500), index + 1));
    const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waits).to.deep.equal(seconds.map((s) => ({ then: 'retry', delayMs: s * 1000 })));
    expect(step(answered(500), 10)).to.deep.equal({ then: 'exhausted' });
  });

  it('takes any 2xx as delivered and nothing else', () => {
    for (const status of [200, 201, 202, 204, 299])
      expect(step(answered(status), 1).then).to.equal('delivered');
    for (const status of [300, 301, 302, 304, 400, 401, 404, 422, 500, 503]) {
      expect(step(answered(status), 1).then, String(status)).to.equal('retry');
    }
  });

  it('stops at 410, also on the last attempt', () => {
    expect(step(answered(410), 1)).to.deep.equal({ then: 'gone' });
    expect(step(answered(410), 10)).to.deep.equal({ then: 'gone' });
  });

  it('adds jitter of at most a tenth and at most 15 minutes, and never takes any away', () => {
    expect(step(answered(500), 1, 0.999_999)).to.deep.equal({ then: 'retry', delayMs: 5500 });
    expect(step(answered(500), 9, 0.999_999)).to.deep.equal({
      then: 'retry',
      delayMs: 86_400_000 + 900_000 - 1,
    });
  });

  it('rests at least a minute after 429 and time-outs', () => {
    expect(step(answered(429), 1)).to.deep.equal({ then: 'retry', delayMs: 60_000 });
    expect(step({ kind: 'failed', timedOut: true }, 1)).to.deep.equal({ then: 'retry', delayMs: 60_000 });
    expect(step({ kind: 'failed', timedOut: true }, 2)).to.deep.equal({ then: 'retry', delayMs: 300_000 });
    expect(step({ kind: 'failed', timedOut: false }, 1)).to.deep.equal({ then: 'retry', delayMs: 5000 });
  });

  it('heeds Retry-After as a later time, up to an hour or twice the table', () => {
    expect(step(answered(503, '120'), 1)).to.deep.equal({ then: 'retry', delayMs: 120_000 });
    expect(step(answered(503, '1'), 1)).to.deep.equal({ then: 'retry', delayMs: 5000 });
    expect(step(answered(503, '31536000'), 1)).to.deep.equal({ then: 'retry', delayMs: 3_600_000 });
    expect(step(answered(503, '31536000'), 4)).to.deep.equal({ then: 'retry', delayMs: 14_400_000 });
    expect(step(answered(429, new Date(now + 90_000).toUTCString()), 1)).to.deep.equal({
      then: 'retry',
      delayMs: 90_000,
    });
  });

  it('reads both forms of Retry-After and ignores what is neither', () => {
    expect(retryAfterMs('30', now)).to.equal(30_000);
    expect(retryAfterMs(' 30 ', now)).to.equal(30_000);
    expect(retryAfterMs('Sun, 01 Mar 2026 12:00:10 GMT', now)).to.equal(10_000);
    expect(retryAfterMs('Sun, 01 Mar 2020 12:00:10 GMT', now)).to.equal(0);
    for (const value of [null, '', '-5', 'soon', '1.5e9x'])
      expect(retryAfterMs(value, now), String(value)).to.equal(0);
  });
});
