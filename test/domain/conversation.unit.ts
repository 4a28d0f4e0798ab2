import { expect } from 'chai';
import {
  conversationAggregate,
  conversationId,
  REOPEN_WITHIN_DAYS,
} from '../../domain/conversation/decide.js';
import { conversationCommandExamples, conversationEventExamples } from '../support/examples/conversation.js';
import type { ConversationEvent } from '../../domain/conversation/events.js';
import { fold } from '../../domain/kernel/decider.js';
import { exampleIds } from '../support/examples/example.js';
import { given } from '../support/decider.js';
import { withData } from '../support/events.js';

const { opened, resolved, reopened, read } = conversationEventExamples;
const commands = conversationCommandExamples;
const admit = commands.admitFirst.command;
const at = (ms: number) => new Date(Date.parse(resolved.data.at) + ms).toISOString();
const week = REOPEN_WITHIN_DAYS * 86_400_000;

const unopened = given(conversationAggregate);
const open = given(conversationAggregate, opened);
const resolvedOne = given(conversationAggregate, opened, resolved);

describe('conversation', () => {
  it('is opened by the first message and found open by the next', () => {
    unopened.when(admit).then(opened);
    unopened
      .when({ ...admit, by: 'outbound', ordinal: 3 })
      .then(withData(opened, { opened_by: 'outbound', ordinal: 3 }));
    open.when(admit).thenNothing();
  });

  it('is reopened by a message until seven days after it was resolved, to the millisecond', () => {
    resolvedOne
      .when({ ...admit, by: 'outbound' }, { now: at(1) })
      .then({ type: 'ConversationReopened', data: { by: 'outbound' } });
    resolvedOne.when(admit, { now: at(week) }).then(reopened);
    resolvedOne.when(admit, { now: at(week + 1) }).thenRefused('conversation_closed');
  });

  it('counts the seven days from the last time it was resolved', () => {
    const again = { type: 'ConversationResolved', data: { at: at(week) } } as const;
    given(conversationAggregate, opened, resolved, reopened, again)
      .when(admit, { now: at(2 * week) })
      .then(reopened);
  });

  it('refuses everything else before it exists', () => {
    for (const { command } of [commands.resolve, commands.reopen, commands.markRead, commands.noteInbound]) {
      unopened.when(command).thenRefused('not_found', { resource: 'conversation' });
    }
  });

  it('is resolved and reopened by an agent, at any age', () => {
    open.when(commands.resolve.command, { now: resolved.data.at }).then(resolved);
    resolvedOne.when(commands.resolve.command).thenNothing();
    resolvedOne
      .when(commands.reopen.command, { now: at(10 * week) })
      .then({ type: 'ConversationReopened', data: { by: 'agent' } });
    open.when(commands.reopen.command).thenNothing();
  });

  it('is marked read when there is something unread', () => {
    open.when({ type: 'MarkConversationRead', unread: true }).then(read);
    open.when({ type: 'MarkConversationRead', unread: false }).thenNothing();
  });

  it('takes a history in without being reopened by it, at any age', () => {
    const history = { ...admit, by: 'history' } as const;
    unopened.when(history).then(withData(opened, { opened_by: 'history' }));
    for (const now of [at(1), at(2 * week)]) {
      resolvedOne.when(history, { now }).thenNothing();
    }
  });

  describe('knows when the customer last wrote', () => {
    const wrote = conversationEventExamples.customerWrote;
    const note = (at: string) => ({ type: 'NoteInbound', at }) as const;
    const after = (ms: number) => new Date(Date.parse(wrote.data.at) + ms).toISOString();

    it('whatever order the messages come in', () => {
      const later = { now: after(86_400_000) };
      open.when(note(wrote.data.at)).then(wrote);
      given(conversationAggregate, opened, wrote)
        .when(note(after(-1)), later)
        .thenNothing();
      given(conversationAggregate, opened, wrote).when(note(wrote.data.at), later).thenNothing();
    });

    it('to the minute, so that a chatty one leaves few events', () => {
      const later = { now: after(86_400_000) };
      given(conversationAggregate, opened, wrote)
        .when(note(after(59_999)), later)
        .thenNothing();
      given(conversationAggregate, opened, wrote)
        .when(note(after(60_000)), later)
        .then({ type: 'CustomerWrote', data: { at: after(60_000) } });
    });

    it('by a clock that is never ahead of ours', () => {
      open.when(note('2999-01-01T00:00:00.000Z'), { now: wrote.data.at }).then(wrote);
    });
  });

  it('has one id per contact, channel and ordinal', () => {
    const ids = [
      conversationId(exampleIds.contact, exampleIds.channel, 0),
      conversationId(exampleIds.contact, exampleIds.channel, 1),
      conversationId(exampleIds.otherContact, exampleIds.channel, 0),
      conversationId(exampleIds.contact, exampleIds.integration, 0),
    ];
    expect(new Set(ids).size).to.equal(4);
    expect(conversationId(exampleIds.contact, exampleIds.channel, 0)).to.equal(ids[0]);
  });
});

