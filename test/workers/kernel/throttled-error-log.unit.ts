import { expect } from 'chai';
import { createLeases } from '../../../adapters/embedded/leases.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { every } from '../../../workers/kernel/every.js';
import { whileHolding } from '../../../workers/kernel/exclusive.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { soon } from '../../support/soon.js';

/** A store that can be unavailable, and the log lines of that time. */
function world() {
  const clock = manualClock();
  const lines: string[] = [];
  const say =
    (level: string) =>
    (fields: object, text: string): void =>
      void lines.push(`${level} ${text} ${(fields as { times?: number }).times}`);
  const logger = { ...silentLogger, warn: say('warn'), error: say('error') };
  const store = { trouble: null as Error | null, asked: 0 };
  const ask = async (): Promise<void> => {
    store.asked += 1;
    if (store.trouble !== null) throw store.trouble;
  };
  return { deps: { clock, logger }, clock, lines, store, ask };
}

describe('the log while a store is away', () => {
  it('hears of it once, once a minute while it lasts, and of its end', async () => {
    const { deps, clock, lines, store, ask } = world();
    const rounds = every(deps, 1_000, 'looking', ask);
    await clock.advance(10_000);
    expect(lines).to.deep.equal([]);
    store.trouble = new StoreUnavailable('gone');
    await clock.advance(150_000);
    expect(store.asked).to.equal(160);
    expect(lines).to.deep.equal([
      'warn looking failed; it is tried again 1',
      'warn looking failed; it is tried again 61',
      'warn looking failed; it is tried again 121',
    ]);
    store.trouble = null;
    await clock.advance(90_000);
    expect(lines.slice(3)).to.deep.equal(['warn looking works again 150']);
    store.trouble = new StoreUnavailable('gone again');
    await clock.advance(1_000);
    expect(lines.slice(4)).to.deep.equal(['warn looking failed; it is tried again 1']);
    await soon(rounds.stop());
  });

  it('hears no more of a store that answers every other time', async () => {
    const { deps, clock, lines, store } = world();
    const rounds = every(deps, 1_000, 'looking', async () => {
      store.asked += 1;
      if (store.asked % 2 === 1) throw new StoreUnavailable('gone');
    });
    await clock.advance(125_000);
    expect(lines).to.deep.equal([
      'warn looking failed; it is tried again 1',
      'warn looking works again 1',
      'warn looking failed; it is tried again 1',
      'warn looking works again 1',
      'warn looking failed; it is tried again 1',
      'warn looking works again 1',
    ]);
    await soon(rounds.stop());
  });

  it('hears of other failures as errors', async () => {
    const { deps, clock, lines, store, ask } = world();
    store.trouble = new TypeError('ours');
    const rounds = every(deps, 1_000, 'looking', ask);
    await clock.advance(5_000);
    expect(lines).to.deep.equal(['error looking failed; it is tried again 1']);
    await soon(rounds.stop());
  });

  it('hears the same of leases that can not be asked for', async () => {
    const { deps, clock, lines, store, ask } = world();
    const inner = createLeases();
    const leases = {
      ...inner,
      async acquire(name: string) {
        await ask();
        return inner.acquire(name);
      },
    };
    store.trouble = new StoreUnavailable('gone');
    const held = whileHolding({ ...deps, leases }, 'x', () => ({ stop: () => Promise.resolve() }));
    await clock.advance(50_000);
    store.trouble = null;
    await clock.advance(5_000);
    expect(held.running()).to.equal(true);
    expect(lines.map((line) => line.replace(/ \d+$/, ''))).to.deep.equal([
      'warn asking for a lease failed; it is tried again',
      'warn asking for a lease works again',
    ]);
    await soon(held.stop());
  });
});
