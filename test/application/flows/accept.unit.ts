/** Requests that POST /flows/{flow_uuid}/executions refuses before anything is written. Tests set the stream states. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { createLastOrdinals } from '../../../application/conversation/last-ordinals.js';
import { createPersonOwners } from '../../../application/people/person-owners.js';
import { acceptExecution, type ExecutionRequest } from '../../../application/flows/accept.js';
import { flowAggregate } from '../../../domain/flow/decide.js';
import type { Flow } from '../../../domain/flow/state.js';
import type { ChannelRestriction } from '../../../domain/channel/state.js';
import { loadedStates } from '../../support/fakes/loaded-states.js';
import { refusalOf } from '../provisioning/workspace.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const CHANNEL = '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b11';

/** Thrown by the first load after the checks, that of the contact: nothing was refused, and the test ends here. */
class CameToContact extends Error {}

async function accept(
  body: Partial<ExecutionRequest> = {},
  over: { readonly flow?: Partial<Flow>; readonly restrictions?: readonly ChannelRestriction[] } = {},
): Promise<unknown> {
  const streams = loadedStates();
  streams.set(flowAggregate, 'flow', {
    exists: true,
    companyUuid: 'company',
    published: { version: 1, digest: '' },
    ...over.flow,
  });
  const channel = {
    uuid: CHANNEL,
    company_uuid: 'company',
    status: 'connected',
    restrictions: over.restrictions ?? [],
  };
  const load: typeof streams.executor.load = async (aggregate, id) => {
    if (aggregate.stream.prefix !== flowAggregate.stream.prefix) throw new CameToContact();
    return streams.executor.load(aggregate, id);
  };
  const app = {
    clock: { now: () => NOW },
    newId: () => 'id',
    indexSecret: Buffer.from('secret'),
    executor: { load },
    personOwners: createPersonOwners(),
    lastOrdinals: createLastOrdinals(),
    store: { read: async () => [] },
    readModels: {
      get: async (_: string, uuid: string) => (uuid === CHANNEL ? { doc: channel } : undefined),
      find: async () => ({ documents: [{ doc: channel }] }),
    },
  } as unknown as App;
  return acceptExecution(app, 'flow', {
    companyUuid: 'company',
    integrationUuid: 'integration',
    keyId: 'key',
    keyOwner: 'integration',
    actor: 'key:key',
    idempotencyKey: 'one',
    requestId: 'request',
    method: 'POST',
    route: '/flows/{flow_uuid}/executions',
    body: { recipient: { phone: '+5511987650001' }, ...body },
  });
}
const passes = async (...given: Parameters<typeof accept>): Promise<void> => {
  const error: unknown = await accept(...given).catch((reason: unknown) => reason);
  expect(error).to.be.instanceOf(CameToContact);
};
const variables = (given: Readonly<Record<string, unknown>>) => ({ variables: given });
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${n}`, n]));

describe('a flow that is to be executed', () => {
  it('is one of the company that is published', async () => {
    await passes();
    for (const [flow, code] of [
      [{ companyUuid: 'other' }, 'not_found'],
      [{ exists: false }, 'not_found'],
      [{ deleted: true }, 'not_found'],
      [{ published: null }, 'flow_not_active'],
    ] as const) {
      const { code: said, details } = await refusalOf(accept({}, { flow }));
      expect(said, JSON.stringify(flow)).to.equal(code);
      expect(details).to.deep.equal(code === 'not_found' ? { resource: 'flow' } : { flow_uuid: 'flow' });
    }
  });

  it('goes through the channel that was named, in either case of its letters', async () => {
    await passes({ channel_uuid: CHANNEL.toUpperCase() });
    const { code } = await refusalOf(accept({ channel_uuid: '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b12' }));
    expect(code).to.equal('channel_not_found');
  });

  it('is refused where the account may not begin one', async () => {
    for (const type of ['RESTRICTED_BIZ_INITIATED_MESSAGING', 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING']) {
      const { code, details } = await refusalOf(accept({}, { restrictions: [{ type, expires_at: null }] }));
      expect([code, details['capability']]).to.deep.equal(['channel_not_connected', 'start_flow']);
    }
  });

  it('goes to a phone', async () => {
    const { code, details } = await refusalOf(accept({ recipient: { phone: 'ana' } }));
    expect(code).to.equal('validation_failed');
    expect(details).to.have.nested.property('fields[0].path', 'recipient.phone');
  });

  describe('with variables', () => {
    const text = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    for (const [name, given, code] of [
      ['a hundred of them', many(100), null],
      ['a hundred and one', many(101), 'too_many'],
      ['a name of 128 characters', { ['x'.repeat(128)]: 1 }, null],
      ['a name of 129', { ['x'.repeat(129)]: 1 }, 'name_invalid'],
      ['no name', { '': 1 }, 'name_invalid'],
      ['32 KiB of JSON', text(32_768), null],
      ['a byte more', text(32_769), 'too_large'],
      ['as many characters that take two bytes', { a: 'é'.repeat(20_000) }, 'too_large'],
    ] as const) {
      it(`${code === null ? 'takes' : 'refuses'} ${name}`, async () => {
        if (code === null) return passes(variables(given));
        const refusal = await refusalOf(accept(variables(given)));
        expect(refusal.code).to.equal('validation_failed');
        expect(refusal.details)
          .to.have.nested.property('fields[0]')
          .that.includes({ path: 'variables', code });
      });
    }
  });
});