describe('conversation: pending and assignment', () => {
  const { pending, assigned } = conversationEventExamples;

  it('waits for the customer: their message opens it, what the business says does not', () => {
    open.when(commands.markPending.command).then(pending);
    given(conversationAggregate, opened, pending).when(commands.markPending.command).thenNothing();
    given(conversationAggregate, opened, pending).when(admit).then(reopened);
    given(conversationAggregate, opened, pending)
      .when({ ...admit, by: 'outbound' })
      .thenNothing();
    given(conversationAggregate, opened, pending)
      .when(commands.resolve.command, { now: resolved.data.at })
      .then(resolved);
    given(conversationAggregate, opened, resolved, pending)
      .when(admit, { now: at(10 * week) })
      .then(reopened);
  });

  it('keeps what an assignment leaves out, and tells nothing twice', () => {
    const agent = assigned.data.agent_uuid;
    const group = exampleIds.channel;
    const both = { type: 'ConversationAssigned', data: { agent_uuid: agent, group_uuid: group } } as const;
    given(conversationAggregate, opened, assigned)
      .when({ type: 'AssignConversation', groupUuid: group })
      .then(both);
    given(conversationAggregate, opened, both)
      .when({ type: 'AssignConversation', agentUuid: null })
      .then({ type: 'ConversationAssigned', data: { agent_uuid: null, group_uuid: group } });
    given(conversationAggregate, opened, both)
      .when({ type: 'AssignConversation', agentUuid: agent, groupUuid: group })
      .thenNothing();
    given(conversationAggregate, opened, resolved, reopened, assigned)
      .when(commands.assign.command)
      .thenNothing();
  });
});

