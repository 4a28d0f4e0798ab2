import { expect } from 'chai';
import { NOTIFICATIONS, SENDS } from '../../../application/relay.js';
import { StoreUnavailable, START } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import type { ConsumeOptions, NewMessage, TopicMessage, Topics } from '../../../ports/topics.js';
import type { Rounds } from '../../../workers/kernel/every.js';
import { startLostMessageSweeper, trackedTopics } from '../../../workers/relay/lost-message-sweeper.js';
import { RELAY, relayCheckpoints, startRelay, untilRelayed } from '../../../workers/relay/worker.js';
import { conversationStream } from '../../../domain/streams.js';
import { deferred, meta } from '../../conformance/support.js';
import { manualClock, turns } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { openedForEach } from '../../support/opened.js';
import { relayWorld } from './world.js';

const OVERDUE = 300_000;

describe('the relay from the history to the topics', () => {
  it('repeats, and never skips, what was published when a store was away at any one step', async () => {
    for (let bad = 1; bad <= 14; bad += 1) {
      let step = 0;
      const w = relayWorld(() => {
        step += 1;
        if (step === bad) throw new StoreUnavailable(`step ${bad}`);
      });
      const ids = [await w.happen(), await w.happen()];
      const relaying = startRelay(w.app);
      await w.clock.advance(3_000);
      ids.push(await w.happen(), await w.happen('NobodyCares'), await w.happen());
      await w.clock.advance(5_000);
      const wanted = ids.filter((id) => !id.startsWith('Nobody'));
      expect([...new Set(w.published)], `step ${bad}`).to.deep.equal(wanted);
      expect(w.at()).to.equal(w.store.records.at(-1)!.position);
      await relaying.stop();
      expect(w.clock.pending()).to.equal(0);
    }
  });

  it('begins behind a restore, whatever its checkpoint was, and tells nobody of what was before', async () => {
    for (const ranBefore of [false, true]) {
      const w = relayWorld();
      await w.happen();
      if (ranBefore) {
        const before = startRelay(w.app);
        await w.clock.advance(3_000);
        await before.stop();
      }
      const known = [...w.published];
      await w.happen();
      await w.restored(false);
      const relaying = startRelay(w.app);
      await w.clock.advance(3_000);
      expect(w.published).to.deep.equal(known);
      const next = await w.happen();
      await w.clock.advance(3_000);
      expect(w.published).to.deep.equal([...known, next]);
      await relaying.stop();
    }
  });

  it('goes on at its checkpoint where nothing ran since, and behind the restore where it has none', async () => {
    const w = relayWorld();
    await w.happen();
    await w.restored(true);
    const first = startRelay(w.app);
    await w.clock.advance(3_000);
    await first.stop();
    expect(w.published).to.deep.equal([]);
    const missed = await w.happen();
    await w.restored(true);
    const second = startRelay(w.app);
    await w.clock.advance(3_000);
    await second.stop();
    expect(w.published).to.deep.equal([missed]);
  });

  it('does not move on while the topics refuse', async () => {
    const w = relayWorld();
    w.fault.publish = () => {
      throw new Error('no broker');
    };
    await w.happen();
    const relaying = startRelay(w.app);
    await w.clock.advance(5_000);
    expect(w.at()).to.equal(START);
    delete w.fault.publish;
    await w.clock.advance(2_000);
    expect(w.published).to.deep.equal(['ConversationOpened-1']);
    expect(w.at()).to.equal(w.store.records.at(-1)!.position);
    await relaying.stop();
  });

  it('crashed between publishing and its checkpoint: its successor repeats', async () => {
    const crash = deferred();
    let dead = false;
    const w = relayWorld(async (kind) => {
      if (kind !== 'advance' || dead) return;
      dead = true;
      await crash.promise;
    });
    const id = await w.happen();
    const first = startRelay(w.app);
    await turns(20);
    expect(w.published).to.deep.equal([id]);
    const second = w.other();
    await turns(20);
    const next = await w.happen();
    await turns(20);
    expect(w.published).to.deep.equal([id, id, next]);
    // The dead relay resumes with its old checkpoint: it moves nothing, and publishes nothing more of its own.
    crash.resolve();
    await turns(20);
    expect(w.at()).to.equal(w.store.records.at(-1)!.position);
    expect(w.published).to.deep.equal([id, id, next]);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('can be waited for, also while more is written all the time, and not after a stop', async () => {
    const w = relayWorld();
    const seen: string[] = [];
    const waits = (name: string, stopping: () => boolean) =>
      untilRelayed(w.app, [conversationStream.prefix], stopping).then(
        (relayed) => void seen.push(`${name} ${relayed}`),
      );
    void waits('nothing', () => false);
    await turns();
    expect(seen).to.deep.equal(['nothing true']);
    let stopped = false;
    await w.happen();
    // Not relevant to any waiting caller, so the checkpoint may stay before it.
    const other = { eventId: 'other', type: 'Other', data: {}, meta: meta() };
    await w.store.append('other-1', 'no_stream', [other]);
    void waits('written', () => false);
    void waits('stopped', () => stopped);
    await w.clock.advance(5_000);
    expect(seen).to.deep.equal(['nothing true']);
    stopped = true;
    await w.clock.advance(1_000);
    expect(seen).to.deep.equal(['nothing true', 'stopped false']);
    // There is always an unpublished event, but not one that was waited for.
    await w.happen();
    const to = w.store.records[0]!.position;
    await w.readModels.commit(relayCheckpoints.name, { projection: RELAY, from: START, to, writes: [] });
    await w.clock.advance(1_000);
    expect(seen.slice(2)).to.deep.equal(['written true']);
  });
});

describe('messages that nobody handled', () => {
  const message = (id: string): NewMessage => ({
    topic: SENDS,
    key: `k-${id}`,
    value: { event_id: id, x: 1 },
  });

  function createWorld() {
    const clock = manualClock();
    const dueTimes = memoryDueTimes(() => clock.now());
    const published: NewMessage[] = [];
    const fault: { publish?: () => void } = {};
    const group = { passed: true, marks: 0 };
    let options: ConsumeOptions | undefined;
    let sweeper: Rounds | undefined;
    const broker: Topics = {
      async publish(messages) {
        fault.publish?.();
        published.push(...messages);
      },
      consume(given) {
        options = given;
        return { stop: async () => undefined, lag: async () => 0, caughtUp: async () => undefined };
      },
    };
    const deps = { dueTimes, clock, overdueMs: OVERDUE };
    return {
      clock,
      dueTimes,
      published,
      fault,
      group,
      deps,
      tracked: trackedTopics(broker, deps),
      sweep: () =>
        (sweeper = startLostMessageSweeper(
          { dueTimes, clock, logger: silentLogger },
          {
            publish: (messages) => broker.publish(messages),
            async mark() {
              group.marks += 1;
              return async () => group.passed;
            },
          },
          { names: [SENDS, NOTIFICATIONS], overdueMs: OVERDUE },
        )),
      hand: (messages: readonly NewMessage[]) =>
        options!.handle(messages.map((m, n): TopicMessage => ({ ...m, offset: `0:${n}` }))),
      waiting: () => dueTimes.rows(`intent:${SENDS}`).map(({ id }) => id),
      close: () => sweeper?.stop(),
    };
  }
  const w = openedForEach(createWorld);
  const consume = (handle: ConsumeOptions['handle'] = async () => undefined) =>
    w.tracked.consume({ topic: SENDS, group: 'g', handle });

  it('are published again, as they were, once they are overdue', async () => {
    const sweeper = w.sweep();
    await w.tracked.publish([message('a')]);
    await w.clock.advance(OVERDUE - 10_000);
    expect(w.published).to.have.length(1);
    await w.clock.advance(20_000);
    expect(w.published).to.deep.equal([message('a'), message('a')]);
    consume();
    await w.hand([message('a')]);
    await w.clock.advance(10 * OVERDUE);
    expect(w.published).to.have.length(2);
    await sweeper.stop();
    expect(w.clock.pending()).to.equal(0);
  });

  it('are not published again when they were handled, also twice and by a group that hears late', async () => {
    w.sweep();
    consume();
    await w.tracked.publish([message('a'), message('b')]);
    await w.hand([message('a'), message('b')]);
    await w.hand([message('b')]);
    await w.clock.advance(3 * OVERDUE);
    expect(w.published).to.have.length(2);
    expect(w.waiting()).to.deep.equal([]);
  });

  it('are told apart where one event is several', async () => {
    const [first, second] = [message('a'), { ...message('a'), value: { ...message('a').value, part: 1 } }];
    w.sweep();
    consume();
    await w.tracked.publish([first, second]);
    await w.hand([first]);
    expect(w.waiting()).to.have.length(1);
    await w.clock.advance(OVERDUE + 10_000);
    expect(w.published).to.deep.equal([first, second, second]);
  });

  it('are known although the process died before it published them', async () => {
    w.fault.publish = () => {
      throw new Error('died');
    };
    await w.tracked.publish([message('a')]).catch(() => undefined);
    delete w.fault.publish;
    w.sweep();
    await w.clock.advance(OVERDUE + 10_000);
    expect(w.published).to.deep.equal([message('a')]);
  });

  it('stay when the handler failed, or the process died before it could say that it was done', async () => {
    consume(async () => {
      throw new Error('not this time');
    });
    await w.tracked.publish([message('a')]);
    await w.hand([message('a')]).catch(() => undefined);
    expect(w.waiting()).to.deep.equal(['a']);
    w.sweep();
    await w.clock.advance(OVERDUE + 10_000);
    expect(w.published).to.have.length(2);
  });

  it('that were handled in the middle of a sweep are gone, not back', async () => {
    w.sweep();
    consume();
    await w.tracked.publish([message('a')]);
    w.fault.publish = () => void w.hand([message('a')]);
    await w.clock.advance(OVERDUE + 10_000);
    delete w.fault.publish;
    expect(w.waiting()).to.deep.equal([]);
    await w.clock.advance(5 * OVERDUE);
    expect(w.published).to.have.length(2);
  });

  it('are left where they are while their group is on its way to them', async () => {
    w.sweep();
    w.group.passed = false;
    await w.tracked.publish([message('a'), message('b')]);
    await w.clock.advance(2 * OVERDUE);
    await w.tracked.publish([message('c')]);
    await w.clock.advance(18 * OVERDUE);
    expect(w.published).to.have.length(3);
    expect(w.group.marks).to.equal(1);
    // The group passes the first two, one of which was lost. The third is behind the mark, where it may still be
    // handled.
    consume();
    await w.hand([message('a')]);
    w.group.passed = true;
    await w.clock.advance(5_000);
    expect(w.published.slice(3)).to.deep.equal([message('b')]);
  });

  it('cost nobody a question while none is overdue', async () => {
    w.sweep();
    await w.tracked.publish([message('a')]);
    await w.clock.advance(OVERDUE - 10_000);
    consume();
    await w.hand([message('a')]);
    await w.clock.advance(10 * OVERDUE);
    expect(w.group.marks).to.equal(0);
  });

  it('come back although their group gets stuck, after long', async () => {
    w.sweep();
    w.group.passed = false;
    await w.tracked.publish([message('a')]);
    await w.clock.advance(64 * OVERDUE);
    expect(w.published).to.have.length(1);
    await w.clock.advance(2 * OVERDUE);
    expect(w.published).to.have.length(2);
  });

  it('come back less and less often while nobody handles them, by hours in the end', async () => {
    const sweeper = w.sweep();
    await w.tracked.publish([message('a')]);
    // The sweeper polls every five seconds, so each pause ends up to five seconds late.
    for (const pauses of [1, 1, 2, 4]) {
      const before = w.published.length;
      await w.clock.advance(pauses * OVERDUE - 60_000);
      expect(w.published, `after ${pauses} times the first`).to.have.length(before);
      await w.clock.advance(65_000);
      expect(w.published).to.have.length(before + 1);
    }
    await sweeper.stop();
    const [row] = w.dueTimes.rows(`intent:${SENDS}`);
    expect(row!.dueAt - w.clock.now()).to.be.within(8 * OVERDUE - 30_000, 8 * OVERDUE);
  });

  it('come back after at most 64 times the first pause, however often they were published', async () => {
    await w.tracked.publish([message('a')]);
    const queue = `intent:${SENDS}`;
    const now = w.clock.now() + OVERDUE;
    for (let n = 0; n < 20; n += 1) {
      await w.dueTimes.claim({ queue, lane: 'all', now, limit: 1, leaseMs: 0 });
    }
    const sweeper = w.sweep();
    await w.clock.advance(OVERDUE + 5_000);
    await sweeper.stop();
    expect(w.dueTimes.rows(queue)[0]!.dueAt - w.clock.now()).to.be.within(64 * OVERDUE - 5_000, 64 * OVERDUE);
    expect(w.published).to.have.length(2);
  });

  it('are counted by a sweep, and left alone after a stop', async () => {
    const sweeper = w.sweep();
    await w.tracked.publish([message('a'), message('b')]);
    w.clock.stepWall(OVERDUE - 1);
    expect(await sweeper.sweep()).to.equal(0);
    w.clock.stepWall(1);
    expect(await sweeper.sweep()).to.equal(2);
    expect(await sweeper.sweep()).to.equal(0);
    await sweeper.stop();
    w.clock.stepWall(OVERDUE);
    expect(await sweeper.sweep()).to.equal(0);
    expect(w.published).to.have.length(4);
  });

  it('are looked for by a new mark each time: an old one says nothing of what came since', async () => {
    const sweeper = w.sweep();
    for (const id of ['a', 'b']) {
      await w.tracked.publish([message(id)]);
      w.clock.stepWall(OVERDUE);
      await sweeper.sweep();
    }
    expect(w.group.marks).to.equal(2);
    expect(w.published.map(({ key }) => key)).to.deep.equal(['k-a', 'k-a', 'k-b', 'k-a', 'k-b']);
  });

  it('wait for a broker that is away, and none is forgotten', async () => {
    await w.tracked.publish([message('a'), message('b')]);
    w.fault.publish = () => {
      throw new Error('no broker');
    };
    w.sweep();
    await w.clock.advance(2 * OVERDUE);
    delete w.fault.publish;
    await w.clock.advance(120_000);
    expect(w.published.slice(2)).to.have.deep.members([message('a'), message('b')]);
  });

  it('do not hold up a stop, however many there are', async () => {
    await w.tracked.publish(Array.from({ length: 1_000 }, (_, n) => message(`m${n}`)));
    const sweeper = w.sweep();
    const stopped = deferred();
    w.fault.publish = () => void sweeper.stop().then(stopped.resolve);
    await w.clock.advance(OVERDUE + 10_000);
    await stopped.promise;
    expect(w.published.length).to.equal(1_000 + 200);
  });
});
