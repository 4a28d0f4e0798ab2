import { expect } from 'chai';
import type { EachBatchPayload } from 'kafkajs';
import { createBatches } from '../../../adapters/kafka/batches.js';
import type { Membership } from '../../../adapters/kafka/membership.js';
import { defaultLimits } from '../../../adapters/kafka/limits.js';
import { systemClock } from '../../../adapters/clock/system.js';
import { GATHER_MS } from '../../../adapters/kafka/commits.js';
import type { Clock } from '../../../ports/clock.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import type { ConsumeOptions } from '../../../ports/topics.js';
import { deferred, failure, until } from '../../conformance/support.js';

describe('kafka: batches of a partition that may be lost', () => {
  const refusal = Object.assign(new Error('rebalance'), { type: 'REBALANCE_IN_PROGRESS' });

  function setUp(more: Partial<ConsumeOptions> = {}, clock: Clock = systemClock) {
    const entered = deferred();
    const release = deferred();
    const handled: unknown[] = [];
    const did: string[] = [];
    let beats: () => Promise<void> = () => Promise.resolve();
    const batches = createBatches({
      options: {
        topic: 't',
        group: 'g',
        maxBatch: 1,
        async handle([message]) {
          handled.push(message!.value['n']);
          entered.resolve();
          await release.promise;
        },
        ...more,
      },
      limits: { ...defaultLimits, heartbeatMs: 1 },
      clock,
      report: (error) => did.push(`reported ${String(error)}`),
      onCommit: () => undefined,
    });
    const payload = {
      batch: {
        topic: 'p.t',
        partition: 3,
        // Messages from 6 on were published after the partition was assigned.
        highWatermark: '6',
        messages: [5, 6, 7].map((n) => ({
          offset: String(n),
          key: Buffer.from('a'),
          value: Buffer.from(JSON.stringify({ n })),
        })),
        lastOffset: () => '9',
      },
      resolveOffset: (offset: string) => void did.push(`resolved ${offset}`),
      heartbeat: () => beats(),
      pause() {
        did.push('paused');
        return () => void did.push('resumed');
      },
      commitOffsetsIfNecessary(offsets: {
        topics: readonly { partitions: readonly { offset: string }[] }[];
      }) {
        did.push(`committed ${offsets.topics[0]!.partitions[0]!.offset}`);
        return Promise.resolve();
      },
      isRunning: () => true,
      isStale: () => false,
    } as unknown as EachBatchPayload;
    const membership: Membership = { assignment: 1, refused: undefined, over: false };
    return {
      entered: entered.promise,
      release: () => release.resolve(),
      handled,
      did,
      batches,
      payload,
      membership,
      beat: (next: () => Promise<void>) => void (beats = next),
    };
  }

  it('commits each part before it is resolved, and with the last one what kafkajs filtered out', async () => {
    const { release, did, handled, batches, payload, membership } = setUp();
    release();
    await batches.take(payload, membership);
    expect(handled).to.deep.equal([5, 6, 7]);
    expect(did).to.deep.equal([
      'committed 6',
      'resolved 5',
      'committed 7',
      'resolved 6',
      'committed 10',
      'resolved 9',
    ]);
  });

  it('commits fetches that end within a moment together, those of all partitions, and each part of a long one', async () => {
    const clock = manualClock();
    const { release, batches, payload, membership } = setUp({}, clock);
    release();
    const committed: string[] = [];
    const fetched = (partition: number, offsets: readonly number[]) =>
      ({
        ...payload,
        batch: {
          ...payload.batch,
          partition,
          messages: offsets.map((n) => ({ offset: String(n), key: null, value: Buffer.from('{}') })),
          lastOffset: () => String(offsets.at(-1)),
        },
        commitOffsetsIfNecessary: async (offsets: {
          topics: readonly { partitions: readonly { partition: number; offset: string }[] }[];
        }) => {
          const { partitions } = offsets.topics[0]!;
          committed.push(partitions.map(({ partition, offset }) => `${partition}:${offset}`).join());
        },
      }) as unknown as EachBatchPayload;
    const take = (partition: number, offsets: readonly number[]) =>
      batches.take(fetched(partition, offsets), membership);
    await take(1, [10]);
    expect(committed, 'the first at once').to.deep.equal(['1:11']);
    await take(1, [11]);
    await take(2, [20]);
    await take(1, [12]);
    expect(committed).to.have.length(1);
    await clock.advance(GATHER_MS);
    expect(committed.slice(1)).to.deep.equal(['1:13,2:21']);
    await clock.advance(GATHER_MS);
    await take(2, [21, 22]);
    expect(committed.slice(2)).to.deep.equal(['2:22', '2:23']);
    await take(1, [13]);
    await batches.letGo();
    expect(committed.slice(4), 'a stop and a rebalance wait for nothing').to.deep.equal(['1:14']);
    await take(1, [14]);
    membership.assignment += 1;
    await clock.advance(GATHER_MS);
    expect(committed, 'not under another assignment').to.have.length(5);
    expect(clock.pending()).to.equal(0);
  });

  it('reports a commit that failed a moment later and tries it again, but not where the group was rebalanced', async () => {
    for (const [error, reported] of [
      [refusal, []],
      [new Error('cut off'), ['reported Error: cut off']],
    ] as const) {
      const clock = manualClock();
      const { release, did, batches, payload, membership } = setUp({}, clock);
      release();
      await batches.take(payload, membership);
      did.length = 0;
      const take = (count: number, over: object = {}) => {
        const batch = { ...payload.batch, messages: payload.batch.messages.slice(0, count) };
        return batches.take({ ...payload, batch, ...over }, membership);
      };
      await take(1, { commitOffsetsIfNecessary: () => Promise.reject(error) });
      await clock.advance(GATHER_MS);
      expect(did.filter((what) => what.startsWith('reported'))).to.deep.equal(reported);
      await take(0);
      await clock.advance(1_000);
      expect(did.at(-1)).to.equal('committed 10');
    }
  });

  it('commits what is in hand and begins nothing more once a heartbeat was refused, and joins again', async () => {
    const { entered, release, did, handled, batches, payload, membership, beat } = setUp();
    const taken = failure(batches.take(payload, membership));
    await entered;
    beat(() => Promise.reject(refusal));
    await until(() => membership.refused !== undefined);
    release();
    expect(await taken).to.equal(refusal);
    expect(handled).to.deep.equal([5]);
    expect(did).to.deep.equal(['committed 6', 'resolved 5']);
  });

  it('takes no notice of a heartbeat that only got lost', async () => {
    const { entered, release, handled, batches, payload, membership, beat } = setUp();
    const lost = deferred();
    const taken = batches.take(payload, membership);
    await entered;
    beat(() => {
      lost.resolve();
      return Promise.reject(new Error('connection reset'));
    });
    await lost.promise;
    release();
    await taken;
    expect(handled).to.deep.equal([5, 6, 7]);
  });

  it('commits nothing that was given under an earlier assignment', async () => {
    const { entered, release, did, handled, batches, payload, membership } = setUp();
    const taken = batches.take(payload, membership);
    await entered;
    membership.assignment += 1;
    release();
    await taken;
    expect(handled).to.deep.equal([5]);
    expect(did).to.deep.equal([]);
  });

  it('does not take a partition that an earlier membership has in hand, until that is done', async () => {
    const { entered, release, did, handled, batches, payload, membership } = setUp();
    const taken = batches.take(payload, membership);
    await entered;
    membership.over = true;
    await batches.take(payload, { assignment: 1, refused: undefined, over: false });
    expect(did).to.deep.equal(['paused']);
    release();
    await taken;
    await until(() => did.includes('resumed'));
    expect(handled).to.deep.equal([5]);
    expect(did).to.deep.equal(['paused', 'resumed']);
  });

  describe('that stay open', () => {
    /** Handles messages by number; each new one keeps its batch open until the test ends its work. */
    function opening() {
      const work = new Map([6, 7].map((n) => [n, deferred<Error | void>()]));
      const opened: number[] = [];
      const s = setUp({
        async handle([message], open) {
          const n = Number(message!.value['n']);
          if (!open) return;
          opened.push(n);
          open.until(
            work.get(n)!.promise.then((failed) => {
              if (failed) throw failed;
            }),
          );
        },
        letGo: async () => void s.did.push('let go'),
      });
      return { ...s, work, opened, commits: () => s.did.filter((what) => what.startsWith('committed')) };
    }

    it('are only those of messages that no other member had, and the next ones are delivered meanwhile', async () => {
      const { opened, did, batches, payload, membership } = opening();
      await batches.take(payload, membership);
      expect(opened).to.deep.equal([6, 7]);
      expect(did).to.deep.equal(['committed 6', 'resolved 5', 'resolved 6', 'resolved 9']);
    });

    it('hold the committed offset back until the oldest of them has ended', async () => {
      const { work, commits, batches, payload, membership } = opening();
      await batches.take(payload, membership);
      work.get(7)!.resolve();
      await batches.letGo();
      expect(commits()).to.deep.equal(['committed 6']);
      work.get(6)!.resolve();
      await until(() => commits().length === 2);
      expect(commits()).to.deep.equal(['committed 6', 'committed 10']);
    });

    it('are never passed when their work fails', async () => {
      const { work, did, commits, batches, payload, membership } = opening();
      await batches.take(payload, membership);
      work.get(6)!.resolve(new Error('lost'));
      work.get(7)!.resolve();
      await until(() => did.includes('reported Error: lost'));
      await batches.letGo();
      expect(commits()).to.deep.equal(['committed 6']);
    });

    it('are let go before a member joins again, and what ended by then is committed', async () => {
      const { entered, release, did, batches, payload, membership, beat } = setUp({
        letGo: async () => void did.push('let go'),
      });
      const taken = failure(batches.take(payload, membership));
      await entered;
      beat(() => Promise.reject(refusal));
      await until(() => membership.refused !== undefined);
      release();
      expect(await taken).to.equal(refusal);
      expect(did).to.deep.equal(['committed 6', 'resolved 5', 'let go']);
    });

    it('are not committed under another assignment', async () => {
      const { work, commits, batches, payload, membership } = opening();
      await batches.take(payload, membership);
      membership.assignment += 1;
      work.get(6)!.resolve();
      work.get(7)!.resolve();
      await batches.letGo();
      expect(commits()).to.deep.equal(['committed 6']);
    });
  });
});
