/** The current state of a document: from its read model, whose answer callers of a second share, or from its stream. */
import { expect } from 'chai';
import { presentDocument } from '../../application/present-document.js';
import { channels, type ChannelDoc } from '../../read-models/channels.js';
import type { App } from '../../application/app.js';
import { fakeBarrier } from '../support/fakes/barrier.js';
import { memoryReadModels } from '../support/memory/read-models.js';

describe('the present document', () => {
  async function world() {
    const readModels = memoryReadModels();
    await readModels.define(channels);
    const stored: string = channels.name;
    await readModels.write(stored, [{ id: 'c1', doc: { uuid: 'in the read model' }, version: '1' }]);
    const barrier = fakeBarrier();
    const asked: string[] = [];
    const replay = ((_collection: string, stream: string) =>
      Promise.resolve({ uuid: `replayed from ${stream}` })) as unknown as App['replay'];
    const app = {
      readModels,
      replay,
      barrier: {
        ...barrier,
        remembered: <T extends object>(model: string, key: string, read: () => Promise<T>) => {
          asked.push(`${model}: ${key}`);
          return read();
        },
      },
    };
    const present = async (id: string): Promise<string | undefined> =>
      (await presentDocument<ChannelDoc>(app, channels.name, `channel-${id}`, id))?.uuid;
    return { barrier, asked, present };
  }

  it('comes from a read model that has everything, by an answer that others may share', async () => {
    const w = await world();
    expect(await w.present('c1')).to.equal('in the read model');
    expect(await w.present('c2'), 'no such document').to.equal(undefined);
    expect(w.asked).to.deep.equal(['channels: present c1', 'channels: present c2']);
  });

  it('comes from its stream where the read model lags, which proves nothing', async () => {
    const w = await world();
    w.barrier.endAt(channels.name, '5');
    expect(await w.present('c1')).to.equal('replayed from channel-c1');
    expect(w.asked).to.deep.equal([]);
  });
});
