import { expect } from 'chai';
import fc from 'fast-check';
import { createRateLimiter } from '../../application/rate-limit.js';
import { runs } from '../support/soak.js';

describe('rate limiter', () => {
  it('lets the quota through at once, then one per interval', () => {
    const limiter = createRateLimiter(60, 60_000);
    for (let i = 59; i >= 0; i -= 1) {
      expect(limiter.take('k', 0)).to.include({ allowed: true, remaining: i, retryAfterSeconds: 0 });
    }
    expect(limiter.take('k', 0)).to.deep.equal({
      allowed: false,
      remaining: 0,
      resetSeconds: 60,
      retryAfterSeconds: 1,
    });
    expect(limiter.take('k', 999).allowed).to.equal(false);
    expect(limiter.take('k', 1_000).allowed).to.equal(true);
    expect(limiter.take('k', 1_000).allowed).to.equal(false);
    expect(limiter.take('other', 1_000).allowed).to.equal(true);
  });

  it('never lets through more than the quota and what a span of time earns, and keeps its word on when', () => {
    const steps = fc.array(fc.nat({ max: 3_000 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), steps, (limit, waits) => {
        const limiter = createRateLimiter(limit, 10_000);
        let now = 0;
        const passed: number[] = [];
        for (const wait of waits) {
          now += wait;
          const quota = limiter.take('k', now);
          if (quota.allowed) passed.push(now);
          else expect(limiter.take('k', now + quota.retryAfterSeconds * 1000).allowed).to.equal(true);
          if (!quota.allowed) passed.push((now += quota.retryAfterSeconds * 1000));
        }
        passed.forEach((start, i) => {
          passed.slice(i).forEach((end, j) => {
            expect(j + 1).to.be.at.most(limit + ((end - start) * limit) / 10_000 + 1e-6);
          });
        });
      }),
      { numRuns: runs(50) },
    );
  });

  it('allows everything when there is no limit', () => {
    const limiter = createRateLimiter(Infinity);
    for (let i = 0; i < 1_000; i += 1) expect(limiter.take('k', 0).allowed).to.equal(true);
  });
});
