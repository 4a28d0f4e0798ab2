/**
 * Requirements on every HistoryTexts and the event store that it reads. Adapters plug in with `describeHistoryTexts`.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { EventStore, Position } from '../../ports/event-store.js';
import type { HistoryTexts, TextRecord } from '../../ports/history-texts.js';
import { COMPANY, meta, record, streamName } from './support.js';
import { opened } from '../support/opened.js';

export interface HistoryTextsHarness {
  readonly store: { readonly events: EventStore; readonly texts: HistoryTexts };
  close(): Promise<void>;
}

type Filter = Pick<Parameters<HistoryTexts['read']>[0], 'types' | 'company'>;

export function describeHistoryTexts(name: string, make: () => Promise<HistoryTextsHarness>): void {
  describe(`HistoryTexts: ${name}`, () => {
    const harness = opened(make);
    let events: EventStore;
    let texts: HistoryTexts;
    /** Start of this run's events: servers keep the events of earlier runs. */
    let from: Position;

    before(() => void ({ events, texts } = harness.store));
    beforeEach(async () => {
      from = await events.head();
    });

    /** Writes one event each, in streams of their own. */
    async function written(
      ...added: readonly { readonly type: string; readonly company?: string }[]
    ): Promise<readonly string[]> {
      const ids: string[] = [];
      for (const { type, company = COMPANY } of added) {
        const event = { ...record({ n: ids.length }, type), meta: meta({ company }) };
        await events.append(streamName(), 'no_stream', [event]);
        ids.push(event.eventId);
      }
      return ids;
    }

    async function all(limit: number, filter: Filter = {}): Promise<readonly TextRecord[]> {
      const found: TextRecord[] = [];
      let after = from;
      for (let pages = 0; pages < 1_000; pages += 1) {
        const page = await texts.read({ after, limit, ...filter });
        expect(page.records.length).to.be.at.most(limit);
        found.push(...page.records);
        if (page.atEnd) return found;
        expect(page.next > after, 'a page that is not the last moves on').to.equal(true);
        after = page.next;
      }
      throw new Error('the history does not end');
    }
    const idsOf = (records: readonly TextRecord[]) => records.map(({ eventId }) => eventId);

    it('gives the records of the store, metadata and data as JSON', async () => {
      const stream = streamName();
      const data = { text: 'ação ✓ \u{1F600} "\\\n', nested: { list: [1, null, 'x'] }, cents: 12.5 };
      await events.append(stream, 'no_stream', [record(data, 'ContactRenamed'), record({}, 'Other')]);
      const found = await all(100);
      const parsed = found.map(({ meta, data, ...plain }) => ({
        ...plain,
        meta: JSON.parse(meta) as unknown,
        data: JSON.parse(data) as unknown,
      }));
      expect(parsed).to.deep.equal(await events.read(stream));
    });

    it('gives every event once, in the order of the history, however small the pages', async () => {
      const ids = await written(...Array.from({ length: 7 }, () => ({ type: 'TestHappened' })));
      for (const limit of [1, 3, 7, 100]) expect(idsOf(await all(limit)), `by ${limit}`).to.deep.equal(ids);
    });

    it('begins behind the position that it is given', async () => {
      const ids = await written({ type: 'A' }, { type: 'B' }, { type: 'C' });
      const [first] = (await texts.read({ after: from, limit: 1 })).records;
      const { records } = await texts.read({ after: first!.position, limit: 10 });
      expect(idsOf(records)).to.deep.equal(ids.slice(1));
    });

    it('leaves out other types and other companies, and comes to the end all the same', async () => {
      const other = randomUUID();
      const ids = await written(
        { type: 'Wanted' },
        { type: 'Unwanted' },
        { type: 'Wanted', company: other },
        { type: 'AlsoWanted' },
        { type: 'Unwanted', company: other },
      );
      const of = (...indexes: readonly number[]) => indexes.map((index) => ids[index]);
      for (const limit of [1, 2, 100]) {
        expect(idsOf(await all(limit, { types: ['Wanted', 'AlsoWanted'] }))).to.deep.equal(of(0, 2, 3));
        expect(idsOf(await all(limit, { company: other }))).to.deep.equal(of(2, 4));
        expect(idsOf(await all(limit, { types: ['Wanted'], company: COMPANY }))).to.deep.equal(of(0));
        expect(await all(limit, { types: ['NeverSeen'] })).to.deep.equal([]);
      }
    });

    it('says at the end that there is no more, and goes on from there when there is', async () => {
      await written({ type: 'TestHappened' });
      const head = await events.head();
      const end = await texts.read({ after: head, limit: 10 });
      expect(end.records).to.deep.equal([]);
      expect(end.atEnd).to.equal(true);
      expect(end.next >= head).to.equal(true);
      const [id] = await written({ type: 'TestHappened' });
      expect(idsOf((await texts.read({ after: end.next, limit: 10 })).records)).to.deep.equal([id]);
    });
  });
}
