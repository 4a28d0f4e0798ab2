/** Due times of the embedded store while the clock is set, by an hour or two days, forwards and backwards. */
import { expect } from 'chai';
import type { DueEntry, DueTimes } from '../../../ports/due-times.js';
import { temporaryStore } from '../../conformance/embedded.js';
import { record, streamName, until } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';

const HOUR = 3_600_000;
const BACK = [-HOUR, -48 * HOUR];
const STEPS = [HOUR, 48 * HOUR, ...BACK];
const QUEUE = 'q';

describe('due times of the embedded store, when the clock is set', () => {
  const world = openedForEach(async () => {
    const clock = manualClock();
    const temporary = await temporaryStore({ clock });
    return { clock, temporary, close: () => temporary.close() };
  });
  const due = (): DueTimes => world.temporary.store.dueTimes;
  const row = (id: string, inMs: number, lane = 'l'): DueEntry => ({
    queue: QUEUE,
    id,
    lane,
    dueAt: world.clock.now() + inMs,
    payload: {},
  });
  const claim = async (limit = 100, leaseMs = 60_000): Promise<readonly string[]> => {
    const claimed = await due().claim({ queue: QUEUE, lane: 'l', now: world.clock.now(), limit, leaseMs });
    return claimed.map(({ id }) => id);
  };
  /** Polls the queue, as the workers do every second. */
  const looked = async (): Promise<void> => {
    await due().lanes(QUEUE, world.clock.now());
    await world.temporary.store.flush();
  };

  for (const step of BACK) {
    it(`what waits is due after what was left of its wait: set by ${step / HOUR} h`, async () => {
      await due().schedule([row('soon', 5_000), row('later', 60_000)]);
      world.clock.stepWall(step);
      await looked();
      expect(await claim()).to.deep.equal([]);
      await world.clock.advance(5_000);
      expect(await claim()).to.deep.equal(['soon']);
      await world.clock.advance(54_000);
      expect(await claim()).to.deep.equal([]);
      await world.clock.advance(1_000);
      expect(await claim()).to.deep.equal(['later']);
    });

    it(`what was due stays due, in its order: set by ${step / HOUR} h`, async () => {
      await due().schedule([
        row('old', step - 1),
        row('first', -2_000),
        row('second', -1_000),
        row('third', 0),
      ]);
      world.clock.stepWall(step);
      await looked();
      expect(await claim()).to.deep.equal(['old', 'first', 'second', 'third']);
    });

    it(`nothing that is scheduled afterwards comes early: set by ${step / HOUR} h`, async () => {
      await due().schedule([row('before', 5_000)]);
      world.clock.stepWall(step);
      await looked();
      await due().schedule([row('after', 30_000)]);
      await looked();
      await world.clock.advance(29_000);
      expect(await claim()).to.deep.equal(['before']);
      await world.clock.advance(1_000);
      expect(await claim()).to.deep.equal(['after']);
    });

    it(`listeners hear of it: set by ${step / HOUR} h`, async () => {
      await due().schedule([row('1', 5_000)]);
      await looked();
      const heard: number[] = [];
      due().onScheduled((_queue, _lane, dueAt) => heard.push(dueAt));
      world.clock.stepWall(step);
      await looked();
      await until(() => heard.length === 1);
      expect(heard).to.deep.equal([world.clock.now() + 5_000]);
    });

    it(`a start finds that the clock was set back since the last event: by ${step / HOUR} h`, async () => {
      const { temporary, clock } = world;
      const at = new Date(clock.now()).toISOString();
      const event = record();
      const dated = { ...event, meta: { ...event.meta, occurred_at: at } };
      await temporary.store.eventStore.append(streamName(), 'no_stream', [dated]);
      await due().schedule([row('1', 5_000)]);
      clock.stepWall(step);
      const { latestEventAt } = await temporary.restart();
      expect(latestEventAt).to.equal(clock.now() - step);
      await looked();
      await clock.advance(5_000);
      expect(await claim()).to.deep.equal(['1']);
    });
  }

  it('a start moves nothing a second time, once there is an event of after the step', async () => {
    const { temporary, clock } = world;
    const append = () => {
      const event = record();
      const meta = { ...event.meta, occurred_at: new Date(clock.now()).toISOString() };
      return temporary.store.eventStore.append(streamName(), 'no_stream', [{ ...event, meta }]);
    };
    await append();
    clock.stepWall(-HOUR);
    await append();
    await due().schedule([row('1', 5_000)]);
    const { latestEventAt } = await temporary.restart();
    expect(latestEventAt).to.equal(clock.now() + HOUR);
    await looked();
    expect(await claim()).to.deep.equal([]);
    await clock.advance(5_000);
    expect(await claim()).to.deep.equal(['1']);
  });

  it('moves more than one transaction takes, and every queue and lane', async () => {
    const many = Array.from({ length: 2_500 }, (_, n) => row(String(n), 1_000 + n));
    await due().schedule([...many, row('m', 1_000, 'm'), { ...row('other', 1_000), queue: 'other' }]);
    world.clock.stepWall(-HOUR);
    await looked();
    await world.clock.advance(5_000);
    expect(await claim(3_000)).to.deep.equal(many.map(({ id }) => id));
    const now = world.clock.now();
    const rest = { now, limit: 1, leaseMs: 1 };
    expect(await due().claim({ queue: QUEUE, lane: 'm', ...rest })).to.have.length(1);
    expect(await due().claim({ queue: 'other', lane: 'l', ...rest })).to.have.length(1);
  });

  for (const step of STEPS) {
    it(`a lease lasts as long as it was given for: set by ${step / HOUR} h`, async () => {
      await due().schedule([row('1', 0)]);
      expect(await claim(1, 60_000)).to.deep.equal(['1']);
      world.clock.stepWall(step);
      await looked();
      expect(await claim()).to.deep.equal([]);
      await world.clock.advance(59_000);
      expect(await claim()).to.deep.equal([]);
      await world.clock.advance(1_000);
      expect(await claim()).to.deep.equal(['1']);
    });
  }
});
