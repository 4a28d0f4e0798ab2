import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import { PassingMap, PassingSet } from '../../ports/passing.js';

const MODULE = new URL('../../ports/passing.js', import.meta.url).href;

describe('containers whose entries pass', () => {
  it('hold what a Map holds, in the same order', () => {
    const change = fc.record({ key: fc.integer({ min: 0, max: 6 }), add: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
        const map = new PassingMap<number, number>();
        const set = new PassingSet<number>();
        const plain = new Map<number, number>();
        for (const [n, { key, add }] of changes.entries()) {
          if (add) {
            map.set(key, n);
            set.add(key);
            plain.set(key, n);
          } else {
            const there = plain.delete(key);
            expect([map.delete(key), set.delete(key)]).to.deep.equal([there, there]);
          }
          expect([...map]).to.deep.equal([...plain]);
          expect([...map.keys()]).to.deep.equal([...plain.keys()]);
          expect([...map.values()]).to.deep.equal([...plain.values()]);
          expect([...set]).to.deep.equal([...plain.keys()]);
          expect([map.size, set.size]).to.deep.equal([plain.size, plain.size]);
          const there = plain.has(key);
          expect([map.get(key), map.has(key), set.has(key)]).to.deep.equal([plain.get(key), there, there]);
        }
      }),
    );
  });

  it('show a loop every entry that was there, also where it removes them', () => {
    const set = new PassingSet<number>();
    for (let n = 0; n < 200; n += 1) set.add(n);
    const seen: number[] = [];
    for (const n of set) {
      seen.push(n);
      set.delete(n);
    }
    expect(seen).to.deep.equal(Array.from({ length: 200 }, (_, n) => n));
    expect(set.size).to.equal(0);
  });

  it('keep nothing that has left from collections of young objects', () => {
    const script = `
      import { PassingMap } from ${JSON.stringify(MODULE)};
      const map = new (process.argv[1] === 'passing' ? PassingMap : Map)();
      for (let n = 0; n < 30_000; n += 1) {
        // Its table is old from here on.
        if (n === 5_000) gc();
        map.set(n, Array.from({ length: 100 }, (_, at) => ({ at })));
        map.delete(n - 2);
      }
      gc({ type: 'minor' });
      console.log(process.memoryUsage().heapUsed);
    `;
    const flags = ['--expose-gc', '--heap-growing-percent=1000', '--input-type=module', '--eval', script];
    const used = (kind: string): number =>
      Number(execFileSync(process.execPath, [...flags, kind], { encoding: 'utf8' }));
    expect(used('passing')).to.be.lessThan(used('plain') / 2);
  });
});
