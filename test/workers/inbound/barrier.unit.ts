/** When everything that WhatsApp sent counts as read. */
import { expect } from 'chai';
import { ReadModelBehind } from '../../../ports/read-models.js';
import { createInboundBarrier } from '../../../workers/inbound/barrier.js';
import { failure } from '../../conformance/support.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';

describe('how far webhooks have been read', () => {
  function world() {
    const barrier = fakeBarrier();
    const done: string[] = [];
    const inbound = { caughtUp: async () => void done.push('read'), retries: async () => 3 };
    const relayed = async (prefixes: readonly string[]): Promise<boolean> => {
      done.push(`relayed ${prefixes.join()}`);
      return true;
    };
    return { barrier, done, reading: createInboundBarrier({ barrier }, inbound, relayed) };
  }

  it('is all the way once what was kept is relayed and read', async () => {
    const { done, reading } = world();
    expect(await reading.untilRead(() => false)).to.equal(true);
    expect(done).to.deep.equal(['relayed intake-', 'read']);
    expect(await reading.toReadAgain()).to.equal(3);
  });

  for (const model of ['channels', 'messages']) {
    it(`is not known while ${model} are behind: what is kept waits for them`, async () => {
      const { barrier, done, reading } = world();
      barrier.endAt(model, '');
      expect(await failure(reading.untilRead(() => false))).to.be.instanceOf(ReadModelBehind);
      expect(done).to.not.include('read');
      barrier.whole(model);
      expect(await reading.untilRead(() => false)).to.equal(true);
    });
  }
});
