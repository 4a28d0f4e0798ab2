import { expect } from 'chai';
import { silentLogger } from '../../../ports/logger.js';
import { watchClock } from '../../../runtime/clock-watch.js';
import { setFindings } from '../../../runtime/doctor/clock.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

const HOUR = 3_600_000;

describe('what doctor says of the clock', () => {
  function world(aheadMs = 0) {
    const clock = manualClock();
    const warnings: object[] = [];
    const logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
    const watch = watchClock({ clock, logger }, clock.now() + aheadMs);
    const said = (): readonly string[] =>
      setFindings(watch.state()).map(({ status, message }) => `${status}: ${message}`);
    return { clock, warnings, watch, said };
  }

  it('is nothing while nobody sets it', async () => {
    const { clock, watch, said, warnings } = world();
    await clock.advance(HOUR);
    expect(said()).to.deep.equal(['ok: Nobody has set the clock since the server began.']);
    expect(warnings).to.deep.equal([]);
    watch.stop();
    expect(clock.pending()).to.equal(0);
  });

  for (const hours of [1, 48]) {
    it(`names a step back of ${hours} h, and how far dates lie ahead, until the time has caught up`, async () => {
      const { clock, watch, said, warnings } = world();
      clock.stepWall(-hours * HOUR);
      await clock.advance(10_000);
      expect(warnings).to.deep.equal([{ by_ms: -hours * HOUR }]);
      const [ahead, set] = said();
      expect(ahead).to.include(`warn: Dates are stored that lie up to ${hours * 3_600 - 5} s in the future`);
      expect(set).to.include(`warn: The clock was set back by ${hours * 3_600} s`);
      clock.stepWall(hours * HOUR);
      expect(said()).to.have.length(1);
      watch.stop();
    });

    it(`names a step on by ${hours} h`, () => {
      const { clock, watch, said } = world();
      clock.stepWall(hours * HOUR);
      expect(said()).to.have.length(1);
      expect(said()[0]).to.include(`warn: The clock was set on by ${hours * 3_600} s`);
      watch.stop();
    });

    it(`names dates that a process before this one stored ${hours} h ahead`, () => {
      const { watch, said } = world(hours * HOUR);
      expect(said()).to.have.length(1);
      expect(said()[0]).to.include(`lie up to ${hours * 3_600} s in the future`);
      watch.stop();
    });
  }
});
