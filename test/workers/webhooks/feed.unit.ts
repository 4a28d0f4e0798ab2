/** When rows are claimed for an endpoint: at once, at a known due time, or after a listing of the store. */
import { expect } from 'chai';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { deferred } from '../../conformance/support.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { feedWorld, LIMITS } from './feed-world.js';

const MINUTE = 60_000;

describe('the feed of webhook deliveries', () => {
  it('holds what lies in the store when it starts, for as long as it was claimed', async () => {
    const w = feedWorld();
    const [id] = await w.add('a', { doc: { event_id: 'e1' } });
    const feed = w.start();
    expect(feed.busy(), 'while it lists').to.equal(true);
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
    expect(feed.busy()).to.equal(false);
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
    feed.look(w.lanes.get('a'));
    await turns();
    expect([w.claims.length, feed.busy()]).to.deep.equal([1, true]);
    answer.resolve();
    await turns();
    expect([w.held('a').length, feed.busy()]).to.deep.equal([2, false]);
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

    it('and lists nothing anew for an endpoint of which no later rows are known', async () => {
      const w = feedWorld({ pollMs: MINUTE });
      w.start();
      await w.clock.advance(0);
      await w.add('a', {});
      await w.clock.advance(1_000);
      expect([w.held('a').length, w.listed]).to.deep.equal([1, [0]]);
    });

    it('and lists nothing anew after a claim that came back full', async () => {
      const w = feedWorld({ pollMs: MINUTE });
      w.lanes.get('slow').pace.meanMs = 200;
      await w.add('slow', {}, {}, {});
      w.start();
      await w.clock.advance(1_000);
      expect([w.held('slow').length, w.listed]).to.deep.equal([2, [0]]);
    });

    it('and lists once after the last of the later rows', async () => {
      const w = feedWorld({ pollMs: MINUTE });
      w.start();
      await w.clock.advance(0);
      await w.add('a', { dueIn: 1_000 }, { dueIn: 2_000 });
      await w.clock.advance(5_000);
      const { length } = w.listed;
      await w.add('a', {});
      await w.clock.advance(5_000);
      expect(w.held('a')).to.have.length(3);
      expect(w.listed).to.have.length(length);
    });

    it('at each poll for what another process scheduled, and no listing begins before the last has ended', async () => {
      const w = feedWorld();
      const feed = w.start();
      await w.clock.advance(0);
      const answer = deferred();
      w.before.lanes = () => answer.promise;
      await w.clock.advance(12_000);
      expect(w.listed).to.deep.equal([0, 5_000]);
      expect(feed.busy()).to.equal(true);
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
      expect(feed.busy()).to.equal(false);
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

  it('does nothing more once it is stopped', async () => {
    const w = feedWorld();
    const feed = w.start();
    await w.clock.advance(0);
    await w.add('later', { dueIn: 1_000 });
    feed.stop();
    await w.add('a', {});
    feed.look(w.lanes.get('later'));
    expect(w.clock.pending()).to.equal(0);
    await w.clock.advance(MINUTE);
    expect([w.claims.length, w.listed.length]).to.deep.equal([0, 1]);
    expect(feed.busy()).to.equal(false);
  });

  it('lists nothing that it was going to list when it was stopped', async () => {
    const w = feedWorld();
    await w.add('a', {});
    const feed = w.start();
    await w.clock.advance(0);
    feed.stop();
    await w.clock.advance(1_000);
    expect([w.held('a').length, w.listed]).to.deep.equal([1, [0]]);
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
    expect([w.claims.length, feed.busy()]).to.deep.equal([0, false]);
  });
});
