/** How many documents a list has: on the first page, by its index, counted up to a bound, and only on request. */
import { expect } from 'chai';
import {
  readMergedPage,
  readPage,
  type PageRequest,
  type QueryDeps,
} from '../../../application/queries/page.js';
import type { CollectionName } from '../../../ports/read-models.js';
import { listBody } from '../../../api/routes/replies.js';
import { memoryReadModels } from '../../support/memory/read-models.js';

type Thing = { readonly kind: string; readonly created_at: string };
type Index = 'by_kind';

const NAME = 'things' as CollectionName<Thing, Index>;
const SCOPE = { list: 'things', companyUuid: '', filters: [] };

/** So many things of each kind. */
async function things(counts: Readonly<Record<string, number>>) {
  const readModels = memoryReadModels();
  await readModels.define({ name: NAME, version: 1, indexes: { by_kind: ['kind', 'created_at'] } });
  for (const [kind, count] of Object.entries(counts)) {
    const writes = Array.from({ length: count }, (_, n) => {
      const id = `${kind}-${String(n).padStart(6, '0')}`;
      return { id, doc: { kind, created_at: id }, version: '1' };
    });
    await readModels.write(NAME, writes);
  }
  const counted: number[] = [];
  const deps: QueryDeps = {
    readModels: {
      ...readModels,
      count: (...asked) => {
        counted.push(asked[3] ?? Infinity);
        return readModels.count(...asked);
      },
    },
    cursorSecret: new Uint8Array(32),
  };
  const rangeOf = (kind: string) => ({ index: 'by_kind', equals: [kind] }) as const;
  return {
    counted,
    page: (kind: string, request: PageRequest) =>
      readPage<Thing, Index>(deps, NAME, { ...rangeOf(kind), order: 'asc' }, SCOPE, request),
    merged: (kinds: readonly string[], request: PageRequest) =>
      readMergedPage<Thing, Index>(deps, NAME, kinds.map(rangeOf), SCOPE, request),
  };
}

describe('the total of a list', () => {
  it('is that of the first page, and nobody counts for the others', async () => {
    const { page, counted } = await things({ a: 5, b: 3 });
    const first = await page('a', { limit: 2, counted: true });
    expect(first.total).to.deep.equal({ count: 5, capped: false });
    const second = await page('a', { limit: 2, counted: true, after: first.nextCursor! });
    expect(second).to.not.have.property('total');
    expect(counted, 'once, with a bound').to.deep.equal([10_001]);
  });

  it('costs nothing where the page is the list', async () => {
    const { page, counted } = await things({ a: 2 });
    expect((await page('a', { limit: 2, counted: true })).total).to.deep.equal({ count: 2, capped: false });
    expect((await page('none', { limit: 2, counted: true })).total).to.deep.equal({
      count: 0,
      capped: false,
    });
    expect(counted).to.deep.equal([]);
  });

  it('ends at 10,000', async () => {
    const { page, merged } = await things({ a: 10_000, b: 10_001 });
    const request = { limit: 1, counted: true };
    expect((await page('a', request)).total).to.deep.equal({ count: 10_000, capped: false });
    expect((await page('b', request)).total).to.deep.equal({ count: 10_000, capped: true });
    expect((await merged(['a', 'b'], request)).total).to.deep.equal({ count: 10_000, capped: true });
  });

  it('is that of all ranges of a merged list', async () => {
    const { merged } = await things({ a: 5, b: 3 });
    const { total } = await merged(['a', 'b'], { limit: 2, counted: true });
    expect(total).to.deep.equal({ count: 8, capped: false });
  });

  it('stays out of answers to those who did not ask, as the public contract has it', async () => {
    const { page, merged, counted } = await things({ a: 5 });
    for (const found of [await page('a', { limit: 2 }), await merged(['a'], { limit: 2 })]) {
      const { meta } = listBody(found, (thing) => thing);
      expect(Object.keys(meta)).to.deep.equal(['next_cursor']);
    }
    expect(counted).to.deep.equal([]);
  });
});
