import { expect } from 'chai';
import type { App } from '../../application/app.js';
import { readOperation } from '../../application/queries/operations.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { failure } from '../conformance/support.js';

const OWN = { uuid: 'o', company_uuid: 'c', status: 'queued' };
type Answer = typeof OWN | undefined | Error;

/** One operation as its read model and its stream return it. */
function ask(readModel: Answer, stream: Answer, company = 'c') {
  const looked: string[] = [];
  const tell = (where: string, answer: Answer) => {
    looked.push(where);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const app = {
    readModels: {
      async get(_: string, id: string) {
        const doc = await tell('read model', readModel);
        return doc && { id, doc, version: '1' };
      },
    },
    store: { read: (name: string) => tell(name.startsWith('operation-') ? 'stream' : 'execution', stream) },
    codec: { decodeAll: async (records: readonly Answer[]) => records.slice(0, 1) },
    project: (_: string, [first]: readonly Answer[]) => first,
  } as unknown as App;
  return { answer: readOperation(app, 'o', company), looked };
}
const away = (what: string) => new StoreUnavailable(what);

describe('one operation', () => {
  it('is read where it is cheapest, and nowhere else', async () => {
    const { answer, looked } = ask(OWN, new Error('not asked'));
    expect(await answer).to.deep.equal(OWN);
    expect(looked).to.deep.equal(['read model']);
  });

  it('is told by its stream when the read model is late or away', async () => {
    for (const readModel of [undefined, away('read models')]) {
      expect(await ask(readModel, OWN).answer).to.deep.equal(OWN);
    }
  });

  it('of another company does not exist, wherever it is found', async () => {
    for (const [readModel, stream] of [
      [OWN, OWN],
      [undefined, OWN],
    ] as const) {
      expect(await failure(ask(readModel, stream, 'other').answer)).to.include({ code: 'not_found' });
    }
    expect((await failure(ask(away('read models'), OWN, 'other').answer)).name).to.equal('StoreUnavailable');
  });

  it('that neither knows is not found; that nobody can be asked for is unavailable', async () => {
    expect(await failure(ask(undefined, undefined).answer)).to.include({ code: 'not_found' });
    // The operation may have been accepted a moment ago: only its stream can prove that it does not exist.
    expect((await failure(ask(undefined, away('history')).answer)).message).to.equal('history');
    expect((await failure(ask(away('read models'), away('history')).answer)).message).to.equal('history');
    expect((await failure(ask(away('read models'), undefined).answer)).message).to.equal('read models');
  });

  it('hides no fault of ours behind its stream', async () => {
    const { answer, looked } = ask(new TypeError('a bug'), OWN);
    expect((await failure(answer)).name).to.equal('TypeError');
    expect(looked).to.deep.equal(['read model']);
  });
});
