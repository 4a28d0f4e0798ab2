/** Requirements on every ReadModels. Adapters plug in with `describeReadModels`. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { START, type Position } from '../../ports/event-store.js';
import {
  CheckpointMoved,
  type CollectionSpec,
  DocumentMoved,
  type Document,
  type DocumentWrite,
  type Find,
  GenerationMoved,
  type IndexValue,
  type ReadModels,
} from '../../ports/read-models.js';
import { failure, idsOfPages } from './support.js';
import { runs } from '../support/soak.js';
import { opened } from '../support/opened.js';

export interface ReadModelsHarness {
  readonly store: ReadModels;
  close(): Promise<void>;
  reopen?(): Promise<ReadModels>;
}

const position = (n: number): Position => String(n).padStart(20, '0') as Position;

export function describeReadModels(
  name: string,
  make: () => Promise<ReadModelsHarness>,
  options: { readonly runs?: number; readonly spec?: Partial<CollectionSpec> } = {},
): void {
  describe(`ReadModels: ${name}`, () => {
    const harness = opened(make);
    let store: ReadModels;

    before(() => void (store = harness.store));

    async function collection(over: Partial<CollectionSpec> = {}): Promise<string> {
      const spec = {
        name: `c${randomUUID().replaceAll('-', '')}`,
        version: 1,
        indexes: { by_rank: ['company', 'rank'], by_company: ['company'] },
        ...options.spec,
        ...over,
      };
      await store.define(spec);
      return spec.name;
    }

    const put = (id: string, doc: Document | null, version = '1'): DocumentWrite => ({ id, doc, version });

    const pages = (target: string, query: Find) =>
      idsOfPages(query.limit, (after) => store.find(target, { ...query, ...(after && { after }) }));
    /** Creates a collection with these documents. */
    async function holding(...writes: readonly DocumentWrite[]): Promise<string> {
      const target = await collection();
      await store.write(target, writes);
      return target;
    }

    describe('documents', () => {
      it('answers what was written, and undefined for what was not', async () => {
        const doc = { company: 'a', rank: 1, text: 'ação \u{1F600}', list: [1, { x: null }] };
        const target = await holding(put('1', doc, '5'));
        expect(await store.get(target, '1')).to.deep.equal({ id: '1', doc, version: '5' });
        expect(await store.get(target, '2')).to.equal(undefined);
      });

      it('writes only over a lower version', async () => {
        const target = await holding(put('1', { v: 'five' }, '5'));
        await store.write(target, [put('1', { v: 'four' }, '4')]);
        await store.write(target, [put('1', { v: 'five again' }, '5')]);
        expect((await store.get(target, '1'))?.doc.v).to.equal('five');
        await store.write(target, [put('1', { v: 'six' }, '6')]);
        expect((await store.get(target, '1'))?.doc.v).to.equal('six');
      });

      it('takes the highest of several writes to one document in one call', async () => {
        const target = await holding(
          put('1', { v: 1 }, '1'),
          put('1', { v: 3 }, '3'),
          put('1', { v: 2 }, '2'),
        );
        expect((await store.get(target, '1'))?.doc.v).to.equal(3);
      });

      it('removes with null, and an older write can not bring it back', async () => {
        const target = await holding(put('1', { company: 'a', rank: 1 }, '5'));
        await store.write(target, [put('1', null, '7')]);
        expect(await store.get(target, '1')).to.equal(undefined);
        expect(await store.getMany(target, ['1'])).to.deep.equal([]);
        expect(await store.count(target, 'by_company', ['a'])).to.equal(0);
        await store.write(target, [put('1', { company: 'a', rank: 1 }, '6')]);
        expect(await store.get(target, '1')).to.equal(undefined);
        await store.write(target, [put('1', { company: 'a', rank: 2 }, '8')]);
        expect((await store.get(target, '1'))?.doc.rank).to.equal(2);
      });

      it('remembers the removal of a document that was never there', async () => {
        const target = await holding(put('1', null, '7'));
        await store.write(target, [put('1', { v: 1 }, '6')]);
        expect(await store.get(target, '1')).to.equal(undefined);
      });

      it('answers many by id, leaving out the absent', async () => {
        const target = await holding(put('1', { v: 1 }), put('2', { v: 2 }), put('3', { v: 3 }));
        const found = await store.getMany(target, ['3', 'none', '1']);
        expect(found.map(({ id }) => id)).to.have.members(['1', '3']);
        expect(await store.getMany(target, [])).to.deep.equal([]);
      });

      it('refuses an indexed field that is neither string, number nor null', async () => {
        const target = await collection();
        await failure(store.write(target, [put('1', { company: { nested: true }, rank: 1 })]));
        expect(await store.get(target, '1')).to.equal(undefined);
      });
    });

    describe('find', () => {
      it('keeps to the values asked for, in the order asked for', async () => {
        const target = await holding(
          put('x', { company: 'a', rank: 2 }),
          put('y', { company: 'a', rank: 10 }),
          put('z', { company: 'b', rank: 1 }),
          put('w', { company: 'a', rank: 1.5 }),
        );
        const find = (order: 'asc' | 'desc') =>
          pages(target, { index: 'by_rank', equals: ['a'], order, limit: 10 });
        expect(await find('asc')).to.deep.equal(['w', 'x', 'y']);
        expect(await find('desc')).to.deep.equal(['y', 'x', 'w']);
        expect(
          await pages(target, { index: 'by_rank', equals: ['a', 2], order: 'asc', limit: 5 }),
        ).to.deep.equal(['x']);
        expect(
          await pages(target, { index: 'by_company', equals: ['c'], order: 'asc', limit: 5 }),
        ).to.deep.equal([]);
      });

      it('sorts nulls and absent fields lowest, and pages across them', async () => {
        const target = await holding(
          put('1', { company: 'a', rank: 0 }),
          put('2', { company: 'a', rank: null }),
          put('3', { company: 'a' }),
          put('4', { company: 'a', rank: -5 }),
          put('5', { company: 'a', rank: 'text' }),
        );
        for (const limit of [1, 2, 3, 10]) {
          const find = (order: 'asc' | 'desc') =>
            pages(target, { index: 'by_rank', equals: ['a'], order, limit });
          expect(await find('asc')).to.deep.equal(['2', '3', '4', '1', '5']);
          expect(await find('desc')).to.deep.equal(['5', '1', '4', '3', '2']);
        }
        expect(
          await pages(target, { index: 'by_rank', equals: ['a', null], order: 'asc', limit: 10 }),
        ).to.deep.equal(['2', '3']);
        expect(await store.count(target, 'by_rank', ['a', null])).to.equal(2);
      });

      it('answers a page of its own size when it is asked for everything', async () => {
        const target = await collection();
        const many = Array.from({ length: 1_001 }, (_, n) => put(`m${n}`, { company: 'a', rank: n }));
        await store.write(target, many);
        for (const limit of [Infinity, 1e9]) {
          const found = await store.find(target, { index: 'by_rank', equals: ['a'], order: 'asc', limit });
          expect(found.documents).to.have.length(1_000);
          expect(found.next).to.not.equal(null);
          expect(await store.scan(target, { after: null, limit, order: 'asc' })).to.have.length(1_000);
        }
        const none = await store.find(target, { index: 'by_rank', equals: ['a'], order: 'asc', limit: NaN });
        expect(none.documents).to.have.length(1);
      });

      it('answers `next` only when more follow', async () => {
        const target = await holding(
          put('1', { company: 'a', rank: 1 }),
          put('2', { company: 'a', rank: 1 }),
        );
        const query = { index: 'by_rank', equals: ['a'], order: 'asc', limit: 2 } as const;
        expect((await store.find(target, query)).next).to.equal(null);
        expect((await store.find(target, { ...query, limit: 1 })).next).to.deep.equal([1, '1']);
      });

      it('neither repeats nor skips while others insert, also among equal sort values', async () => {
        const target = await collection();
        const before = Array.from({ length: 20 }, (_, i) => `m${String(i).padStart(2, '0')}`);
        await store.write(
          target,
          before.map((id, i) => put(id, { company: 'a', rank: Math.floor(i / 7) })),
        );
        const seen: string[] = [];
        let after: readonly IndexValue[] | null | undefined;
        for (let page = 0; after !== null; page += 1) {
          const found = await store.find(target, {
            index: 'by_rank',
            equals: ['a'],
            order: 'desc',
            limit: 3,
            ...(after ? { after } : {}),
          });
          seen.push(...found.documents.map(({ id }) => id));
          after = found.next;
          await store.write(target, [
            put(`a${page}`, { company: 'a', rank: page % 3 }),
            put(`z${page}`, { company: 'a', rank: 9 }),
          ]);
        }
        expect(new Set(seen).size, 'nothing twice').to.equal(seen.length);
        expect(seen.filter((id) => id.startsWith('m'))).to.have.members(before);
      });

      it('finds a document by what its id begins with, and by what it does not', async () => {
        const target = await holding(
          ...['a1', 'b1', 'a2', 'c'].map((id, rank) => put(id, { company: 'a', rank })),
          put('a3', { company: 'b', rank: 9 }),
          put('b2', { company: 'b', rank: 8 }),
        );
        for (const limit of [1, 2, 10]) {
          const find = (company: string, order: 'asc' | 'desc') =>
            pages(target, { index: 'by_rank', equals: [company], order, limit });
          expect(await find('a', 'asc')).to.deep.equal(['a1', 'b1', 'a2', 'c']);
          expect(await find('b', 'desc')).to.deep.equal(['a3', 'b2']);
          expect(await pages(target, { index: 'by_rank', equals: [], order: 'asc', limit })).to.deep.equal([
            'a1',
            'b1',
            'a2',
            'c',
            'b2',
            'a3',
          ]);
        }
        await store.write(target, [put('a1', { company: 'b', rank: 7 }, '2'), put('c', null, '2')]);
        expect(await store.count(target, 'by_rank', ['a'])).to.equal(2);
        expect(await store.count(target, 'by_rank', ['b'])).to.equal(3);
        expect(await store.count(target, 'by_rank', ['b'], 2)).to.equal(2);
        expect(await store.count(target, 'by_rank', [])).to.equal(5);
      });

      it('follows a document whose indexed field changes', async () => {
        const target = await holding(put('1', { company: 'a', rank: 1 }, '1'));
        await store.write(target, [put('1', { company: 'b', rank: 1 }, '2')]);
        expect(await store.count(target, 'by_company', ['a'])).to.equal(0);
        expect(await store.count(target, 'by_company', ['b'])).to.equal(1);
      });

      it('agrees with a sorted list, whatever the documents', async () => {
        const value = fc.oneof(
          fc.constant(null),
          fc.integer({ min: -3, max: 3 }),
          fc.constantFrom(0.5, -2.25, 1e12),
          fc.constantFrom('', 'a', 'A', 'b', 'aa', 'é', '10', '9'),
        );
        const documents = fc.array(
          fc.record({
            id: fc.constantFrom(...'abcdefpq', 'p1', 'p2', 'q1', '-'),
            x: fc.constantFrom('p', 'q', null),
            y: value,
            z: value,
          }),
          { maxLength: 20 },
        );
        await fc.assert(
          fc.asyncProperty(
            documents,
            fc.nat(2),
            fc.constantFrom('asc', 'desc'),
            fc.integer({ min: 1, max: 4 }),
            async (list, depth, order, limit) => {
              const target = await collection({
                indexes: { by_xyz: ['x', 'y', 'z'] },
                ...(options.spec?.idsBegin && { idsBegin: { index: 'by_xyz', characters: 1 } }),
              });
              const last = new Map(list.map((doc) => [doc.id, doc]));
              await store.write(
                target,
                list.map((doc, i) => put(doc.id, doc, String(i).padStart(3, '0'))),
              );
              const probe = list[0] ?? { x: 'p', y: null, z: null };
              const equals = [probe.x, probe.y].slice(0, depth);
              const fields = ['x', 'y', 'z'] as const;
              const expected = [...last.values()]
                .filter((doc) => equals.every((wanted, i) => doc[fields[i]!] === wanted))
                .sort((a, b) => {
                  for (const field of fields.slice(depth)) {
                    const by = compare(a[field], b[field]);
                    if (by !== 0) return by;
                  }
                  return compare(a.id, b.id);
                })
                .map(({ id }) => id);
              if (order === 'desc') expected.reverse();
              expect(await pages(target, { index: 'by_xyz', equals, order, limit })).to.deep.equal(expected);
              expect(await store.count(target, 'by_xyz', equals)).to.equal(expected.length);
              const counted = await store.count(target, 'by_xyz', equals, limit);
              expect(counted, 'no further than asked').to.equal(Math.min(limit, expected.length));
            },
          ),
          { numRuns: runs(options.runs ?? 60) },
        );
      });
    });

    describe('checkpoints', () => {
      it('begin at START and move with the writes', async () => {
        const target = await collection();
        const projection = `p-${randomUUID()}`;
        expect(await store.checkpoint(projection)).to.equal(START);
        const writes = [put('1', { company: 'a', rank: 1 }, position(4))];
        await store.commit(target, { projection, from: START, to: position(4), writes });
        expect(await store.checkpoint(projection)).to.equal(position(4));
        expect(await store.get(target, '1')).to.not.equal(undefined);
      });

      it('refuse a runner that does not know where the projection is', async () => {
        const target = await collection();
        const projection = `p-${randomUUID()}`;
        await store.commit(target, { projection, from: START, to: position(4), writes: [] });
        const late = store.commit(target, { projection, from: START, to: position(9), writes: [] });
        expect(await failure(late)).to.be.instanceOf(CheckpointMoved);
        expect(await store.checkpoint(projection)).to.equal(position(4));
      });

      it('let one of two runners advance', async () => {
        const target = await collection();
        const projection = `p-${randomUUID()}`;
        const results = await Promise.allSettled(
          [3, 5].map((n) =>
            store.commit(target, {
              projection,
              from: START,
              to: position(n),
              writes: [put('1', { rank: n }, position(n))],
            }),
          ),
        );
        expect(results.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      });
    });

    describe('commits of several projections', () => {
      async function world() {
        const targets = [await collection(), await collection()];
        const projections = targets.map(() => `p-${randomUUID()}`);
        const change = (n: number, from: Position, to: Position, ...writes: DocumentWrite[]) => ({
          collection: targets[n]!,
          projection: projections[n]!,
          from,
          to,
          writes,
        });
        return {
          targets,
          change,
          positions: () => Promise.all(projections.map((projection) => store.checkpoint(projection))),
        };
      }

      it('move all of them, with their documents', async () => {
        const { targets, change, positions } = await world();
        await store.commitAll([
          change(0, START, position(4), put('1', { rank: 1 }, position(4))),
          change(1, START, position(3)),
        ]);
        await store.commitAll([
          change(0, position(4), position(9)),
          change(1, position(3), position(9), put('1', { rank: 2 }, position(9))),
        ]);
        expect(await positions()).to.deep.equal([position(9), position(9)]);
        const found = await Promise.all(targets.map((target) => store.get(target, '1')));
        expect(found.map((one) => one?.doc.rank)).to.deep.equal([1, 2]);
        await store.commitAll([]);
      });

      it('are refused when one of them is not where it was to be, or is there already', async () => {
        const { change, positions } = await world();
        await store.commitAll([change(0, START, position(4)), change(1, START, position(4))]);
        for (const from of [START, position(3)]) {
          const late = store.commitAll([change(1, position(4), position(4)), change(0, from, position(9))]);
          expect(await failure(late)).to.be.instanceOf(CheckpointMoved);
          expect(await positions()).to.deep.equal([position(4), position(4)]);
        }
      });

      it('move nothing where a document was written by somebody else', async () => {
        const { targets, change, positions } = await world();
        await store.write(targets[1]!, [put('1', { v: 'theirs' }, position(5))]);
        const refused = store.commitAll([
          change(0, START, position(7), put('1', { v: 'ours' }, position(7))),
          change(1, START, position(7), { ...put('1', { v: 'ours' }, position(7)), base: position(3) }),
        ]);
        expect(await failure(refused)).to.be.instanceOf(DocumentMoved);
        expect(await positions()).to.deep.equal([START, START]);
        expect((await store.get(targets[1]!, '1'))?.doc.v).to.equal('theirs');
      });
    });

    it('answers checkpoints that are asked for together, each its own', async () => {
      const target = await collection();
      const projections = [4, 7].map((n) => ({ name: `p-${randomUUID()}`, at: position(n) }));
      for (const { name, at } of projections)
        await store.commit(target, { projection: name, from: START, to: at, writes: [] });
      const names = [...projections.map(({ name }) => name), `p-${randomUUID()}`];
      const found = await Promise.all(names.map((name) => store.checkpoint(name)));
      expect(found).to.deep.equal([position(4), position(7), START]);
    });

    it('says which documents a plain write leaves as they are', async () => {
      const target = await holding(
        put('1', { v: 'same' }, position(5)),
        put('2', { v: 'newer' }, position(9)),
      );
      await store.write(target, [put('3', null, position(9))]);
      const writes = ['1', '2', '3', '4', '5'].map((id) => put(id, { v: 'ours' }, position(5)));
      const older = put('5', { v: 'older' }, position(4));
      expect([...(await store.write(target, [...writes, older]))].sort()).to.include.members(['1', '2', '3']);
      const found = await store.getMany(target, ['1', '2', '3', '4', '5']);
      expect(found.map(({ doc }) => doc.v)).to.deep.equal(['same', 'newer', 'ours', 'ours']);
      expect(await store.write(target, [put('4', { v: 'last' }, position(6))])).to.deep.equal([]);
    });

    describe('documents that may become durable a little later', () => {
      const all = (target: string, company = 'a') =>
        pages(target, { index: 'by_rank', equals: [company], order: 'asc', limit: 2 });

      it('are read at once, by id, by index, as a whole and counted, and are durable in the end', async () => {
        const target = await holding(put('1', { company: 'a', rank: 2 }));
        const written = await store.writeSoon(target, [
          put('2', { company: 'a', rank: 1 }),
          put('3', { company: 'b', rank: 0 }),
        ]);
        expect(written.refused).to.deep.equal([]);
        expect((await store.get(target, '2'))?.doc).to.deep.equal({ company: 'a', rank: 1 });
        expect(await all(target)).to.deep.equal(['2', '1']);
        expect(await store.count(target, 'by_company', ['a'])).to.equal(2);
        const scanned = await store.scan(target, { after: null, limit: 5, order: 'asc' });
        expect(scanned.map(({ id }) => id)).to.deep.equal(['1', '2', '3']);
        await written.durable;
      });

      it('are refused over the same or a higher version, of a removed document too', async () => {
        const target = await holding(put('1', { company: 'a', rank: 1 }, '2'), put('2', null, '2'));
        const { refused } = await store.writeSoon(target, [
          put('1', { company: 'a', rank: 9 }, '2'),
          put('2', { company: 'a', rank: 9 }, '1'),
          put('3', { company: 'a', rank: 3 }, '1'),
        ]);
        expect([...refused].sort()).to.deep.equal(['1', '2']);
        expect(await all(target)).to.deep.equal(['1', '3']);
        const again = await store.writeSoon(target, [put('3', { company: 'a', rank: 0 }, '1')]);
        expect(again.refused, 'over one that is not durable yet').to.deep.equal(['3']);
      });

      it('mix with other writes: the highest version stays, whatever the order and the way', async () => {
        const target = await collection();
        const write = fc.record({
          id: fc.constantFrom('1', '2'),
          version: fc.integer({ min: 1, max: 6 }),
          soon: fc.boolean(),
          removed: fc.boolean(),
        });
        let round = 0;
        await fc.assert(
          fc.asyncProperty(fc.array(write, { maxLength: 8 }), async (writes) => {
            round += 1;
            const highest = new Map<string, { readonly version: number; readonly removed: boolean }>();
            for (const { id, version, soon, removed } of writes) {
              const own = `${round} ${id}`;
              const doc = removed ? null : { company: 'a', rank: version };
              const one = [{ id: own, doc, version: String(version) }];
              const refused = soon
                ? (await store.writeSoon(target, one)).refused
                : await store.write(target, one);
              const stays = (highest.get(own)?.version ?? 0) >= version;
              expect(refused).to.deep.equal(stays ? [own] : []);
              if (!stays) highest.set(own, { version, removed });
            }
            for (const [id, { version, removed }] of highest) {
              const expected = removed ? undefined : { company: 'a', rank: version };
              expect((await store.get(target, id))?.doc).to.deep.equal(expected);
            }
          }),
          { numRuns: runs(options.runs ?? 30) },
        );
      });

      it('let a checkpoint follow them, from where it stands', async () => {
        const target = await collection();
        const move = { collection: target, projection: `p ${target}` };
        await store.moveSoon({ ...move, from: START, to: position(3) });
        expect(await store.checkpoint(move.projection)).to.equal(position(3));
        const refused = await failure(store.moveSoon({ ...move, from: START, to: position(4) }));
        expect(refused).to.be.instanceOf(CheckpointMoved);
        await store.commit(target, {
          projection: move.projection,
          from: position(3),
          to: position(5),
          writes: [],
        });
        await store.moveSoon({ ...move, from: position(5), to: position(6) });
        expect(await store.checkpoint(move.projection)).to.equal(position(6));
      });
    });

    describe('what a document was made from', () => {
      const commit = async (
        target: string,
        writes: readonly DocumentWrite[],
        from = START,
        to = position(9),
      ) => {
        const projection = `p-${randomUUID()}`;
        const work = store.commit(target, { projection, from, to, writes });
        const refused = await work.then(
          () => undefined,
          (error: unknown) => error,
        );
        return { refused, checkpoint: await store.checkpoint(projection) };
      };
      const made = (id: string, doc: Document | null, version: number, base: string): DocumentWrite => ({
        ...put(id, doc, position(version)),
        base,
      });

      it('is asked of a commit: another live and older document refuses it, and the checkpoint stays', async () => {
        const target = await holding(put('1', { v: 'theirs' }, position(5)));
        for (const base of ['', position(3)]) {
          const { refused, checkpoint } = await commit(target, [made('1', { v: 'ours' }, 7, base)]);
          expect(refused).to.be.instanceOf(DocumentMoved);
          expect(checkpoint).to.equal(START);
        }
        expect((await store.get(target, '1'))?.doc.v).to.equal('theirs');
        const { refused, checkpoint } = await commit(target, [made('1', { v: 'ours' }, 7, position(5))]);
        expect(refused).to.equal(undefined);
        expect(checkpoint).to.equal(position(9));
        expect((await store.get(target, '1'))?.doc.v).to.equal('ours');
      });

      it('is nothing where no document can be read: there never was one, or it was removed', async () => {
        const target = await holding(put('2', { v: 1 }, position(1)));
        await store.write(target, [put('2', null, position(5))]);
        const { refused } = await commit(target, [made('1', { v: 1 }, 7, ''), made('2', { v: 2 }, 7, '')]);
        expect(refused).to.equal(undefined);
        expect(await store.getMany(target, ['1', '2'])).to.have.length(2);
      });

      it('does not bring back a document that somebody removed since it was loaded', async () => {
        const target = await holding(put('1', { v: 1 }, position(1)), put('2', { v: 1 }, position(1)));
        await store.write(target, [put('1', null, position(5)), put('2', null, position(8))]);
        const { refused, checkpoint } = await commit(target, [made('1', { v: 2 }, 7, position(1))]);
        expect(refused).to.be.instanceOf(DocumentMoved);
        expect(checkpoint).to.equal(START);
        const older = await commit(target, [made('2', { v: 2 }, 7, position(1))]);
        expect(older.refused, 'an older write').to.equal(undefined);
        expect(await store.getMany(target, ['1', '2'])).to.deep.equal([]);
      });

      it('does not matter where a newer document stands already, nor to a write without it', async () => {
        const target = await holding(
          put('1', { v: 'newer' }, position(8)),
          put('2', { v: 'old' }, position(5)),
        );
        const { refused } = await commit(target, [
          made('1', { v: 'ours' }, 7, position(3)),
          put('2', { v: 'ours' }, position(7)),
        ]);
        expect(refused).to.equal(undefined);
        const found = await store.getMany(target, ['1', '2']);
        expect(found.map(({ doc }) => doc.v)).to.deep.equal(['newer', 'ours']);
      });

      it('is not asked of a plain write', async () => {
        const target = await holding(put('1', { v: 'theirs' }, position(5)));
        await store.write(target, [made('1', { v: 'ours' }, 7, position(3))]);
        expect((await store.get(target, '1'))?.doc.v).to.equal('ours');
      });

      it('lets one of two that were made from the same document win', async () => {
        const target = await holding(put('1', { v: 0 }, position(1)));
        const results = await Promise.all(
          [3, 5].map((n) => commit(target, [made('1', { v: n }, n, position(1))])),
        );
        // The higher write is refused when the lower one was first. The lower write is never refused: it was first, or
        // it is ignored as older.
        const stored = (await store.get(target, '1'))!;
        const [lower, higher] = results.map(({ refused }) => refused);
        expect(lower, 'the lower').to.equal(undefined);
        if (stored.doc.v === 5) expect(higher, 'the higher').to.equal(undefined);
        else expect(higher, 'the higher').to.be.instanceOf(DocumentMoved);
      });
    });

    it('keeps the highest of many racing first writes to one document', async () => {
      const target = await collection();
      for (let round = 0; round < 5; round += 1) {
        const id = `r${round}`;
        await Promise.all([4, 9, 1, 7, 3, 8].map((n) => store.write(target, [put(id, { n }, position(n))])));
        expect((await store.get(target, id))?.doc.n).to.equal(9);
      }
    });

    it('gives back any document, whatever its keys and values', async () => {
      const target = await collection();
      const text = `{"company":"a","__proto__":{"x":1},"$set":{"a.b":1},"a.b":[1e300,-0.5,12345678901,{"$gt":""}],
        "":null,"constructor":"x","n\\u0000":"\\u0000","half":"\\ud800"}`;
      const doc = JSON.parse(text) as Document;
      await store.write(target, [put('1', doc)]);
      const found = (await store.get<Document>(target, '1'))!.doc;
      expect(JSON.stringify(found)).to.equal(JSON.stringify(doc));
    });

    it('takes more than a thousand documents at once', async () => {
      const target = await collection();
      const ids = Array.from({ length: 1_203 }, (_, i) => `d${i}`);
      await store.write(
        target,
        ids.map((id, i) => put(id, { company: 'a', rank: i })),
      );
      expect(await store.count(target, 'by_company', ['a'])).to.equal(ids.length);
      expect(await store.getMany(target, ids)).to.have.length(ids.length);
    });

    describe('generations', () => {
      const spec = (name: string) => ({ name, version: 1, indexes: { by_company: ['company'] } });
      const second = (name: string) => ({ ...spec(name), generation: 2 });

      it('begin with one, which the bare names stand for', async () => {
        const name = await collection();
        expect(await store.generations(name)).to.deep.equal({ version: 1, live: 1, all: [1], next: 2 });
        await store.write(`${name}@1#1`, [put('1', { company: 'a', rank: 1 })]);
        expect((await store.get(name, '1'))?.version).to.equal('1');
        expect((await store.get(`${name}@1`, '1'))?.version).to.equal('1');
      });

      it('are filled beside the live one, and take over with documents, lists, counts and checkpoint', async () => {
        const name = await collection();
        await store.define(spec(name));
        await store.write(name, [put('1', { company: 'old' })]);
        await store.define(second(name));
        const fresh = `${name}@1#2`;
        const writes = [put('1', { company: 'new' }, '5'), put('2', { company: 'new' }, '6')];
        await store.commit(fresh, { projection: fresh, from: START, to: position(6), writes });
        const read = async () => ({
          one: (await store.get(name, '1'))?.doc.company,
          listed: await pages(name, { index: 'by_company', equals: ['new'], order: 'asc', limit: 10 }),
          counted: await store.count(name, 'by_company', ['new']),
          at: await store.checkpoint(`${name}@1`),
        });
        expect(await read()).to.deep.equal({ one: 'old', listed: [], counted: 0, at: START });
        expect(await store.generations(name)).to.deep.include({ live: 1, all: [1, 2], next: 3 });
        await store.flip(name, { from: 1, to: 2 });
        const after = { one: 'new', listed: ['1', '2'], counted: 2, at: position(6) };
        expect(await read()).to.deep.equal(after);
        expect((await store.get(`${name}@1#1`, '1'))?.doc.company).to.equal('old');
        if (harness.reopen) {
          store = await harness.reopen();
          await store.define(spec(name));
          expect(await read(), 'after a restart').to.deep.equal(after);
        }
      });

      it('go back and forth without anything of the one in the other', async () => {
        const name = await collection();
        await store.define(spec(name));
        await store.define(second(name));
        await store.write(name, [put('1', { company: 'one' })]);
        expect((await store.get(name, '1'))?.doc.company).to.equal('one');
        await store.flip(name, { from: 1, to: 2 });
        expect(await store.get(name, '1')).to.equal(undefined);
        await store.write(`${name}@1#1`, [put('1', { company: 'one, later' }, '2')]);
        await store.flip(name, { from: 2, to: 1 });
        expect((await store.get(name, '1'))?.doc.company).to.equal('one, later');
      });

      it('refuse a flip from what is not live or to what is not there, and the removal of the live one', async () => {
        const name = await collection();
        await store.define(spec(name));
        for (const change of [
          { from: 2, to: 1 },
          { from: 1, to: 2 },
        ]) {
          expect(await failure(store.flip(name, change))).to.be.instanceOf(GenerationMoved);
        }
        await store.define(second(name));
        await store.flip(name, { from: 1, to: 2 });
        expect(await failure(store.flip(name, { from: 1, to: 2 }))).to.be.instanceOf(GenerationMoved);
        expect(await failure(store.drop(second(name)))).to.be.instanceOf(GenerationMoved);
        expect(await store.generations(name)).to.deep.include({ live: 2, all: [1, 2] });
      });

      it('leave the first one gone when others come after it', async () => {
        const name = await collection();
        await store.define(spec(name));
        await store.define(second(name));
        await store.flip(name, { from: 1, to: 2 });
        await store.write(name, [put('1', { company: 'two' })]);
        await store.drop({ ...spec(name), generation: 1 });
        await store.define({ ...spec(name), generation: 3 });
        expect(await store.generations(name)).to.deep.include({ live: 2, all: [2, 3], next: 4 });
        expect((await store.get(name, '1'))?.doc.company).to.equal('two');
        await store.flip(name, { from: 2, to: 3 });
        expect(await store.generations(name)).to.deep.include({ live: 3, all: [2, 3] });
      });

      it('let one of two flips win', async () => {
        const name = await collection();
        await store.define(spec(name));
        await store.define(second(name));
        await store.define({ ...spec(name), generation: 3 });
        const flips = await Promise.allSettled([2, 3].map((to) => store.flip(name, { from: 1, to })));
        expect(flips.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
        const won = flips[0]!.status === 'fulfilled' ? 2 : 3;
        expect((await store.generations(name)).live).to.equal(won);
      });

      it('are gone with documents and checkpoint once dropped, and a new one begins empty', async () => {
        const name = await collection();
        await store.define(spec(name));
        await store.define(second(name));
        const fresh = `${name}@1#2`;
        const writes = Array.from({ length: 250 }, (_, n) => put(`d${n}`, { company: 'a' }));
        await store.commit(fresh, { projection: fresh, from: START, to: position(9), writes });
        await store.drop(second(name));
        await store.drop(second(name));
        const { all, next } = await store.generations(name);
        expect(all).to.deep.equal([1]);
        await store.define({ ...spec(name), generation: next });
        const empty = `${name}@1#${next}`;
        expect(await store.scan(empty, { after: null, limit: 10, order: 'asc' })).to.deep.equal([]);
        expect(await store.checkpoint(empty)).to.equal(START);
        expect(await store.get(empty, 'd1')).to.equal(undefined);
      });
    });

    describe('versions of other releases', () => {
      it('are listed, and removed with all their copies while the present one stays', async function () {
        if (!harness.reopen) return this.skip();
        const searched = { search: { scope: 'company', words: 'words', orderBy: 'since' } };
        const name = await collection(searched);
        const version = (number: number): CollectionSpec => ({
          name,
          version: number,
          indexes: { by_company: ['company'] },
        });
        const writes = Array.from({ length: 250 }, (_, n) =>
          put(`d${n}`, { company: 'a', since: '2026', words: ['ana', `n${n}`] }),
        );
        await store.commit(name, { projection: `${name}@1`, from: START, to: position(9), writes });
        const second = `${name}@1#2`;
        await store.define({ ...version(1), ...searched, generation: 2 });
        await store.commit(second, { projection: second, from: START, to: position(9), writes });
        await store.define(version(2));
        await store.write(name, [put('kept', { company: 'a' })]);
        expect(await failure(store.dropVersion(version(1)))).to.be.instanceOf(GenerationMoved);

        store = await harness.reopen();
        await store.define(version(2));
        const stored = async () => (await store.versions()).filter((one) => one.name === name);
        expect(await stored()).to.have.deep.members([
          { name, version: 1 },
          { name, version: 2 },
        ]);
        expect(await failure(store.dropVersion(version(2)))).to.be.instanceOf(GenerationMoved);
        await store.dropVersion({ name, version: 1 });
        await store.dropVersion({ name, version: 1 });
        expect(await stored()).to.deep.equal([{ name, version: 2 }]);
        expect((await store.get(name, 'kept'))?.id).to.equal('kept');

        // As if an older release were started again.
        await store.define({ ...version(1), indexes: { by_rank: ['company', 'rank'] }, ...searched });
        expect(await store.scan(`${name}@1`, { after: null, limit: 10, order: 'asc' })).to.deep.equal([]);
        expect(await store.checkpoint(`${name}@1`)).to.equal(START);
        expect(await store.generations(`${name}@1`)).to.deep.include({ live: 1, all: [1] });
        const search = { scope: 'a', prefixes: ['ana'], order: 'asc', limit: 10 } as const;
        expect((await store.search(`${name}@1`, search)).documents).to.deep.equal([]);
      });

      it('lose the documents that have to go, in all their copies, while the present one keeps its own', async function () {
        if (!harness.reopen) return this.skip();
        const name = await collection();
        const version = (number: number): CollectionSpec => ({
          name,
          version: number,
          indexes: { by_company: ['company'] },
        });
        const of = (person: string) => ({ company: 'a', text: `of ${person}` });
        // More than one page in any store, with ids that do not reveal whose documents they are.
        const writes = Array.from({ length: 1_203 }, (_, n) =>
          put(`d${String(n).padStart(4, '0')}`, of(n % 3 === 0 ? 'ana' : 'bia'), '7'),
        );
        await store.write(name, [...writes, put('removed', null, '7')]);
        await store.define({ ...version(1), generation: 2 });
        await store.write(`${name}@1#2`, [put('a', of('ana')), put('b', of('bia'))]);
        await store.define(version(2));
        await store.write(name, [put('a', of('ana'))]);

        store = await harness.reopen();
        await store.define(version(2));
        // Restricts the removal to documents of this test: other tests leave collections of their own.
        const goes = ({ text }: { readonly text: string }) => text === JSON.stringify(of('ana'));
        expect(await store.removeElsewhere(goes)).to.equal(401 + 1);
        expect(await store.removeElsewhere(goes), 'repeated').to.equal(0);
        expect((await store.get(name, 'a'))?.id, 'this release keeps its own').to.equal('a');

        // As if that release were started again.
        await store.define(version(1));
        await store.define({ ...version(1), generation: 2 });
        expect(await store.count(`${name}@1`, 'by_company', ['a'])).to.equal(802);
        expect(await store.get(`${name}@1`, 'd0000')).to.equal(undefined);
        expect((await store.get(`${name}@1`, 'd0001'))?.version).to.equal('7');
        expect(await store.get(`${name}@1#2`, 'a')).to.equal(undefined);
        expect((await store.get(`${name}@1#2`, 'b'))?.id).to.equal('b');
        await store.write(`${name}@1`, [put('d0000', of('ana'), '7'), put('d0003', of('ana'), '8')]);
        expect(await store.get(`${name}@1`, 'd0000'), 'a late write of the same version').to.equal(undefined);
        expect((await store.get(`${name}@1`, 'd0003'))?.version, 'a newer one').to.equal('8');
      });
    });

    describe('removed documents', () => {
      const slice = (now: number, notedBefore: number, limit = 10) => ({ now, notedBefore, limit });
      /** Whether the tombstone is still kept, so that an older write is ignored. */
      async function isKept(target: string, id: string): Promise<boolean> {
        await store.write(target, [put(id, { late: true }, '0')]);
        return (await store.get(target, id)) === undefined;
      }

      it('are forgotten once they were noted before the time asked for, and not earlier', async () => {
        const target = await collection({ forgets: true });
        await store.write(target, [put('1', { company: 'a' }), put('live', { company: 'a' })]);
        await store.write(target, [put('1', null, '2')]);
        expect(await store.forgetRemoved(target, slice(1_000, 900))).to.deep.equal({
          forgotten: 0,
          more: false,
        });
        expect((await store.forgetRemoved(target, slice(2_000, 1_000))).forgotten).to.equal(0);
        expect(await isKept(target, '1')).to.equal(true);
        expect((await store.forgetRemoved(target, slice(3_000, 1_001))).forgotten).to.equal(1);
        expect(await isKept(target, '1')).to.equal(false);
        expect((await store.get(target, 'live'))?.version).to.equal('1');
        expect(await store.count(target, 'by_company', ['a'])).to.equal(1);
      });

      it('are noted anew when they were written again, and stay when they live', async () => {
        const target = await collection({ forgets: true });
        await store.write(target, [put('back', null), put('again', null)]);
        await store.forgetRemoved(target, slice(1_000, 0));
        await store.write(target, [put('back', { v: 2 }, '2'), put('again', { v: 2 }, '2')]);
        await store.write(target, [put('again', null, '3')]);
        expect((await store.forgetRemoved(target, slice(2_000, 1_500))).forgotten).to.equal(0);
        expect((await store.get(target, 'back'))?.version).to.equal('2');
        expect(await isKept(target, 'again')).to.equal(true);
        expect((await store.forgetRemoved(target, slice(3_000, 2_500))).forgotten).to.equal(1);
      });

      it('are forgotten slice by slice', async () => {
        const target = await collection({ forgets: true });
        const ids = Array.from({ length: 25 }, (_, n) => `d${n}`);
        await store.write(
          target,
          ids.map((id) => put(id, null)),
        );
        const counts: number[] = [];
        for (let more = true; more;) {
          const done = await store.forgetRemoved(target, slice(1_000, 2_000));
          counts.push(done.forgotten);
          more = done.more;
        }
        expect(counts.reduce((sum, count) => sum + count)).to.equal(25);
        expect(Math.max(...counts)).to.equal(10);
        expect(await isKept(target, 'd24')).to.equal(false);
      });

      it('that an earlier release kept for ever are forgotten once their collection declares it', async () => {
        const target = await collection();
        await store.write(target, [put('1', null)]);
        expect(await failure(store.forgetRemoved(target, slice(1, 1)))).to.match(/does not declare/);
        await collection({ name: target, forgets: true });
        expect((await store.forgetRemoved(target, slice(1_000, 1_000))).forgotten).to.equal(0);
        expect((await store.forgetRemoved(target, slice(2_000, 1_500))).forgotten).to.equal(1);
      });
    });

    describe('scan', () => {
      it('goes through the live documents by id, both ways, page by page, as they are stored', async () => {
        const doc = { company: 'a', rank: 1, text: 'ação', nested: { b: 1, a: [null] } };
        const target = await holding(
          ...['c', 'a', 'e', 'b'].map((id) => put(id, { ...doc, id }, `1${id}`)),
          put('d', doc),
        );
        await store.write(target, [put('d', null, '2')]);
        const through = async (order: 'asc' | 'desc', limit: number) => {
          const found = [];
          let after: string | null = null;
          for (let page = 0; page < 10; page += 1) {
            const some = await store.scan(target, { after, limit, order });
            found.push(...some);
            if (some.length < limit) return found;
            after = some[some.length - 1]!.id;
          }
          throw new Error('the pages do not end');
        };
        const all = await through('asc', 2);
        expect(all.map(({ id }) => id)).to.deep.equal(['a', 'b', 'c', 'e']);
        expect(all[1]).to.deep.equal({ id: 'b', version: '1b', text: JSON.stringify({ ...doc, id: 'b' }) });
        expect((await through('desc', 3)).map(({ id }) => id)).to.deep.equal(['e', 'c', 'b', 'a']);
      });

      it('goes through the ids with a prefix, to their end', async () => {
        const ids = ['a:1', 'a:2', 'a:\u{10FFFE}', 'a;', 'a', 'b:1', 'A:1', 'a:3'];
        const target = await holding(...ids.map((id) => put(id, { id })));
        await store.write(target, [put('a:3', null, '2')]);
        const found = async (order: 'asc' | 'desc', after: string | null) =>
          (await store.scan(target, { prefix: 'a:', after, limit: 5, order })).map(({ id }) => id);
        expect(await found('asc', null)).to.deep.equal(['a:1', 'a:2', 'a:\u{10FFFE}']);
        expect(await found('asc', 'a:1')).to.deep.equal(['a:2', 'a:\u{10FFFE}']);
        expect(await found('desc', null)).to.deep.equal(['a:\u{10FFFE}', 'a:2', 'a:1']);
        expect(await found('desc', 'a:2')).to.deep.equal(['a:1']);
      });
    });

    describe('define', () => {
      it('keeps the documents when called again, and keeps versions apart', async () => {
        const spec = { name: `c${randomUUID().replaceAll('-', '')}`, version: 1, indexes: { by_a: ['a'] } };
        await store.define(spec);
        await store.write(spec.name, [put('1', { a: 1 })]);
        await store.define(spec);
        expect(await store.count(spec.name, 'by_a', [1])).to.equal(1);
        await store.define({ ...spec, version: 2 });
        const { name: target } = spec;
        expect(await store.get(`${target}@2`, '1')).to.equal(undefined);
        expect(await store.get(`${target}@1`, '1')).to.not.equal(undefined);
        expect(await store.get(target, '1'), 'the bare name is the version defined last').to.equal(undefined);
      });

      it('makes indexes that a version has gained, over the documents that are there', async () => {
        const spec = { name: `c${randomUUID().replaceAll('-', '')}`, version: 1, indexes: { by_a: ['a'] } };
        await store.define(spec);
        await store.write(spec.name, [
          put('1', { a: 1, b: 'x' }),
          put('2', { a: 1, b: null }),
          put('3', null),
        ]);
        await store.define({ ...spec, indexes: { by_a: ['a', 'b'], by_b: ['b'] } });
        expect(await store.count(spec.name, 'by_b', ['x'])).to.equal(1);
        expect(await pages(spec.name, { index: 'by_a', equals: [1], order: 'asc', limit: 1 })).to.deep.equal([
          '2',
          '1',
        ]);
      });
    });

    it('finds the same when a version declares how its ids begin, and when it no longer does', async () => {
      const spec = {
        name: `c${randomUUID().replaceAll('-', '')}`,
        version: 1,
        indexes: { by_a: ['a', 'b'] },
      };
      await store.define(spec);
      await store.write(spec.name, [put('x1', { a: 'x', b: 2 }), put('y1', { a: 'x', b: 1 })]);
      const near = { ...spec, idsBegin: { index: 'by_a', characters: 1 } };
      for (const [round, next] of [near, spec, near].entries()) {
        await store.define(next);
        await store.write(spec.name, [put(`x${round + 2}`, { a: 'x', b: round + 3 })]);
        expect(
          await pages(spec.name, { index: 'by_a', equals: ['x'], order: 'asc', limit: 1 }),
        ).to.deep.equal(['y1', 'x1', 'x2', 'x3', 'x4'].slice(0, round + 3));
      }
    });

    it('has the same documents and checkpoints after a restart', async function () {
      if (!harness.reopen) return this.skip();
      const target = await collection();
      const projection = `p-${randomUUID()}`;
      const writes = [put('1', { company: 'a', rank: 1 }, position(2)), put('2', null, position(2))];
      await store.commit(target, { projection, from: START, to: position(2), writes });
      store = await harness.reopen();
      await store.define({
        name: target,
        version: 1,
        indexes: { by_rank: ['company', 'rank'], by_company: ['company'] },
      });
      expect(await store.checkpoint(projection)).to.equal(position(2));
      expect(await store.get(target, '1')).to.not.equal(undefined);
      await store.write(target, [put('2', { company: 'a' }, position(1))]);
      expect(await store.get(target, '2')).to.equal(undefined);
    });
  });
}

/** Null, then numbers, then strings by their bytes. */
function compare(a: IndexValue, b: IndexValue): number {
  const kind = (value: IndexValue): number => (value === null ? 0 : typeof value === 'number' ? 1 : 2);
  if (kind(a) !== kind(b)) return kind(a) - kind(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
