import { expect } from 'chai';
import { APART_MS, BUSY_PER_SECOND, gatheredWrites } from '../../../adapters/mongodb/gathered-writes.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { failure } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

interface Write {
  readonly id: string;
}

function world(answer: (ids: readonly string[]) => readonly string[] = () => [], busyApartMs?: number) {
  const clock = manualClock();
  const sent: (readonly string[])[] = [];
  const write = gatheredWrites<Write>(
    async (writes) => {
      const ids = writes.map(({ id }) => id);
      sent.push(ids);
      return answer(ids);
    },
    ({ id }) => id,
    clock,
    busyApartMs,
  );
  const one = (id: string) => write([{ id }]);
  return { clock, sent, write, one };
}

describe('writes to MongoDB that may wait a moment', () => {
  it('are sent at once where none was just before', async () => {
    const { clock, sent, one } = world();
    await one('a');
    await clock.advance(APART_MS);
    await one('b');
    expect(sent).to.deep.equal([['a'], ['b']]);
    expect(clock.pending()).to.equal(0);
  });

  it('share a command with those that come meanwhile, and each learns what became of its own', async () => {
    const { clock, sent, write, one } = world((ids) => ids.filter((id) => id === 'c' || id === 'e'));
    const first = Promise.all([one('a'), one('b')]);
    await first;
    const later = Promise.all([one('c'), write([{ id: 'd' }, { id: 'e' }])]);
    await clock.advance(APART_MS / 2);
    const last = one('f');
    await clock.advance(APART_MS / 2 - 1);
    expect(sent, 'commands begin so far apart').to.deep.equal([['a', 'b']]);
    await clock.advance(1);
    expect([await later, await last]).to.deep.equal([[['c'], ['e']], []]);
    expect(sent).to.deep.equal([
      ['a', 'b'],
      ['c', 'd', 'e', 'f'],
    ]);
  });

  it('of one document go into commands of their own, in order', async () => {
    const { clock, sent, one } = world();
    const both = Promise.all([one('a'), one('a'), one('b')]);
    await clock.advance(APART_MS);
    await both;
    expect(sent).to.deep.equal([['a'], ['a', 'b']]);
  });

  it('fail together where the store is away, and are tried again by their callers', async () => {
    let away = true;
    const { clock, sent, one } = world(() => {
      if (away) throw new StoreUnavailable('away');
      return [];
    });
    const outcomes = await Promise.allSettled([one('a'), one('b')]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(sent).to.have.length(1);
    away = false;
    const again = one('a');
    await clock.advance(APART_MS);
    expect(await again).to.deep.equal([]);
  });

  it('do not fail because of a document of another caller', async () => {
    const { sent, one } = world((ids) => {
      if (ids.includes('bad')) throw new Error('too large');
      return [];
    });
    const [good, bad] = await Promise.all([one('good'), failure(one('bad'))]);
    expect(good).to.deep.equal([]);
    expect(bad).to.be.an('error').with.property('message', 'too large');
    expect(sent[0]).to.deep.equal(['good', 'bad']);
    expect(sent.slice(1)).to.have.deep.members([['good'], ['bad']]);
  });

  it('are sent at once where one caller has enough of them', async () => {
    const { sent, write, one } = world();
    const some = (of: string) => write(Array.from({ length: 60 }, (_, n) => ({ id: `${of}${n}` })));
    await one('a');
    await Promise.all([some('b'), some('c')]);
    expect(sent.map(({ length }) => length)).to.deep.equal([1, 60, 60]);
  });

  it('are so many at the most in one command', async () => {
    const { clock, sent, write } = world();
    const some = (of: number) => write(Array.from({ length: 40 }, (_, n) => ({ id: `${of} ${n}` })));
    const all = Promise.all(Array.from({ length: 13 }, (_, n) => some(n)));
    await clock.advance(APART_MS);
    await all;
    expect(sent.map(({ length }) => length)).to.deep.equal([480, 40]);
  });

  it('wait longer for each other while many documents come, where they may', async () => {
    const { clock, sent, one } = world(() => [], 3 * APART_MS);
    const many = (BUSY_PER_SECOND * APART_MS) / 1_000;
    const some = (of: string) => Promise.all(Array.from({ length: many }, (_, n) => one(`${of}${n}`)));
    await some('a');
    const busy = some('b');
    await clock.advance(APART_MS);
    await busy;
    expect(sent, 'the first command came alone, however full').to.have.length(2);
    const later = one('c');
    await clock.advance(3 * APART_MS - 1);
    expect(sent).to.have.length(2);
    await clock.advance(1);
    await later;
    const last = one('d');
    await clock.advance(APART_MS);
    await last;
    expect(sent.slice(2), 'few came: as ever').to.deep.equal([['c'], ['d']]);
  });
});
