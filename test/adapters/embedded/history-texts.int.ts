/** The history as text, where a row is read as one text (conformance/history-texts.ts tests the rest). */
import { expect } from 'chai';
import { START } from '../../../ports/event-store.js';
import { record, streamName } from '../../conformance/support.js';
import { temporaryStore } from '../../conformance/embedded.js';

describe('embedded: the history as text', () => {
  it('keeps apart what names with line breaks in them belong to', async () => {
    const temporary = await temporaryStore();
    const { eventStore, historyTexts } = temporary.store;
    try {
      const stream = `${streamName()}\n7\nx`;
      const events = [record({ text: 'a\nb' }, 'Two\nLines'), record({}, 'Other')];
      await eventStore.append(stream, 'no_stream', events);
      const { records } = await historyTexts.read({ after: START, limit: 10 });
      expect(
        records.map(({ data, meta, ...plain }) => ({ ...plain, data: [data, JSON.parse(meta)] })),
      ).to.deep.equal(
        (await eventStore.read(stream)).map(({ data, meta, ...plain }) => ({
          ...plain,
          data: [JSON.stringify(data), meta],
        })),
      );
    } finally {
      await temporary.close();
    }
  });
});
