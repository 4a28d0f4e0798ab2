import { expect } from 'chai';
import { SANDBOX_NUMBER } from '../../application/provisioning/workspace.js';
import { openAdmin, type Answer, newCompany } from './server.js';
import { opened } from '../../support/opened.js';

const text = (said: string, next: string | null = null) => ({ type: 'send_text', text: said, next });
const flow = (blocks: object, start = 'a') => ({ schema: 1, start, blocks });

interface Found {
  readonly problems: readonly { readonly code: string }[];
}

describe('admin: flows', () => {
  let company: string;
  let target: string;

  const server = opened(openAdmin);
  before(async () => {
    company = await newCompany(server);
    target = `/companies/${company}/flows`;
  });

  const make = async (definition: unknown, name = 'Boas-vindas'): Promise<string> => {
    const answer = await server.call('POST', target, { name, definition });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return `/flows/${answer.data['uuid'] as string}`;
  };
  const codes = ({ body }: Answer): unknown[] => {
    const { data, error } = body as { data?: Found; error?: { details: Found } };
    return (data ?? error!.details).problems.map(({ code }) => code);
  };

  it('go from draft to versions that never change', async () => {
    const made = await make(flow({ a: text('Oi') }));
    expect((await server.call('GET', made)).data).to.include({
      status: 'draft',
      version: null,
      draft_differs: true,
    });
    const published = await server.call('POST', `${made}/publish`);
    expect(published.data).to.include({ status: 'active', version: 1, draft_differs: false });
    const saved = await server.call('PUT', `${made}/draft`, { definition: flow({ a: text('Olá') }) });
    expect(saved.data).to.include({ status: 'active', version: 1, draft_differs: true });
    const diff = await server.call('GET', `${made}/diff`);
    expect(diff.data['changes']).to.deep.equal([
      { change: 'changed', block: 'a', field: 'text', before: 'Oi', after: 'Olá' },
    ]);
    expect((await server.call('POST', `${made}/publish`)).data).to.include({ version: 2 });
    expect((await server.call('POST', `${made}/publish`)).data).to.include({ version: 2 });
    const first = await server.call('GET', `${made}/definition?version=1`);
    expect(first.data['definition']).to.deep.equal(flow({ a: text('Oi') }));
    expect((await server.call('GET', `${made}/render?version=published`)).data['mermaid']).to.include('Olá');
    expect((await server.call('POST', `${made}/unpublish`)).data).to.include({
      status: 'draft',
      version: null,
    });
    expect((await server.call('GET', `${made}/definition?version=published`)).code).to.equal(
      'flow_version_not_found',
    );
    expect((await server.call('GET', `${made}/definition?version=3`)).status).to.equal(404);
    expect((await server.call('PATCH', made, { name: 'Tchau' })).data['name']).to.equal('Tchau');
    expect((await server.call('DELETE', made)).status).to.equal(204);
    expect((await server.call('GET', made)).status).to.equal(404);
  });

  it('warn of templates and flows that the company does not have, and are published all the same', async () => {
    const channel = await server.call('POST', `/companies/${company}/channels`, {
      phone_number_id: SANDBOX_NUMBER.phoneNumberId,
      waba_id: SANDBOX_NUMBER.wabaId,
      access_token: SANDBOX_NUMBER.accessToken,
    });
    expect(
      (await server.call('POST', `/channels/${channel.data['uuid'] as string}/templates/sync`)).status,
    ).to.equal(200);
    const named = (status: string) =>
      server.sandbox.templates.find((template) => template.status === status)!;
    const sends = (name: string, language?: string) => ({
      type: 'send_template',
      name,
      language,
      next: null,
    });
    const goesOn = (flow_uuid: string) => ({ type: 'start_flow', flow_uuid });
    const draft = (await make(flow({ a: text('Oi') }), 'Rascunho')).slice('/flows/'.length);
    const active = (await make(flow({ a: text('Oi') }), 'Ativo')).slice('/flows/'.length);
    await server.call('POST', `/flows/${active}/publish`);
    const { name, language } = named('APPROVED');
    const blocks = {
      fine: sends(name, language),
      missing: sends('nobody_made_this'),
      rejected: sends(named('REJECTED').name),
      foreign: sends(name, 'xx_YY'),
      gone: goesOn('8d5f0f0e-1111-4222-8333-444455556666'),
      draft: goesOn(draft),
      active: goesOn(active),
    };
    const ask = {
      type: 'condition',
      branches: Object.keys(blocks)
        .slice(1)
        .map((next) => ({ when: { value: '{{contact.name}}', is: 'equal', to: next }, next })),
      otherwise: 'fine',
    };
    const made = await make(flow({ a: ask, ...blocks }), 'Nomes');
    const shown = await server.call('GET', made);
    const found = (shown.data as unknown as { problems: Record<string, string>[] }).problems;
    expect(
      found.map(({ severity, block, path, code }) => [severity, block, path, code]),
    ).to.have.deep.members([
      ['warning', 'missing', 'name', 'template_not_found'],
      ['warning', 'rejected', 'name', 'template_not_approved'],
      ['warning', 'foreign', 'language', 'template_language_invalid'],
      ['warning', 'gone', 'flow_uuid', 'flow_unknown'],
      ['warning', 'draft', 'flow_uuid', 'flow_not_active'],
    ]);
    const published = await server.call('POST', `${made}/publish`);
    expect(published.data).to.include({ status: 'active' });
    expect(codes(published)).to.have.length(5);
  });

  it('keep a draft that is not ready, say why, and do not publish it', async () => {
    const made = await make(flow({ a: text('Oi', 'a') }), 'Volta');
    const shown = await server.call('GET', made);
    expect(shown.status, JSON.stringify(shown.body)).to.equal(200);
    expect(codes(shown)).to.deep.equal(['cycle_without_wait']);
    const refused = await server.call('POST', `${made}/publish`);
    expect([refused.status, refused.code]).to.deep.equal([422, 'flow_invalid']);
    expect(codes(refused)).to.deep.equal(['cycle_without_wait']);
  });

  it('do not keep what is no definition, and leave the draft as it was', async () => {
    for (const definition of [
      null,
      [],
      'x',
      1,
      {},
      flow({ a: { type: 'fly' } }),
      { ...flow({}), __proto__: null, x: 1 },
    ]) {
      const answer = await server.call('POST', target, { name: 'Ruim', definition });
      expect([answer.status, answer.code], JSON.stringify(definition)).to.deep.equal([422, 'flow_invalid']);
    }
    const made = await make(flow({ a: text('Oi') }));
    expect((await server.call('PUT', `${made}/draft`, { definition: { schema: 1 } })).code).to.equal(
      'flow_invalid',
    );
    expect((await server.call('GET', `${made}/definition`)).data['definition']).to.deep.equal(
      flow({ a: text('Oi') }),
    );
  });

  it('are checked without being kept', async () => {
    const good = await server.call('POST', '/flows/check', { definition: flow({ a: text('Oi') }) });
    expect(good.data).to.deep.equal({ publishable: true, problems: [] });
    const bad = await server.call('POST', '/flows/check', { definition: flow({ a: text('{{') }) });
    expect([bad.status, bad.data['publishable'], codes(bad)]).to.deep.equal([
      200,
      false,
      ['placeholder_invalid'],
    ]);
  });

  it('are played through without anything being sent', async () => {
    const definition = flow({ a: { type: 'ask', text: 'Cor?', save_as: 'color', next: null } });
    const waits = await server.call('POST', '/flows/rehearse', { definition });
    expect(waits.data).to.include({ waiting: 'ask', ended: null });
    const done = await server.call('POST', '/flows/rehearse', { definition, inputs: [{ reply: 'Azul' }] });
    expect(done.data['answers']).to.deep.equal({ color: 'Azul' });
    expect(done.data['ended']).to.include({ status: 'completed' });
    const bad = await server.call('POST', '/flows/rehearse', { definition: flow({ a: text('Oi', 'x') }) });
    expect([bad.status, bad.code]).to.deep.equal([422, 'flow_invalid']);
    for (const inputs of [[{}], [{ reply: 'a', choice: 'b' }], [{ shout: 'a' }], [{ silence: false }]])
      expect((await server.call('POST', '/flows/rehearse', { definition, inputs })).code).to.equal(
        'validation_failed',
      );
  });

  it('have a schema that says what definitions look like', async () => {
    const schema = (await server.call('GET', '/flows/schema')).data;
    expect(schema).to.include({ type: 'object', title: 'Recado flow' });
  });

  it('of nobody: 404; and bad requests are named', async () => {
    const nobody = '/flows/00000000-0000-4000-8000-000000000000';
    for (const [method, path, body] of [
      ['GET', nobody],
      ['PATCH', nobody, { name: 'x' }],
      ['DELETE', nobody],
      ['PUT', `${nobody}/draft`, { definition: flow({ a: text('x') }) }],
      ['POST', `${nobody}/publish`],
      ['GET', `${nobody}/definition`],
      ['GET', `${nobody}/diff`],
      ['GET', `${nobody}/render`],
      ['POST', '/companies/00000000-0000-4000-8000-000000000000/flows', { name: 'x' }],
    ] as const)
      expect((await server.call(method, path, body)).status, `${method} ${path}`).to.equal(404);
    expect((await server.call('POST', target, {})).code).to.equal('validation_failed');
    expect((await server.call('GET', `${target}?status=other`)).code).to.equal('validation_failed');
  });
});
