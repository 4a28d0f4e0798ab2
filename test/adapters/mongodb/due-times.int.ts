import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ClaimedEntry, DueTimes } from '../../../ports/due-times.js';
import { mongoUrl, temporaryDatabase, type TemporaryDatabase } from '../../conformance/mongodb.js';
import { skippedSuite, until } from '../../conformance/support.js';
import { runs } from '../../support/soak.js';

if (mongoUrl === undefined) skippedSuite('due times of two processes', 'MONGODB_URL not set');
else {
  const server = mongoUrl;
  describe('due times of two processes', function () {
    this.timeout(120_000);
    let database: TemporaryDatabase;
    let processes: readonly DueTimes[];

    before(async () => {
      database = temporaryDatabase(server);
      processes = [(await database.open()).dueTimes, (await database.open()).dueTimes];
    });
    after(() => database.close());

    const entry = (queue: string, id: string, dueAt = 0) => ({ queue, id, lane: 'l', dueAt, payload: {} });

    it('gives every entry to one of many who claim at once, and leaves none behind', async () => {
      const queue = `q-${randomUUID()}`;
      await processes[0]!.schedule(Array.from({ length: 60 }, (_, i) => entry(queue, String(i))));
      const ask = (of: DueTimes) => of.claim({ queue, lane: 'l', now: 10, limit: 10, leaseMs: 100 });
      const taken = (await Promise.all(Array.from({ length: 8 }, (_, i) => ask(processes[i % 2]!)))).flat();
      expect(new Set(taken.map(({ id }) => id)).size).to.equal(taken.length);
      expect(taken).to.have.length(60);
    });

    it('schedules an entry once, whoever comes first', async () => {
      const queue = `q-${randomUUID()}`;
      const heard: string[] = [];
      const silence = processes.map((due, i) =>
        due.onScheduled((of, lane) => of === queue && heard.push(`${i}:${lane}`)),
      );
      await Promise.all(
        processes.map((due) =>
          due.schedule(
            Array.from({ length: 20 }, (_, i) => ({ ...entry(queue, String(i)), lane: String(i) })),
          ),
        ),
      );
      expect(await processes[0]!.count(queue)).to.equal(20);
      await until(() => heard.length >= 20);
      expect(
        heard.map((one) => one.split(':')[1]),
        'each is announced by the process that added it',
      ).to.have.members(Array.from({ length: 20 }, (_, i) => String(i)));
      silence.forEach((stop) => stop());
    });

    it('holds nothing twice under valid fences and ends everything once, in any interleaving', async () => {
      const step = fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({ do: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 4 }) }),
        },
        { weight: 3, arbitrary: fc.record({ do: fc.constant('done' as const), pick: fc.nat(30) }) },
        {
          weight: 2,
          arbitrary: fc.record({ do: fc.constant('again' as const), pick: fc.nat(30), in: fc.nat(15) }),
        },
        { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(25) }) },
      );
      const program = fc.array(step, { minLength: 4, maxLength: 14 });
      await fc.assert(
        fc.asyncProperty(program, program, program, async (...programs) => {
          const queue = `q-${randomUUID()}`;
          const ids = ['1', '2', '3', '4', '5', '6'];
          await processes[0]!.schedule(ids.map((id) => entry(queue, id)));
          let now = 0;
          let claiming = 0;
          const claims: ClaimedEntry[] = [];
          const ended: string[] = [];
          const newest = (of: string) =>
            Math.max(0, ...claims.filter(({ id }) => id === of).map(({ fence }) => fence));

          async function run(due: DueTimes, steps: (typeof programs)[number]): Promise<void> {
            for (const s of steps) {
              if (s.do === 'wait') {
                // Let pending claims resolve first, because the model only knows a claim once its result has arrived.
                while (claiming > 0) await until(() => claiming === 0);
                now += s.ms;
              } else if (s.do === 'claim') {
                claiming += 1;
                claims.push(...(await due.claim({ queue, lane: 'l', now, limit: s.limit, leaseMs: 20 })));
                claiming -= 1;
              } else {
                // Any claim, even one that expired long ago: the fence must decide.
                const held = claims[s.pick % Math.max(1, claims.length)];
                if (!held) continue;
                const { id, fence } = held;
                const known = newest(id);
                const settlement =
                  s.do === 'done'
                    ? ({ queue, id, fence, then: 'done' } as const)
                    : ({ queue, id, fence, then: 'again', dueAt: now + s.in } as const);
                const [effective] = await due.settle([settlement]);
                if (!effective) continue;
                expect(fence, 'a void fence settled').to.equal(Math.max(fence, known));
                if (s.do === 'done') ended.push(id);
              }
            }
          }
          await Promise.all(programs.map((steps, i) => run(processes[i % 2]!, steps)));

          for (;;) {
            now += 1_000;
            const rest = await processes[0]!.claim({ queue, lane: 'l', now, limit: 10, leaseMs: 20 });
            if (rest.length === 0) break;
            claims.push(...rest);
            const settled = await processes[1]!.settle(
              rest.map(({ id, fence }) => ({ queue, id, fence, then: 'done' as const })),
            );
            rest.forEach(({ id }, i) => settled[i] && ended.push(id));
          }
          expect(ended.sort(), 'each ended once').to.deep.equal(ids);
          expect(await processes[0]!.count(queue)).to.equal(0);
          for (const of of ids) {
            const mine = claims.filter(({ id }) => id === of).sort((a, b) => a.claims - b.claims);
            expect(
              mine.map((claim) => claim.claims),
              'every claim counted once',
            ).to.deep.equal(mine.map((_, i) => i + 1));
            for (const [i, { fence }] of mine.entries()) {
              if (i > 0) expect(fence, 'fences grow').to.be.greaterThan(mine[i - 1]!.fence);
            }
          }
        }),
        { numRuns: runs(25) },
      );
    });
  });
}
