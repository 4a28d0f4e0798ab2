/** Drafts, versions and publication of flows, over stores in memory. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { createFlowEngine } from '../../../application/flows/engine.js';
import {
  changeFlow,
  createFlow,
  loadFlow,
  publishedVersion,
  readVersion,
  saveDraft,
} from '../../../application/flows/manage.js';
import { draftProblems, publishFlow } from '../../../application/flows/publish.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { makeWorld } from '../../support/api/world.js';
import { createFlowWorld, type FlowWorld } from '../../workers/flows/world.js';
import { refusalOf } from '../provisioning/workspace.js';

const caller = { actor: 'test' };
const saying = (text: string): FlowDefinition => ({
  schema: 1,
  start: 'a',
  blocks: { a: { type: 'send_text', text, next: null } },
});
const unknown = '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b11';

describe('the versions of a flow', () => {
  let world: FlowWorld;
  let app: App;
  let companyUuid: string;
  beforeEach(async () => {
    world = createFlowWorld();
    app = world.app;
    companyUuid = (await makeWorld(app)).company;
  });
  afterEach(() => world.close());

  const make = async (definition?: unknown): Promise<string> =>
    (await createFlow(app, { companyUuid, name: 'Olá', ...(definition ? { definition } : {}) }, caller))
      .flowUuid;
  const publish = (uuid: string) => publishFlow(app, uuid, caller);
  const save = (flowUuid: string, definition: unknown) => saveDraft(app, { flowUuid, definition }, caller);

  it('are read as draft, as published, and by number, as they were then', async () => {
    const uuid = await make(saying('one'));
    await publish(uuid);
    await save(uuid, saying('two'));
    expect(await readVersion(app, uuid, 'draft')).to.deep.equal(saying('two'));
    expect(await readVersion(app, uuid, 'published')).to.deep.equal(saying('one'));
    await publish(uuid);
    expect(await readVersion(app, uuid, 1)).to.deep.equal(saying('one'));
    expect(await readVersion(app, uuid, 2)).to.deep.equal(saying('two'));
    expect(await readVersion(app, uuid, 'published')).to.deep.equal(saying('two'));
  });

  it('are refused where there are none, with those that there are', async () => {
    const uuid = await make();
    for (const version of ['draft', 'published', 1] as const) {
      const { code, details } = await refusalOf(readVersion(app, uuid, version));
      expect([code, details]).to.deep.equal([
        'flow_version_not_found',
        { version, published: null, versions: 0 },
      ]);
    }
    await save(uuid, saying('one'));
    await publish(uuid);
    expect((await refusalOf(readVersion(app, uuid, 2))).details).to.deep.equal({
      version: 2,
      published: 1,
      versions: 1,
    });
  });

  it('outlive their flow for executions under way, and for nobody else', async () => {
    const uuid = await make(saying('one'));
    await publish(uuid);
    await changeFlow(app, uuid, { type: 'DeleteFlow' }, caller);
    expect(await publishedVersion(app, uuid, 1)).to.deep.equal(saying('one'));
    expect(await publishedVersion(app, uuid, 2)).to.equal(undefined);
    for (const asked of [
      loadFlow(app, uuid),
      readVersion(app, uuid, 1),
      save(uuid, saying('two')),
      publish(uuid),
    ]) {
      expect((await refusalOf(asked)).code).to.equal('not_found');
    }
  });

  it('are read once by an engine, because they never change', async () => {
    const uuid = await make(saying('one'));
    await publish(uuid);
    let reads = 0;
    const read: App['store']['read'] = async (...range) => {
      reads += 1;
      return app.store.read(...range);
    };
    const engine = createFlowEngine({ ...app, store: { ...app.store, read } });
    expect(await engine.version(uuid, 1)).to.deep.equal(saying('one'));
    expect(await engine.version(uuid, 1)).to.deep.equal(saying('one'));
    expect(reads).to.equal(1);
    const error: unknown = await engine.version(uuid, 2).catch((reason: unknown) => reason);
    expect(String(error)).to.include(`flow ${uuid} has no version 2`);
  });

  it('are saved once: the same draft again writes nothing', async () => {
    const uuid = await make(saying('one'));
    expect((await save(uuid, saying('one'))).position).to.equal(null);
    expect((await save(uuid, saying('two'))).position).to.not.equal(null);
  });

  it('have the shape of a definition', async () => {
    for (const work of [make({ schema: 1 }), save(await make(), { blocks: 5 })]) {
      const { code, details } = await refusalOf(work);
      expect(code).to.equal('flow_invalid');
      expect(details['problems']).to.be.an('array').that.has.lengthOf.at.least(1);
    }
  });

  it('belong to a company that is known', async () => {
    const asked = createFlow(app, { companyUuid: unknown, name: 'Olá' }, caller);
    expect((await refusalOf(asked)).code).to.equal('not_found');
  });

  it('are on record by the position that creating them answers', async () => {
    const { flowUuid, position } = await createFlow(
      app,
      { companyUuid, name: 'Olá', definition: saying('one') },
      caller,
    );
    expect(position).to.equal(await app.store.head());
    expect((await loadFlow(app, flowUuid)).name).to.equal('Olá');
  });

  it('are refused where publishing would close a circle of flows that start each other', async () => {
    const starts = (flow_uuid: string): FlowDefinition => ({
      schema: 1,
      start: 'go',
      blocks: { go: { type: 'start_flow', flow_uuid } },
    });
    const [first, second, itself] = [await make(), await make(), await make()];
    await save(first, starts(second));
    await save(second, starts(first));
    await save(itself, starts(itself));
    // The flow that it starts is still a draft: there is no cycle yet.
    await publish(first);
    for (const uuid of [second, itself]) {
      expect((await draftProblems(app, uuid)).map(({ code }) => code)).to.include('flow_cycle_without_wait');
      const { code, details } = await refusalOf(publish(uuid));
      expect(code).to.equal('flow_invalid');
      expect(details['problems']).to.have.nested.property('[0].code', 'flow_cycle_without_wait');
    }
    await changeFlow(app, first, { type: 'UnpublishFlow' }, caller);
    await publish(second);
    expect((await refusalOf(publish(first))).code).to.equal('flow_invalid');
  });

  it('are warned of a word that another published flow begins with', async () => {
    const heard = (words: readonly string[]): FlowDefinition => ({
      ...saying('Oi'),
      triggers: [{ on: 'keyword', words }] as FlowDefinition['triggers'] & object,
    });
    const first = await make(heard(['Promoção', 'oi']));
    const second = await make(heard(['menu', 'PROMOCAO']));
    const problems = async () => {
      await world.show();
      return draftProblems(app, second);
    };
    expect(await problems(), 'the other one is a draft').to.deep.equal([]);
    await publish(first);
    expect(await problems()).to.deep.equal([
      {
        severity: 'warning',
        code: 'keyword_taken',
        reason: 'keyword_taken',
        values: { word: 'PROMOCAO', name: 'Olá' },
        block: null,
        path: 'triggers[0].words[1]',
        message: '"PROMOCAO" starts the flow "Olá" too: of two flows the one that was made first begins.',
      },
    ]);
    await publish(second);
    await changeFlow(app, first, { type: 'UnpublishFlow' }, caller);
    expect(await problems(), 'its own words').to.deep.equal([]);
  });
});
