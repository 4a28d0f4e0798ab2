/** Due times of two processes that follow MongoDB's clock, while it is set back by an hour or two days. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { createSharedClock, type SharedClock } from '../../../adapters/clock/shared.js';
import { createDatedByServer } from '../../../adapters/mongodb/dated.js';
import type { SetBack } from '../../../adapters/mongodb/set-back.js';
import type { DueTimes } from '../../../ports/due-times.js';
import { silentLogger } from '../../../ports/logger.js';
import { mongoUrl, temporaryDatabase, type TemporaryDatabase } from '../../conformance/mongodb.js';
import { skippedSuite, until } from '../../conformance/support.js';
import { manualClock, type ManualClock } from '../../support/fakes/manual-clock.js';

const HOUR = 3_600_000;
const STEPS = [-HOUR, -48 * HOUR];
const LOOKS_EVERY_MS = 15_000;

interface Process {
  readonly due: DueTimes;
  readonly setBack: SetBack;
  readonly clock: SharedClock;
}

if (mongoUrl === undefined)
  skippedSuite('due times on MongoDB, when its clock is set', 'MONGODB_URL not set');
else {
  const server = mongoUrl;
  describe('due times on MongoDB, when its clock is set', function () {
    this.timeout(120_000);
    let machine: ManualClock;
    let database: TemporaryDatabase;
    let rows: MongoClient;
    let running: Process[];
    let looks: number;
    let queue: string;

    beforeEach(async () => {
      machine = manualClock();
      database = temporaryDatabase(server);
      rows = await new MongoClient(database.url).connect();
      running = [];
      looks = 0;
      queue = `q-${randomUUID()}`;
    });
    afterEach(async () => {
      for (const { clock } of running) clock.stop();
      await database.close();
      await rows.close();
    });

    /** The machine's wall clock plays MongoDB's clock; the clocks of the processes are never set. */
    async function start(): Promise<Process> {
      const own = { ...machine, now: () => machine.monotonic() };
      const clock = createSharedClock(silentLogger, own);
      const serverTime = () => Promise.resolve(machine.now());
      const { dueTimes: due, setBack } = createDatedByServer(rows.db(), {
        clock,
        answerMs: 5_000,
        serverTime,
      });
      await clock.follow(async () => {
        const time = await setBack.time();
        looks += 1;
        return time;
      });
      await setBack.rest();
      const one = { due, setBack, clock };
      running.push(one);
      return one;
    }

    /** Advances the time, and lets every process poll MongoDB's clock at its usual interval. */
    async function pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= LOOKS_EVERY_MS) {
        const before = looks;
        await machine.advance(Math.min(left, LOOKS_EVERY_MS));
        if (left < LOOKS_EVERY_MS) break;
        await until(() => looks >= before + running.length);
        await Promise.all(running.map(({ setBack }) => setBack.rest()));
        // The next poll is scheduled only after this one has ended.
        await until(() => machine.pending() >= running.length);
      }
    }

    const schedule = ({ due, clock }: Process, id: string, inMs: number) =>
      due.schedule([{ queue, id, lane: 'l', dueAt: clock.now() + inMs, payload: {} }]);
    const claim = async ({ due, clock }: Process, leaseMs = 30_000) =>
      due.claim({ queue, lane: 'l', now: clock.now(), limit: 10, leaseMs });
    const claimed = async (by: Process) => (await claim(by)).map(({ id }) => id);
    const dueAt = async (id: string): Promise<unknown> =>
      (await rows.db().collection('due_times').findOne({ queue, id }))?.['due_at'];

    for (const step of STEPS) {
      describe(`by ${step / HOUR} h`, () => {
        it('what waits does not wait for the step, and comes forward by no more than it', async () => {
          const [one, other] = [await start(), await start()];
          await schedule(one, 'soon', 90_000);
          await schedule(other, 'later', 72 * HOUR);
          const later = machine.now() + 72 * HOUR;
          machine.stepWall(step);
          await pass(75_000);
          expect(await claimed(other)).to.deep.equal([]);
          await pass(15_000);
          expect(await claimed(other)).to.deep.equal(['soon']);
          expect(await dueAt('later')).to.be.within(later + step - 5, later + step + 5);
          await pass(300_000);
          expect(await dueAt('later'), 'once').to.be.within(later + step - 5, later + step + 5);
        });

        it('what is scheduled afterwards keeps its time', async () => {
          const one = await start();
          machine.stepWall(step);
          await pass(30_000);
          await schedule(one, '1', 300_000);
          const due = machine.now() + 300_000;
          await pass(120_000);
          expect(await dueAt('1')).to.be.within(due - 5, due + 5);
        });

        it('what a process holds that died comes back when its lease ends', async () => {
          const [one, other] = [await start(), await start()];
          await schedule(one, '1', 0);
          expect(await claim(one, 60_000)).to.have.length(1);
          machine.stepWall(step);
          await pass(120_000);
          expect(await claimed(other)).to.deep.equal(['1']);
        });

        it('who holds something keeps it, and may still end it', async () => {
          const [one, other] = [await start(), await start()];
          await schedule(one, '1', 0);
          const [held] = await claim(one, 600_000);
          machine.stepWall(step);
          await pass(120_000);
          expect(await claimed(other)).to.deep.equal([]);
          const { fence } = held!;
          expect(await one.due.settle([{ queue, id: '1', fence, then: 'done' }])).to.deep.equal([true]);
        });

        it('a start finds that it was set back while nobody ran', async () => {
          const one = await start();
          await schedule(one, '1', 60_000);
          one.clock.stop();
          running = [];
          machine.stepWall(step);
          const next = await start();
          await pass(90_000);
          expect(await claimed(next)).to.deep.equal(['1']);
        });

        it('a row of another release comes forward too', async () => {
          const one = await start();
          await schedule(one, '1', 90_000);
          await rows
            .db()
            .collection('due_times')
            .updateMany({}, { $unset: { set_back: '' } });
          machine.stepWall(step);
          await pass(90_000);
          expect(await claimed(one)).to.deep.equal(['1']);
        });
      });
    }

    it('a row that is written late, by the time of before, comes forward too', async () => {
      const [one, late] = [await start(), await start()];
      const before = late.clock.now();
      machine.stepWall(-HOUR);
      await pass(15_000);
      // The process has noticed the change, but writes a time that it computed before.
      await late.due.schedule([{ queue, id: '1', lane: 'l', dueAt: before + 60_000, payload: {} }]);
      await pass(60_000);
      expect(await claimed(one)).to.deep.equal(['1']);
    });

    it('two steps move by both', async () => {
      const one = await start();
      await schedule(one, '1', 300_000);
      machine.stepWall(-HOUR);
      await pass(30_000);
      machine.stepWall(-HOUR);
      await pass(270_000);
      expect(await claimed(one)).to.deep.equal(['1']);
    });
  });
}
