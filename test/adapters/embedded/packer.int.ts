/** Documents that are compressed by a thread where many come at once. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import fc from 'fast-check';
import { createPacker, type Packer } from '../../../adapters/embedded/packer.js';
import { pack } from '../../../adapters/embedded/packing.js';
import { runs } from '../../support/soak.js';

const crowd = (size = 8, from = 0): string[] =>
  Array.from({ length: size }, (_, index) => `{"n":${from + index},"text":"${'é'.repeat(index * 7)}"}`);

describe('embedded store: documents of a crowd', () => {
  let packers: Packer[];
  let threads: Worker[];
  let gone: (Error | undefined)[];
  const note = (thread: Worker): unknown => threads.push(thread);
  beforeEach(() => {
    [packers, threads, gone] = [[], [], []];
    process.on('worker', note);
  });
  afterEach(() => {
    process.off('worker', note);
    for (const one of packers) one.close();
  });

  function opened(): Packer {
    const packer = createPacker((reason) => gone.push(reason));
    packers.push(packer);
    return packer;
  }

  /** With its thread, which runs. */
  async function running(): Promise<{ packer: Packer; thread: Worker }> {
    const packer = opened();
    void packAll(packer, crowd());
    while (threads.length === 0) await new Promise(setImmediate);
    await once(threads[0]!, 'message');
    return { packer, thread: threads[0]! };
  }

  const packAll = (packer: Packer, texts: readonly string[]): Promise<Buffer[]> =>
    Promise.all(texts.map((text) => packer.pack(text)));

  it('are compressed as one alone is, in the order of the calls', async () => {
    const { packer } = await running();
    const text = fc.string({ unit: 'binary', maxLength: 3_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(text, { maxLength: 9 }), { maxLength: 4 }), async (turns) => {
        const ended: string[] = [];
        const waits: Promise<void>[] = [];
        for (const texts of turns) {
          for (const one of texts) {
            const check = (packed: Buffer): void => {
              expect(packed.equals(pack(one))).to.equal(true);
              ended.push(one);
            };
            waits.push(packer.pack(one).then(check));
          }
          await new Promise(setImmediate);
        }
        await Promise.all(waits);
        expect(ended).to.deep.equal(turns.flat());
      }),
      { numRuns: runs(100) },
    );
  });

  it('need a thread only if they come at once', async () => {
    const packer = opened();
    for (const text of crowd(20)) await packer.pack(text);
    expect(threads).to.have.length(0);
    expect(await packAll(packer, crowd())).to.deep.equal(crowd().map(pack));
    expect(threads).to.have.length(1);
  });

  it('are compressed by the server when the thread has ended', async () => {
    const { packer, thread } = await running();
    const under = packAll(packer, crowd());
    await new Promise(setImmediate);
    const ended = once(thread, 'exit');
    void thread.terminate();
    expect(await under).to.deep.equal(crowd().map(pack));
    await ended;
    expect(await packAll(packer, crowd(9, 5))).to.deep.equal(crowd(9, 5).map(pack));
    expect(gone).to.have.length(1);
    expect(threads).to.have.length(1);
  });

  it('keep a process alive that waits for nothing else, and no longer', () => {
    const module = JSON.stringify(new URL('../../../adapters/embedded/packer.js', import.meta.url).href);
    const script = `
      import { createPacker } from ${module};
      const packer = createPacker();
      let count = 0;
      while (count < 20_000) count += (await Promise.all(Array.from({ length: 40 }, () => packer.pack('text '.repeat(400))))).length;
      console.log(count);`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(child).to.include({ stdout: '20000\n', status: 0 });
  });

  it('are compressed to the last when the store is closed', async () => {
    const { packer } = await running();
    const under = packAll(packer, crowd());
    await new Promise(setImmediate);
    packer.close();
    expect(await under).to.deep.equal(crowd().map(pack));
    expect(await packAll(packer, crowd(9, 5))).to.deep.equal(crowd(9, 5).map(pack));
    expect(gone).to.have.length(0);
  });
});
