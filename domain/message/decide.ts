import type { Aggregate } from '../kernel/decider.js';
import { deriveId } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { messageEvents, type MessageEvent } from './events.js';
import { evolveMessage, initialMessage, type Message } from './state.js';
import { outranks } from './status.js';
import { messageStream } from './stream.js';

type DataOf<T extends MessageEvent['type']> = Extract<MessageEvent, { type: T }>['data'];

export type MessageCommand =
  | { readonly type: 'QueueMessage'; readonly data: DataOf<'MessageQueued'> }
  | { readonly type: 'AcceptMessage'; readonly data: DataOf<'MessageAccepted'> }
  | { readonly type: 'RefuseMessage'; readonly data: DataOf<'MessageRefused'> }
  | { readonly type: 'ReportStatus'; readonly data: DataOf<'MessageStatusReported'> }
  | { readonly type: 'ReceiveMessage'; readonly data: DataOf<'MessageReceived'> };

/** One message per operation, one per inbound provider message: a repeated delivery finds its stream taken. */
export const outboundMessageId = (operationUuid: string): string => deriveId('message', operationUuid);
export const inboundMessageId = (channelUuid: string, providerMessageId: string): string =>
  deriveId('message', channelUuid, providerMessageId);

export function decideMessage(command: MessageCommand, state: Message): readonly MessageEvent[] {
  switch (command.type) {
    case 'QueueMessage':
      return state.exists ? [] : [{ type: 'MessageQueued', data: command.data }];
    case 'ReceiveMessage':
      return state.exists ? [] : [{ type: 'MessageReceived', data: command.data }];
    case 'AcceptMessage':
      existing(state);
      // A status webhook may have told the id before the answer to the call did; only a first sight is news.
      if (state.providerMessageId !== null) return [];
      return [{ type: 'MessageAccepted', data: command.data }];
    case 'RefuseMessage':
      existing(state);
      return outranks('failed', state.status) ? [{ type: 'MessageRefused', data: command.data }] : [];
    case 'ReportStatus': {
      existing(state);
      const { status } = command.data;
      // A failure is kept even behind a delivery: both are evidence, and its reason must not be lost.
      const news = status === 'failed' ? !state.reported.includes('failed') : outranks(status, state.status);
      const firstId = state.providerMessageId === null;
      return news || firstId ? [{ type: 'MessageStatusReported', data: command.data }] : [];
    }
    default:
      return command satisfies never;
  }
}

function existing(state: Message): void {
  if (!state.exists) throw new Refusal('not_found', 'There is no such message.', { resource: 'message' });
}

export const messageAggregate: Aggregate<Message, MessageCommand, MessageEvent> = {
  stream: messageStream,
  events: messageEvents,
  initial: initialMessage,
  decide: decideMessage,
  evolve: evolveMessage,
};
