/** A flow rehearsed for its author: each input has the effect that it has in production. */
import { expect } from 'chai';
import { rehearse, type RehearsalInput } from '../../../application/flows/rehearse.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';

const play = (blocks: FlowDefinition['blocks'], inputs: readonly RehearsalInput[] = []) =>
  rehearse({
    definition: { schema: 1, start: Object.keys(blocks)[0]!, blocks },
    variables: { from: 'shop' },
    contact: { name: 'Ana' },
    fields: { size: 'M' },
    inputs,
  });
const ways = ({ scenes }: ReturnType<typeof play>) => scenes.map(({ block, way }) => `${block}:${way}`);

const ASK: FlowDefinition['blocks'] = {
  ask: {
    type: 'ask',
    text: 'Posso?',
    save_as: 'may',
    choices: [{ id: 'yes', title: 'Sim' }],
    timeout: '1h',
    on_timeout: 'late',
    next: 'thanks',
  },
  thanks: { type: 'send_text', text: 'Obrigado.', next: null },
  late: { type: 'send_text', text: 'Até mais.', next: null },
};
const CALL: FlowDefinition['blocks'] = {
  call: {
    type: 'wait_for_callback',
    timeout: '1h',
    save: [{ path: 'paid', as: 'paid' }],
    next: 'done',
  },
  done: { type: 'send_text', text: '{{vars.paid}}', next: null },
};

describe('a rehearsal', () => {
  it('waits where there is no input left, and is not over then', () => {
    const played = play(ASK);
    expect([played.waiting, played.ended, ways(played)]).to.deep.equal(['ask', null, ['ask:null']]);
  });

  it('ends where a variable that doubles at each turn is as large as it may be', () => {
    const played = play({
      double: { type: 'set_variable', name: 'from', value: '{{vars.from}}{{vars.from}}', next: 'double' },
    });
    expect(played.ended).to.deep.equal({ status: 'failed', outcome: null, reason: 'variable_too_large' });
    expect(played.scenes).to.have.length(14);
    expect(played.vars['from']).to.have.length(4 * 2 ** 13);
  });

  it('takes the way of a failure where a text is too long', () => {
    const long = '{{vars.v}}'.repeat(5);
    const played = rehearse({
      definition: {
        schema: 1,
        start: 'say',
        blocks: {
          say: { type: 'send_text', text: long, on_error: 'sorry', next: null },
          sorry: { type: 'send_text', text: '{{vars.error}}', next: null },
        },
      },
      variables: { v: 'x'.repeat(60_000) },
      contact: {},
      fields: {},
      inputs: [],
    });
    expect(ways(played)).to.deep.equal(['say:on_error', 'sorry:next']);
    expect(played.scenes.at(-1)!.effect).to.deep.include({ text: 'text_too_long' });
  });

  it('takes a word, a button and silence as a customer gives them', () => {
    for (const [input, way] of [
      [{ reply: 'Sim' }, ['ask:next', 'thanks:next']],
      [{ choice: 'yes' }, ['ask:next', 'thanks:next']],
      [{ silence: true }, ['ask:on_timeout', 'late:next']],
    ] as const) {
      const played = play(ASK, [input]);
      expect(ways(played), JSON.stringify(input)).to.deep.equal(way);
      expect([played.waiting, played.ended?.status]).to.deep.equal([null, 'completed']);
    }
  });

  it('takes what another system says, at an address that stands for the real one', () => {
    const played = play(CALL, [{ answer: { paid: 'sim' } }]);
    expect(played.vars).to.deep.include({ from: 'shop', paid: 'sim' });
    expect(played.scenes.map(({ effect }) => effect.do)).to.deep.equal(['wait_for_callback', 'send_text']);
    const blocks: FlowDefinition['blocks'] = {
      tell: { type: 'send_text', text: '{{callback.call}}', next: 'call' },
      ...CALL,
    };
    expect(play(blocks).scenes[0]!.effect).to.include({ text: 'https://callback.example/call' });
  });

  it('fails as the other system does', () => {
    const blocks: FlowDefinition['blocks'] = {
      request: { type: 'http_request', method: 'GET', url: 'https://erp.example/', next: null },
    };
    expect(play(blocks, [{ error: 'request_timeout' }]).ended).to.include({
      status: 'failed',
      reason: 'request_timeout',
    });
  });

  it('knows the contact and its fields, and remembers a field that a block sets', () => {
    const played = play({
      set: { type: 'set_field', field: 'size', value: '{{contact.field.size}}G', next: 'tell' },
      tell: { type: 'send_text', text: '{{contact.name}} {{contact.email|-}}', next: null },
    });
    expect(played.fields).to.deep.equal({ size: 'MG' });
    expect(played.scenes[1]!.effect).to.include({ text: 'Ana -' });
  });

  it('stops a loop through messages after a thousand scenes', () => {
    const played = play({
      a: { type: 'send_text', text: 'a', next: 'b' },
      b: { type: 'send_text', text: 'b', next: 'a' },
    });
    expect([played.scenes.length, played.waiting, played.ended]).to.deep.equal([1_000, null, null]);
  });
});
