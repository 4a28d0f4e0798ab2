/** A flow puts another system's response into messages and contacts only if a caller could have sent the same. */
import { expect } from 'chai';
import { loadExecution } from '../../../application/flows/load.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { textOf } from './play.js';
import { setStage } from './stage.js';
import { createFlowWorld } from './world.js';

const FLOW: FlowDefinition = {
  schema: 1,
  start: 'ask',
  blocks: {
    ask: {
      type: 'http_request',
      method: 'GET',
      url: 'https://example.com/order',
      save: [{ path: 'state', as: 'state' }],
      next: 'say',
      on_error: 'sorry',
    },
    say: { type: 'send_text', text: 'Pedido {{vars.state}}', next: null },
    sorry: { type: 'send_text', text: 'Desculpe: {{vars.error}}', next: null },
  },
};

/** Texts that the customer receives after this response. */
async function sentAfter(bodyText: string): Promise<readonly string[]> {
  const world = createFlowWorld({
    request: () => ({
      kind: 'answered',
      status: 200,
      headers: {},
      bodyText,
      durationMs: 1,
      address: '203.0.113.1',
    }),
  });
  try {
    const stage = await setStage(world);
    const [flow] = await stage.publish(1, () => FLOW);
    const uuid = await stage.execute(flow!, 'once', {});
    world.startProcess();
    await world.rest();
    expect((await loadExecution(world.app, uuid))!.state.ended).to.include({ status: 'completed' });
    return world.sent.map(textOf);
  } finally {
    world.close();
  }
}

describe('the answer of another system to a flow', () => {
  it('is used when it is sane', async () => {
    expect(await sentAfter('{"state":"pago"}')).to.deep.equal(['Pedido pago']);
  });

  for (const [what, text, reason] of [
    ['holds a NUL character', '{"state":"a\\u0000b"}', 'request_answer_text_invalid'],
    ['holds a name with a NUL character', '{"sta\\u0000te":1}', 'request_answer_text_invalid'],
    ['holds half of a surrogate pair', '{"state":"\\ud800"}', 'request_answer_text_invalid'],
    ['names a prototype', '{"state":"x","__proto__":{"a":1}}', 'request_answer_name_not_allowed'],
    [
      'has thousands of levels',
      `{"state":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
      'request_answer_too_deep',
    ],
  ] as const) {
    it(`is an error of the block when it ${what}`, async () => {
      expect(await sentAfter(text)).to.deep.equal([`Desculpe: ${reason}`]);
    });
  }
});
