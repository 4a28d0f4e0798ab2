/** The relay's checkpoint: when it moves, when the relay gives way to another one, and who may rely on it. */
import { expect } from 'chai';
import { START, StoreUnavailable, type Position } from '../../../ports/event-store.js';
import { startRelay, untilRelayed } from '../../../workers/relay/worker.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { relayWorld } from './world.js';

describe('the checkpoint of the relay', () => {
  it('moves at most once a second over what is of no concern to the topics', async () => {
    const w = relayWorld();
    const relaying = startRelay(w.app);
    await turns();
    const head = () => w.store.records.at(-1)!.position;
    const idle = async () => {
      await w.happen('NobodyCares');
      await turns();
    };
    await w.clock.advance(999);
    await idle();
    expect(w.at()).to.equal(START);
    await w.clock.advance(1);
    await idle();
    expect(w.at()).to.equal(head());
    const before = w.at();
    await w.clock.advance(999);
    await idle();
    expect(w.at(), 'a second after the last time').to.equal(before);
    // The position is stored at once when a message is relayed, and the idle second begins again.
    await w.happen();
    await turns();
    const relayed = head();
    expect(w.at()).to.equal(relayed);
    await w.clock.advance(1);
    await idle();
    expect(w.at()).to.equal(relayed);
    expect(w.published).to.have.length(1);
    await relaying.stop();
  });

  it('is tried again at once when its store was away, and the log says that it works again', async () => {
    let away = true;
    const w = relayWorld((kind) => {
      if (kind !== 'advance' || !away) return;
      away = false;
      throw new StoreUnavailable('away');
    });
    const id = await w.happen();
    const relaying = startRelay(w.app);
    await turns(20);
    expect(w.published).to.deep.equal([id, id]);
    expect(w.at()).to.equal(w.store.records.at(-1)!.position);
    expect(w.logged).to.deep.equal([
      'relaying to the topics failed; it is tried again',
      'relaying to the topics works again',
    ]);
    await relaying.stop();
  });

  it('is left to another process once the lease is over: nothing is published meanwhile', async () => {
    const w = relayWorld();
    const relaying = startRelay(w.app);
    await turns();
    w.fault.leaseEnded = true;
    const id = await w.happen();
    await turns(20);
    expect([w.published, w.at(), relaying.running()]).to.deep.equal([[], START, false]);
    w.fault.leaseEnded = false;
    await w.clock.advance(3_000);
    expect(w.published).to.deep.equal([id]);
    await relaying.stop();
  });

  it('stays where it is when it lies behind a restore already', async () => {
    const w = relayWorld();
    await w.restored(false);
    const first = startRelay(w.app);
    const id = await w.happen();
    await turns(20);
    await first.stop();
    const second = startRelay(w.app);
    await turns(20);
    await second.stop();
    expect(w.published).to.deep.equal([id]);
  });
});

describe('waiting for the relay', () => {
  const position = (n: number) => String(n).padStart(12, '0') as Position;

  /** Relevant events are at these positions; the store reads two positions at a time. */
  async function relayed(checkpoint: number, concern: readonly number[], head: number): Promise<boolean> {
    const clock = manualClock();
    let pages = 0;
    const app = {
      clock,
      store: {
        head: async () => position(head),
        readAll: async ({ after }: { after: Position }) => {
          pages += 1;
          if (pages > 100) throw new Error('the pages do not end');
          const from = Number(after);
          const found = concern.filter((n) => n > from && n <= from + 2);
          return {
            records: found.slice(0, 1).map((n) => ({ position: position(n) })),
            next: position(found[0] ?? Math.min(from + 2, 20)),
            atEnd: from + 2 >= 20,
          };
        },
      },
      readModels: { checkpoint: async () => position(checkpoint) },
    };
    let stopped = false;
    let answer: boolean | undefined;
    const note = (it: boolean): void => void (answer = it);
    untilRelayed(app as unknown as Parameters<typeof untilRelayed>[0], [], () => stopped).then(note, () =>
      note(false),
    );
    await turns(2);
    const already = answer;
    stopped = true;
    await clock.advance(200);
    expect(answer, 'it ends with a stop').to.be.a('boolean');
    return already === true;
  }

  it('ends where the checkpoint is, or lies beyond, what was written before', async () => {
    expect(await relayed(10, [10], 10)).to.equal(true);
    expect(await relayed(11, [10], 10)).to.equal(true);
  });

  it('ends where nothing of concern lies between the checkpoint and that', async () => {
    expect(await relayed(1, [], 10)).to.equal(true);
    expect(await relayed(1, [11], 10)).to.equal(true);
    expect(await relayed(18, [], 20)).to.equal(true);
    expect(await relayed(9, [11], 10)).to.equal(true);
  });

  it('goes on while something of concern is not published, also the very last, or far behind the checkpoint', async () => {
    expect(await relayed(9, [10], 10)).to.equal(false);
    expect(await relayed(1, [8], 10)).to.equal(false);
    expect(await relayed(1, [2, 12], 10)).to.equal(false);
  });
});
