/** Messages that blocks send, and the outcome when a send is refused. */
import { expect } from 'chai';
import { failureOf } from '../../../domain/execution/failure.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { aCustomer } from './a-customer.js';

type Block = FlowDefinition['blocks'][string];
const flow = (first: Block): FlowDefinition => ({
  schema: 1,
  start: 'first',
  blocks: {
    first,
    sorry: { type: 'send_text', text: 'Desculpe: {{vars.error}}', next: null },
  },
});

describe('a block that sends', () => {
  const { world, given, found } = aCustomer();

  it('sends a document with its caption and name', async () => {
    const link = 'https://example.com/a.pdf';
    const media = { media: 'document', link, caption: 'A nota', filename: 'nota.pdf' } as const;
    const execution = await given.running(flow({ type: 'send_media', ...media, next: null }));
    expect(world.sent[0]!.content).to.deep.equal({
      type: 'document',
      link,
      caption: 'A nota',
      filename: 'nota.pdf',
    });
    expect((await found.state(execution)).ended).to.include({ status: 'completed' });
  });

  it('goes the way for failures where the send is refused', async () => {
    await given.running(
      flow({ type: 'send_template', name: 'unknown', language: 'pt_BR', next: null, on_error: 'sorry' }),
    );
    expect(found.sent()).to.deep.equal(['Desculpe: template_not_found']);
  });

  it('fails the execution with the code of the refusal where there is no such way', async () => {
    const execution = await given.running(
      flow({ type: 'send_template', name: 'unknown', language: 'pt_BR', next: null }),
    );
    expect((await found.state(execution)).ended).to.include({
      status: 'failed',
      reason: 'template_not_found',
    });
  });

  describe('a text that its values make too long', () => {
    const message = 'The text is 4200 characters long; WhatsApp takes at most 4096.';
    const fields = [{ path: 'text', code: 'text_too_long', message }];
    const long = (more: object = {}): FlowDefinition => {
      const half = { type: 'set_variable', name: 'half', value: 'x'.repeat(2_100), next: 'long' } as const;
      const twice = { type: 'send_text', text: '{{vars.half}}{{vars.half}}', next: null, ...more } as const;
      const { blocks, ...head } = flow(half);
      return { ...head, blocks: { ...blocks, long: twice } };
    };

    it('fails the execution with the block, the field and the reason', async () => {
      const { ended } = await found.state(await given.running(long()));
      expect(failureOf(ended!)).to.deep.equal({
        code: 'validation_failed',
        message: `Block long, text: ${message}`,
        details: { fields, block: 'long' },
      });
    });

    it('stays on record with its fields where the flow takes on_error', async () => {
      const execution = await given.running(long({ on_error: 'sorry' }));
      const [taken] = world.store.records.filter(
        ({ stream, data }) => stream === `execution-${execution}` && data['way'] === 'on_error',
      );
      expect(taken!.data).to.deep.include({
        block: 'long',
        failure: 'validation_failed',
        failure_message: message,
        failure_details: { fields },
      });
    });
  });

  it('is on record as what the worker of flows did, under the trace of the request', async () => {
    const execution = await given.running(flow({ type: 'send_text', text: 'Oi', next: null }));
    const records = world.store.records.filter(({ stream }) => stream === `execution-${execution}`);
    expect(new Set(records.map(({ meta }) => meta.actor))).to.deep.equal(new Set(['worker:flows']));
    expect(new Set(records.map(({ meta }) => meta.correlation_id))).to.deep.equal(
      new Set([records[0]!.meta.correlation_id]),
    );
  });
});
