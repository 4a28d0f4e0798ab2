/** Names of what the documents of a read model are now: a name that stays proves that nothing changed. */
import { expect } from 'chai';
import type { CollectionCommit } from '../../ports/read-models.js';
import { createModelStates } from '../../projections/model-states.js';
import { createShownHere, LATELY_MS } from '../../projections/shown-here.js';
import { manualClock } from '../support/fakes/manual-clock.js';
import { failure } from '../conformance/support.js';

const commit = (collection: string, ids: readonly string[]): CollectionCommit => ({
  collection,
  projection: collection,
  from: '' as never,
  to: '1' as never,
  writes: ids.map((id) => ({ id, doc: {}, version: '1' })),
});
const done = async (): Promise<void> => undefined;
const failing = async (): Promise<void> => {
  throw new Error('away');
};

describe('the state of a read model', () => {
  it('keeps its name until a document of the model is written, in any copy', async () => {
    const states = createModelStates();
    const [lists, others] = [states.of('lists'), states.of('others')];
    expect(lists).to.not.equal(null);
    await states.around([commit('lists@1#1', [])], done);
    expect(states.of('lists')).to.equal(lists);
    await states.around([commit('lists@1#2', ['a']), commit('others@1#1', [])], done);
    expect(states.of('lists')).to.not.be.oneOf([lists, null]);
    expect(states.of('others')).to.equal(others);
  });

  it('has no name while a document is written: who reads meanwhile may see it or not', async () => {
    const states = createModelStates();
    let during: object | null = {};
    await states.around([commit('lists@1#1', ['a'])], async () => {
      during = states.of('lists');
    });
    expect(during).to.equal(null);
    expect(states.of('lists')).to.not.equal(null);
  });

  it('has no name after a write without an answer, until a commit proves that it is not to come', async () => {
    const states = createModelStates();
    await failure(states.around([commit('lists@1#1', ['a'])], failing));
    expect(states.of('lists')).to.equal(null);
    await states.around([commit('lists@1#2', ['a'])], done);
    expect(states.of('lists'), 'another copy').to.equal(null);
    await states.around([commit('lists@1#1', [])], done);
    expect(states.of('lists')).to.not.equal(null);
  });

  it('has another name for each follower, and none once another process may follow', async () => {
    const clock = manualClock();
    const shownHere = createShownHere(clock);
    const note = () => shownHere.note(['lists'], '1' as never);
    const state = { held: true };
    const follow = () =>
      shownHere.share(
        () => undefined,
        createModelStates().of,
        () => state.held,
      );
    note();
    expect(shownHere.state('lists'), 'nobody has shared it').to.equal(null);
    follow();
    const first = shownHere.state('lists');
    expect(first).to.not.equal(null);
    follow();
    expect(shownHere.state('lists')).to.not.be.oneOf([first, null]);
    await clock.advance(LATELY_MS);
    expect(shownHere.state('lists'), 'the follower is slow').to.equal(null);
    note();
    expect(shownHere.state('lists')).to.not.equal(null);
    state.held = false;
    expect(shownHere.state('lists')).to.equal(null);
    expect(shownHere.isLatest('lists')).to.equal(false);
  });
});
