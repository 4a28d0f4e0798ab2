import { expect } from 'chai';
import {
  conversationAggregate,
  conversationId,
  REOPEN_WITHIN_DAYS,
} from '../../domain/conversation/decide.js';
import {
  conversationCommandExamples,
  conversationEventExamples,
} from '../../domain/conversation/examples.js';
import { exampleIds } from '../../domain/kernel/examples.js';
import { given } from '../support/decider.js';

const { opened, resolved, reopened, read } = conversationEventExamples;
const commands = conversationCommandExamples;
const admit = commands.admitFirst.command;
const at = (ms: number) => new Date(Date.parse(resolved.data.at) + ms).toISOString();
const week = REOPEN_WITHIN_DAYS * 86_400_000;

describe('conversation', () => {
  it('is opened by the first message and found open by the next', () => {
    given(conversationAggregate).when(admit).then(opened);
    given(conversationAggregate)
      .when({ ...admit, by: 'outbound', ordinal: 3 })
      .then({ ...opened, data: { ...opened.data, opened_by: 'outbound', ordinal: 3 } });
    given(conversationAggregate, opened).when(admit).thenNothing();
  });

  it('is reopened by a message until seven days after it was resolved, to the millisecond', () => {
    given(conversationAggregate, opened, resolved)
      .when({ ...admit, by: 'outbound' }, { now: at(1) })
      .then({ type: 'ConversationReopened', data: { by: 'outbound' } });
    given(conversationAggregate, opened, resolved)
      .when(admit, { now: at(week) })
      .then(reopened);
    given(conversationAggregate, opened, resolved)
      .when(admit, { now: at(week + 1) })
      .thenRefused('conversation_closed');
  });

  it('counts the seven days from the last time it was resolved', () => {
    const again = { type: 'ConversationResolved', data: { at: at(week) } } as const;
    given(conversationAggregate, opened, resolved, reopened, again)
      .when(admit, { now: at(2 * week) })
      .then(reopened);
  });

  it('refuses everything else before it exists', () => {
    for (const { command } of [commands.resolve, commands.reopen, commands.markRead, commands.noteInbound]) {
      given(conversationAggregate).when(command).thenRefused('not_found', { resource: 'conversation' });
    }
  });

  it('is resolved and reopened by an agent, at any age', () => {
    given(conversationAggregate, opened)
      .when(commands.resolve.command, { now: resolved.data.at })
      .then(resolved);
    given(conversationAggregate, opened, resolved).when(commands.resolve.command).thenNothing();
    given(conversationAggregate, opened, resolved)
      .when(commands.reopen.command, { now: at(10 * week) })
      .then({ type: 'ConversationReopened', data: { by: 'agent' } });
    given(conversationAggregate, opened).when(commands.reopen.command).thenNothing();
  });

  it('is marked read when there is something unread', () => {
    given(conversationAggregate, opened).when({ type: 'MarkConversationRead', unread: true }).then(read);
    given(conversationAggregate, opened).when({ type: 'MarkConversationRead', unread: false }).thenNothing();
  });

  it('takes a history in without being reopened by it, at any age', () => {
    const history = { ...admit, by: 'history' } as const;
    given(conversationAggregate)
      .when(history)
      .then({ ...opened, data: { ...opened.data, opened_by: 'history' } });
    for (const now of [at(1), at(2 * week)]) {
      given(conversationAggregate, opened, resolved).when(history, { now }).thenNothing();
    }
  });

  describe('knows when the customer last wrote', () => {
    const wrote = conversationEventExamples.customerWrote;
    const note = (at: string) => ({ type: 'NoteInbound', at }) as const;
    const after = (ms: number) => new Date(Date.parse(wrote.data.at) + ms).toISOString();

    it('whatever order the messages come in', () => {
      const later = { now: after(86_400_000) };
      given(conversationAggregate, opened).when(note(wrote.data.at)).then(wrote);
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
      given(conversationAggregate, opened)
        .when(note('2999-01-01T00:00:00.000Z'), { now: wrote.data.at })
        .then(wrote);
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
    given(conversationAggregate, opened).when(commands.markPending.command).then(pending);
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
