/** Read models that work waits for, reported without a report for each piece of work. */
import { expect } from 'chai';
import { createWaits, readWaits } from '../../projections/waits.js';
import { manualClock } from '../support/fakes/manual-clock.js';
import { memoryReadModels } from '../support/memory/read-models.js';

describe('waits for read models', () => {
  function world() {
    const clock = manualClock();
    const said: string[] = [];
    const write = (_fields: object, message: string): void => void said.push(message);
    let writes = 0;
    const readModels = memoryReadModels((kind) => void (writes += kind === 'write' ? 1 : 0));
    const logger = { debug: write, info: write, warn: write, error: write };
    const waits = createWaits({ readModels, clock, logger });
    const written = () => readWaits(['channels', 'messages'], { readModels, clock });
    return { clock, said, waits, written, writes: () => writes };
  }

  it('are said once a minute and written once in ten seconds, however much work there is', async () => {
    const { clock, said, waits, written, writes } = world();
    const since = clock.now();
    for (let second = 0; second < 60; second += 1) {
      for (let n = 0; n < 100; n += 1) waits.behind('channels');
      await clock.advance(1_000);
    }
    expect(said).to.have.length(1);
    expect(writes()).to.equal(6);
    expect([...waits.current()]).to.deep.equal([['channels', since]]);
    expect([...(await written())]).to.deep.equal([['channels', new Date(since).toISOString()]]);
    waits.behind('channels');
    expect(said).to.have.length(2);
  });

  for (const hours of [-48, -1, 1, 48]) {
    it(`are said and written as long as they last, also when the clock is set by ${hours} h`, async () => {
      const { clock, waits, written } = world();
      waits.behind('channels');
      await clock.advance(1_000);
      clock.stepWall(hours * 3_600_000);
      await clock.advance(70_000);
      expect([waits.current().size, (await written()).size], 'nobody waits').to.deep.equal([0, 0]);
      waits.behind('channels');
      await clock.advance(1_000);
      expect([...(await written()).keys()]).to.deep.equal(['channels']);
      waits.passed('channels');
      await clock.advance(1_000);
      expect((await written()).size).to.equal(0);
      waits.behind('channels');
      await clock.advance(1_000);
      expect([...(await written()).keys()]).to.deep.equal(['channels']);
    });
  }

  it('end when the read model shows what was waited for, and when nobody looks for it any more', async () => {
    const { clock, said, waits, written } = world();
    waits.behind('channels');
    waits.behind('messages');
    await clock.advance(100);
    waits.passed('channels');
    await clock.advance(100);
    expect([...waits.current().keys()]).to.deep.equal(['messages']);
    expect([...(await written()).keys()]).to.deep.equal(['messages']);
    expect(said.at(-1)).to.include('continues');
    // The process that waited has ended.
    await clock.advance(120_000);
    expect([waits.current().size, (await written()).size]).to.deep.equal([0, 0]);
    waits.passed('products');
    expect(said).to.have.length(3);
  });
});
