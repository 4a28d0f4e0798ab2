/** Names in a flow that its company does not have: the author of the flow gets warnings. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { referenceProblems } from '../../../application/flows/references.js';
import type { Block } from '../../../domain/flow/blocks.js';
import { flowAggregate } from '../../../domain/flow/decide.js';
import type { Flow } from '../../../domain/flow/state.js';
import { teamAggregate } from '../../../domain/team/decide.js';
import type { TeamMember } from '../../../domain/team/state.js';
import { loadedStates } from '../../support/fakes/loaded-states.js';

interface Version {
  readonly waba_id?: string;
  readonly language?: string;
  readonly status?: string;
}

function problemsOf(
  blocks: Readonly<Record<string, Block>>,
  versions: readonly Version[] = [],
  flows: Readonly<Record<string, Partial<Flow>>> = {},
  members: Readonly<Record<string, TeamMember>> = {},
) {
  const streams = loadedStates();
  streams.set(teamAggregate, 'company', { members: new Map(Object.entries(members)) });
  for (const [uuid, flow] of Object.entries(flows)) streams.set(flowAggregate, uuid, flow);
  const documents = versions.map((version) => ({
    doc: {
      waba_id: 'one',
      language: 'pt_BR',
      status: 'APPROVED',
      removed_at: null,
      name: 'promo',
      ...version,
    },
  }));
  const app = { ...streams, readModels: { find: async () => ({ documents }) } } as unknown as App;
  const flow = { uuid: 'this', companyUuid: 'company' };
  return referenceProblems(app, flow, { schema: 1, start: 'a', blocks });
}
const template = (language?: string): Block => ({
  type: 'send_template',
  name: 'promo',
  ...(language === undefined ? {} : { language }),
  next: null,
});
const start = (flow: string): Block => ({ type: 'start_flow', flow_uuid: flow });
const found = async (...given: Parameters<typeof problemsOf>) =>
  (await problemsOf(...given)).map(({ block, code, path }) => `${block}: ${code} at ${path}`);

describe('what a flow names', () => {
  it('is right where one account has the template in its language', async () => {
    const versions = [{ waba_id: 'two', status: 'PAUSED' }, {}];
    expect(await problemsOf({ a: template('pt_BR') }, versions)).to.deep.equal([]);
  });

  it('is a warning at the block, with the code that a send would be refused with', async () => {
    const [problem] = await problemsOf({ a: template() });
    expect(problem).to.deep.equal({
      severity: 'warning',
      reason: 'template_not_found',
      values: { name: 'promo', language: '' },
      block: 'a',
      code: 'template_not_found',
      path: 'name',
      message: 'The channel has no template named "promo". List them with GET /templates.',
    });
    expect(await found({ a: template('es') }, [{}])).to.deep.equal([
      'a: template_language_invalid at language',
    ]);
    expect(await found({ a: template() }, [{ status: 'PAUSED' }])).to.deep.equal([
      'a: template_not_approved at name',
    ]);
  });

  it('is not put together from two accounts: each is judged by its own versions', async () => {
    const versions = [
      { waba_id: 'one', language: 'en' },
      { waba_id: 'two', language: 'pt_BR' },
    ];
    // With two languages in one account, the block would have to name one of them.
    expect(await found({ a: template() }, versions)).to.deep.equal([]);
    expect(await found({ a: template() }, [{ language: 'en' }, { language: 'es' }])).to.deep.equal([
      'a: template_language_invalid at language',
    ]);
  });

  const ours = { exists: true, companyUuid: 'company', name: 'Outro' };
  const published = { version: 1, digest: '' };
  for (const [name, flow, problem] of [
    ['published', { ...ours, published }, null],
    ['unknown', {}, 'flow_unknown'],
    ['deleted', { ...ours, published, deleted: true }, 'flow_unknown'],
    ["another company's", { ...ours, published, companyUuid: 'other' }, 'flow_unknown'],
    ['a draft', ours, 'flow_not_active'],
  ] as const) {
    it(`is ${problem ?? 'right'} for a flow that is ${name}`, async () => {
      expect(await found({ a: start('next') }, [], { next: flow })).to.deep.equal(
        problem === null ? [] : [`a: ${problem} at flow_uuid`],
      );
    });
  }

  it('is a warning for whom the company does not have among its people, or has as something else', async () => {
    const team: Readonly<Record<string, TeamMember>> = {
      ana: { kind: 'agent', name: 'Ana', access: null },
      sales: { kind: 'group', name: null, access: null },
    };
    const handOff = (agent_uuid: string, group_uuid: string): Block => ({
      type: 'handoff',
      agent_uuid,
      group_uuid,
    });
    expect(await found({ a: handOff('ana', 'sales') }, [], {}, team)).to.deep.equal([]);
    expect(await found({ a: handOff('sales', 'gone') }, [], {}, team)).to.deep.equal([
      'a: agent_unknown at agent_uuid',
      'a: group_unknown at group_uuid',
    ]);
  });

  it('may be the flow itself, though it is not published yet', async () => {
    expect(await problemsOf({ a: start('this') })).to.deep.equal([]);
  });

  it('is looked at in the first two hundred blocks that name something', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`b${n}`, start('none')]));
    const blocks = { silent: { type: 'handoff' } as Block, ...many(201) };
    expect(await problemsOf(blocks)).to.have.length(200);
  });
});
