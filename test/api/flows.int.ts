import { expect } from 'chai';
import { changeFlow, createFlow } from '../../application/flows/manage.js';
import { publishFlow } from '../../application/flows/publish.js';
import { ask, type Answer } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { makeWorld } from '../support/api/world.js';
import { opened } from '../support/opened.js';

const caller = { actor: 'test', correlationId: '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b11' };
const definition = { schema: 1, start: 'a', blocks: { a: { type: 'send_text', text: 'Oi', next: null } } };

describe('flows', () => {
  const api = opened(makeApi);
  const world = opened(() => makeWorld(api.app));

  const get = (path: string, key = world.key): Promise<Answer> => ask(api, 'GET', path, { key });
  const make = async (name: string, active: boolean): Promise<string> => {
    const { flowUuid } = await createFlow(api.app, { companyUuid: world.company, name, definition }, caller);
    if (active) await publishFlow(api.app, flowUuid, caller);
    return flowUuid;
  };

  it('are listed newest first, by status, in pages, and read one by one', async () => {
    const [draft, active] = [await make('Rascunho', false), await make('Boas-vindas', true)];
    const names = (answer: Answer): unknown[] =>
      (answer.body.data as { name: string }[]).map(({ name }) => name);
    expect(names(await get('/flows'))).to.have.members(['Boas-vindas', 'Rascunho']);
    expect(names(await get('/flows?status=active'))).to.deep.equal(['Boas-vindas']);
    expect(names(await get('/flows?status=draft'))).to.deep.equal(['Rascunho']);
    const first = await get('/flows?limit=1');
    const second = await get(`/flows?limit=1&after=${first.body.meta!.next_cursor}`);
    expect([...names(first), ...names(second)]).to.have.members(['Boas-vindas', 'Rascunho']);
    expect(second.body.meta!.next_cursor).to.equal(null);
    const one = (await get(`/flows/${active}`)).body.data as Record<string, unknown>;
    expect(one).to.include({ uuid: active, name: 'Boas-vindas', status: 'active' });
    expect(one['supported_providers']).to.deep.equal(['whatsapp']);
    expect(((await get(`/flows/${draft.toUpperCase()}`)).body.data as { uuid: string }).uuid).to.equal(draft);
  });

  it('of another company, unknown or deleted are not found; a wrong status is refused', async () => {
    const other = await makeWorld(api.app, 'Outra');
    const flow = await make('Nosso', true);
    expect((await get(`/flows/${flow}`, other.key)).status).to.equal(404);
    expect((await get('/flows', other.key)).body.data).to.deep.equal([]);
    await changeFlow(api.app, flow, { type: 'DeleteFlow' }, caller);
    expect((await get(`/flows/${flow}`)).status).to.equal(404);
    expect((await get('/flows?status=paused')).status).to.equal(422);
  });
});
