/** The webhook type of each recorded event (spec §6), and events without a webhook. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../application/codec.js';
import { conversationEventExamples as conversation } from '../../support/examples/conversation.js';
import { executionEventExamples as execution } from '../../support/examples/execution.js';
import { integrationEventExamples as integration } from '../../support/examples/integration.js';
import type { DomainEvent } from '../../../domain/kernel/event.js';
import { messageEventExamples as message } from '../../support/examples/message.js';
import { orderEventExamples as order } from '../../support/examples/order.js';
import { webhookTypeOf, type NotifiableEvent } from '../../../workers/notifications/event-kind.js';
import { history } from '../../support/projections.js';

const STATUS = 'message.status.updated';
const { queued, accepted, held, refused, sent, delivered, failed, read } = message;
const { opened } = conversation;

/** The webhook type of the last of these events of one stream. */
const told = (...events: readonly DomainEvent[]) =>
  webhookTypeOf(
    history(...events.map((event) => ['s', event] as const)) as readonly RecordedEvent<NotifiableEvent>[],
  );

const CASES: readonly (readonly [what: string, events: readonly DomainEvent[], type: string | null])[] = [
  ['a message of a customer', [message.received], 'message.received'],
  ['an edit', [message.received, message.edited], 'message.updated'],
  ['a deletion', [message.received, message.deleted], 'message.deleted'],
  ['a transcript', [message.receivedAudio, message.transcribed], 'message.transcribed'],
  ['what the business wrote in its app', [message.echoed], STATUS],
  ['a message that is queued', [queued], null],
  ['one that the provider took', [queued, accepted], STATUS],
  ['one that it holds', [queued, held], null],
  ['one that it took once it was sent', [queued, sent, accepted], null],
  ['a refusal', [queued, refused], STATUS],
  ['a sent one after it was taken', [queued, accepted, sent], null],
  ['a delivery', [queued, accepted, delivered], STATUS],
  ['a delivery that is told again', [queued, accepted, delivered, delivered], null],
  ['a status behind a higher one', [queued, accepted, read, delivered], null],
  ['a failure behind a delivery, for its reason', [queued, accepted, delivered, failed], STATUS],
  ['a file that is stored', [message.receivedImage, message.mediaStored], null],
  ['a conversation', [opened], 'conversation.created'],
  ['a conversation of a history', [{ ...opened, data: { ...opened.data, opened_by: 'history' } }], null],
  ['one that is resolved', [opened, conversation.resolved], 'conversation.updated'],
  ['one that is reopened', [opened, conversation.resolved, conversation.reopened], 'conversation.updated'],
  ['one that was read', [opened, conversation.read], 'conversation.updated'],
  ['one that is pending', [opened, conversation.pending], 'conversation.updated'],
  ['one that is assigned', [opened, conversation.assigned], 'conversation.updated'],
  ['one that a flow takes', [opened, conversation.takenByFlow], 'conversation.updated'],
  ['one that a flow hands to people', [opened, conversation.handedOff], 'conversation.updated'],
  ['a flow that waits for a conversation', [opened, conversation.flowQueued], null],
  ['an execution', [execution.created], 'flow.execution.updated'],
  ['one that is queued at once', [execution.queued], 'flow.execution.updated'],
  ['one that goes from block to block', [execution.created, execution.started, execution.moved], null],
  ['an order', [order.placed], 'order.created'],
  ['an order that was not placed', [order.notPlaced], null],
  ['a test', [integration.testRequested], 'webhook.test'],
  ['an endpoint that was changed', [integration.endpointChanged], null],
];

describe('webhooks by their events', () => {
  for (const [what, events, type] of CASES) {
    it(`tell ${what} ${type === null ? 'not at all' : `as ${type}`}`, () => {
      expect(told(...events)).to.equal(type);
    });
  }
});
