/**
 * Blocks other than sends: hand over to people, start another flow, wait, change the contact. Tests set the streams.
 */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { perform } from '../../../application/flows/effects.js';
import { createFlowEngine } from '../../../application/flows/engine.js';
import type { StepContext } from '../../../application/flows/steps.js';
import { companyAggregate } from '../../../domain/company/decide.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { initialContact } from '../../../domain/contact/state.js';
import { executionAggregate, flowOperationId } from '../../../domain/execution/decide.js';
import { MAX_FLOWS_WITHOUT_ANSWER, MAX_FLOWS_WITHOUT_WAIT } from '../../../domain/execution/depth.js';
import type { Execution } from '../../../domain/execution/state.js';
import { executionEventExamples } from '../../support/examples/execution.js';
import { flowAggregate } from '../../../domain/flow/decide.js';
import type { Flow } from '../../../domain/flow/state.js';
import type { Effect } from '../../../domain/flow/interpreter.js';
import { beginSession } from '../../../domain/flow/session.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import type { Operation } from '../../../domain/operation/state.js';
import { teamAggregate } from '../../../domain/team/decide.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { recordedCommands } from '../../support/fakes/loaded-states.js';
import { failure } from '../../conformance/support.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const created = { ...executionEventExamples.created.data, company_uuid: 'company', contact_uuid: 'ana' };

function world(
  over: {
    readonly created?: Partial<typeof created>;
    readonly state?: Partial<Execution>;
    readonly sent?: boolean;
  } = {},
) {
  const refusal = { with: null as Refusal | null };
  const streams = recordedCommands(() => {
    if (refusal.with !== null) throw refusal.with;
    return { state: executionAggregate.initial };
  });
  const dueTimes = memoryDueTimes(() => NOW);
  const ana = { ...initialContact, exists: true, companyUuid: 'company', subject: 'person' };
  streams.set(contactAggregate, 'ana', ana);
  const app = {
    clock: { now: () => NOW },
    newId: () => 'id',
    dueTimes,
    executor: streams.executor,
  } as unknown as App;
  const present = {
    engine: createFlowEngine(app),
    cause: { company: 'company', id: 'cause', correlationId: 'correlation' },
    uuid: 'execution',
    created: { ...created, ...over.created },
    state: {
      ...executionAggregate.initial,
      conversationUuid: 'conversation',
      session: { ...beginSession('block', {}), step: 4 },
      sendOperation: over.sent ? flowOperationId('execution', 4) : null,
      ...over.state,
    },
    contact: { uuid: 'ana', contact: ana },
  } as unknown as StepContext;
  return {
    ...streams,
    refusal,
    get commands() {
      return streams.given.map(({ id, command }) => ({ id, ...command }));
    },
    rows: (queue: string) => dueTimes.rows(queue),
    does: (effect: Exclude<Effect, { do: 'move' | 'fail' }>) => perform(present, effect),
  };
}

describe('a hand-over to people', () => {
  const handOff = (over: Partial<Extract<Effect, { do: 'handoff' }>>) =>
    ({ do: 'handoff', agentUuid: null, groupUuid: null, note: null, ...over }) as const;
  const team = (w: ReturnType<typeof world>): void =>
    w.set(teamAggregate, 'company', {
      members: new Map([
        ['bia', { kind: 'agent', name: 'Bia', access: null }],
        ['sales', { kind: 'group', name: 'Vendas', access: null }],
      ]),
    });

  it('goes to the agent and the group that it names', async () => {
    for (const [named, assigned] of [
      [
        { agentUuid: 'bia', groupUuid: 'sales' },
        { agentUuid: 'bia', groupUuid: 'sales' },
      ],
      [{ agentUuid: 'bia' }, { agentUuid: 'bia' }],
      [{ groupUuid: 'sales' }, { groupUuid: 'sales' }],
    ] as const) {
      const w = world();
      team(w);
      expect(await w.does(handOff(named))).to.deep.equal({ went: 'done' });
      expect(w.commands).to.deep.equal([{ id: 'conversation', type: 'AssignConversation', ...assigned }]);
    }
  });

  it('goes to all where those it names have left, or are of the other kind', async () => {
    const w = world();
    team(w);
    await w.does(handOff({ agentUuid: 'gone', groupUuid: 'gone' }));
    await w.does(handOff({ agentUuid: 'sales', groupUuid: 'bia' }));
    expect(w.commands).to.deep.equal([]);
  });

  it('leaves its note in the conversation, under a name that a repeated step has again', async () => {
    const w = world();
    await w.does(handOff({ note: 'Quer trocar.' }));
    expect(w.commands).to.deep.equal([
      {
        id: deriveId('message', 'flow-note', 'execution', 4),
        type: 'WriteNote',
        data: {
          company_uuid: 'company',
          channel_uuid: created.channel_uuid,
          conversation_uuid: 'conversation',
          contact_uuid: 'ana',
          content: { text: 'Quer trocar.', agent_uuid: null },
        },
      },
    ]);
    const silent = world();
    await silent.does(handOff({ note: ' \n' }));
    expect(silent.commands).to.deep.equal([]);
  });
});

