/** Requirements on every DueTimes. Adapters plug in with `describeDueTimes`. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ClaimedEntry, DueEntry, DueTimes } from '../../ports/due-times.js';
import { until } from './support.js';
import { runs } from '../support/soak.js';
import { opened } from '../support/opened.js';

export interface DueTimesHarness {
  readonly store: DueTimes;
  close(): Promise<void>;
  /** The same entries after the process died while it held claims. */
  reopen?(): Promise<DueTimes>;
}

export function describeDueTimes(
  name: string,
  make: () => Promise<DueTimesHarness>,
  options: { readonly runs?: number } = {},
): void {
  describe(`DueTimes: ${name}`, () => {
    const harness = opened(make);
    let due: DueTimes;
    let queue: string;

    before(() => void (due = harness.store));
    beforeEach(() => {
      queue = `q-${randomUUID()}`;
    });

    const entry = (
      id: string,
      dueAt: number,
      lane = 'l',
      payload: Record<string, unknown> = {},
    ): DueEntry => ({
      queue,
      id,
      lane,
      dueAt,
      payload,
    });
    const claim = (now: number, over: { lane?: string; limit?: number; leaseMs?: number } = {}) =>
      due.claim({ queue, lane: 'l', now, limit: 10, leaseMs: 100, ...over });
    const ids = (entries: readonly ClaimedEntry[]) => entries.map(({ id }) => id);
    const done = ({ id, fence }: ClaimedEntry) => ({ queue, id, fence, then: 'done' }) as const;
    const again = ({ id, fence }: ClaimedEntry, dueAt: number, payload?: Record<string, unknown>) =>
      ({ queue, id, fence, then: 'again', dueAt, ...(payload ? { payload } : {}) }) as const;

    it('gives out what is due, by due time and then in order of scheduling', async () => {
      await due.schedule([entry('late', 30), entry('b', 20), entry('a', 20), entry('early', 10)]);
      expect(ids(await claim(5))).to.deep.equal([]);
      expect(ids(await claim(20))).to.deep.equal(['early', 'b', 'a']);
      expect(ids(await claim(30))).to.deep.equal(['late']);
    });

    it('gives out payload, due time and a count of claims', async () => {
      await due.schedule([entry('1', 10, 'l', { n: 1, text: 'ação' })]);
      const [first] = await claim(15);
      expect(first).to.deep.include({
        queue,
        id: '1',
        lane: 'l',
        dueAt: 10,
        payload: { n: 1, text: 'ação' },
        claims: 1,
      });
      await due.settle([again(first!, 20)]);
      const [second] = await claim(25);
      expect(second).to.deep.include({ dueAt: 20, payload: { n: 1, text: 'ação' }, claims: 2 });
      expect(second!.fence).to.be.greaterThan(first!.fence);
    });

    it('never gives out more than asked for, and nothing that is held', async () => {
      await due.schedule(['a', 'b', 'c'].map((id) => entry(id, 10)));
      expect(ids(await claim(10, { limit: 2 }))).to.deep.equal(['a', 'b']);
      expect(ids(await claim(10))).to.deep.equal(['c']);
      expect(ids(await claim(10))).to.deep.equal([]);
    });

    it('keeps queues and lanes apart', async () => {
      await due.schedule([entry('1', 10, 'l'), entry('2', 10, 'm')]);
      await due.schedule([{ ...entry('1', 10), queue: `${queue}-other` }]);
      expect(ids(await claim(10, { lane: 'm' }))).to.deep.equal(['2']);
      expect(ids(await claim(10))).to.deep.equal(['1']);
    });

    it('leaves an entry that exists as it is', async () => {
      await due.schedule([entry('1', 10, 'l', { v: 'first' })]);
      await due.schedule([entry('1', 99, 'm', { v: 'second' })]);
      expect(await claim(99, { lane: 'm' })).to.deep.equal([]);
      const [held] = await claim(10);
      expect(held).to.deep.include({ dueAt: 10, payload: { v: 'first' } });
      await due.schedule([entry('1', 1)]);
      expect(await due.count(queue)).to.equal(1);
      expect(await claim(50), 'still held').to.deep.equal([]);
    });

    it('gives each entry to one of two claimers', async () => {
      await due.schedule(Array.from({ length: 40 }, (_, i) => entry(String(i), 10)));
      const taken = await Promise.all(Array.from({ length: 8 }, () => claim(10, { limit: 7 })));
      const all = taken.flatMap(ids);
      expect(all).to.have.length(40);
      expect(new Set(all).size).to.equal(40);
    });

    describe('settle', () => {
      it('removes what is done, for good', async () => {
        await due.schedule([entry('1', 10)]);
        const [held] = await claim(10);
        expect(await due.settle([done(held!)])).to.deep.equal([true]);
        expect(await due.count(queue)).to.equal(0);
        expect(await due.settle([done(held!)])).to.deep.equal([false]);
        expect(await due.settle([again(held!, 5)])).to.deep.equal([false]);
        expect(await due.count(queue)).to.equal(0);
      });

      it('puts back what shall come again, with another payload when one is given', async () => {
        await due.schedule([entry('1', 10, 'l', { v: 1 })]);
        const [first] = await claim(10);
        expect(await due.settle([again(first!, 40, { v: 2 })])).to.deep.equal([true]);
        expect(await claim(39)).to.deep.equal([]);
        const [second] = await claim(40);
        expect(second!.payload).to.deep.equal({ v: 2 });
        expect(await due.settle([again(first!, 5), done(first!)]), 'a settled claim is over').to.deep.equal([
          false,
          false,
        ]);
        expect(await due.settle([done(second!)])).to.deep.equal([true]);
      });

      it('answers each settlement on its own', async () => {
        await due.schedule([entry('1', 10), entry('2', 10)]);
        const [one, two] = await claim(10);
        const wrong = { ...done(one!), fence: one!.fence + 1 };
        expect(await due.settle([wrong, done(two!), again(one!, 20)])).to.deep.equal([false, true, true]);
      });

      it('answers each of many that end at once', async () => {
        await due.schedule(['1', '2', '3', '4', '5', '6'].map((id) => entry(id, 10)));
        const held = await claim(10);
        const [one, two, three, four, five, six] = held;
        expect(await due.settle([done(one!)]), 'ended before').to.deep.equal([true]);
        await due.cancel(queue, ['2']);
        const all = [
          done(one!),
          done(two!),
          { ...done(three!), fence: three!.fence + 1 },
          done(four!),
          done(five!),
        ];
        expect(await due.settle(all)).to.deep.equal([false, false, false, true, true]);
        expect(await due.count(queue)).to.equal(2);
        expect(await due.settle([done(three!), done(six!)]), 'what was left').to.deep.equal([true, true]);
      });

      it('refuses an entry nobody has claimed', async () => {
        await due.schedule([entry('1', 10)]);
        expect(await due.settle([{ queue, id: '1', fence: 0, then: 'done' }])).to.deep.equal([false]);
        expect(await due.count(queue)).to.equal(1);
      });

      it('refuses the holder of an earlier entry of the same name', async () => {
        await due.schedule([entry('1', 10)]);
        const [old] = await claim(10);
        await due.cancel(queue, ['1']);
        await due.schedule([entry('1', 10)]);
        const [fresh] = await claim(10);
        expect(await due.settle([done(old!)])).to.deep.equal([false]);
        expect(await due.settle([done(fresh!)])).to.deep.equal([true]);
      });
    });

    describe('leases', () => {
      it('run out, and the next claim makes the old fence void', async () => {
        await due.schedule([entry('1', 10)]);
        const [first] = await claim(10, { leaseMs: 100 });
        expect(await claim(109)).to.deep.equal([]);
        const [second] = await claim(110);
        expect(second).to.include({ id: '1', claims: 2 });
        expect(await due.settle([done(first!)])).to.deep.equal([false]);
        expect(await due.settle([done(second!)])).to.deep.equal([true]);
      });

      it('still settle after running out as long as nobody else claimed', async () => {
        await due.schedule([entry('1', 10), entry('2', 10)]);
        const [one, two] = await claim(10, { leaseMs: 1 });
        expect(await claim(50, { lane: 'none' })).to.deep.equal([]);
        expect(await due.settle([done(one!)])).to.deep.equal([true]);
        expect(ids(await claim(50, { limit: 1 }))).to.deep.equal(['2']);
        expect(await due.settle([done(two!)])).to.deep.equal([false]);
      });
    });

    describe('reschedule and cancel', () => {
      it('brings a waiting entry forward or back', async () => {
        await due.schedule([entry('1', 100)]);
        expect(await due.reschedule(queue, '1', 10)).to.equal(true);
        expect(ids(await claim(10))).to.deep.equal(['1']);
      });

      it('refuses one that is held, and one that is not there', async () => {
        const now = Date.now();
        await due.schedule([entry('1', now)]);
        const [held] = await claim(now, { leaseMs: 60_000 });
        expect(await due.reschedule(queue, '1', 5)).to.equal(false);
        expect(await due.reschedule(queue, 'none', 5)).to.equal(false);
        expect(await due.settle([done(held!)])).to.deep.equal([true]);
      });

      it('moves one whose lease has run out, and its holder is out of it', async () => {
        const past = Date.now() - 10_000;
        await due.schedule([entry('1', past)]);
        const [held] = await claim(past, { leaseMs: 1 });
        expect(await due.reschedule(queue, '1', past + 50)).to.equal(true);
        expect(await due.settle([done(held!)])).to.deep.equal([false]);
        expect(await claim(past + 49)).to.deep.equal([]);
        const [next] = await claim(past + 50);
        expect(next!.fence).to.be.greaterThan(held!.fence);
        expect(await due.settle([done(next!)])).to.deep.equal([true]);
      });

      it('cancels waiting and held entries', async () => {
        await due.schedule([entry('1', 10), entry('2', 10), entry('3', 50)]);
        const [held] = await claim(10, { limit: 1 });
        await due.cancel(queue, ['1', '2', 'none']);
        expect(await due.settle([done(held!)])).to.deep.equal([false]);
        expect(ids(await claim(50))).to.deep.equal(['3']);
      });
    });

    describe('lanes and count', () => {
      it('lists lanes with waiting entries, earliest first', async () => {
        await due.schedule([
          entry('1', 30, 'a'),
          entry('2', 10, 'b'),
          entry('3', 20, 'b'),
          entry('4', 20, 'c'),
        ]);
        expect(await due.lanes(queue, 0)).to.deep.equal([
          { lane: 'b', nextDueAt: 10 },
          { lane: 'c', nextDueAt: 20 },
          { lane: 'a', nextDueAt: 30 },
        ]);
        await claim(10, { lane: 'b', limit: 1 });
        await claim(20, { lane: 'c' });
        expect(await due.lanes(queue, 20)).to.deep.equal([
          { lane: 'b', nextDueAt: 20 },
          { lane: 'a', nextDueAt: 30 },
        ]);
      });

      it('lists the earliest of what waits and what was left held, for many lanes', async () => {
        const lanes = Array.from({ length: 50 }, (_, i) => `lane ${String(i).padStart(2, '0')}`);
        await due.schedule(
          lanes.flatMap((lane, i) => [entry(`a${i}`, 100 + i, lane), entry(`b${i}`, 300 + i, lane)]),
        );
        for (const lane of lanes.slice(0, 5)) await claim(200, { lane, limit: 1, leaseMs: 1_000 });
        const state = (now: number) => due.lanes(queue, now);
        const earliest = lanes.map((lane, i) => ({ lane, nextDueAt: 100 + i }));
        const held = lanes.slice(0, 5).map((lane, i) => ({ lane, nextDueAt: 300 + i }));
        expect(await state(1_199)).to.deep.equal([...earliest.slice(5), ...held]);
        expect(await state(1_200)).to.deep.equal(earliest);
      });

      it('lists a lane again once a lease in it has run out', async () => {
        await due.schedule([entry('1', 10, 'a')]);
        await claim(10, { lane: 'a', leaseMs: 100 });
        expect(await due.lanes(queue, 109)).to.deep.equal([]);
        expect(await due.lanes(queue, 110)).to.deep.equal([{ lane: 'a', nextDueAt: 10 }]);
      });

      it('counts waiting and held entries', async () => {
        await due.schedule([entry('1', 10, 'a'), entry('2', 10, 'a'), entry('3', 10, 'b')]);
        await claim(10, { lane: 'a', limit: 1 });
        expect(await due.count(queue)).to.equal(3);
        expect(await due.count(queue, 'a')).to.equal(2);
        expect(await due.count(queue, 'none')).to.equal(0);
      });

      it('counts what was due by a time, waiting and held', async () => {
        await due.schedule([
          entry('1', 10, 'a'),
          entry('2', 20, 'a'),
          entry('3', 20, 'b'),
          entry('4', 30, 'b'),
        ]);
        await claim(10, { lane: 'a', limit: 1 });
        expect(await due.count(queue, undefined, 9)).to.equal(0);
        expect(await due.count(queue, undefined, 20)).to.equal(3);
        expect(await due.count(queue, 'b', 20)).to.equal(1);
      });

      it('names those of many ids that have an entry, waiting or held', async () => {
        await due.schedule([
          entry('waits', 10),
          entry('held', 5),
          entry('ends', 1),
          entry('elsewhere', 10, 'm'),
        ]);
        await due.schedule([{ ...entry('other', 10), queue: `${queue}-other` }]);
        const [ends] = await claim(1);
        await due.settle([done(ends!)]);
        await claim(5);
        const asked = ['never', 'waits', 'held', 'ends', 'elsewhere', 'other'];
        expect([...(await due.existing(queue, asked))]).to.have.members(['waits', 'held', 'elsewhere']);
        expect([...(await due.existing(queue, []))]).to.deep.equal([]);
      });
    });

    it('tells listeners what was scheduled, put back or moved', async () => {
      const heard: [string, number][] = [];
      const silence = due.onScheduled((q, lane, dueAt) => {
        if (q === queue) heard.push([lane, dueAt]);
      });
      await due.schedule([entry('1', 10, 'a'), entry('2', 20, 'b')]);
      await until(() => heard.length === 2);
      const [held] = await claim(10, { lane: 'a' });
      await due.settle([again(held!, 30)]);
      await until(() => heard.length === 3);
      await due.reschedule(queue, '2', 5);
      await until(() => heard.length === 4);
      silence();
      await due.schedule([entry('3', 1, 'c')]);
      expect(heard).to.deep.equal([
        ['a', 10],
        ['b', 20],
        ['a', 30],
        ['b', 5],
      ]);
    });

    it('agrees with a model, whatever is asked in whatever order', async () => {
      const id = fc.constantFrom('1', '2', '3', '4', '5');
      const lane = fc.constantFrom('a', 'b');
      const step = fc.oneof(
        fc.record({ do: fc.constant('schedule' as const), id, lane, at: fc.nat(50) }),
        fc.record({ do: fc.constant('claim' as const), lane, limit: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ do: fc.constant('done' as const), pick: fc.nat(20) }),
        fc.record({ do: fc.constant('again' as const), pick: fc.nat(20), at: fc.nat(60) }),
        fc.record({ do: fc.constant('cancel' as const), id }),
        fc.record({ do: fc.constant('wait' as const), ms: fc.nat(30) }),
      );
      interface Model extends DueEntry {
        seq: number;
        claims: number;
        holder: ClaimedEntry | null;
        leaseUntil: number;
      }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          queue = `q-${randomUUID()}`;
          const model = new Map<string, Model>();
          const claimed: ClaimedEntry[] = [];
          let now = 0;
          let seq = 0;
          for (const s of steps) {
            if (s.do === 'wait') now += s.ms;
            else if (s.do === 'schedule') {
              await due.schedule([entry(s.id, s.at, s.lane)]);
              if (!model.has(s.id)) {
                const fresh = { seq: (seq += 1), claims: 0, holder: null, leaseUntil: -1 };
                model.set(s.id, { ...entry(s.id, s.at, s.lane), ...fresh });
              }
            } else if (s.do === 'claim') {
              const expected = [...model.values()]
                .filter((m) => m.lane === s.lane && m.dueAt <= now && m.leaseUntil <= now)
                .sort((a, b) => a.dueAt - b.dueAt || a.seq - b.seq)
                .slice(0, s.limit);
              const got = await claim(now, { lane: s.lane, limit: s.limit, leaseMs: 20 });
              expect(ids(got)).to.deep.equal(expected.map((m) => m.id));
              for (const [i, m] of expected.entries()) {
                expect(got[i]!.claims).to.equal(m.claims + 1);
                m.claims += 1;
                m.holder = got[i]!;
                m.leaseUntil = now + 20;
              }
              claimed.push(...got);
            } else if (s.do === 'cancel') {
              await due.cancel(queue, [s.id]);
              model.delete(s.id);
            } else {
              const held = claimed[s.pick % Math.max(1, claimed.length)];
              if (!held) continue;
              const m = model.get(held.id);
              const valid = m?.holder === held;
              const settlement = s.do === 'done' ? done(held) : again(held, s.at);
              expect(await due.settle([settlement])).to.deep.equal([valid]);
              if (!valid) continue;
              if (s.do === 'done') model.delete(held.id);
              else model.set(held.id, { ...m, dueAt: s.at, holder: null, leaseUntil: -1 });
            }
            expect(await due.count(queue)).to.equal(model.size);
          }
        }),
        { numRuns: runs(options.runs ?? 60) },
      );
    });

    it('keeps entries over a restart; what a dead process held is free once its lease has run out', async function () {
      if (!harness.reopen) return this.skip();
      await due.schedule([entry('1', 10, 'l', { v: 1 }), entry('2', 20)]);
      const [held] = await claim(10, { leaseMs: 100 });
      due = await harness.reopen();
      expect(await due.count(queue)).to.equal(2);
      const taken = await claim(110);
      expect(ids(taken)).to.deep.equal(['1', '2']);
      expect(taken[0]).to.deep.include({ payload: { v: 1 } });
      expect(taken[0]!.fence).to.not.equal(held!.fence);
      expect(await due.settle([done(held!)])).to.deep.equal([false]);
    });
  });
}
