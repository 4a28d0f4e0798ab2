import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { keepHeapSmall } from '../../runtime/heap.js';

describe('the growth of the heap', () => {
  it('is held by a flag that this node knows', () => {
    const set: string[] = [];
    expect(keepHeapSmall([], (flag) => void set.push(flag))).to.equal(set[0]);
    const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    expect(known).to.include(`${set[0]!.split('=')[0]!} (`);
  });

  it('is left to whoever starts node with a growth of their own', () => {
    for (const own of ['--heap-growing-percent=0', '--heap_growing_percent=90'])
      expect(keepHeapSmall(['--enable-source-maps', own], () => expect.fail('it was set'))).to.equal(null);
  });
});
