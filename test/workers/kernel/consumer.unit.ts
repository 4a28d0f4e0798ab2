import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { parkMessage, retryParked } from '../../../application/parked-messages.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { ReadModelBehind } from '../../../ports/read-models.js';
import { silentLogger } from '../../../ports/logger.js';
import type { ConsumeOptions } from '../../../ports/topics.js';
import { parkedMessages } from '../../../read-models/parked-messages.js';
import { handled, startWorker, WAITS_FOR_A_STORE, type Outcome } from '../../../workers/kernel/consumer.js';
import { failure } from '../../conformance/support.js';
import { manualClock, type ManualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryReadModels, type MemoryReadModels } from '../../support/memory/read-models.js';
import { soon } from '../../support/soon.js';

describe('a worker on a topic', () => {
  let clock: ManualClock;
  let readModels: MemoryReadModels;
  let errors: string[];
  let warnings: string[];
  let app: App;
  let hand: ConsumeOptions['handle'];

  beforeEach(() => {
    clock = manualClock();
    readModels = memoryReadModels();
    errors = [];
    warnings = [];
    const logger = {
      ...silentLogger,
      error: (_: object, text: string) => void errors.push(text),
      warn: (_: object, text: string) => void warnings.push(text),
    };
    const consume = ({ handle }: ConsumeOptions) => {
      hand = handle;
      return { stop: async () => undefined, lag: async () => 0, caughtUp: async () => undefined };
    };
    const topics = { publish: async () => undefined, consume };
    app = {
      readModels,
      dueTimes: memoryDueTimes(() => clock.now()),
      topics,
      clock,
      logger,
    } as unknown as App;
  });

  const parked = () => readModels.all(parkedMessages.name).size;

  async function withWorker(
    handle: (tries: number) => Promise<Outcome>,
    use: (tries: readonly number[]) => Promise<void>,
  ): Promise<void> {
    const tries: number[] = [];
    const worker = startWorker(app, {
      topic: 't',
      group: 'g',
      maxTries: 3,
      handle: (_value, n) => {
        tries.push(n);
        return handle(n);
      },
    });
    const batch = [{ topic: 't', key: 'k', value: { event_id: 'e' }, offset: '0:1' }];
    // As a topic does: a batch that fails is delivered again.
    let waits = 0;
    while ((await failure(hand(batch)).catch(() => undefined)) !== undefined) waits += 1;
    expect(waits).to.be.oneOf([0, WAITS_FOR_A_STORE]);
    await use(tries);
    await soon(worker.stop());
    expect(clock.pending()).to.equal(0);
  }

  it('tries what fails again, and parks it in the end', async () => {
    await withWorker(
      async () => {
        throw new Error('no');
      },
      async (tries) => {
        await clock.advance(20_000);
        expect(tries).to.deep.equal([1, 2, 3]);
        expect(parked()).to.equal(1);
        expect(await app.dueTimes.count('retry:g')).to.equal(0);
      },
    );
  });

  it('tries what was parked from the start when an operator asks for it, and parks it again if need be', async () => {
    let broken = true;
    await withWorker(
      async () => {
        if (broken) throw new Error('no');
        return handled;
      },
      async (tries) => {
        await clock.advance(20_000);
        expect(parked()).to.equal(1);
        await retryParked(app, 'g:e');
        expect(parked()).to.equal(0);
        await clock.advance(20_000);
        expect(tries).to.deep.equal([1, 2, 3, 1, 2, 3]);
        expect(parked()).to.equal(1);
        broken = false;
        await retryParked(app, 'g:e');
        await clock.advance(2_000);
        expect(tries).to.deep.equal([1, 2, 3, 1, 2, 3, 1]);
        expect(parked()).to.equal(0);
        expect((await failure(retryParked(app, 'g:e'))).message).to.include('no such parked message');
      },
    );
  });

  it('loses no message of a topic that was made again, where offsets begin anew', async () => {
    let broken = true;
    const events: unknown[] = [];
    const worker = startWorker(app, {
      topic: 't',
      group: 'g',
      maxTries: 3,
      handle: async ({ event_id }) => {
        if (broken) throw new Error('no');
        events.push(event_id);
        return handled;
      },
    });
    const message = (event_id: string) => ({ topic: 't', key: 'k', value: { event_id }, offset: '0:1' });
    await hand([message('before')]);
    await hand([message('after')]);
    broken = false;
    await clock.advance(5_000);
    expect(events).to.have.members(['before', 'after']);
    await soon(worker.stop());
  });

  it('parks both of two messages that had one offset', async () => {
    await withWorker(
      async () => ({ kind: 'park', reason: 'no' }),
      async () => {
        await hand([{ topic: 't', key: 'k', value: { event_id: 'other' }, offset: '0:1' }]);
        expect([...readModels.all(parkedMessages.name).keys()]).to.deep.equal(['g:e', 'g:other']);
      },
    );
  });

  it('drains rows that earlier releases named by offset', async () => {
    const payload = { value: { event_id: 'old' }, tries: 1 };
    await app.dueTimes.schedule([
      { queue: 'retry:g', id: '0:9', lane: 'all', dueAt: clock.now(), payload },
      { queue: 'retry:g', id: '0:10', lane: 'all', dueAt: clock.now(), payload: { ...payload, tries: 2 } },
    ]);
    const seen: number[] = [];
    await withWorker(
      async (tries) => {
        seen.push(tries);
        if (tries === 3) throw new Error('no');
        return handled;
      },
      async () => {
        await clock.advance(2_000);
        expect(seen).to.have.members([1, 2, 3]);
        expect(await app.dueTimes.count('retry:g')).to.equal(0);
        expect([...readModels.all(parkedMessages.name).keys()]).to.deep.equal(['g:old']);
      },
    );
  });

  it('tries again what earlier releases parked by offset', async () => {
    await parkMessage(app, { id: '0:9', group: 'g', value: { event_id: 'old' }, reason: 'no' });
    await withWorker(
      async () => handled,
      async (tries) => {
        await retryParked(app, 'g:0:9');
        await clock.advance(2_000);
        expect(tries).to.deep.equal([1, 1]);
        expect(parked()).to.equal(0);
        expect(await app.dueTimes.count('retry:g')).to.equal(0);
      },
    );
  });

  for (const hours of [-48, -1, 1, 48]) {
    it(`parks it again when the clock was set by ${hours} h since it was parked and tried again`, async () => {
      await withWorker(
        async () => {
          throw new Error('no');
        },
        async () => {
          await clock.advance(20_000);
          const [before] = readModels.all(parkedMessages.name).keys();
          await retryParked(app, before!);
          expect(parked()).to.equal(0);
          clock.stepWall(hours * 3_600_000);
          // This due-time store does not bring rows forward.
          await app.dueTimes.reschedule('retry:g', before!.slice('g:'.length), clock.now());
          await clock.advance(20_000);
          expect([...readModels.all(parkedMessages.name).keys()]).to.deep.equal([before]);
          await retryParked(app, before!);
          expect(parked()).to.equal(0);
        },
      );
    });
  }

  it('does not count the times when a store was away, however many they were', async () => {
    let looks = 0;
    let away = true;
    await withWorker(
      async (tries) => {
        looks += 1;
        if (away) throw new StoreUnavailable('gone');
        if (tries < 3) throw new Error('no');
        return handled;
      },
      async (tries) => {
        await clock.advance(600_000);
        expect(looks).to.be.greaterThan(15);
        expect(new Set(tries)).to.deep.equal(new Set([1]));
        away = false;
        const before = tries.length;
        await clock.advance(60_000);
        expect(tries.slice(before)).to.deep.equal([1, 2, 3]);
        expect(parked()).to.equal(0);
        expect(await app.dueTimes.count('retry:g')).to.equal(0);
      },
    );
  });

  it('waits for a read model without counting it or a line in the log each time', async () => {
    let behind = true;
    await withWorker(
      async () => {
        if (behind) throw new ReadModelBehind(['channels']);
        return handled;
      },
      async (tries) => {
        await clock.advance(3_600_000);
        expect(new Set(tries)).to.deep.equal(new Set([1]));
        expect([parked(), errors, warnings]).to.deep.equal([0, [], []]);
        behind = false;
        const before = tries.length;
        await clock.advance(16_500);
        expect(tries).to.have.length(before + 1);
        expect(await app.dueTimes.count('retry:g')).to.equal(0);
      },
    );
  });

  it('looks at it soon after a store is back, however long it was away', async () => {
    let away = true;
    await withWorker(
      async () => {
        if (away) throw new StoreUnavailable('gone');
        return handled;
      },
      async () => {
        await clock.advance(3_600_000);
        away = false;
        await clock.advance(32_000);
        expect(await app.dueTimes.count('retry:g')).to.equal(0);
      },
    );
  });

  it('complains once while the due times are away, and goes on when they are back', async () => {
    let down = true;
    const { dueTimes } = app;
    app = {
      ...app,
      dueTimes: {
        ...dueTimes,
        claim: async (options) => {
          if (down) throw new StoreUnavailable('gone');
          return dueTimes.claim(options);
        },
      },
    };
    await withWorker(
      async (tries) => {
        if (tries === 1) throw new Error('no');
        return handled;
      },
      async (tries) => {
        await clock.advance(60_000);
        expect(warnings).to.deep.equal(['looking for messages to try again failed; it is tried again']);
        down = false;
        await clock.advance(3_000);
        expect(tries).to.deep.equal([1, 2]);
        expect(warnings.slice(1)).to.deep.equal(['looking for messages to try again works again']);
      },
    );
  });
});
