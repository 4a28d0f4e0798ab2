import { expect } from 'chai';
import { createKeyUsage } from '../../api/middleware/key-usage.js';
import { silentLogger } from '../../ports/logger.js';
import { keyUsage } from '../../read-models/key-usage.js';
import { manualClock, turns } from '../support/fakes/manual-clock.js';
import { memoryReadModels } from '../support/memory/read-models.js';

describe('when an API key was last used', () => {
  for (const hours of [-48, -1, 1, 48]) {
    it(`is noted by the clock as it is, also after it was set by ${hours} h`, async () => {
      const clock = manualClock();
      const readModels = memoryReadModels();
      const used = await createKeyUsage({ readModels, clock, logger: silentLogger });
      const lastUsed = async (): Promise<number> => {
        const stored = await readModels.get(keyUsage.name, 'k');
        return Date.parse(stored!.doc.last_used_at);
      };
      used('k');
      await turns();
      expect(await lastUsed()).to.equal(clock.now());
      clock.stepWall(hours * 3_600_000);
      await clock.advance(59_000);
      used('k');
      await turns();
      expect(await lastUsed(), 'once a minute').to.not.equal(clock.now());
      await clock.advance(1_000);
      used('k');
      await turns();
      expect(await lastUsed()).to.equal(clock.now());
    });
  }
});
