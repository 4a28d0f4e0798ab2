import { randomUUID } from 'node:crypto';
import {
  ANY,
  END,
  NO_STREAM,
  START,
  type Position,
  type SubscribeToAllOptions,
  eventTypeFilter,
  excludeSystemEvents,
  streamNameFilter,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { collect, hear, standInForSuite, ticks, until } from './fixture.js';

describe("EventStoreDB's stand-in: subscriptions", () => {
  const fixture = standInForSuite();
  const append = (stream: string, count: number, expectedRevision: bigint | typeof NO_STREAM = NO_STREAM) =>
    fixture.client.appendToStream(stream, ticks(count), { expectedRevision });
  const positionOf = async (stream: string, revision: number): Promise<Position> => {
    const events = await collect(fixture.client.readStream(stream, { fromRevision: BigInt(revision) }));
    return events[0]?.event?.position ?? { commit: 0n, prepare: 0n };
  };
  const toAll = (options: SubscribeToAllOptions) => {
    const subscription = fixture.client.subscribeToAll(options);
    return { subscription, heard: hear(subscription) };
  };
  const toStream = (stream: string, fromRevision: bigint | typeof START | typeof END) => {
    const subscription = fixture.client.subscribeToStream(stream, { fromRevision });
    return { subscription, heard: hear(subscription) };
  };

  describe('to a stream', () => {
    it('confirmation, what comes after the revision, caught up, live', async () => {
      const stream = `sub-${randomUUID()}`;
      await append(stream, 3);
      const { subscription, heard } = toStream(stream, 0n);
      await until(() => heard.order.includes('caughtUp'));
      await append(stream, 1, 2n);
      await until(() => heard.order.length === 5);
      expect(heard.order).to.deep.equal(['confirmation', 'Tick 1', 'Tick 2', 'caughtUp', 'Tick 3']);
      await subscription.unsubscribe();
    });

    it('from the end: only what is new', async () => {
      const stream = `sub-${randomUUID()}`;
      await append(stream, 2);
      const { subscription, heard } = toStream(stream, END);
      await until(() => heard.order.includes('caughtUp'));
      await append(stream, 1, 1n);
      await until(() => heard.order.length === 3);
      expect(heard.order).to.deep.equal(['confirmation', 'caughtUp', 'Tick 2']);
      await subscription.unsubscribe();
    });

    it('a stream that is not there yet delivers once it is', async () => {
      const stream = `sub-${randomUUID()}`;
      const { subscription, heard } = toStream(stream, START);
      await until(() => heard.order.includes('confirmation'));
      await append(stream, 2);
      await until(() => heard.order.includes('caughtUp'));
      expect(heard.order).to.deep.equal(['confirmation', 'Tick 0', 'Tick 1', 'caughtUp']);
      await subscription.unsubscribe();
    });

    it('a tombstone: $streamDeleted, then StreamDeletedError, which is also what a later subscription gets', async () => {
      const stream = `sub-${randomUUID()}`;
      await append(stream, 1);
      const { heard } = toStream(stream, START);
      await until(() => heard.order.includes('caughtUp'));
      await fixture.client.tombstoneStream(stream);
      await until(() => heard.errors.length === 1);
      expect(heard.order.at(-1)).to.equal('$streamDeleted 9223372036854775807');
      const late = toStream(stream, START);
      await until(() => late.heard.errors.length === 1);
      expect([heard, late.heard].map(({ errors }) => errors[0]?.type)).to.deep.equal(
        Array(2).fill('stream-deleted'),
      );
    });
  });

  describe('to $all', () => {
    it('after a position, with a filter on stream prefixes, and on into live', async () => {
      const mine = `mine-${randomUUID()}`;
      const other = `other-${randomUUID()}`;
      await append(mine, 3);
      await append(other, 40);
      const { subscription, heard } = toAll({
        fromPosition: await positionOf(mine, 0),
        filter: streamNameFilter({ prefixes: ['nobody-', mine] }),
      });
      await until(() => heard.order.includes('caughtUp'));
      await append(other, 1, 39n);
      await append(mine, 1, 2n);
      await until(() => heard.order.length === 5);
      expect(heard.order).to.deep.equal(['confirmation', 'Tick 1', 'Tick 2', 'caughtUp', 'Tick 3']);
      await subscription.unsubscribe();
      await until(() => fixture.standIn.subscriptions() === 0);
    });

    it('filters: event type prefix, regular expressions, no system events', async () => {
      const stream = `filter-${randomUUID()}`;
      await append(stream, 2);
      const everything = (await collect(fixture.client.readAll())).map(({ event }) => event);
      const cases = {
        types: [eventTypeFilter({ prefixes: ['Ti'] }), (type: string) => type.startsWith('Ti')],
        streams: [streamNameFilter({ regex: `^${stream}$` }), (_: string, name: string) => name === stream],
        ours: [excludeSystemEvents(), (type: string) => !type.startsWith('$')],
      } as const;
      for (const [name, [filter, matches]] of Object.entries(cases)) {
        const { subscription, heard } = toAll({ filter });
        await until(() => heard.order.includes('caughtUp'));
        const expected = everything.filter((event) => matches(event?.type ?? '', event?.streamId ?? ''));
        expect(heard.order.slice(1, -1), name).to.deep.equal(
          expected.map((event) => `${event?.type} ${event?.revision}`),
        );
        await subscription.unsubscribe();
      }
    });

    it('without a filter the records of the server come too', async () => {
      const { subscription, heard } = toAll({});
      await until(() => heard.order.includes('caughtUp'));
      expect(heard.order[1]).to.equal('$metadata 0');
      await subscription.unsubscribe();
    });

    it('a position that is no start of a record: UnknownError 2; beyond the end: live', async () => {
      const stream = `sub-${randomUUID()}`;
      await append(stream, 1);
      const { commit } = await positionOf(stream, 0);
      const off = toAll({ fromPosition: { commit: commit + 1n, prepare: commit + 1n } });
      await until(() => off.heard.errors.length === 1);
      expect([off.heard.errors[0]?.type, off.heard.errors[0]?.code]).to.deep.equal(['unknown', 2]);
      const far = toAll({
        fromPosition: { commit: commit + 1_000_000n, prepare: commit + 1_000_000n },
        filter: streamNameFilter({ prefixes: [stream] }),
      });
      await until(() => far.heard.order.includes('caughtUp'));
      await append(stream, 1, 0n);
      await until(() => far.heard.order.includes('Tick 1'));
      expect(far.heard.order).to.deep.equal(['confirmation', 'caughtUp', 'Tick 1']);
      await far.subscription.unsubscribe();
    });

    it('a checkpoint for every 32 records looked at, from which a subscription goes on without loss or repeat', async () => {
      const stream = `checked-${randomUUID()}`;
      const noise = `noise-${randomUUID()}`;
      for (let i = 0; i < 10; i += 1) {
        await append(noise, 15, i === 0 ? NO_STREAM : BigInt(i * 15 - 1));
        await append(stream, 1, i === 0 ? NO_STREAM : BigInt(i - 1));
      }
      const run = async (fromPosition: Position | typeof START) => {
        const checkpoints: (Position & { readonly seen: number })[] = [];
        const { subscription, heard } = toAll({
          fromPosition,
          filter: streamNameFilter({
            prefixes: [stream],
            checkpointReached: async (_subscription, position) => {
              checkpoints.push({ ...position, seen: heard.revisions().length });
            },
          }),
        });
        await until(() => heard.order.includes('caughtUp'));
        return { subscription, heard, checkpoints };
      };
      const first = await run(START);
      expect(first.heard.revisions()).to.deep.equal(Array.from({ length: 10 }, (_, i) => i));
      const looked = (await collect(fixture.client.readAll())).length;
      expect(first.checkpoints.length).to.equal(Math.floor(looked / 32));
      const commits = first.checkpoints.map(({ commit }) => commit);
      expect([...commits].sort((a, b) => (a < b ? -1 : 1))).to.deep.equal(commits);
      for (const { seen, ...position } of first.checkpoints) {
        const again = await run(position);
        const [next = 10] = again.heard.revisions();
        expect(again.heard.revisions().length, 'nothing missing').to.equal(10 - next);
        expect(next, 'nothing that was behind the checkpoint').to.be.at.least(seen);
        await again.subscription.unsubscribe();
      }

      const before = first.checkpoints.length;
      const live = ticks(70);
      for (const event of live) {
        await fixture.client.appendToStream(noise, event, { expectedRevision: ANY });
      }
      await until(() => first.checkpoints.length >= before + 2);
      const last = first.checkpoints.at(-1);
      expect(last?.commit, 'a live checkpoint is the place of a record').to.equal(last?.prepare);
      await first.subscription.unsubscribe();
    });

    it('a consumer that takes nothing while events come live is dropped: TimeoutError, code 10', async () => {
      const stream = `slow-${randomUUID()}`;
      const subscription = fixture.client.subscribeToAll({
        fromPosition: END,
        filter: streamNameFilter({ prefixes: [stream] }),
      });
      const errors: { readonly type?: string; readonly code?: number; readonly message: string }[] = [];
      subscription.on('error', (error: (typeof errors)[number]) => errors.push(error));
      await until(() => fixture.standIn.subscriptions() === 1);
      for (let i = 0; i < 40 && fixture.standIn.subscriptions() === 1; i += 1) {
        await fixture.client.appendToStream(stream, ticks(20), { expectedRevision: ANY });
      }
      subscription.resume();
      await until(() => errors.length === 1);
      expect([errors[0]?.type, errors[0]?.code]).to.deep.equal(['timeout', 10]);
      expect(errors[0]?.message).to.contain('Consumer too slow to handle event while live');
    });
  });
});
