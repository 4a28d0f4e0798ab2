import { expect } from 'chai';
import { createThrottle, networkOf } from '../../application/throttle.js';

describe('a throttle', () => {
  it('lets a burst through, then one per interval, for each key by itself', () => {
    const throttle = createThrottle({ burst: 3, intervalMs: 1000 });
    const at = (now: number, key = 'a') => throttle.take(key, now);
    expect([at(0), at(0), at(0), at(0), at(500)]).to.deep.equal([0, 0, 0, 1, 1]);
    expect(at(0, 'b')).to.equal(0);
    expect([at(1000), at(1000)]).to.deep.equal([0, 1]);
    expect(at(60_000)).to.equal(0);
  });

  it('starts anew for who is forgiven', () => {
    const throttle = createThrottle({ burst: 1, intervalMs: 1000 });
    expect([throttle.take('a', 0), throttle.take('a', 0)]).to.deep.equal([0, 1]);
    throttle.forgive('a');
    expect(throttle.take('a', 0)).to.equal(0);
  });

  it('remembers a bounded number of keys', () => {
    const throttle = createThrottle({ burst: 1, intervalMs: 1_000_000 });
    throttle.take('first', 0);
    for (let n = 0; n < 10_000; n += 1) throttle.take(String(n), 0);
    expect(throttle.take('first', 0), 'made room').to.equal(0);
  });

  it('takes a whole /64 for one network, and IPv4 as what it is', () => {
    expect(networkOf('2001:db8:0:1::1')).to.equal(networkOf('2001:0db8::1:0:0:0:2'));
    expect(networkOf('2001:db8:0:2::1')).not.to.equal(networkOf('2001:db8:0:1::1'));
    expect(networkOf('::ffff:203.0.113.7')).to.equal('203.0.113.7');
    expect(networkOf('203.0.113.7')).to.equal('203.0.113.7');
  });
});
