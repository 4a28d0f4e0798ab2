/** Claims beside many rows that are held: they find what a store that reads every row finds, and read far less. */
import { expect } from 'chai';
import fc from 'fast-check';
import { createClaims } from '../../../adapters/embedded/due-times-claims.js';
import { createDueRows, type DueRows } from '../../../adapters/embedded/due-times-rows.js';
import { Database } from '../../../adapters/embedded/driver.js';
import { SCHEMA } from '../../../adapters/embedded/schema.js';
import type { ClaimedEntry, DueTimes } from '../../../ports/due-times.js';
import { temporaryStore } from '../../conformance/embedded.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';

const QUEUE = 'q';
const LANES = ['a', 'b'] as const;
const LEASE_MS = 50;

type Step =
  | { readonly do: 'schedule'; readonly id: number; readonly lane: number; readonly inMs: number }
  | { readonly do: 'claim'; readonly lane: number; readonly limit: number }
  | { readonly do: 'done' | 'again'; readonly held: number; readonly inMs: number }
  | { readonly do: 'reschedule'; readonly id: number; readonly inMs: number }
  | { readonly do: 'cancel'; readonly id: number }
  | { readonly do: 'wait'; readonly ms: number };

const id = fc.nat({ max: 30 });
const lane = fc.nat({ max: LANES.length - 1 });
const inMs = fc.integer({ min: -6, max: 6 });
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('schedule' as const), id, lane, inMs }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('claim' as const), lane, limit: fc.nat({ max: 3 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('done' as const, 'again' as const),
        held: fc.nat({ max: 10 }),
        inMs,
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('reschedule' as const), id, inMs }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), id }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat({ max: 20 }) }) },
  ),
  { maxLength: 60, size: 'max' },
) as fc.Arbitrary<readonly Step[]>;

/** What callers see of each step. */
async function seen(dueTimes: DueTimes, clock: ReturnType<typeof manualClock>, all: readonly Step[]) {
  const begun = clock.now();
  const held: ClaimedEntry[] = [];
  const results: unknown[] = [];
  for (const step of all) {
    const now = clock.now();
    switch (step.do) {
      case 'schedule': {
        const entry = { queue: QUEUE, id: String(step.id), lane: LANES[step.lane]!, payload: {} };
        // No two rows are due at the same time: their order would be that of scheduling.
        await dueTimes.schedule([{ ...entry, dueAt: now + step.inMs * 100 + step.id }]);
        break;
      }
      case 'claim': {
        const wanted = {
          queue: QUEUE,
          lane: LANES[step.lane]!,
          now,
          limit: step.limit,
          leaseMs: LEASE_MS * 100,
        };
        const rows = await dueTimes.claim(wanted);
        held.push(...rows);
        results.push(rows.map((row) => [row.id, row.dueAt - begun, row.claims]));
        break;
      }
      case 'done':
      case 'again': {
        const row = held[step.held];
        if (!row) break;
        const dueAt = now + step.inMs * 100 + Number(row.id);
        const own = { queue: QUEUE, id: row.id, fence: row.fence };
        results.push(
          await dueTimes.settle([
            step.do === 'done' ? { ...own, then: 'done' } : { ...own, then: 'again', dueAt },
          ]),
        );
        break;
      }
      case 'reschedule':
        results.push(await dueTimes.reschedule(QUEUE, String(step.id), now + step.inMs * 100 + step.id));
        break;
      case 'cancel':
        await dueTimes.cancel(QUEUE, [String(step.id)]);
        break;
      case 'wait':
        await clock.advance(step.ms * 100);
    }
    const lanes = await dueTimes.lanes(QUEUE, clock.now());
    results.push(lanes.map((one) => [one.lane, one.nextDueAt - begun]).sort());
  }
  return results;
}

describe('embedded store: claims beside rows that are held', () => {
  it('find what reading every row finds, whatever is claimed, settled, moved and waited for', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const [clock, other] = [manualClock(), manualClock()];
        const temporary = await temporaryStore({ clock });
        try {
          const expected = await seen(
            memoryDueTimes(() => other.now()),
            other,
            all,
          );
          expect(await seen(temporary.store.dueTimes, clock, all)).to.deep.equal(expected);
        } finally {
          await temporary.close();
        }
      }),
      { numRuns: 100 },
    );
  });

  it('read no held row again and again', () => {
    const db = new Database(':memory:');
    db.exec(SCHEMA);
    const rows = createDueRows(db);
    let read = 0;
    const counted: DueRows = {
      ...rows,
      dueBy(...wanted) {
        const found = rows.dueBy(...wanted);
        read += found.length;
        return found;
      },
    };
    const claims = createClaims({
      rows: counted,
      listeners: { announce: () => undefined },
      steady: (at) => at,
      lastFence: 0,
    });
    const count = 2_000;
    for (let n = 0; n < count; n += 1)
      rows.insert({ queue: QUEUE, id: String(n), lane: 'a', dueAt: n, payload: {} }, '{}', 0);
    let claimed = 0;
    for (;;) {
      const found = claims.claim({ queue: QUEUE, lane: 'a', now: count, limit: 10, leaseMs: 1_000 });
      if (found.length === 0) break;
      claimed += found.length;
      expect(claims.earliest(QUEUE, 'a', count)?.id).to.equal(
        claimed === count ? undefined : String(claimed),
      );
    }
    expect(claimed).to.equal(count);
    expect(read / count).to.be.lessThan(15);
    db.close();
  });
});
