import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { retryQueue } from '../../../application/parked-messages.js';
import { routes } from '../../../application/relay.js';
import { silentLogger } from '../../../ports/logger.js';
import type { ConsumeOptions } from '../../../ports/topics.js';
import { handled } from '../../../workers/kernel/consumer.js';
import { startReactor, type Own, type Reaction, type Reactor } from '../../../workers/kernel/reactor.js';
import { failure } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryReadModels } from '../../support/memory/read-models.js';

const message = (n: number) => ({
  topic: 'orders',
  key: 'k',
  value: { event_id: `e${n}` },
  offset: String(n),
});

describe('a reactor', () => {
  function world(reaction: (own: Own, needs: string) => Reaction) {
    const clock = manualClock();
    const dueTimes = memoryDueTimes(() => clock.now());
    const ended: string[] = [];
    const outcomes: string[] = [];
    let consumed: ConsumeOptions | undefined;
    const app = {
      clock,
      dueTimes,
      readModels: memoryReadModels(),
      logger: silentLogger,
      topics: {
        consume(options: ConsumeOptions) {
          consumed = options;
          return {
            stop: async () => void ended.push('topic'),
            lag: async () => 3,
            caughtUp: async () => void ended.push('heard'),
          };
        },
      },
    } as unknown as App;
    const reactor: Reactor<string> = {
      name: 'tests',
      group: 'group',
      route: routes.orders,
      maxTries: 2,
      maxBatch: 7,
      begin: (_app, needs, own) => reaction(own, needs),
    };
    const running = startReactor(app, reactor, 'needs', (group, kind) => outcomes.push(`${group} ${kind}`));
    return { clock, dueTimes, ended, outcomes, running, consumed: consumed! };
  }

  it('is given each message of its topic, in its group, with what it needs', async () => {
    const seen: unknown[] = [];
    const w = world((_own, needs) => ({
      react: async ({ event_id }, tries) => {
        seen.push([needs, event_id, tries]);
        return handled;
      },
    }));
    expect(w.consumed).to.include({ topic: 'orders', group: 'group', maxBatch: 7 });
    await w.consumed.handle([message(1), message(2)]);
    expect(seen).to.deep.equal([
      ['needs', 'e1', 1],
      ['needs', 'e2', 1],
    ]);
    expect(w.outcomes).to.deep.equal(['group handled', 'group handled']);
    await w.running.stop();
  });

  it('counts what waits beside the topic in its lag, and rows by its timers', async () => {
    const timer = {
      queue: 'q',
      concurrency: 1,
      perLane: 1,
      leaseMs: 1_000,
      maxTries: 1,
      handle: async () => handled,
      giveUp: async () => undefined,
    };
    const w = world(() => ({
      react: async () => handled,
      timers: { waits: timer },
      beside: [{ stop: async () => undefined, waiting: async () => 4 }, { stop: async () => undefined }],
    }));
    await w.dueTimes.schedule([
      { queue: 'q', id: '1', lane: 'l', dueAt: w.clock.now() + 60_000, payload: {} },
    ]);
    expect(await w.running.lag()).to.equal(7);
    expect(await w.running.waiting()).to.deep.equal({ waits: 1 });
    await w.running.stop();
  });

  it('that only hands on tries nothing again by itself: a batch that fails is for the topic', async () => {
    const handedOn: number[] = [];
    const w = world(() => ({
      async handOn(batch) {
        handedOn.push(batch.length);
        if (handedOn.length === 1) throw new Error('away');
      },
    }));
    expect(await failure(w.consumed.handle([message(1), message(2)]))).to.be.an('error');
    await w.consumed.handle([message(1), message(2)]);
    expect(handedOn).to.deep.equal([2, 2]);
    expect([await w.running.retries(), await w.dueTimes.count(retryQueue('group'))]).to.deep.equal([0, 0]);
    expect(w.outcomes).to.deep.equal([]);
    await w.running.stop();
  });

  it('ends with all its parts, says so to them, and counts what they did as its own', async () => {
    const owns: Own[] = [];
    const w = world((own) => {
      owns.push(own);
      return {
        react: async () => handled,
        beside: [
          { stop: async () => void w.ended.push('beside'), caughtUp: async () => void w.ended.push('read') },
        ],
      };
    });
    const [own] = owns;
    own!.note('handled');
    expect(w.outcomes).to.deep.equal(['group handled']);
    await own!.caughtUp();
    expect(w.ended, 'of its topic only').to.deep.equal(['heard']);
    await w.running.caughtUp();
    expect(w.ended).to.deep.equal(['heard', 'heard', 'read']);
    expect(own!.stopping()).to.equal(false);
    const stopped = w.running.stop();
    expect(own!.stopping()).to.equal(true);
    await stopped;
    expect(w.ended.slice(3)).to.have.members(['topic', 'beside']);
  });
});
