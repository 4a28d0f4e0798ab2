/** Requirements on every ReadModels for collections that declare `search`. Adapters plug in with `describeSearch`. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type {
  CollectionSpec,
  Document,
  DocumentWrite,
  IndexValue,
  ReadModels,
  Search,
} from '../../ports/read-models.js';
import { failure, idsOfPages } from './support.js';
import type { ReadModelsHarness } from './read-models.js';
import { runs } from '../support/soak.js';
import { opened } from '../support/opened.js';

const search = { scope: 'company', words: 'words', orderBy: 'made_at' } as const;
const indexes = { by_company: ['company'] } as const;

export function describeSearch(
  name: string,
  make: () => Promise<ReadModelsHarness>,
  options: { readonly runs?: number } = {},
): void {
  describe(`Search: ${name}`, () => {
    const harness = opened(make);
    let store: ReadModels;

    before(() => void (store = harness.store));

    const freshName = (): string => `s${randomUUID().replaceAll('-', '')}`;

    async function collection(over: Partial<CollectionSpec> = {}): Promise<string> {
      const spec = { name: freshName(), version: 1, indexes, search, ...over };
      await store.define(spec);
      return spec.name;
    }

    const put = (id: string, doc: Document | null, version = '1'): DocumentWrite => ({ id, doc, version });
    const person = (words: readonly string[], madeAt: string | null = '2026', company = 'a'): Document => ({
      company,
      words,
      made_at: madeAt,
    });

    function pages(target: string, prefixes: readonly string[], over: Partial<Search> = {}) {
      const query: Search = { scope: 'a', prefixes, order: 'desc', limit: 10, ...over };
      return idsOfPages(query.limit, async (after) => {
        const found = await store.search(target, { ...query, ...(after && { after }) });
        if (found.next !== null) expect(found.documents.length, 'a full page').to.equal(query.limit);
        return found;
      });
    }
    /** Creates a collection with these documents. */
    async function holding(...writes: readonly DocumentWrite[]): Promise<string> {
      const target = await collection();
      await store.write(target, writes);
      return target;
    }

    it('finds by the beginning of any word, and by several when each begins one', async () => {
      const target = await holding(
        put('1', person(['maria', 'silva', '5511987654321'], '1')),
        put('2', person(['mario', 'souza'], '2')),
        put('3', person(['ana', 'maria'], '3')),
      );
      expect(await pages(target, ['mar'])).to.deep.equal(['3', '2', '1']);
      expect(await pages(target, ['maria'])).to.deep.equal(['3', '1']);
      expect(await pages(target, ['m', 's'])).to.deep.equal(['2', '1']);
      expect(await pages(target, ['sil', 'mar', '5511'])).to.deep.equal(['1']);
      expect(await pages(target, ['mariana'])).to.deep.equal([]);
      expect(await pages(target, ['aria']), 'not in the middle of a word').to.deep.equal([]);
      expect(await pages(target, ['ma', 'ma', 'mario'])).to.deep.equal(['2']);
      // One word may match two prefixes.
      expect(await pages(target, ['so', 'sou'])).to.deep.equal(['2']);
    });

    it('answers whole documents with their versions', async () => {
      const doc = { ...person(['ana']), text: 'ação \u{1F600}', list: [1, { x: null }] };
      const target = await holding(put('1', doc, '7'));
      const { documents } = await store.search(target, {
        scope: 'a',
        prefixes: ['an'],
        order: 'asc',
        limit: 5,
      });
      expect(documents).to.deep.equal([{ id: '1', doc, version: '7' }]);
    });

    it('keeps to its scope', async () => {
      const target = await holding(
        put('1', person(['ana'], '1', 'a')),
        put('2', person(['ana'], '2', 'b')),
        put('3', person(['ana'], '3', 'ab')),
      );
      expect(await pages(target, ['ana'])).to.deep.equal(['1']);
      expect(await pages(target, ['ana'], { scope: 'b' })).to.deep.equal(['2']);
      expect(await pages(target, ['ana'], { scope: '' })).to.deep.equal([]);
      expect(await pages(target, ['ana'], { scope: 'a%' })).to.deep.equal([]);
    });

    it('follows changed words, scopes and orders, and forgets removed documents', async () => {
      const target = await holding(
        put('1', person(['ana', 'lima'], '1'), '1'),
        put('2', person(['ana'], '2'), '1'),
      );
      await store.write(target, [put('1', person(['bia', 'lima'], '1'), '2')]);
      expect(await pages(target, ['ana'])).to.deep.equal(['2']);
      expect(await pages(target, ['bia', 'lima'])).to.deep.equal(['1']);
      await store.write(target, [put('1', person(['ana', 'lima'], '3'), '3')]);
      expect(await pages(target, ['ana'])).to.deep.equal(['1', '2']);
      await store.write(target, [put('1', person(['ana'], '3', 'b'), '4')]);
      expect(await pages(target, ['ana'])).to.deep.equal(['2']);
      expect(await pages(target, ['ana'], { scope: 'b' })).to.deep.equal(['1']);
      await store.write(target, [put('2', null, '2')]);
      expect(await pages(target, ['a'])).to.deep.equal([]);
      await store.write(target, [put('2', person(['ana'], '9'), '1')]);
      expect(await pages(target, ['a']), 'an older write brings nothing back').to.deep.equal([]);
      await store.write(target, [put('2', person(['ana'], '9'), '3')]);
      expect(await pages(target, ['a'])).to.deep.equal(['2']);
      await store.write(target, [put('2', person([], '9'), '4')]);
      expect(await pages(target, ['a'])).to.deep.equal([]);
    });

    it('changes nothing for a write that came too late', async () => {
      const target = await holding(put('1', person(['new']), '5'));
      await store.write(target, [put('1', person(['old']), '4')]);
      expect(await pages(target, ['old'])).to.deep.equal([]);
      expect(await pages(target, ['new'])).to.deep.equal(['1']);
    });

    it('sorts nulls lowest and pages across them and across equals', async () => {
      const target = await holding(
        put('1', person(['ana'], null)),
        put('2', person(['ana'], '')),
        put('3', { company: 'a', words: ['ana'] }),
        put('4', person(['ana'], '2026-01-02')),
        put('5', person(['ana'], '2026-01-02')),
        put('6', person(['ana'], '2025-01-02')),
      );
      for (const limit of [1, 2, 3, 10]) {
        expect(await pages(target, ['a'], { limit, order: 'asc' })).to.deep.equal([...'132645']);
        expect(await pages(target, ['a'], { limit })).to.deep.equal([...'546231']);
      }
    });

    it('takes every character for what it is', async () => {
      const target = await collection();
      const words = [
        '100%',
        'a_b',
        'axb',
        '.*',
        '^x$',
        "it's",
        'a"b',
        '[z]',
        'x y',
        'É',
        'é',
        'e',
        'ação',
        '东京',
      ];
      words.push(
        'A',
        'a*b',
        '(p',
        '-minus',
        'not',
        'and',
        '\u{1F600}x',
        '\\d',
        '$where',
        'عربي',
        'tab\tbed',
        '~',
      );
      await store.write(
        target,
        words.map((word, i) => put(String(i), person([word], String(i).padStart(2, '0')))),
      );
      for (const prefix of [
        ...words,
        '%',
        '_',
        '.',
        '*',
        '^',
        "'",
        '"',
        '[',
        '\\',
        '东',
        '\u{1F600}',
        '$',
        'a',
      ]) {
        const expected = words.flatMap((word, i) => (word.startsWith(prefix) ? [String(i)] : []));
        expect(await pages(target, [prefix], { order: 'asc' }), prefix).to.deep.equal(expected);
      }
    });

    it('refuses a search for nothing, and documents that can not be searched', async () => {
      const target = await collection();
      await failure(pages(target, []));
      await failure(pages(target, ['a', '']));
      await failure(store.write(target, [put('1', { company: 'a', words: 'ana', made_at: '1' })]));
      await failure(store.write(target, [put('1', { company: 'a', words: [1], made_at: '1' })]));
      await failure(store.write(target, [put('1', { company: 7, words: ['ana'], made_at: '1' })]));
      expect(await store.get(target, '1')).to.equal(undefined);
      const plain = freshName();
      await store.define({ name: plain, version: 1, indexes });
      await failure(pages(plain, ['a']));
    });

    it('makes the words of documents that were there before the collection was searchable', async () => {
      const spec = { name: freshName(), version: 1, indexes };
      await store.define(spec);
      await store.write(spec.name, [
        put('1', person(['ana'], '1')),
        put('2', person(['ana'], '2')),
        put('3', null),
      ]);
      await store.define({ ...spec, search });
      expect(await pages(spec.name, ['an'])).to.deep.equal(['2', '1']);
      await store.define({ ...spec, search: { ...search, words: 'tags' } });
      expect(await pages(spec.name, ['an']), 'other words').to.deep.equal([]);
      await store.write(spec.name, [put('1', { ...person(['ana'], '1'), tags: ['vip'] }, '2')]);
      expect(await pages(spec.name, ['v'])).to.deep.equal(['1']);
    });

    it('keeps versions of a collection apart', async () => {
      const spec = { name: freshName(), version: 1, indexes, search };
      await store.define(spec);
      await store.write(spec.name, [put('1', person(['ana']))]);
      await store.define({ ...spec, version: 2 });
      expect(await pages(`${spec.name}@1`, ['ana'])).to.deep.equal(['1']);
      expect(await pages(`${spec.name}@2`, ['ana'])).to.deep.equal([]);
      expect(await pages(spec.name, ['ana'])).to.deep.equal([]);
    });

    it('gives no page twice and skips nothing while others write', async () => {
      const target = await collection();
      const before = [...Array(20).keys()].map((i) => `m${String(i).padStart(2, '0')}`);
      await store.write(
        target,
        before.map((id, i) => put(id, person(['ana'], String(Math.floor(i / 7))))),
      );
      const seen: string[] = [];
      let after: readonly IndexValue[] | null | undefined;
      for (let page = 0; after !== null; page += 1) {
        const found = await store.search(target, {
          scope: 'a',
          prefixes: ['an'],
          order: 'desc',
          limit: 3,
          ...(after ? { after } : {}),
        });
        seen.push(...found.documents.map(({ id }) => id));
        after = found.next;
        await store.write(target, [
          put(`a${page}`, person(['ana'], String(page % 3))),
          put(`z${page}`, person(['ana'], '9')),
        ]);
      }
      expect(new Set(seen).size, 'nothing twice').to.equal(seen.length);
      expect(seen.filter((id) => id.startsWith('m'))).to.have.members(before);
    });

    it('agrees with a list that is filtered and sorted, whatever the documents and their changes', async () => {
      const word = fc.oneof(
        fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', 'c') }),
        fc.constantFrom('a%', 'a_', 'A', 'á', 'a\u{1F600}', '1'),
      );
      const write = fc.record({
        id: fc.constantFrom(...'abcdefghijkl'),
        company: fc.constantFrom('a', 'b'),
        words: fc.option(fc.array(word, { maxLength: 4 }), { freq: 6 }),
        made_at: fc.option(fc.constantFrom('', '1', '10', '2', 'é', 'z'), { freq: 4 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(write, { maxLength: 30 }),
          fc.array(word, { minLength: 1, maxLength: 3 }),
          fc.constantFrom('asc', 'desc'),
          fc.integer({ min: 1, max: 4 }),
          async (list, prefixes, order, limit) => {
            const target = await collection();
            const last = new Map<string, (typeof list)[number]>();
            for (const [i, doc] of list.entries()) {
              const version = String(i).padStart(3, '0');
              // No words at all: the document is removed.
              await store.write(target, [put(doc.id, doc.words === null ? null : { ...doc }, version)]);
              last.set(doc.id, doc);
            }
            const expected = [...last.values()]
              .filter(({ company, words }) => {
                if (company !== 'a' || words === null) return false;
                return prefixes.every((prefix) => words.some((one) => one.startsWith(prefix)));
              })
              .sort((a, b) => compare(a.made_at, b.made_at) || compare(a.id, b.id))
              .map(({ id }) => id);
            if (order === 'desc') expected.reverse();
            expect(await pages(target, prefixes, { order, limit })).to.deep.equal(expected);
          },
        ),
        { numRuns: runs(options.runs ?? 60) },
      );
    });

    it('is still there after a restart', async function () {
      if (!harness.reopen) return this.skip();
      const target = await holding(put('1', person(['ana'], '1')), put('2', person(['ana'], '2')));
      store = await harness.reopen();
      await store.define({ name: target, version: 1, indexes, search });
      expect(await pages(target, ['an'])).to.deep.equal(['2', '1']);
    });
  });
}

/** Null, then strings by their bytes. */
function compare(a: string | null, b: string | null): number {
  if (a === null || b === null) return (a === null ? 0 : 1) - (b === null ? 0 : 1);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