describe('conversation: flows in charge', () => {
  const { takenByFlow, flowQueued, leftByFlow, handedOff, pending } = conversationEventExamples;
  const first = takenByFlow.data.execution_uuid;
  const second = flowQueued.data.execution_uuid;
  const third = exampleIds.operation;
  const take = (executionUuid: string, ifRunning: 'replace' | 'wait' | 'skip' = 'replace') =>
    ({ type: 'TakeByFlow', executionUuid, ifRunning }) as const;
  const leave = (executionUuid: string) => ({ type: 'LeaveByFlow', executionUuid }) as const;
  const handOff = (executionUuid: string | null, by: 'handoff' | 'asked' = 'handoff') =>
    ({ type: 'HandOffToPeople', executionUuid, by }) as const;
  const took = (executionUuid: string, replaced: string | null = null) =>
    ({
      type: 'ConversationTakenByFlow',
      data: { execution_uuid: executionUuid, replaced_uuid: replaced },
    }) as const;
  const queued = (executionUuid: string) =>
    ({ type: 'ConversationFlowQueued', data: { execution_uuid: executionUuid } }) as const;
  const left = (executionUuid: string) =>
    ({ type: 'ConversationLeftByFlow', data: { execution_uuid: executionUuid } }) as const;
  const conversation = (...events: readonly ConversationEvent[]) =>
    given(conversationAggregate, opened, ...events);
  const stateOf = (...events: readonly ConversationEvent[]) =>
    fold(conversationAggregate, [opened, ...events]);

  it('refuses what flows ask for before it exists', () => {
    for (const command of [take(first), leave(first), handOff(first), handOff(null)]) {
      unopened.when(command).thenRefused('not_found', { resource: 'conversation' });
    }
  });

  it('is taken by one, and is no work for people meanwhile, also when they had closed it', () => {
    for (const ifRunning of ['replace', 'wait', 'skip'] as const) {
      conversation().when(take(first, ifRunning)).then(takenByFlow);
      conversation(resolved).when(take(first, ifRunning)).then(takenByFlow);
      conversation(takenByFlow).when(take(first, ifRunning)).thenNothing();
    }
    expect(stateOf(takenByFlow)).to.deep.include({ execution: first, status: 'pending', withPeople: false });
    conversation(takenByFlow).when(admit).thenNothing();
    conversation(takenByFlow, left(first)).when(admit).then(reopened);
  });

  it('goes from one to the next by what the next one says: in its place, after it, or not at all', () => {
    conversation(takenByFlow).when(take(second)).then(took(second, first));
    conversation(takenByFlow).when(take(second, 'wait')).then(flowQueued);
    conversation(takenByFlow, flowQueued).when(take(second, 'wait')).thenNothing();
    conversation(takenByFlow)
      .when(take(second, 'skip'))
      .thenRefused('flow_running', { execution_uuid: first });
    conversation(takenByFlow, flowQueued).when(take(third, 'wait')).then(queued(third));
    expect(stateOf(takenByFlow, flowQueued, queued(third)).queue).to.deep.equal([second, third]);
  });

  it('leaves the line as it is when somebody takes over, but for whoever takes over', () => {
    expect(stateOf(takenByFlow, flowQueued, queued(third), took(third, first))).to.deep.include({
      execution: third,
      queue: [second],
    });
    expect(stateOf(takenByFlow, flowQueued, leftByFlow)).to.deep.include({
      execution: null,
      queue: [second],
    });
    conversation(takenByFlow, flowQueued, leftByFlow).when(take(second, 'wait')).then(took(second));
  });

  it('is left by who is in charge or in line, and by nobody else', () => {
    conversation(takenByFlow).when(leave(first)).then(leftByFlow);
    conversation(takenByFlow, leftByFlow).when(leave(first)).thenNothing();
    conversation(takenByFlow).when(leave(second)).thenNothing();
    conversation(takenByFlow, flowQueued).when(leave(second)).then(left(second));
    expect(stateOf(takenByFlow, flowQueued, left(second))).to.deep.include({ execution: first, queue: [] });
    // The first execution had been replaced already; the current one keeps the conversation.
    conversation(takenByFlow, took(second, first)).when(leave(first)).thenNothing();
  });

  it('is handed to people by who is in charge, and opens; nothing of another flow does', () => {
    conversation(takenByFlow).when(handOff(first)).then(handedOff);
    conversation(takenByFlow)
      .when(handOff(first, 'asked'))
      .then(withData(handedOff, { by: 'asked' }));
    conversation(takenByFlow).when(handOff(second)).thenNothing();
    conversation(takenByFlow, handedOff).when(handOff(first)).thenNothing();
    expect(stateOf(takenByFlow, flowQueued, handedOff)).to.deep.include({
      execution: null,
      status: 'open',
      withPeople: true,
      queue: [second],
    });
  });

  it('is handed to people whoever is in charge, once', () => {
    conversation(takenByFlow).when(handOff(null)).then(handedOff);
    conversation(pending)
      .when(handOff(null, 'asked'))
      .then({ type: 'ConversationHandedOff', data: { execution_uuid: null, by: 'asked' } });
    conversation(takenByFlow, handedOff).when(handOff(null)).thenNothing();
  });

  it('is with people until they close it, or a flow takes it', () => {
    expect(stateOf(takenByFlow, handedOff, resolved).withPeople).to.equal(false);
    expect(stateOf(takenByFlow, handedOff, pending).withPeople).to.equal(true);
    expect(stateOf(takenByFlow, handedOff, took(second)).withPeople).to.equal(false);
  });
});
