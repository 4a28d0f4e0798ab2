/** How many rows are claimed for an endpoint at once, and how rows end that are not to be sent. */
import { expect } from 'chai';
import { turns } from '../../support/fakes/manual-clock.js';
import { DELIVERY_QUEUE } from '../../../workers/webhooks/documents.js';
import { feedWorld, LIMITS } from './feed-world.js';

const MINUTE = 60_000;
const many = (count: number) => Array.from({ length: count }, () => ({}));

describe('the feed of webhook deliveries', () => {
  describe('claims', () => {
    /** How many rows each claim asks for, while the held rows are sent bit by bit. */
    async function limitsWhile(sends: readonly number[], rows: number): Promise<readonly number[]> {
      const w = feedWorld({ pollMs: 60 * MINUTE });
      await w.add('a', ...many(rows));
      const feed = w.start();
      await w.clock.advance(0);
      const lane = w.lanes.get('a');
      for (const count of sends) {
        await w.sent(lane, count);
        feed.look(lane);
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
      expect(feed.busy()).to.equal(true);
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
      w.recordsOne(feed);
      await turns();
      expect(w.claims).to.deep.equal([]);
      w.backlog(1_999);
      w.recordsOne(feed);
      await turns();
      expect(w.claims.map(({ lane }) => lane)).to.deep.equal(['a', 'b']);
      w.recordsOne(feed);
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
      expect([w.claims.length, feed.busy()]).to.deep.equal([1, false]);
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

  it('asks for no documents where nothing could be claimed: another process was first', async () => {
    const w = feedWorld();
    let asked = 0;
    w.before.getMany = async () => void (asked += 1);
    w.before.claim = () => w.rows.cancel('webhook', ['d1']);
    w.start();
    await w.clock.advance(0);
    await w.add('a', {});
    await turns();
    expect([w.claims.length, asked]).to.deep.equal([1, 0]);
  });

  describe('does not send', () => {
    const done = (id: string) => ({ queue: 'webhook', id, fence: 1, then: 'done' });

    it('what has no document: its row ends, and the log says so', async () => {
      const w = feedWorld();
      const [id] = await w.add('a', { doc: null });
      w.start();
      await w.clock.advance(0);
      expect(w.recorded).to.deep.equal([
        { lane: 'a', update: { delivery: null, attempt: null, settlement: done(id!) } },
      ]);
      expect(w.log.map(({ level, fields }) => [level, fields])).to.deep.equal([
        ['warn', { delivery_id: id }],
      ]);
    });

    it('what gets its document only while its row ends: the feed makes the row again', async () => {
      const w = feedWorld();
      const [id] = await w.add('a', { doc: null });
      // What the message does that is handled again: the document, then a row, which exists.
      w.before.record = async ({ settlement }) => {
        await w.document(id!, { delivery_id: id!, endpoint_uuid: 'a', status: 'pending', attempts: 0 });
        await w.rows.schedule([
          { queue: DELIVERY_QUEUE, id: id!, lane: 'a', dueAt: w.clock.now(), payload: {} },
        ]);
        await w.rows.settle([settlement]);
      };
      w.start();
      await w.clock.advance(0);
      await turns();
      expect(w.recorded).to.have.length(1);
      expect(w.held('a')).to.deep.equal([id]);
      expect(w.log).to.deep.equal([]);
    });

    it('a delivery whose row the store fails to make again: the log names the delivery', async () => {
      const w = feedWorld();
      const [id] = await w.add('a', { doc: null });
      w.before.schedule = () => Promise.reject(new Error('full'));
      w.before.record = async () => void (await w.document(id!, { delivery_id: id!, endpoint_uuid: 'a' }));
      w.start();
      await w.clock.advance(0);
      expect(w.log.map(({ level, fields }) => [level, fields['delivery_id']])).to.deep.equal([['error', id]]);
    });

    it('what has ended already: its row ends, and the rest of the claim is held', async () => {
      const w = feedWorld();
      const [ended, open] = await w.add('a', { doc: { status: 'delivered' } }, {});
      w.start();
      await w.clock.advance(0);
      expect(w.recorded).to.deep.equal([
        { lane: 'a', update: { delivery: null, attempt: null, settlement: done(ended!) } },
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
      expect(w.recorded.map(({ update }) => update)).to.deep.equal(
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
      feed.look(lane);
      await turns();
      expect(w.held('a'), 'not at rest').to.deep.equal([id]);
      lane.pace.restUntil = w.clock.monotonic() + 2_000.25;
      feed.look(lane);
      expect(w.held('a')).to.deep.equal([]);
      expect(w.recorded).to.deep.equal([
        {
          lane: 'a',
          update: {
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
});
