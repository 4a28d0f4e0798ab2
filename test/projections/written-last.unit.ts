/** Documents that the follower of a process wrote last, for other work of the process. */
import { expect } from 'chai';
import type { CollectionName, Document } from '../../ports/read-models.js';
import { keepDocuments } from '../../projections/kept-documents.js';
import { createShownHere, LATELY_MS } from '../../projections/shown-here.js';
import { manualClock } from '../support/fakes/manual-clock.js';
import { memoryReadModels } from '../support/memory/read-models.js';
import { notes, notesProjection } from './history-of-notes.js';

const named = (name: string) => name as CollectionName<Document>;

describe('documents that the follower wrote last', () => {
  it('are what the store has, as long as the follower goes on', async () => {
    const [lists, broken] = [notesProjection('lists'), notesProjection('broken')];
    const world = notes([lists, broken]);
    const shownHere = createShownHere(world.clock);
    const following = world.start({ onShown: shownHere.note, share: shownHere.share });
    await world.clock.advance(10);
    const seen = (name = 'lists', id = 'a') => shownHere.document(named(name), id)?.doc;
    expect(seen()).to.equal(undefined);
    await world.note('a');
    await world.clock.advance(10);
    expect(seen()).to.deep.equal({ ns: [1] });
    expect(seen('lists', 'b'), 'one that was not written').to.equal(undefined);

    broken.poison.add(2);
    await world.note('a');
    await world.clock.advance(10);
    expect(seen()).to.deep.equal({ ns: [1, 2] });
    await world.clock.advance(LATELY_MS);
    expect(seen('broken'), 'another process may have written it').to.equal(undefined);
    expect(seen()).to.equal(undefined);
    await world.note('b');
    await world.clock.advance(10);
    expect(seen(), 'nobody else can have').to.deep.equal({ ns: [1, 2] });
    expect(seen('broken'), 'it is behind').to.equal(undefined);
    await following.stop();
  });

  /** A follower whose projections show everything at all times. */
  function world() {
    const clock = manualClock();
    const shownHere = createShownHere(clock);
    const readModels = memoryReadModels();
    let fails = false;
    const kept = keepDocuments(
      {
        ...readModels,
        commitAll: async () => {
          if (fails) throw new Error('away');
        },
      },
      clock,
      shownHere.share,
    );
    const write = (collection: string, doc: Document | null) =>
      kept
        .commitAll([
          {
            collection,
            projection: collection,
            from: '' as never,
            to: '1' as never,
            writes: [{ id: 'a', doc, version: '1' }],
          },
        ])
        .catch(() => undefined);
    const seen = () => {
      shownHere.note(['lists'], '1' as never);
      return shownHere.document(named('lists'), 'a')?.doc;
    };
    return { clock, write, seen, fail: () => (fails = true) };
  }

  it('are read again after a second: an erasure may have changed them', async () => {
    const { clock, write, seen } = world();
    await write('lists@1#1', { n: 1 });
    await clock.advance(999);
    expect(seen()).to.deep.equal({ n: 1 });
    await clock.advance(1);
    expect(seen()).to.equal(undefined);
  });

  it('are read where another copy is followed too: readers may use either', async () => {
    const { write, seen } = world();
    await write('lists@1#1', { n: 1 });
    await write('lists@1#2', { n: 2 });
    expect(seen()).to.equal(undefined);
  });

  it('are read where they were removed, and where a commit failed', async () => {
    const { write, seen, fail } = world();
    await write('lists@1#1', null);
    expect(seen()).to.equal(undefined);
    await write('lists@1#1', { n: 1 });
    expect(seen()).to.deep.equal({ n: 1 });
    fail();
    await write('lists@1#1', { n: 2 });
    expect(seen()).to.equal(undefined);
  });
});
