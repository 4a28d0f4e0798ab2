/** The flow that a customer's words trigger. */
import { expect } from 'chai';
import { findTriggered } from '../../../application/flows/triggers.js';
import type { App } from '../../../application/app.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { flowAggregate } from '../../../domain/flow/decide.js';
import type { Flow } from '../../../domain/flow/state.js';
import type { Find } from '../../../ports/read-models.js';
import { loadedStates } from '../../support/fakes/loaded-states.js';

type Triggers = NonNullable<FlowDefinition['triggers']>;
const keyword = (...words: string[]): Triggers[number] => ({ on: 'keyword', words });
const FIRST: Triggers[number] = { on: 'first_message' };

/** Active flows as the read model returns them, oldest first; `state` overrides the state of a flow's stream. */
function flows(
  ...all: readonly {
    readonly triggers?: Triggers;
    readonly version?: number;
    readonly state?: Partial<Flow>;
  }[]
) {
  const streams = loadedStates();
  const definitions = new Map<string, FlowDefinition>();
  const documents = all.map(({ triggers, version = 1, state }, place) => {
    const uuid = `flow ${place}`;
    definitions.set(`${uuid}@${version}`, {
      schema: 1,
      start: 'a',
      ...(triggers ? { triggers } : {}),
      blocks: {},
    });
    streams.set(flowAggregate, uuid, { published: { version, digest: '' }, ...state });
    return { id: uuid, doc: { uuid, version }, version: '1' };
  });
  const readModels = {
    async find(collection: string, find: Find) {
      expect([collection, find]).to.deep.equal([
        'flows',
        { index: 'by_status', equals: ['company', 'active'], order: 'asc', limit: 500 },
      ]);
      return { documents, next: null };
    },
  };
  const app = { ...streams, readModels } as unknown as App;
  const version = async (uuid: string, number: number) => definitions.get(`${uuid}@${number}`)!;
  let asked = 0;
  const said = (words: string | null, isFirst = true) =>
    findTriggered(app, version, {
      companyUuid: 'company',
      words,
      async isFirst() {
        asked += 1;
        return isFirst;
      },
    });
  return {
    said,
    /** The flow and the trigger that matched, as one text; null when no flow matched. */
    by: async (words: string | null, isFirst?: boolean): Promise<string | null> => {
      const found = await said(words, isFirst);
      return found === null ? null : `${found.flowUuid} by ${found.trigger}`;
    },
    asked: () => asked,
  };
}

describe('the flow that a message sets off', () => {
  it('has one of its words, as people write them', async () => {
    const { by } = flows({ triggers: [keyword('oi', 'Promoção')] });
    for (const words of ['oi', ' OI! ', 'promocao', 'Promoção']) {
      expect(await by(words), words).to.equal('flow 0 by keyword');
    }
    for (const words of ['oi tudo bem', '', '!', null]) expect(await by(words), String(words)).to.equal(null);
  });

  it('is named with its version and definition', async () => {
    const found = await flows({ triggers: [keyword('oi')], version: 3 }).said('oi');
    expect(found).to.deep.equal({
      flowUuid: 'flow 0',
      version: 3,
      definition: { schema: 1, start: 'a', triggers: [keyword('oi')], blocks: {} },
      trigger: 'keyword',
    });
  });

  it('is the oldest of several that have the word', async () => {
    const { by } = flows(
      { triggers: [keyword('outro')] },
      { triggers: [keyword('oi')] },
      {
        triggers: [keyword('oi')],
      },
    );
    expect(await by('oi')).to.equal('flow 1 by keyword');
  });

  it('greets first messages, the oldest first; a word comes before all of them', async () => {
    const { by } = flows({ triggers: [FIRST] }, { triggers: [FIRST] }, { triggers: [keyword('oi'), FIRST] });
    expect(await by('bom dia')).to.equal('flow 0 by first_message');
    expect(await by(null)).to.equal('flow 0 by first_message');
    expect(await by('oi')).to.equal('flow 2 by keyword');
    expect(await by('bom dia', false)).to.equal(null);
  });

  it('asks whether a message is the first only where a flow greets, and once', async () => {
    const none = flows({ triggers: [keyword('oi')] }, {});
    await none.by('bom dia');
    expect(none.asked()).to.equal(0);
    const two = flows({ triggers: [FIRST] }, { triggers: [FIRST] });
    await two.by('bom dia');
    expect(two.asked()).to.equal(1);
  });

  for (const [name, state] of [
    ['deleted', { deleted: true }],
    ['withdrawn', { published: null }],
    ['published in another version', { published: { version: 2, digest: '' } }],
  ] as const) {
    it(`is none that was ${name} a moment ago: the next one is taken`, async () => {
      const triggers = [keyword('oi'), FIRST];
      const { by } = flows({ triggers, state }, { triggers });
      expect(await by('oi')).to.equal('flow 1 by keyword');
      expect(await by('bom dia')).to.equal('flow 1 by first_message');
    });
  }
});
