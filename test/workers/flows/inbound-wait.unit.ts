import { expect } from 'chai';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { ReadModelBehind } from '../../../ports/read-models.js';
import { createInboundWait } from '../../../workers/flows/inbound-wait.js';
import type { InboundBarrier } from '../../../workers/kernel/inbound-barrier.js';
import { soon } from '../../support/soon.js';

const START = Date.parse('2026-03-01T12:00:00.000Z');
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('what flows have heard before silence is one', () => {
  let now: number;
  let timers: { readonly at: number; readonly task: () => void }[];
  let done: string[];
  let stopping: boolean;
  let behind: boolean;
  let again: { read: number; heard: number };
  /** Each completes a reading in progress. */
  let readings: (() => void)[];

  beforeEach(() => {
    now = START;
    timers = [];
    done = [];
    stopping = false;
    behind = false;
    again = { read: 0, heard: 0 };
    readings = [];
  });

  const clock = {
    now: () => now,
    monotonic: () => now,
    after(ms: number, task: () => void) {
      const timer = { at: now + ms, task };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
  };
  function hearing() {
    const incoming: InboundBarrier = {
      async untilRead() {
        if (behind) throw new ReadModelBehind(['channels']);
        await new Promise<void>((resolve) => readings.push(resolve));
        done.push('read');
        return true;
      },
      async untilRelayed(prefixes) {
        done.push(`relayed ${prefixes.join()}`);
        return true;
      },
      toReadAgain: async () => again.read,
    };
    const flows = {
      async caughtUp() {
        done.push('heard');
      },
      retries: async () => again.heard,
      stopping: () => stopping,
    };
    return createInboundWait({ clock }, incoming, flows);
  }
  async function readOn(): Promise<void> {
    await turn();
    readings.splice(0).forEach((end) => end());
    await turn();
  }
  async function refusal(work: Promise<void>): Promise<unknown> {
    return work.then(
      () => null,
      (error: unknown) => error,
    );
  }

  it('is read, relayed and heard, in that order', async () => {
    const heard = hearing()(now);
    await readOn();
    await soon(heard);
    expect(done).to.deep.equal(['read', 'relayed message-', 'heard']);
    expect(timers, 'nothing is left behind').to.deep.equal([]);
  });

  it('is asked for once by all who come while somebody waits for it, and never before they asked', async () => {
    const untilHeard = hearing();
    const first = untilHeard(now);
    await turn();
    const later = Array.from({ length: 20 }, () => untilHeard(now));
    await readOn();
    await soon(first);
    expect(done.filter((what) => what === 'heard')).to.have.length(1);
    await readOn();
    await soon(Promise.all(later));
    expect(done.filter((what) => what === 'heard')).to.have.length(2);
  });

  it('is asked for again by whoever would have to wait for long, and goes on meanwhile', async () => {
    const untilHeard = hearing();
    const refused = refusal(untilHeard(now));
    await turn();
    now += 2_000;
    timers.splice(0).forEach(({ task }) => task());
    expect(await soon(refused)).to.be.instanceOf(StoreUnavailable);
    await readOn();
    expect(done).to.include('heard');
  });

  it('waits after an outage for what could not be read at first, and not for ever', async () => {
    const untilHeard = hearing();
    const ask = async (since: number) => {
      const answer = refusal(untilHeard(since));
      await readOn();
      return soon(answer);
    };
    for (const kind of ['read', 'heard'] as const) {
      again = { read: 0, heard: 0, [kind]: 1 };
      expect(await ask(now - 60_000), kind).to.be.instanceOf(StoreUnavailable);
      expect(await ask(now - 1_000), 'no outage').to.equal(null);
      expect(await ask(now - 121_000), 'long enough').to.equal(null);
    }
    again = { read: 0, heard: 0 };
    expect(await ask(now - 60_000)).to.equal(null);
  });

  it('waits for what had to wait for a read model, until that was tried again', async () => {
    const untilHeard = hearing();
    const ask = async () => {
      const answer = refusal(untilHeard(now - 3_600_000));
      await readOn();
      return soon(answer);
    };
    behind = true;
    expect(await ask()).to.be.instanceOf(ReadModelBehind);
    behind = false;
    again = { read: 1, heard: 0 };
    now += 30_000;
    expect(await ask(), 'it is about to be read').to.be.instanceOf(StoreUnavailable);
    again = { read: 0, heard: 0 };
    expect(await ask()).to.equal(null);
    again = { read: 1, heard: 0 };
    now += 30_000;
    expect(await ask(), 'for something else').to.equal(null);
  });

  for (const [after, steps] of [
    ['read', ['read']],
    ['relayed message-', ['read', 'relayed message-']],
    ['heard', ['read', 'relayed message-', 'heard']],
  ] as const) {
    it(`is broken off where the process ends once it is "${after}"`, async () => {
      const push = done.push.bind(done);
      done.push = (step) => {
        stopping ||= step === after;
        return push(step);
      };
      const answer = refusal(hearing()(now));
      await readOn();
      expect(await soon(answer)).to.be.instanceOf(StoreUnavailable);
      expect(done).to.deep.equal(steps);
    });
  }

  it('is asked for again, time after time, each time anew', async () => {
    const untilHeard = hearing();
    for (let round = 1; round <= 3; round += 1) {
      const both = [untilHeard(now)];
      await turn();
      both.push(untilHeard(now));
      await readOn();
      await readOn();
      await soon(Promise.all(both));
      expect(done.filter((what) => what === 'heard')).to.have.length(2 * round);
    }
  });

  it('is not taken for heard when the process ends, which lets go of all who wait', async () => {
    const answer = refusal(hearing()(now));
    await turn();
    stopping = true;
    await readOn();
    expect(await soon(answer)).to.be.instanceOf(StoreUnavailable);
    expect(done).to.not.include('heard');
  });
});
