/**
 * Values that a flow receives: those of the contact, and call-back addresses that only this deployment can have signed.
 */
import { expect } from 'chai';
import {
  callbackAddress,
  CALLBACK_PATH,
  isCallbackSignature,
} from '../../../application/flows/callback-address.js';
import { FLOW_TIMERS, cancelTimer, flowEntry } from '../../../application/flows/queues.js';
import { valuesAround } from '../../../application/flows/values.js';
import { initialContact } from '../../../domain/contact/state.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';

const app = { indexSecret: Buffer.from('secret'), publicUrl: () => 'https://recado.example' };
const definition: FlowDefinition = {
  schema: 1,
  start: 'hello',
  blocks: {
    hello: { type: 'send_text', text: 'Oi', next: 'paid' },
    paid: { type: 'wait_for_callback', timeout: '1h', next: null },
  },
};
const ana = {
  ...initialContact,
  name: 'Ana',
  phone: '+5511987650001',
  email: 'ana@example.com',
  customFields: { size: 'M' },
  links: { shop: 'customer-42' },
};

describe('the values of a flow', () => {
  const around = (integration: string | null) => valuesAround(app, 'execution', definition, ana, integration);

  it('are the contact, its fields, and an address for each block that waits for a call', () => {
    expect(around('shop')).to.deep.equal({
      contact: {
        name: 'Ana',
        phone: '+5511987650001',
        email: 'ana@example.com',
        external_id: 'customer-42',
      },
      fields: { size: 'M' },
      callback: { paid: callbackAddress(app, 'execution', 'paid') },
    });
  });

  it('have the external id that the integration which began the flow knows, and no other', () => {
    for (const integration of [null, 'another', 'constructor']) {
      expect(around(integration).contact.external_id, String(integration)).to.equal(null);
    }
  });
});

describe('the address of a call-back', () => {
  const address = callbackAddress(app, 'execution', 'paid');
  const signature = address.split('/').at(-1)!;
  const genuine = (over: { execution?: string; block?: string; signature?: string; secret?: string }) =>
    isCallbackSignature(
      { indexSecret: Buffer.from(over.secret ?? 'secret') },
      over.execution ?? 'execution',
      over.block ?? 'paid',
      over.signature ?? signature,
    );

  it('is public, and names execution and block', () => {
    expect(address).to.equal(`https://recado.example${CALLBACK_PATH}/execution/paid/${signature}`);
    expect(CALLBACK_PATH).to.equal('/flows/callbacks');
  });

  it('is signed for this execution, this block and this deployment', () => {
    expect(genuine({})).to.equal(true);
    expect(genuine({ execution: 'another' })).to.equal(false);
    expect(genuine({ block: 'hello' })).to.equal(false);
    expect(genuine({ secret: 'another' })).to.equal(false);
  });

  it('is refused with a signature that is wrong, cut or longer', () => {
    const wrong = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const given of ['', wrong, signature.slice(0, -2), `${signature}AAAA`]) {
      expect(genuine({ signature: given }), given).to.equal(false);
    }
  });

  it('stays good from release to release', () => {
    expect(signature).to.equal('sUMZwAbggDnKNR1BgPhNVRS9Hzb9oeV-LI-cHFuXFqU');
  });
});

describe('a row of a flow', () => {
  const row = { execution_uuid: 'execution', step: 3, company: 'company', correlation_id: 'a' };

  it('belongs to its execution and step, and waits in the lane of the company', () => {
    expect(flowEntry(FLOW_TIMERS, row, 5)).to.deep.equal({
      queue: 'flow-timers',
      id: 'execution/3',
      lane: 'company',
      dueAt: 5,
      payload: row,
    });
  });

  it('is cancelled for that step alone', async () => {
    const dueTimes = memoryDueTimes(() => 0);
    const next = { ...row, step: 4 };
    await dueTimes.schedule([flowEntry(FLOW_TIMERS, row, 5), flowEntry(FLOW_TIMERS, next, 5)]);
    await cancelTimer(dueTimes, row);
    expect(dueTimes.rows(FLOW_TIMERS).map(({ id }) => id)).to.deep.equal(['execution/4']);
  });
});
