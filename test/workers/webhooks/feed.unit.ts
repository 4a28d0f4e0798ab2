/** Which rows are claimed for an endpoint, when, how many at once, and what becomes of those that are not to be sent. */
import { expect } from 'chai';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { deferred } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { feedWorld, LIMITS } from './feed-world.js';

const MINUTE = 60_000;
const many = (count: number) => Array.from({ length: count }, () => ({}));

describe('the feed of webhook deliveries', () => {
  it('holds what lies in the store when it starts, for as long as it was claimed', async () => {
    const w = feedWorld();
    const [id] = await w.add('a', { doc: { event_id: 'e1' } });
    const feed = w.start();
    expect(feed.claiming(), 'while it lists').to.equal(true);
    await w.clock.advance(0);
    expect(w.requests[0]).to.deep.equal({
      queue: 'webhook',
      lane: 'a',
      now: w.clock.now(),
      limit: LIMITS.maxPerEndpoint,
      leaseMs: LIMITS.leaseMs,
    });
    const [held] = w.lanes.get('a').held;
    expect(held!.entry.id).to.equal(id);
    expect(held!.stored.doc.event_id).to.equal('e1');
    expect(held!.leaseUntil).to.equal(w.clock.monotonic() + LIMITS.leaseMs);
    expect(w.recorded).to.deep.equal([]);
    expect(feed.claiming()).to.equal(false);
  });

  it('offers an endpoint whose rows it holds, and says that something changed', async () => {
    const w = feedWorld();
    await w.add('a', {});
    w.start();
    await turns(1);
    const before = w.changes();
    await w.clock.advance(0);
    expect(w.lanes.take(w.clock.monotonic())).to.equal(w.lanes.get('a'));
    expect(w.changes()).to.be.greaterThan(before);
  });

  it('claims once while an answer is awaited', async () => {
    const w = feedWorld();
    const feed = w.start();
    await w.clock.advance(0);
    const answer = deferred();
    w.before.claim = () => answer.promise;
    await w.add('a', {});
    await w.add('a', {});
    feed.consider(w.lanes.get('a'));
    await turns();
    expect([w.claims.length, feed.claiming()]).to.deep.equal([1, true]);
    answer.resolve();
    await turns();
    expect([w.held('a').length, feed.claiming()]).to.deep.equal([2, false]);
  });

  describe('wakes up', () => {
    it('at once for what this process scheduled, and for nothing of another queue', async () => {
      const w = feedWorld();
      w.start();
      await w.clock.advance(1_000);
      await w.rows.schedule([{ queue: 'other', id: 'x', lane: 'b', dueAt: w.clock.now(), payload: {} }]);
      await w.add('a', {});
      await turns();
      expect(w.claims.map(({ lane, at }) => [lane, at])).to.deep.equal([['a', 1_000]]);
    });

    it('at each due time that it knows of, whichever it heard of first', async () => {
      const w = feedWorld({ pollMs: MINUTE });
      w.start();
      await w.clock.advance(0);
      await w.add('late', { dueIn: 3_000 });
      await w.add('early', { dueIn: 1_000 });
      await w.add('later', { dueIn: 4_000 });
      expect(w.clock.pending(), 'the poll and one wake-up').to.equal(2);
      await w.clock.advance(10_000);
      expect(w.claims.map(({ lane, at }) => [lane, at])).to.deep.equal([
        ['early', 1_000],
        ['late', 3_000],
        ['later', 4_000],
      ]);
      expect(w.clock.pending(), 'the poll').to.equal(1);
    });

    it('for the later rows of an endpoint, of which it kept only the first due time', async () => {
      const w = feedWorld({ pollMs: MINUTE });
      w.start();
      await w.clock.advance(0);
      await w.add('a', { dueIn: 1_000 }, { dueIn: 2_000 }, { dueIn: 5_000 });
      await w.clock.advance(10_000);
      expect(w.held('a')).to.have.length(3);
      expect(w.claims.map(({ at }) => at)).to.deep.equal([1_000, 2_000, 5_000]);
      expect(w.listed, 'it asks the store for the next due time after each').to.deep.equal([
        0, 1_000, 2_000, 5_000,
      ]);
    });

    it('asks for the next due times of many endpoints together, a quarter of a second apart', async () => {
      const w = feedWorld({ pollMs: MINUTE });
      w.start();
      await w.clock.advance(0);
      for (const endpoint of ['a', 'b'])
        await w.add(endpoint, {}, { dueIn: 100 }, { dueIn: 150 }, { dueIn: 2_000 });
      await w.clock.advance(1_000);
      expect(w.listed).to.deep.equal([0, 250, 500]);
      expect([w.held('a').length, w.held('b').length]).to.deep.equal([3, 3]);
    });

    it('at each poll for what another process scheduled, and no listing begins before the last has ended', async () => {
      const w = feedWorld();
      const feed = w.start();
      await w.clock.advance(0);
      const answer = deferred();
      w.before.lanes = () => answer.promise;
      await w.clock.advance(12_000);
      expect(w.listed).to.deep.equal([0, 5_000]);
      expect(feed.claiming()).to.equal(true);
      answer.resolve();
      await w.clock.advance(3_000);
      expect(w.listed).to.deep.equal([0, 5_000, 15_000]);
    });

    it('goes on after a listing that failed, and says so once', async () => {
      const w = feedWorld();
      w.before.lanes = () => Promise.reject(new StoreUnavailable('away'));
      const feed = w.start();
      await w.add('elsewhere', { dueIn: 500 });
      await w.clock.advance(1_000);
      expect(w.held('elsewhere'), 'what was announced meanwhile').to.have.length(1);
      await w.clock.advance(9_000);
      expect(w.log.map(({ message }) => message)).to.deep.equal([
        'listing due webhook deliveries failed; it is tried again',
      ]);
      expect(feed.claiming()).to.equal(false);
      w.before.lanes = async () => {};
      await w.clock.advance(5_000);
      expect(w.log.map(({ message }) => message).slice(1)).to.deep.equal([
        'listing due webhook deliveries works again',
      ]);
    });

    it('forgets endpoints that have nothing, as it lists', async () => {
      const w = feedWorld();
      w.start();
      await w.clock.advance(0);
      w.lanes.get('idle');
      await w.clock.advance(5_000);
      expect([...w.lanes.all()]).to.deep.equal([]);
    });
  });

  describe('claims', () => {
    /** How many rows each claim asks for, while what is held is sent bit by bit. */
    async function limitsWhile(sends: readonly number[], rows: number): Promise<readonly number[]> {
      const w = feedWorld({ pollMs: 60 * MINUTE });
      await w.add('a', ...many(rows));
      const feed = w.start();
      await w.clock.advance(0);
      const lane = w.lanes.get('a');
      for (const count of sends) {
        await w.sent(lane, count);
        feed.consider(lane);
        await turns();
      }
      return w.claims.map(({ limit }) => limit);
    }

    it('twice as many while claims come back full, up to nine times its slots, and never in dribs', async () => {
      // 18 may be held: two slots, and eight times as many ahead. It claims when at most half a claim's size is left.
      expect(await limitsWhile([], 100)).to.deep.equal([2, 4]);
      expect(await limitsWhile([1], 100)).to.deep.equal([2, 4]);
      expect(await limitsWhile([2], 100)).to.deep.equal([2, 4, 8]);
      expect(await limitsWhile([2, 4], 100)).to.deep.equal([2, 4, 8, 10]);
      expect(await limitsWhile([2, 4, 8], 100), 'ten are left').to.deep.equal([2, 4, 8, 10]);
      expect(await limitsWhile([2, 4, 9], 100)).to.deep.equal([2, 4, 8, 10, 9]);
      expect(await limitsWhile([2, 4, 18], 100)).to.deep.equal([2, 4, 8, 10, 18]);
    });

    it('half as many after a claim that came back with fewer, down to its slots', async () => {
      const w = feedWorld({ pollMs: 60 * MINUTE });
      const feed = w.start();
      await w.clock.advance(0);
      const lane = w.lanes.get('a');
      lane.claimSize = 18;
      const sizes: number[] = [];
      for (let n = 0; n < 4; n += 1) {
        await w.add('a', {});
        await turns();
        sizes.push(lane.claimSize);
        await w.sent(lane, 1);
      }
      expect(sizes).to.deep.equal([9, 4, 2, 2]);
      feed.stop();
    });

    it('no more than its free slots for an endpoint that is not quick', async () => {
      for (const [meanMs, inFlight, limit] of [
        [199, 1, 17],
        [200, 1, 1],
        [200, 0, 2],
        [200, 2, undefined],
      ] as const) {
        const w = feedWorld();
        w.start();
        await w.clock.advance(0);
        const lane = w.lanes.get('a');
        Object.assign(lane, { inFlight, claimSize: 100 });
        lane.pace.meanMs = meanMs;
        await w.add('a', {});
        await turns();
        expect(w.claims[0]?.limit, `${meanMs} ms, ${inFlight} in flight`).to.equal(limit);
      }
    });

    it('one after a rest, and nothing ahead until it was answered', async () => {
      const w = feedWorld();
      w.start();
      await w.clock.advance(0);
      const lane = w.lanes.get('a');
      Object.assign(lane.pace, { restedMs: 5_000, restUntil: w.clock.monotonic() + 2_000.25 });
      await w.add('a', ...many(3));
      await w.clock.advance(2_000);
      expect(w.claims).to.deep.equal([]);
      await w.clock.advance(1);
      expect(w.claims).to.deep.equal([{ lane: 'a', limit: 1, at: 2_001 }]);
      expect(w.held('a')).to.have.length(1);
    });

    it('no more than 64 at once; the others wait, and the first of them goes when one has ended', async () => {
      const w = feedWorld({ pollMs: 60 * MINUTE });
      const answers: (() => void)[] = [];
      w.before.claim = () => new Promise((resolve) => answers.push(resolve));
      const feed = w.start();
      await w.clock.advance(0);
      for (let n = 0; n < 67; n += 1) await w.add(`r${n}`, {});
      await turns();
      expect(w.claims).to.have.length(64);
      expect(feed.claiming()).to.equal(true);
      answers[0]!();
      await turns();
      expect(w.claims.slice(64).map(({ lane }) => lane)).to.deep.equal(['r64']);
      for (const answer of answers.slice(1)) answer();
      await turns();
      expect(w.claims.slice(65).map(({ lane }) => lane)).to.deep.equal(['r65', 'r66']);
    });

    it('nothing while two thousand attempts are not recorded, and in turn once there is room', async () => {
      const w = feedWorld({ pollMs: 60 * MINUTE });
      const feed = w.start();
      await w.clock.advance(0);
      w.backlog(2_000);
      await w.add('a', {});
      await w.add('b', {});
      feed.considerQueued();
      await turns();
      expect(w.claims).to.deep.equal([]);
      w.backlog(1_999);
      feed.considerQueued();
      await turns();
      expect(w.claims.map(({ lane }) => lane)).to.deep.equal(['a', 'b']);
      feed.considerQueued();
      await turns();
      expect(w.claims).to.have.length(2);
    });

    it('again a second after one that failed, and says which endpoint it was', async () => {
      const w = feedWorld({ pollMs: MINUTE });
      const error = new Error('away');
      w.before.claim = () => Promise.reject(error);
      const feed = w.start();
      await w.clock.advance(0);
      await w.add('a', {});
      await w.clock.advance(999);
      expect([w.claims.length, feed.claiming()]).to.deep.equal([1, false]);
      w.before.claim = async () => {};
      await w.clock.advance(1);
      expect(w.held('a')).to.have.length(1);
      expect(w.log).to.deep.equal([
        {
          level: 'warn',
          fields: { err: error, endpoint_uuid: 'a' },
          message: 'webhook deliveries could not be claimed',
        },
      ]);
    });

    it('rows again whose documents could not be read, once their claim has run out', async () => {
      const w = feedWorld();
      w.before.getMany = () => Promise.reject(new Error('away'));
      w.start();
      await w.clock.advance(0);
      await w.add('a', {});
      await w.clock.advance(2_000);
      expect(w.held('a')).to.deep.equal([]);
      w.before.getMany = async () => {};
      await w.clock.advance(LIMITS.leaseMs);
      expect(w.held('a')).to.have.length(1);
    });
  });

  describe('does not send', () => {
    const done = (id: string) => ({ queue: 'webhook', id, fence: 1, then: 'done' });

    it('what has no document: its row ends, with an error', async () => {
      const w = feedWorld();
      const [id] = await w.add('a', { doc: null });
      w.start();
      await w.clock.advance(0);
      expect(w.recorded).to.deep.equal([
        { lane: 'a', verdict: { delivery: null, attempt: null, settlement: done(id!) } },
      ]);
      expect(w.log.map(({ level, fields }) => [level, fields])).to.deep.equal([
        ['error', { delivery_id: id }],
      ]);
    });

    it('what has ended already: its row ends, and the rest of the claim is held', async () => {
      const w = feedWorld();
      const [ended, open] = await w.add('a', { doc: { status: 'delivered' } }, {});
      w.start();
      await w.clock.advance(0);
      expect(w.recorded).to.deep.equal([
        { lane: 'a', verdict: { delivery: null, attempt: null, settlement: done(ended!) } },
      ]);
      expect(w.held('a')).to.deep.equal([open]);
      expect(w.log).to.deep.equal([]);
    });

    it('what was attempted since its row was written: it is due when its document says', async () => {
      const w = feedWorld();
      const dueAt = w.clock.now() + 600_000;
      const doc = { attempts: 2, next_attempt_at: new Date(dueAt).toISOString() };
      const [one, other] = await w.add('a', { rowAttempts: 1, doc }, { doc });
      w.start();
      await w.clock.advance(0);
      expect(w.held('a')).to.deep.equal([]);
      expect(w.recorded.map(({ verdict }) => verdict)).to.deep.equal(
        [one, other].map((id, index) => ({
          delivery: null,
          attempt: null,
          settlement: {
            queue: 'webhook',
            id,
            fence: index + 1,
            then: 'again',
            dueAt,
            payload: { attempts: 2 },
          },
        })),
      );
    });

    it('but holds what its row and its document agree on, or what has no next time', async () => {
      const w = feedWorld();
      const next_attempt_at = new Date(w.clock.now() + 600_000).toISOString();
      const ids = await w.add(
        'a',
        { rowAttempts: 2, doc: { attempts: 2, next_attempt_at } },
        { rowAttempts: 1, doc: { attempts: 2, next_attempt_at: null } },
      );
      w.start();
      await w.clock.advance(0);
      expect(w.held('a')).to.deep.equal(ids);
      expect(w.recorded).to.deep.equal([]);
    });

    it('to an endpoint at rest: what is held is given back until the rest is over', async () => {
      const w = feedWorld();
      const [id] = await w.add('a', { doc: { attempts: 3 }, rowAttempts: 3 });
      const feed = w.start();
      await w.clock.advance(0);
      const lane = w.lanes.get('a');
      feed.consider(lane);
      expect(w.held('a'), 'not at rest').to.deep.equal([id]);
      lane.pace.restUntil = w.clock.monotonic() + 2_000.25;
      feed.consider(lane);
      expect(w.held('a')).to.deep.equal([]);
      expect(w.recorded).to.deep.equal([
        {
          lane: 'a',
          verdict: {
            delivery: null,
            attempt: null,
            settlement: {
              queue: 'webhook',
              id,
              fence: 1,
              then: 'again',
              dueAt: w.clock.now() + 2_001,
              payload: { attempts: 3 },
            },
          },
        },
      ]);
    });
  });

  it('does nothing more once it is stopped', async () => {
    const w = feedWorld();
    const feed = w.start();
    await w.clock.advance(0);
    await w.add('later', { dueIn: 1_000 });
    feed.stop();
    await w.add('a', {});
    feed.consider(w.lanes.get('later'));
    expect(w.clock.pending()).to.equal(0);
    await w.clock.advance(MINUTE);
    expect([w.claims.length, w.listed.length]).to.deep.equal([0, 1]);
    expect(feed.claiming()).to.equal(false);
  });

  it('begins nothing with what it lists while it is stopped', async () => {
    const w = feedWorld();
    const answer = deferred();
    w.before.lanes = () => answer.promise;
    await w.add('a', {});
    const feed = w.start();
    feed.stop();
    answer.resolve();
    await w.clock.advance(MINUTE);
    expect([w.claims.length, feed.claiming()]).to.deep.equal([0, false]);
  });
});
