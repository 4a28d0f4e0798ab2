/** The channels that are watched, over any number of pages. */
import { expect } from 'chai';
import type { Find, ReadModels } from '../../../ports/read-models.js';
import { watchedChannels } from '../../../workers/channels/channels.js';

describe('channels that are looked after', () => {
  const doc = (uuid: string, taken_off = false) => ({
    uuid,
    company_uuid: 'c',
    waba_id: 'w',
    status: 'connected',
    quality_rating: null,
    taken_off,
  });

  function world() {
    const pages = [
      { documents: [doc('1'), doc('2', true)], next: ['w', '2'] },
      { documents: [], next: ['w', '3'] },
      { documents: [doc('4')], next: null },
    ];
    const asked: Find[] = [];
    const readModels = {
      async find(_collection: string, query: Find) {
        asked.push(query);
        const page = pages[asked.length - 1];
        if (page === undefined) throw new Error('there is no end of pages');
        return { next: page.next, documents: page.documents.map((one) => ({ doc: one })) };
      },
    } as unknown as ReadModels;
    return { readModels, asked };
  }
  async function seen(readModels: ReadModels, wabaId?: string): Promise<readonly string[]> {
    const uuids: string[] = [];
    for await (const { uuid } of watchedChannels(readModels, wabaId)) uuids.push(uuid);
    return uuids;
  }

  it('are all that nobody took off, account by account', async () => {
    const { readModels, asked } = world();
    expect(await seen(readModels)).to.deep.equal(['1', '4']);
    const page = { index: 'by_waba_id', equals: [], order: 'asc', limit: 200 };
    expect(asked).to.deep.equal([page, { ...page, after: ['w', '2'] }, { ...page, after: ['w', '3'] }]);
  });

  it('are those of one account where that is given', async () => {
    const { readModels, asked } = world();
    await seen(readModels, 'w');
    expect(asked.map(({ equals }) => equals)).to.deep.equal([['w'], ['w'], ['w']]);
  });
});