describe('a flow that goes on with another', () => {
  const start = { do: 'start_flow', flowUuid: 'next', variables: {} } as const;
  const next: Partial<Flow> = { exists: true, companyUuid: 'company', published: { version: 3, digest: '' } };

  it('names it by its published version, as an execution of its own', async () => {
    const w = world();
    w.set(flowAggregate, 'next', next);
    expect(await w.does(start)).to.deep.equal({
      went: 'done',
      continuedBy: {
        executionUuid: deriveId('execution', 'execution', 4),
        flowUuid: 'next',
        flowVersion: 3,
      },
    });
    expect(w.commands, 'it is made later').to.deep.equal([]);
  });

  for (const [name, over] of [
    ["another company's", { companyUuid: 'other' }],
    ['deleted', { deleted: true }],
    ['a draft', { published: null }],
  ] as const) {
    it(`fails where that is ${name}`, async () => {
      const w = world();
      w.set(flowAggregate, 'next', { ...next, ...over });
      expect(await w.does(start)).to.deep.include({
        went: 'failed',
        failure: {
          code: 'flow_not_active',
          message:
            'The flow that the start_flow block names is not published. Publish it, or name another one.',
          details: { flow_uuid: 'next' },
        },
      });
    });
  }

  for (const [name, field, limit, resets] of [
    ['waits', 'depth_without_wait', MAX_FLOWS_WITHOUT_WAIT, 'waited'],
    ['is answered', 'depth', MAX_FLOWS_WITHOUT_ANSWER, 'answered'],
  ] as const) {
    it(`fails where too many went before it and none of them ${name}`, async () => {
      const does = async (count: number, state: Partial<Execution> = {}) => {
        const w = world({ created: { [field]: count }, state });
        w.set(flowAggregate, 'next', next);
        return w.does(start);
      };
      expect(await does(limit - 2)).to.include({ went: 'done' });
      const failed = await does(limit - 1);
      expect(failed).to.have.nested.property('failure.code', 'too_many_flows');
      expect(failed).to.have.nested.property('failure.details.limit', limit);
      expect(await does(limit - 1, { [resets]: true }), 'counted anew').to.include({ went: 'done' });
    });
  }
});

describe('a block that changes the contact', () => {
  it('does so as a flow', async () => {
    const w = world();
    expect(await w.does({ do: 'set_field', field: 'size', value: 'M' })).to.deep.equal({ went: 'done' });
    await w.does({ do: 'add_tag', tag: 'vip' });
    await w.does({ do: 'remove_tag', tag: 'new' });
    expect(w.commands).to.deep.equal([
      { id: 'ana', type: 'ChangeContact', source: 'flow', details: { custom_fields: { size: 'M' } } },
      { id: 'ana', type: 'ChangeTag', source: 'flow', add: 'vip' },
      { id: 'ana', type: 'ChangeTag', source: 'flow', remove: 'new' },
    ]);
  });

  it('fails with what a refusal says, by its own fields, and is tried again where another writer was faster', async () => {
    const w = world();
    const refused = (path: string, code: string) => [{ path, code, message: 'Enough.' }];
    for (const [effect, given, own] of [
      [{ do: 'add_tag', tag: 'vip' }, refused('tags[50]', 'too_many'), refused('tag', 'too_many')],
      [
        { do: 'set_field', field: 'a', value: 'b' },
        refused('custom_fields', 'too_large'),
        refused('value', 'too_large'),
      ],
      [
        { do: 'set_field', field: 'a', value: 'b' },
        refused('custom_fields', 'key_invalid'),
        refused('field', 'key_invalid'),
      ],
    ] as const) {
      w.refusal.with = new Refusal('validation_failed', 'Enough.', { fields: given });
      expect(await w.does(effect)).to.deep.equal({
        went: 'failed',
        failure: { code: 'validation_failed', message: 'Enough.', details: { fields: own } },
      });
    }
    w.refusal.with = new Refusal('concurrent_update', 'Others.');
    expect(await failure(w.does({ do: 'add_tag', tag: 'vip' }))).to.equal(w.refusal.with);
  });
});

