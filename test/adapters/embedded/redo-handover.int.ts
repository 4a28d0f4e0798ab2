/** The thread that writes the redo log where the disk is slow or requests come in crowds. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { createHandover, type Handover, type Written } from '../../../adapters/embedded/redo-handover.js';
import { openRedoFile, piecesOf } from '../../../adapters/embedded/redo-file.js';
import { yieldToEventLoop } from '../../../ports/waiting.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

const LIFE = Buffer.alloc(12, 1);
const piece = (text: string, number = 0) => ({ content: Buffer.from(text), life: LIFE, number });

describe('embedded store: the thread that writes the redo log', () => {
  const folder = openedForEach(tempFolder);
  let path: string;
  let descriptors: number[];
  let handovers: Handover[];
  let gone: (Error | undefined)[];
  beforeEach(() => {
    path = join(folder.path, 'file');
    writeFileSync(path, '');
    [descriptors, handovers, gone] = [[], [], []];
  });
  afterEach(() => {
    for (const one of handovers) one.close();
    for (const one of descriptors) closeSync(one);
  });

  function opened(flags = 'r+'): Handover {
    const file = openSync(path, flags);
    descriptors.push(file);
    const handover = createHandover({ file, syncs: false }, (reason) => gone.push(reason));
    handovers.push(handover);
    return handover;
  }

  /** Gives it until the thread runs. */
  function given(handover: Handover, what = piece('text'), at = 0): Promise<Written> {
    return new Promise((resolve) => {
      const attempt = (): void => {
        if (!handover.give(what, at, resolve)) setImmediate(attempt);
      };
      attempt();
    });
  }

  it('writes a piece, and says so in an event of its own or to who waits', async () => {
    const handover = opened();
    const first = await given(handover);
    expect(first).to.include({ length: 28 });
    let second: Written | undefined;
    expect(handover.give(piece('more', 1), 28, (outcome) => (second = outcome))).to.equal(true);
    handover.finish();
    expect(second).to.include({ length: 28 });
    handover.finish();
    expect(readFileSync(path).toString('latin1')).to.match(/text.*more$/s);
  });

  it('gives back the error of the file system', async () => {
    const outcome = await given(opened('r'));
    expect(outcome).to.have.nested.property('error.code', 'EBADF');
    expect(outcome).to.have.nested.property('error.syscall', 'write');
  });

  it('takes nothing larger than the shared memory', async () => {
    const handover = opened();
    await given(handover);
    const large = piece('x'.repeat(1_100_000), 1);
    expect(handover.give(large, 28, () => expect.fail('it was taken'))).to.equal(false);
  });

  it('takes nothing more once the thread has ended', async () => {
    const threads: Worker[] = [];
    process.once('worker', (thread: Worker) => threads.push(thread));
    const handover = opened();
    await given(handover);
    const ended = once(threads[0]!, 'exit');
    await Promise.all([threads[0]!.terminate(), ended]);
    expect(gone).to.have.length(1);
    expect(handover.give(piece('more', 1), 28, () => expect.fail('it was taken'))).to.equal(false);
  });

  it('is given what a crowd waits for, where the disk is quick', async () => {
    const file = openRedoFile(path, { slowMs: 10 });
    file.begin(LIFE);
    const contents: Buffer[] = [];
    /** True: written here. */
    const append = (crowded: boolean): Promise<boolean> =>
      new Promise((resolve) => {
        contents.push(randomBytes(500_000));
        if (file.append(contents.at(-1)!, () => resolve(false), crowded)) resolve(true);
      });
    while (await append(true)) await yieldToEventLoop();
    expect(piecesOf(path, LIFE)).to.deep.equal(contents);
    file.close(true);
  });

  it('is replaced by the server’s own thread, and nothing is lost', async () => {
    const threads: Worker[] = [];
    process.once('worker', (thread: Worker) => threads.push(thread));
    const file = openRedoFile(path, { slowMs: 0, onThreadGone: (reason) => gone.push(reason) });
    file.begin(LIFE);
    const append = (text: string): Promise<Error | null> =>
      new Promise((resolve) => {
        if (file.append(Buffer.from(text), resolve)) resolve(null);
      });
    const texts: string[] = [];
    const next = async (): Promise<void> => {
      texts.push(`piece ${texts.length}`);
      expect(await append(texts.at(-1)!)).to.equal(null);
    };
    while (threads.length === 0) await next();
    const ended = once(threads[0]!, 'exit');
    for (let n = 0; n < 20; n += 1) await next();
    void threads[0]!.terminate();
    while (gone.length === 0) await next();
    await ended;
    await next();
    expect(piecesOf(path, LIFE).map(String)).to.deep.equal(texts);
    file.close(true);
  });
});
