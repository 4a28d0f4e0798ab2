/** From stored webhooks to the lanes in which they wait to be read. */
import { expect } from 'chai';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { TopicMessage } from '../../../ports/topics.js';
import { handOn, INBOUND_LANES, INBOUND_UPDATES } from '../../../workers/inbound/hand-on.js';
import { memoryIntake, texts } from './memory-intake.js';

describe('webhooks that are handed on', () => {
  const messageOf = (value: TopicMessage['value']): TopicMessage => ({
    topic: 't',
    key: 'k',
    offset: '0',
    value,
  });

  it('get a row in the lane of each of their parts, then a row for each lane, in its pool', async () => {
    const { app, dueTimes, keep, clock } = memoryIntake();
    const scheduled: string[][] = [];
    const inner = { ...dueTimes };
    dueTimes.schedule = async (rows) => {
      scheduled.push(rows.map(({ queue, id, lane }) => `${queue}: ${id} in ${lane}`));
      return inner.schedule(rows);
    };
    const parts = keep(texts(['ana']), ['1', '1/history', 'account']);
    const [stranger] = keep(texts(['bia']), ['1']);
    await handOn(app, [...parts.map(messageOf), messageOf({ ...stranger!, stream: 'operation-1' })]);
    const { stream } = parts[0]!;
    expect(scheduled).to.deep.equal([
      [
        'inbound-updates: e1 in 1',
        'inbound-updates: e1/part/1 in 1/history',
        `inbound-updates: e1/part/2 in ${stream}`,
        'inbound-lanes: 1 in numbers',
        'inbound-lanes: 1/history in histories',
        `inbound-lanes: ${stream} in accounts`,
      ],
    ]);
    const rows = dueTimes.rows(INBOUND_UPDATES);
    expect(rows.map(({ payload }) => payload['value'])).to.deep.equal(parts);
    expect(new Set(rows.map(({ dueAt }) => dueAt))).to.deep.equal(new Set([clock.now() - 1_000]));
    expect(dueTimes.rows(INBOUND_LANES).map(({ payload }) => payload)).to.deep.equal([{}, {}, {}]);
  });

  for (const [what, body, lanes] of [
    ['are opened where an earlier release named no lanes', texts(['ana'], '7'), ['7']],
    ['are one part where they can not be read', '{"entry":', [null]],
    ['are one part where their key is gone', null, [null]],
    ['are one part where they can not be opened', new Error('a fault'), [null]],
  ] as const) {
    it(what, async () => {
      const { app, dueTimes, keep } = memoryIntake();
      const [value] = keep(body, []);
      await handOn(app, [messageOf(value!)]);
      const rows = dueTimes.rows(INBOUND_UPDATES);
      expect(rows.map(({ lane }) => lane)).to.deep.equal(lanes.map((lane) => lane ?? value!.stream));
      expect(rows[0]!.payload['value']).to.deep.equal({
        ...value,
        ...(lanes[0] === null ? {} : { lane: lanes[0] }),
      });
    });
  }

  it('wait for the store where it is away', async () => {
    const { app, keep, dueTimes } = memoryIntake();
    const [value] = keep(new StoreUnavailable('gone'), []);
    expect(await handOn(app, [messageOf(value!)]).catch((error: unknown) => error)).to.be.instanceOf(
      StoreUnavailable,
    );
    expect(dueTimes.rows(INBOUND_UPDATES)).to.deep.equal([]);
  });
});
