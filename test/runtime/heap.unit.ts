import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { tuneHeap } from '../../runtime/heap.js';

describe('the heap', () => {
  it('is tuned by flags that this node knows', () => {
    const set: string[] = [];
    expect(tuneHeap([], (flag) => void set.push(flag))).to.deep.equal(set);
    expect(set).to.have.length(2);
    const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    for (const flag of set) expect(known).to.include(`${flag.split('=')[0]!} (`);
  });

  it('is left as node was started, flag by flag', () => {
    for (const own of ['--heap-growing-percent=0', '--heap_growing_percent=90']) {
      const set: string[] = [];
      tuneHeap(['--enable-source-maps', own], (flag) => void set.push(flag));
      expect(set).to.deep.equal(['--concurrent-marking-max-worker-num=1']);
    }
  });
});
