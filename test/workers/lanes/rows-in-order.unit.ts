import { expect } from 'chai';
import fc from 'fast-check';
import { createRowsInOrder } from '../../../workers/lanes/rows-in-order.js';

describe('rows of a lane in the order of claims', () => {
  it('are sorted by due time, then by number, whatever is added and removed', () => {
    const change = fc.record({ dueAt: fc.nat(5), remove: fc.option(fc.nat(20), { freq: 2 }) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const rows = createRowsInOrder<{ dueAt: number; seq: number }>((row) => row);
        const model: { dueAt: number; seq: number }[] = [];
        for (const [seq, { dueAt, remove }] of changes.entries()) {
          const row = { dueAt, seq };
          rows.add(row);
          model.push(row);
          const [gone] = remove === null ? [] : model.splice(remove, 1);
          if (gone) rows.remove(gone);
        }
        model.sort((a, b) => a.dueAt - b.dueAt || a.seq - b.seq);
        expect([...rows]).to.deep.equal(model);
        expect(rows.size()).to.equal(model.length);
        rows.remove({ dueAt: 0, seq: -1 });
        expect(rows.size(), 'one that was never added').to.equal(model.length);
      }),
    );
  });
});
