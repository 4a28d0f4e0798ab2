/** Read models as of the event that is handled. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import type { Barrier } from '../../../application/barrier.js';
import type { Position } from '../../../ports/event-store.js';
import { ReadModelBehind } from '../../../ports/read-models.js';
import { upTo } from '../../../workers/kernel/up-to.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';

const at = (position: number) => String(position) as Position;

describe('a read of a read model', () => {
  function world(guards: Barrier['guards'] = () => true) {
    const barrier = fakeBarrier();
    const read: string[] = [];
    const app = {
      barrier: { ...barrier, guards },
      readModels: {
        async get(model: string, id: string) {
          read.push(`${model}/${id}`);
          return { id };
        },
      },
      settings: 'as they were',
    } as unknown as App;
    return { app, barrier, read };
  }

  it('waits until that shows the event', async () => {
    const { app, barrier, read } = world();
    barrier.endAt('contacts', at(5));
    const asOf = upTo(app, at(5));
    expect(asOf.settings).to.equal('as they were');
    const behind = await asOf.readModels.get('contacts', '1').catch((error: unknown) => error);
    expect(behind).to.be.instanceOf(ReadModelBehind);
    expect(read).to.deep.equal([]);
    expect(await upTo(app, at(4)).readModels.get('contacts', '1')).to.deep.equal({ id: '1' });
    expect(await asOf.readModels.get('messages', '2'), 'of another one').to.deep.equal({ id: '2' });
    expect(read).to.deep.equal(['contacts/1', 'messages/2']);
  });

  it('waits for nothing where the read model only says where to look, or is none of the history', async () => {
    const { app, barrier, read } = world((model) => model !== 'parked_messages');
    for (const model of ['conversations', 'parked_messages']) barrier.endAt(model, at(0));
    const asOf = upTo(app, at(5), ['conversations']);
    await asOf.readModels.get('conversations', '1');
    await asOf.readModels.get('parked_messages', '2');
    expect(read).to.deep.equal(['conversations/1', 'parked_messages/2']);
  });

  it('is remembered where channels are looked for, by the whole question, once they show the event', async () => {
    const { app, barrier } = world();
    const asked: string[] = [];
    const remembering = {
      ...app,
      barrier: {
        ...barrier,
        remembered: async (model: string, key: string, read: () => Promise<object>) => {
          asked.push(`${model} ${key}`);
          return read();
        },
      },
      readModels: { ...app.readModels, find: async (model: string) => ({ documents: [model], next: null }) },
    } as unknown as App;
    barrier.endAt('channels', at(5));
    const find = (position: number, model: string, value: string) =>
      upTo(remembering, at(position)).readModels.find(model, {
        index: 'by_waba_id',
        equals: [value],
        order: 'asc',
        limit: 1,
      });
    const behind = await find(5, 'channels', 'a').catch((error: unknown) => error);
    expect(behind).to.be.instanceOf(ReadModelBehind);
    expect(asked).to.deep.equal([]);
    expect(await find(4, 'channels', 'a')).to.deep.equal({ documents: ['channels'], next: null });
    await find(4, 'channels', 'b');
    await find(4, 'contacts', 'a');
    expect(asked).to.have.length(2);
    expect(new Set(asked).size).to.equal(2);
    for (const question of asked) expect(question).to.match(/^channels \[/);
  });
});
