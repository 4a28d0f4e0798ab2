/** Maps recorded events to the webhook event types that integrators receive (spec §6). */
import type { RecordedEvent } from '../../application/codec.js';
import type { ConversationEvent } from '../../domain/conversation/events.js';
import type { ExecutionEvent } from '../../domain/execution/events.js';
import { evolveExecution, initialExecution } from '../../domain/execution/state.js';
import { executionStatus } from '../../domain/execution/status.js';
import type { IntegrationEvent } from '../../domain/integration/events.js';
import type { MessageEvent } from '../../domain/message/events.js';
import { evolveMessage, initialMessage } from '../../domain/message/state.js';
import type { OrderEvent } from '../../domain/order/events.js';

export type NotifiableEvent =
  | MessageEvent
  | ConversationEvent
  | ExecutionEvent
  | Extract<OrderEvent, { type: 'OrderPlaced' }>
  | Extract<IntegrationEvent, { type: 'WebhookTestRequested' | 'WebhookEndpointChanged' }>;

export type WebhookEventType =
  | 'message.received'
  | 'message.status.updated'
  | 'message.updated'
  | 'message.deleted'
  | 'message.transcribed'
  | 'conversation.created'
  | 'conversation.updated'
  | 'flow.execution.updated'
  | 'order.created'
  | 'webhook.test';

/**
 * `history` is the stream up to and including the event. A status that does not change the message's displayed status
 * is not sent, with one exception: a failure after a delivery is, because it carries its reason.
 */
export function webhookTypeOf(history: History): WebhookEventType | null {
  const event = history.at(-1)?.event;
  switch (event?.type) {
    case 'MessageReceived':
      return 'message.received';
    case 'MessageEdited':
      return 'message.updated';
    case 'MessageDeleted':
      return 'message.deleted';
    case 'MessageTranscribed':
      return 'message.transcribed';
    case 'MessageEchoed':
      // Written in the WhatsApp Business app: an outbound message that is already sent.
      return 'message.status.updated';
    case 'MessageAccepted':
    case 'MessageRefused':
    case 'MessageStatusReported': {
      const before = messageAfter(history.slice(0, -1));
      const after = evolveMessage(before, event);
      const failure = event.type === 'MessageStatusReported' && event.data.status === 'failed';
      return before.status !== after.status || failure ? 'message.status.updated' : null;
    }
    case 'ConversationOpened':
      // Imports of history are not sent: months of it would be thousands of events at once.
      return event.data.opened_by === 'history' ? null : 'conversation.created';
    case 'ConversationResolved':
    case 'ConversationReopened':
    case 'ConversationRead':
    case 'ConversationMarkedPending':
    case 'ConversationAssigned':
    case 'ConversationTakenByFlow':
    case 'ConversationHandedOff':
      return 'conversation.updated';
    case 'ExecutionCreated':
    case 'ExecutionQueued':
    case 'ExecutionStarted':
    case 'ExecutionWaitBegan':
    case 'ExecutionStepTaken':
    case 'ExecutionParked':
    case 'ExecutionResumed':
    case 'ExecutionEnded': {
      const before = executionAfter(history.slice(0, -1));
      const after = evolveExecution(before, event);
      const isNew = before.phase === 'none';
      return isNew || executionStatus(before) !== executionStatus(after) ? 'flow.execution.updated' : null;
    }
    case 'OrderPlaced':
      return 'order.created';
    case 'WebhookTestRequested':
      return 'webhook.test';
    default:
      return null;
  }
}

type History = readonly RecordedEvent<NotifiableEvent>[];

const messageAfter = (history: History) =>
  history.reduce((state, { event }) => evolveMessage(state, event as MessageEvent), initialMessage);

const executionAfter = (history: History) =>
  history.reduce((state, { event }) => evolveExecution(state, event as ExecutionEvent), initialExecution);
