/** Requirements on every Leases. Adapters plug in with `describeLeases`. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Lease, Leases } from '../../ports/leases.js';
import { runs } from '../support/soak.js';
import { opened } from '../support/opened.js';

export interface LeasesHarness {
  readonly store: Leases;
  /** The port in a second process. The same object when there can be only one process. */
  readonly another: Leases;
  close(): Promise<void>;
}

export function describeLeases(
  name: string,
  make: () => Promise<LeasesHarness>,
  options: { readonly runs?: number } = {},
): void {
  describe(`Leases: ${name}`, () => {
    const harness = opened(make);
    let leases: Leases;
    let others: Leases;
    let work: string;

    before(() => {
      leases = harness.store;
      others = harness.another;
    });
    beforeEach(() => {
      work = `work-${randomUUID()}`;
    });

    const taken = async (from: Leases, of = work): Promise<Lease> => {
      const lease = await from.acquire(of);
      expect(lease, `nobody holds ${of}`).to.not.equal(null);
      return lease!;
    };

    it('goes to the first who asks; the others get nothing while it is held', async () => {
      const lease = await taken(leases);
      expect(lease.name).to.equal(work);
      expect(lease.held()).to.equal(true);
      expect(lease.left).to.equal(null);
      expect(await others.acquire(work)).to.equal(null);
      expect(await leases.acquire(work), 'not twice in one process either').to.equal(null);
      expect(lease.held()).to.equal(true);
      await lease.release();
    });

    it('goes to one of many who ask at once', async () => {
      const asked = await Promise.all(
        Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? leases : others).acquire(work)),
      );
      const got = asked.filter((lease) => lease !== null);
      expect(got).to.have.length(1);
      await got[0]!.release();
    });

    it('can be had at once when it was let go, under a higher fence', async () => {
      const first = await taken(leases);
      await first.release();
      const second = await taken(others);
      expect(second.fence).to.be.greaterThan(first.fence);
      expect(first.held()).to.equal(false);
      expect(second.held()).to.equal(true);
      await second.release();
      const third = await taken(leases);
      expect(third.fence).to.be.greaterThan(second.fence);
      await third.release();
    });

    it('ends when it is let go', async () => {
      const lease = await taken(leases);
      let ended = false;
      void lease.ended.then(() => {
        ended = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect(ended, 'while it is held').to.equal(false);
      const released = lease.release();
      expect(lease.held(), 'from the call on').to.equal(false);
      await released;
      await lease.ended;
      expect(lease.held()).to.equal(false);
    });

    it('can be let go twice; the second time takes nothing from the next holder', async () => {
      const first = await taken(leases);
      await first.release();
      const second = await taken(others);
      await first.release();
      expect(second.held()).to.equal(true);
      expect(await leases.acquire(work)).to.equal(null);
      await second.release();
    });

    it('hands on what was last left', async () => {
      const first = await taken(leases);
      first.leave({ tat: 1 });
      first.leave({ tat: 1_772_366_400_123.5, note: 'até já', nested: { 'a.b': [null, true], $c: '' } });
      await first.release();
      const second = await taken(others);
      const left = { tat: 1_772_366_400_123.5, note: 'até já', nested: { 'a.b': [null, true], $c: '' } };
      expect(second.left).to.deep.equal(left);
      await second.release();
      const third = await taken(leases);
      expect(third.left, 'a holder that left nothing leaves what it found').to.deep.equal(left);
      third.leave({});
      await third.release();
      const fourth = await taken(leases);
      expect(fourth.left).to.deep.equal({});
      await fourth.release();
    });

    it('keeps names apart', async () => {
      const one = await taken(leases, `${work}-1`);
      one.leave({ of: 1 });
      const two = await taken(others, `${work}-2`);
      expect(two.left).to.equal(null);
      await one.release();
      expect(two.held()).to.equal(true);
      await two.release();
    });

    it('tells operators who holds what', async () => {
      const lease = await taken(leases);
      const idle = await taken(others, `${work}-idle`);
      await idle.release();
      const mine = (await others.holders()).filter((held) => held.name.startsWith(work));
      expect(mine).to.have.length(1);
      expect(mine[0]).to.include({ name: work, fence: lease.fence });
      expect(mine[0]!.holder).to.be.a('string').that.is.not.empty;
      await lease.release();
      expect((await leases.holders()).filter((held) => held.name === work)).to.deep.equal([]);
    });

    it('is held by one at a time, whoever asks and lets go in whatever order', async () => {
      const step = fc.record({ process: fc.nat(1), do: fc.constantFrom('acquire', 'release', 'both') });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const contested = `work-${randomUUID()}`;
          let highest = 0;
          let holding: Lease | null = null;
          for (const { process, do: action } of steps) {
            const from = process === 0 ? leases : others;
            const release = action === 'acquire' ? undefined : holding?.release();
            // With `both` the result depends on which call is first; either is correct.
            const got = action === 'release' ? null : await from.acquire(contested);
            await release;
            if (action === 'acquire') expect(got === null).to.equal(holding !== null);
            if (release !== undefined) holding = null;
            if (got === null) continue;
            expect(holding, 'somebody else holds it').to.equal(null);
            expect(got.fence).to.be.greaterThan(highest);
            highest = got.fence;
            holding = got;
          }
          await holding?.release();
        }),
        { numRuns: runs(options.runs ?? 30) },
      );
    });
  });
}
