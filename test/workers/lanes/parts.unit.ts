/** The rules for every part that claims rows by the one loop: work of lanes, deliveries of webhooks, sends. */
import { expect } from 'chai';
import type { DueTimes } from '../../../ports/due-times.js';
import { gate } from '../../conformance/support.js';
import { closedAfterEach, openedForEach } from '../../support/opened.js';
import { soon } from '../../support/soon.js';
import { deliveriesPart, schedulerPart, sendsPart, type Part } from './parts.js';

const LANES = ['a', 'b', 'c', 'd', 'e'];

function describePart(name: string, open: () => Part | Promise<Part>): void {
  describe(`rows that are claimed: ${name}`, () => {
    const opened = closedAfterEach();
    const part = openedForEach(open);

    async function start(over: Partial<DueTimes> = {}) {
      const process = await part.start(over);
      opened({
        close() {
          part.work.letGo();
          return process.stop();
        },
      });
      return process;
    }
    const left = () => part.dueTimes.count(part.queue);
    /** The lane's rows that nobody has claimed, in order. */
    const free = (lane: string) =>
      part.dueTimes.claim({
        queue: part.queue,
        lane: part.laneOf(lane),
        now: part.clock.now(),
        limit: 1_000,
        leaseMs: 1,
      });
    const ofLane = (lane: string) => part.work.begun.filter((id) => id.startsWith(lane));

    it('given several processes, when all look at once, then no row is lost, and none has two that work on it', async () => {
      for (const lane of LANES) await part.add(lane, 8);
      await Promise.all([start(), start(), start()]);
      for (let rounds = 0; rounds < 30 && (await left()) > 0; rounds += 1) await part.clock.advance(1_000);
      expect([await left(), part.work.twice]).to.deep.equal([0, []]);
      expect([...part.work.begun].sort()).to.deep.equal(
        LANES.flatMap((lane) => Array.from({ length: 8 }, (_, n) => `${lane}${n}`)).sort(),
      );
    });

    it('given rows that wait, when they are claimed in the moment of a stop, then each keeps its place', async () => {
      const door = gate();
      const began = part.clock.now();
      for (let n = 0; n < 3; n += 1) {
        await part.add('a', 1);
        await part.clock.advance(10);
      }
      const starting = start({
        async claim(options) {
          const rows = await part.dueTimes.claim(options);
          await door.pass();
          return rows;
        },
      });
      await soon(door.reached);
      const stopped = (await starting).stop();
      door.open();
      await soon(stopped);
      expect(part.work.begun).to.deep.equal([]);
      expect((await free('a')).map(({ id, dueAt }) => [id, dueAt - began])).to.deep.equal([
        ['a0', 0],
        ['a1', 10],
        ['a2', 20],
      ]);
    });

    it('given a lane whose work is slow, when others have work, then no time passes until theirs is done', async () => {
      part.work.slow('slow');
      await part.add('slow', 30);
      await start();
      await part.clock.advance(0);
      const slow = part.work.under.size;
      expect(slow).to.be.within(1, part.mostOfLane);
      await part.add('a', 10);
      await part.add('b', 10);
      await part.clock.advance(0);
      expect([ofLane('a').length, ofLane('b').length]).to.deep.equal([10, 10]);
      expect([part.work.under.size, await left()]).to.deep.equal([slow, 30]);
    });

    it('given more rows than fit, when none of them ends, then so many are in memory and no more', async () => {
      part.work.slow(...LANES);
      for (const lane of LANES) await part.add(lane, 40);
      const claimed = new Map<string, number>();
      await start({
        async claim(options) {
          const rows = await part.dueTimes.claim(options);
          claimed.set(options.lane, (claimed.get(options.lane) ?? 0) + rows.length);
          return rows;
        },
      });
      await part.clock.advance(3_000);
      const counts = [...claimed.values()];
      expect(Math.max(...counts)).to.be.within(1, part.mostOfLane);
      expect(counts.reduce((sum, count) => sum + count, 0)).to.be.within(1, part.most(LANES.length));
    });

    it('given work under way, when it stops, then nothing begins, it ends with the last call, and the rest is free', async () => {
      part.work.slow('a', 'b');
      await part.add('a', 12);
      const process = await start();
      await part.clock.advance(0);
      const begun = [...part.work.begun];
      expect(begun.length).to.be.within(1, part.mostOfLane);
      let ended = false;
      const stopped = process.stop().then(() => (ended = true));
      await part.add('b', 5);
      await part.clock.advance(5_000);
      expect([ended, part.work.begun]).to.deep.equal([false, begun]);
      part.work.letGo();
      await soon(stopped);
      expect(part.work.begun).to.deep.equal(begun);
      expect([(await free('a')).length, (await free('b')).length]).to.deep.equal([12 - begun.length, 5]);
      expect(part.clock.pending()).to.equal(0);
    });

    it('given a claim that throws, when a second has passed, then it is asked again', async () => {
      let away = true;
      await start({
        async claim(options) {
          if (away) throw new Error('away');
          return part.dueTimes.claim(options);
        },
      });
      await part.clock.advance(0);
      await part.add('a', 2);
      await part.clock.advance(500);
      away = false;
      await part.clock.advance(499);
      expect(part.work.begun).to.deep.equal([]);
      await part.clock.advance(1);
      expect([part.work.begun, await left()]).to.deep.equal([['a0', 'a1'], 0]);
    });

    it('given a row that this process schedules, when it is due, then it begins without a listing', async () => {
      let listed = 0;
      await start({
        lanes(...of) {
          listed += 1;
          return part.dueTimes.lanes(...of);
        },
      });
      await part.clock.advance(0);
      const before = listed;
      await part.add('a', 1);
      await part.clock.advance(0);
      expect([part.work.begun, listed]).to.deep.equal([['a0'], before]);
    });
  });
}

describePart('work of lanes', schedulerPart);
describePart('deliveries of webhooks', deliveriesPart);
describePart('sends', sendsPart);
