import { expect } from 'chai';
import { silentLogger } from '../../ports/logger.js';
import { projectionStates } from '../../read-models/projection-states.js';
import { projections } from '../../projections/catalog.js';
import { createStates } from '../../projections/states.js';
import { manualClock } from '../support/fakes/manual-clock.js';
import { memoryReadModels } from '../support/memory/read-models.js';

describe('how projections fare', () => {
  const projection = projections[0]!;
  const { name } = projection;

  for (const hours of [-48, -1, 1, 48]) {
    it(`is written down also after the clock was set by ${hours} h`, async () => {
      const clock = manualClock();
      const readModels = memoryReadModels();
      const begin = () => createStates([name], { readModels, clock, logger: silentLogger, held: () => true });
      const failure = async () => (await readModels.get(projectionStates.name, name))?.doc.failure ?? null;
      const first = begin();
      await clock.advance(2_000);
      clock.stepWall(hours * 3_600_000);
      first.failed({ projection, generation: 1 }, new Error('no'));
      await clock.advance(2_000);
      expect(await failure(), 'the process that was running').to.not.equal(null);
      clock.stepWall(-hours * 3_600_000);
      await first.stop();
      const second = begin();
      await clock.advance(2_000);
      expect(await failure(), 'the next one').to.equal(null);
      await second.stop();
    });
  }
});
