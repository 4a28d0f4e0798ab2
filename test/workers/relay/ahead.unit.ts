/** The relay ahead of its checkpoint: messages that are published again after a crash, and when rows are requested. */
import { expect } from 'chai';
import { START, StoreUnavailable, type Position } from '../../../ports/event-store.js';
import { startRelay } from '../../../workers/relay/worker.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { relayWorld } from './world.js';

function world(step?: Parameters<typeof relayWorld>[0]) {
  const did: string[] = [];
  const fault: { keep?: () => void } = {};
  const w = relayWorld(step, (publish) => ({
    async publish(messages, at) {
      await publish(messages);
      did.push(`publish ${Number(at)}`);
    },
    async keep(upTo: Position) {
      fault.keep?.();
      did.push(`keep ${Number(upTo)}`);
    },
    forget: () => void did.push('forget'),
  }));
  const place = (): number => (w.at() === START ? 0 : Number(w.at()));
  return { ...w, did, place, keepFault: fault };
}

describe('the relay ahead of its checkpoint', () => {
  it('publishes at once, and comes after what was published half a second ago: rows first, then the checkpoint', async () => {
    const w = world((kind) => void (kind === 'advance' && w.did.push('advance')));
    const relaying = startRelay(w.app);
    await turns();
    await w.happen();
    await turns();
    expect(w.did).to.deep.equal(['forget', 'publish 1']);
    expect(w.place()).to.equal(0);
    await w.clock.advance(250);
    await w.happen();
    await turns();
    await w.clock.advance(250);
    expect(w.did.slice(2)).to.deep.equal(['publish 2', 'keep 1', 'advance']);
    expect(w.place(), 'the second is too young').to.equal(1);
    await w.clock.advance(500);
    expect(w.did.slice(5)).to.deep.equal(['keep 2', 'advance']);
    expect(w.place()).to.equal(2);
    await relaying.stop();
    expect(w.clock.pending()).to.equal(0);
  });

  it('published again by whoever comes after a crash is everything that it had not come past', async () => {
    const w = world();
    const first = startRelay(w.app);
    await turns();
    const ids = [await w.happen()];
    await turns();
    await w.clock.advance(1_500);
    ids.push(await w.happen(), await w.happen());
    await turns();
    expect(w.published).to.deep.equal(ids);
    // The relay is dead from here on: it writes nothing any more.
    w.fault.leaseEnded = true;
    await turns();
    await w.clock.advance(3_000);
    expect(w.place()).to.equal(1);
    w.fault.leaseEnded = false;
    const second = w.other();
    await w.clock.advance(3_000);
    expect(w.published.slice(0, 5)).to.deep.equal([...ids, ids[1], ids[2]]);
    expect(w.place()).to.equal(3);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('publishes nothing more while rows can not be written, and goes on by itself', async () => {
    const w = world();
    const relaying = startRelay(w.app);
    await turns();
    w.keepFault.keep = () => {
      throw new StoreUnavailable('away');
    };
    const first = await w.happen();
    await turns();
    await w.clock.advance(1_000);
    const second = await w.happen();
    await w.clock.advance(10_000);
    expect(w.published).to.deep.equal([first]);
    expect(w.place()).to.equal(0);
    expect(w.logged).to.deep.equal(['relaying to the topics failed; it is tried again']);
    delete w.keepFault.keep;
    await w.clock.advance(5_000);
    expect(w.published).to.deep.equal([first, second]);
    expect(w.place()).to.equal(2);
    await relaying.stop();
  });

  it('gives way when its checkpoint was moved by another one, without a batch to notice it by', async () => {
    const w = world();
    const first = startRelay(w.app);
    await turns();
    await w.happen();
    await turns();
    const second = w.other();
    await turns(20);
    await w.clock.advance(1_000);
    // Both published it; one of them moved the checkpoint, and the other one began again from there.
    await w.clock.advance(5_000);
    const next = await w.happen();
    await w.clock.advance(5_000);
    expect(w.published.filter((id) => id === next).length).to.be.within(1, 2);
    expect(w.place()).to.equal(2);
    await Promise.all([first.stop(), second.stop()]);
    expect(w.clock.pending()).to.equal(0);
  });

  it('comes past everything before it stops, and over what is of no concern once in a while', async () => {
    const w = world();
    const relaying = startRelay(w.app);
    await turns();
    await w.happen();
    await w.happen('NobodyCares');
    await turns();
    expect(w.place()).to.equal(0);
    await relaying.stop();
    expect(w.place()).to.equal(2);
    const again = startRelay(w.app);
    await turns();
    await w.clock.advance(1_000);
    await w.happen('NobodyCares');
    await turns();
    expect(w.place()).to.equal(3);
    await again.stop();
    expect(w.published).to.have.length(1);
  });

  it('is no more than so many messages ahead', async () => {
    const w = world();
    const relaying = startRelay(w.app);
    await turns();
    for (let n = 0; n < 2_100; n += 1) {
      await w.happen();
      await turns(1);
    }
    await turns(50);
    expect(w.published).to.have.length(2_100);
    expect(w.place()).to.be.at.least(2_000);
    await relaying.stop();
  });
});
