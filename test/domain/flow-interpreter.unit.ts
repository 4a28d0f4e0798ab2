import { expect } from 'chai';
import { rehearse, type RehearsalInput } from '../../application/flows/rehearse.js';
import type { Block, BlockOf, FlowDefinition } from '../../domain/flow/blocks.js';
import { readDefinition } from '../../domain/flow/problems.js';

function play(
  blocks: FlowDefinition['blocks'],
  inputs: readonly RehearsalInput[] = [],
  given: { readonly vars?: Record<string, unknown>; readonly name?: string } = {},
) {
  const definition: FlowDefinition = { schema: 1, start: Object.keys(blocks)[0]!, blocks };
  expect(readDefinition(definition).problems.filter(({ severity }) => severity === 'error')).to.deep.equal(
    [],
  );
  const played = rehearse({
    definition,
    variables: given.vars ?? {},
    contact: { name: given.name ?? null },
    fields: {},
    inputs,
  });
  return { ...played, ways: played.scenes.map(({ block, way }) => `${block}:${way}`) };
}

const ask = {
  type: 'ask',
  text: 'Quantos?',
  retry_text: 'Um número, por favor.',
  save_as: 'count',
  expect: 'number',
  retries: 1,
  timeout: '1h',
  next: null,
} as const;

describe('interpreter of flows', () => {
  it('sends, branches and ends', () => {
    const played = play(
      {
        hello: { type: 'send_text', text: 'Oi {{contact.name|você}} do {{vars.utm}}', next: 'from' },
        from: {
          type: 'condition',
          branches: [{ when: { value: '{{vars.utm}}', is: 'equal', to: 'instagram' }, next: 'tag' }],
          otherwise: null,
        },
        tag: { type: 'add_tag', tag: 'ig-{{vars.utm}}', next: 'stop' },
        stop: { type: 'end', outcome: 'greeted' },
      },
      [],
      { vars: { utm: 'Instagram' }, name: 'Ana' },
    );
    expect(played.ways).to.deep.equal(['hello:next', 'from:branches[0].next', 'tag:next', 'stop:end']);
    expect(played.scenes[0]!.effect).to.include({ do: 'send_text', text: 'Oi Ana do Instagram' });
    expect(played.scenes[2]!.effect).to.deep.equal({ do: 'add_tag', tag: 'ig-Instagram' });
    expect(played.ended).to.deep.equal({ status: 'completed', outcome: 'greeted', reason: null });
  });

  it('asks, asks again, and gives up after the last retry', () => {
    expect(play({ q: ask }).waiting).to.equal('ask');
    expect(
      play({ q: ask }, [{ reply: 'dois' }]).scenes.map(({ effect }) => (effect as { text: string }).text),
    ).to.deep.equal(['Quantos?', 'Um número, por favor.']);
    const right = play({ q: ask }, [{ reply: 'dois' }, { reply: '2,5' }]);
    expect([right.answers, right.ended?.status]).to.deep.equal([{ count: 2.5 }, 'completed']);
    const wrong = play({ q: ask }, [{ reply: 'dois' }, { reply: 'muitos' }]);
    expect(wrong.ended).to.deep.equal({ status: 'failed', outcome: null, reason: 'answer_invalid' });
    const elsewhere = play({ q: { ...ask, on_invalid: 'x' }, x: { type: 'handoff' } }, [
      { reply: 'a' },
      { reply: 'b' },
    ]);
    expect([elsewhere.ways.at(-1), elsewhere.ended?.status]).to.deep.equal(['x:handed_off', 'handed_off']);
  });

  it('counts retries anew when a question is come to again', () => {
    const again = play(
      {
        q: { ...ask, next: 'q2', retries: 1 },
        q2: { ...ask, save_as: 'other', next: 'q' },
      },
      [{ reply: 'x' }, { reply: '1' }, { reply: '2' }, { reply: 'x' }],
    );
    expect([again.waiting, again.ended]).to.deep.equal(['ask', null]);
  });

  it('lets silence lead somewhere, or expire', () => {
    expect(play({ q: ask }, [{ silence: true }]).ended?.status).to.equal('expired');
    expect(play({ q: { ...ask, on_timeout: null } }, [{ silence: true }]).ended?.status).to.equal(
      'completed',
    );
  });

  it('takes a choice by button, title or number, each with its own way', () => {
    const q: Block = {
      type: 'ask',
      text: 'Posso ajudar?',
      save_as: 'help',
      choices: [
        { id: 'yes', title: 'Sim', next: 'people' },
        { id: 'no', title: 'Não' },
      ],
      next: null,
    };
    const blocks: FlowDefinition['blocks'] = { q, people: { type: 'handoff' } };
    for (const input of [{ choice: 'yes' }, { reply: ' SIM! ' }, { reply: '1' }])
      expect(play(blocks, [input]).ways[0], JSON.stringify(input)).to.equal('q:choices[0].next');
    const no = play(blocks, [{ reply: 'nao' }]);
    expect([no.ways[0], no.answers]).to.deep.equal(['q:next', { help: 'no' }]);
    expect(play(blocks, [{ choice: 'constructor' }]).ways[0]).to.equal('q:retry');
  });

  it('reads e-mails and phones as people type them', () => {
    const answer = (expect: string, reply: string): unknown =>
      play({ q: { ...ask, expect } }, [{ reply }]).answers['count'];
    expect(answer('email', ' ana@example.com ')).to.equal('ana@example.com');
    expect(answer('email', 'ana')).to.equal(undefined);
    expect(answer('phone', '(11) 98765-4321')).to.equal('+5511987654321');
    expect(answer('phone', '+1 202 555 0123')).to.equal('+12025550123');
    expect(answer('phone', 'liga')).to.equal(undefined);
    expect(answer('text', '  ')).to.equal(undefined);
  });

  it('asks other systems with values that can add nothing to the request, and keeps what they say', () => {
    const request: BlockOf<'http_request'> = {
      type: 'http_request',
      method: 'POST',
      url: 'https://erp.example/orders/{{vars.code}}?x={{vars.code}}',
      headers: { 'X-Code': '{{vars.code}}' },
      body: '{"name": "{{contact.name}}"}',
      save: [{ path: 'items.0.sku', as: 'sku' }],
      next: 'b',
      on_error: 'c',
    };
    const blocks: FlowDefinition['blocks'] = {
      a: request,
      b: { type: 'send_text', text: '{{vars.sku}}', next: null },
      c: { type: 'send_text', text: '{{vars.error}}', next: null },
    };
    const given = { vars: { code: 'a/b?\r\nX: 1' }, name: 'Ana", "admin": "1' };
    const asked = play(blocks, [{ answer: { items: [{ sku: 'CAM' }] } }], given);
    const { url, headers, body } = asked.scenes[0]!.effect as { url: string; headers: object; body: string };
    expect(url).to.equal('https://erp.example/orders/a%2Fb%3F%0D%0AX%3A%201?x=a%2Fb%3F%0D%0AX%3A%201');
    expect(headers).to.deep.equal({ 'X-Code': 'a/b?  X: 1' });
    expect(JSON.parse(body)).to.deep.equal({ name: 'Ana", "admin": "1' });
    expect(asked.scenes[1]!.effect).to.include({ text: 'CAM' });
    expect(play(blocks, [{ error: 'timeout' }], given).scenes[1]!.effect).to.include({ text: 'timeout' });
    expect(play(blocks, [{ answer: 'no object' }], given).vars['sku']).to.equal(null);
    const { on_error: _, ...strict } = request;
    expect(play({ ...blocks, a: strict }, [{ error: 'timeout' }], given).ended).to.deep.equal({
      status: 'failed',
      outcome: null,
      reason: 'timeout',
    });
  });

  it('puts values into texts once', () => {
    const played = play(
      {
        a: { type: 'set_variable', name: 'x', value: '{{contact.name}}', next: 'b' },
        b: { type: 'set_field', field: 'city', value: '{{vars.x}}', next: 'c' },
        c: { type: 'send_text', text: '{{contact.field.city}}', next: null },
      },
      [],
      { name: '{{contact.phone}}' },
    );
    expect(played.fields).to.deep.equal({ city: '{{contact.phone}}' });
    expect(played.scenes[2]!.effect).to.include({ text: '{{contact.phone}}' });
  });

  it('stops a rehearsal that would never end', () => {
    const loop = play({ q: { type: 'wait', for: '1m', next: 'q' } });
    expect([loop.scenes.length, loop.ended]).to.deep.equal([1_000, null]);
  });
});
