/** Cached results of read models: never used beyond an event that concerns them. */
import { expect } from 'chai';
import type { Position } from '../../ports/event-store.js';
import { createBarrier } from '../../projections/barrier.js';
import { createRememberedReads } from '../../projections/remembered-reads.js';
import { manualClock } from '../support/fakes/manual-clock.js';
import { notes, notesProjection } from './history-of-notes.js';

const at = (n: number) => String(n).padStart(12, '0') as Position;

describe('answers of read models that are remembered', () => {
  function world() {
    const clock = manualClock();
    const state = {
      covered: 0,
      end: 10,
      shown: 10 as number | null,
      event: null as number | null,
      stored: 'a',
      failing: false,
    };
    let reads = 0;
    const remembered = createRememberedReads({
      clock,
      recent: {
        covers: (after) => after >= at(state.covered),
        end: () => at(state.end),
        firstAfter: (after) =>
          state.event !== null && at(state.event) > after && state.event <= state.end
            ? at(state.event)
            : null,
      },
      handles: ['Noted'],
      shownUpTo: () => (state.shown === null ? null : at(state.shown)),
    });
    const ask = async (key = 'q') => {
      const { answer } = await remembered(key, async () => {
        reads += 1;
        if (state.failing) throw new Error('no answer');
        return { answer: state.stored };
      });
      return answer;
    };
    return { clock, state, ask, reads: () => reads };
  }

  it('hold for a second where nothing of concern happens, each its own', async () => {
    const w = world();
    expect(await w.ask()).to.equal('a');
    w.state.stored = 'b';
    await w.clock.advance(999);
    w.state.end = w.state.shown = 500;
    expect(await w.ask()).to.equal('a');
    expect(await w.ask('other')).to.equal('b');
    await w.clock.advance(1);
    expect(await w.ask()).to.equal('b');
    expect(w.reads()).to.equal(3);
  });

  it('are read once for all that ask meanwhile; a failed read is not kept', async () => {
    const w = world();
    expect(await Promise.all([w.ask(), w.ask()])).to.deep.equal(['a', 'a']);
    expect(w.reads()).to.equal(1);
    await w.clock.advance(1_000);
    w.state.failing = true;
    const failed = await Promise.allSettled([w.ask(), w.ask()]);
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    w.state.failing = false;
    expect(await w.ask()).to.equal('a');
    expect(w.reads()).to.equal(3);
  });

  it('end with the event that concerns the read model, and what is read before it shows that is not kept', async () => {
    const w = world();
    await w.ask();
    w.state.end = w.state.event = 11;
    await w.ask();
    // The read model has not reached the event: its result is from before.
    w.state.stored = 'b';
    expect(await w.ask()).to.equal('b');
    w.state.shown = 11;
    expect(await w.ask()).to.equal('b');
    w.state.stored = 'c';
    expect(await w.ask(), 'it shows the event').to.equal('b');
    expect(w.reads()).to.equal(4);
  });

  it('do not hold where the events since are not at hand, or end before what was waited for', async () => {
    const w = world();
    await w.ask();
    w.state.covered = 11;
    await w.ask();
    expect(w.reads()).to.equal(2);
    w.state.covered = 0;
    w.state.shown = 12;
    await w.ask();
    expect(w.reads()).to.equal(3);
    w.state.end = 12;
    await w.ask();
    expect(w.reads()).to.equal(3);
  });

  it('are none where nobody knows what the read model shows', async () => {
    const w = world();
    w.state.shown = null;
    await w.ask();
    await w.ask();
    expect(w.reads()).to.equal(2);
  });

  it('are given by the barrier as of the event that was waited for, whatever was asked before', async () => {
    const projection = notesProjection('channels', ['Noted']);
    const history = notes([projection]);
    const barrier = createBarrier([projection], {
      store: history.store,
      readModels: history.readModels,
      clock: history.clock,
      follow: (options) => history.store.subscribe(options),
    });
    const following = history.start();
    let reads = 0;
    async function asOf(n: number): Promise<string> {
      await barrier.wait(['channels'], history.store.records[n - 1]!.position);
      const { docs } = await barrier.remembered('channels', 'all', async () => {
        reads += 1;
        return { docs: JSON.stringify(history.docs(projection)) };
      });
      return docs;
    }
    const happens = async (about: string, type?: string): Promise<void> => {
      await history.note(about, type);
      await history.clock.advance(10);
    };
    await happens('a');
    expect(await asOf(1)).to.equal('{"a":[1]}');
    for (let n = 2; n <= 20; n += 1) {
      await happens('x', 'Ignored');
      expect(await asOf(n)).to.equal('{"a":[1]}');
    }
    expect(reads).to.be.at.most(2);
    await happens('a');
    expect(await asOf(21)).to.equal('{"a":[1,21]}');
    await Promise.all([following.stop(), barrier.stop()]);
  });

  it('are none where projections run in every write', async () => {
    const projection = notesProjection('channels');
    const history = notes([projection]);
    const barrier = createBarrier([projection], {
      store: history.store,
      readModels: history.readModels,
      clock: history.clock,
      inEveryWrite: () => true,
    });
    let reads = 0;
    for (let n = 0; n < 3; n += 1)
      await barrier.remembered('channels', 'q', async () => ({ n: (reads += 1) }));
    expect(reads).to.equal(3);
    await barrier.stop();
  });
});