describe('a block that waits', () => {
  it('waits for its time in the time zone of the company', async () => {
    const w = world();
    w.set(companyAggregate, 'company', { timezone: 'America/Sao_Paulo' });
    expect(await w.does({ do: 'wait', seconds: 0, until: { time: '18:00' } })).to.deep.equal({
      went: 'began',
    });
    const until = Date.parse('2026-03-10T21:00:00.000Z');
    expect(w.rows('flow-timers').map(({ id, dueAt }) => [id, dueAt])).to.deep.equal([['execution/5', until]]);
    expect(w.commands[0]).to.include({ type: 'BeginWait', step: 4, waitsFor: 'time' });
  });

  it('waits for a call as long as it says', async () => {
    const w = world();
    expect(await w.does({ do: 'wait_for_callback', timeoutSeconds: 90 })).to.deep.equal({ went: 'began' });
    expect(w.commands[0]).to.include({ waitsFor: 'callback', until: new Date(NOW + 90_000).toISOString() });
  });

  it('leaves the call of another system to a job', async () => {
    const w = world();
    const request = { do: 'http_request' } as Extract<Effect, { do: 'http_request' }>;
    expect(await w.does(request)).to.equal(null);
    expect(w.rows('flow-requests').map(({ id, dueAt }) => [id, dueAt])).to.deep.equal([['execution/4', NOW]]);
  });
});

describe('a message that a flow has sent', () => {
  const text = { do: 'send_text', text: 'Oi', previewUrl: false } as const;
  const question = {
    do: 'ask',
    text: 'Posso?',
    choices: null,
    attempt: 1,
    listButton: 'Opções',
    timeoutSeconds: 60,
  } as const;
  const sent = (operation: Partial<Operation>) => {
    const w = world({ sent: true });
    w.set(operationAggregate, flowOperationId('execution', 4), operation);
    return w;
  };

  const failed = (code: string, message: string | null) => ({
    went: 'failed',
    failure: { code, message, details: { operation_uuid: flowOperationId('execution', 4) } },
  });

  it('is under way until its operation has ended, and fails with its code', async () => {
    for (const [operation, outcome] of [
      [{ phase: 'processing' }, null],
      [{ phase: 'unknown' }, null],
      [{ phase: 'succeeded' }, { went: 'done' }],
      [
        { phase: 'failed', failureCode: 'recipient_opted_out', failureMessage: 'They said no.' },
        failed('recipient_opted_out', 'They said no.'),
      ],
      [{ phase: 'failed', failureCode: null, failureMessage: null }, failed('send_failed', null)],
    ] as const) {
      const w = sent(operation);
      expect(await w.does(text), JSON.stringify(operation)).to.deep.equal(outcome);
      expect(w.commands, 'it is not sent again').to.deep.equal([]);
    }
  });

  it('waits for an answer once a question is out, where it went', async () => {
    const here = sent({ phase: 'succeeded', conversationUuid: 'conversation' });
    expect(await here.does(question)).to.deep.equal({ went: 'began' });
    expect(here.commands).to.deep.equal([
      {
        id: 'execution',
        type: 'BeginWait',
        step: 4,
        waitsFor: 'answer',
        until: new Date(NOW + 60_000).toISOString(),
        conversationUuid: 'conversation',
      },
    ]);
    const elsewhere = sent({ phase: 'succeeded', conversationUuid: 'another' });
    await elsewhere.does({ ...question, timeoutSeconds: null });
    expect(elsewhere.commands).to.deep.equal([
      { id: 'another', type: 'TakeByFlow', executionUuid: 'execution', ifRunning: 'replace' },
      {
        id: 'execution',
        type: 'BeginWait',
        step: 4,
        waitsFor: 'answer',
        until: null,
        conversationUuid: 'another',
      },
    ]);
    const refused = sent({ phase: 'failed', failureCode: 'x', failureMessage: 'No.' });
    expect(await refused.does(question)).to.deep.equal(failed('x', 'No.'));
    expect(await sent({ phase: 'queued' }).does(question)).to.equal(null);
  });
});
