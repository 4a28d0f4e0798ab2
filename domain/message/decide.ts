import type { Aggregate } from '../kernel/decider.js';
import { deriveId, type ChannelUuid, type OperationUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { messageStream } from '../streams.js';
import { messageEvents, type MessageEvent } from './events.js';
import { evolveMessage, initialMessage, MEDIA_PLACEHOLDER, type KeptChange, type Message } from './state.js';
import { outranks } from './status.js';

type DataOf<T extends MessageEvent['type']> = Extract<MessageEvent, { type: T }>['data'];

export type MessageCommand =
  | { readonly type: 'QueueMessage'; readonly data: DataOf<'MessageQueued'> }
  | { readonly type: 'AcceptMessage'; readonly data: DataOf<'MessageAccepted'> }
  | { readonly type: 'RefuseMessage'; readonly data: DataOf<'MessageRefused'> }
  | { readonly type: 'ReportStatus'; readonly data: DataOf<'MessageStatusReported'> }
  | { readonly type: 'ReceiveMessage'; readonly data: DataOf<'MessageReceived'> }
  | { readonly type: 'EchoMessage'; readonly data: DataOf<'MessageEchoed'> }
  | { readonly type: 'ImportMessage'; readonly data: DataOf<'MessageImported'> }
  /** Both are kept when they arrive before the message itself. */
  | { readonly type: 'EditMessage'; readonly data: DataOf<'MessageEdited'> }
  | { readonly type: 'DeleteMessage'; readonly data: DataOf<'MessageDeleted'> }
  | { readonly type: 'StoreMedia'; readonly data: DataOf<'MessageMediaStored'> }
  | { readonly type: 'FailMedia'; readonly data: DataOf<'MessageMediaFailed'> }
  /** Does nothing when the file is stored, or is being fetched. */
  | { readonly type: 'RequestMedia' }
  | { readonly type: 'Transcribe'; readonly data: DataOf<'MessageTranscribed'> }
  | { readonly type: 'WriteNote'; readonly data: DataOf<'NoteWritten'> }
  | { readonly type: 'RecordNotice'; readonly data: DataOf<'SystemNoticeRecorded'> }
  | { readonly type: 'RecordOrder'; readonly data: DataOf<'StoreOrderRecorded'> };

/**
 * One message per operation; and one per provider message id that the API did not send. A repeated delivery then finds
 * its stream already there.
 */
export const outboundMessageId = (operationUuid: OperationUuid): string => deriveId('message', operationUuid);
export const inboundMessageId = (channelUuid: ChannelUuid, providerMessageId: string): string =>
  deriveId('message', channelUuid, providerMessageId);

export function decideMessage(command: MessageCommand, state: Message): readonly MessageEvent[] {
  switch (command.type) {
    case 'QueueMessage':
      return state.exists ? [] : [{ type: 'MessageQueued', data: command.data }];
    case 'ReceiveMessage':
      if (state.exists) return [];
      return [{ type: 'MessageReceived', data: command.data }, ...keptChanges(state, 'contact')];
    case 'AcceptMessage':
      existing(state);
      // A status webhook may have brought the id before the call returned; only the first report is recorded.
      if (state.providerMessageId !== null) return [];
      return [{ type: 'MessageAccepted', data: command.data }];
    case 'RefuseMessage':
      existing(state);
      return outranks('failed', state.status) ? [{ type: 'MessageRefused', data: command.data }] : [];
    case 'EchoMessage':
      if (state.exists) return [];
      return [{ type: 'MessageEchoed', data: command.data }, ...keptChanges(state, 'business_app')];
    case 'ImportMessage': {
      const { type, content, direction } = command.data;
      if (!state.exists) {
        const author = direction === 'inbound' ? 'contact' : 'business_app';
        return [{ type: 'MessageImported', data: command.data }, ...keptChanges(state, author)];
      }
      if (!state.awaitsMedia || state.deleted || content?.['kind'] === MEDIA_PLACEHOLDER) return [];
      return [{ type: 'MessageMediaImported', data: { type, content } }];
    }
    case 'StoreMedia':
      existing(state);
      // Recorded also after a failure: WhatsApp may have the file again.
      if (!isAbout(state, command.data.media_id) || state.media?.status === 'stored') return [];
      return [{ type: 'MessageMediaStored', data: command.data }];
    case 'FailMedia':
      existing(state);
      if (!isAbout(state, command.data.media_id) || state.media?.status !== 'pending') return [];
      return [{ type: 'MessageMediaFailed', data: command.data }];
    case 'RequestMedia':
      existing(state);
      if (state.deleted || state.media === null) {
        throw new Refusal('not_found', 'This message has no file.', { resource: 'media' });
      }
      if (state.media.status !== 'failed') return [];
      return [{ type: 'MessageMediaRequested', data: { media_id: state.media.id } }];
    case 'Transcribe':
      existing(state);
      if (!isAbout(state, command.data.media_id) || state.transcribed) return [];
      return [{ type: 'MessageTranscribed', data: command.data }];
    case 'WriteNote':
      return state.exists ? [] : [{ type: 'NoteWritten', data: command.data }];
    case 'RecordNotice':
      return state.exists ? [] : [{ type: 'SystemNoticeRecorded', data: command.data }];
    case 'RecordOrder':
      return state.exists ? [] : [{ type: 'StoreOrderRecorded', data: command.data }];
    case 'EditMessage': {
      const { provider_message_id, at } = command.data;
      if (!state.exists) return keep({ type: 'MessageEditKept', data: command.data }, state);
      if (state.deleted || state.edits.includes(provider_message_id)) return [];
      // Edits arrive in any order; an older one must not restore the old text.
      if (state.editedAt !== null && Date.parse(at) < Date.parse(state.editedAt)) return [];
      return [{ type: 'MessageEdited', data: command.data }];
    }
    case 'DeleteMessage':
      if (!state.exists) return keep({ type: 'MessageDeletionKept', data: command.data }, state);
      return state.deleted ? [] : [{ type: 'MessageDeleted', data: command.data }];
    case 'ReportStatus':
      existing(state);
      return isNews(command.data, state) ? [{ type: 'MessageStatusReported', data: command.data }] : [];
    default:
      return command satisfies never;
  }
}

const keep = (change: KeptChange, { kept }: Message): readonly MessageEvent[] =>
  kept.some(({ data }) => data.provider_message_id === change.data.provider_message_id) ? [] : [change];

/** The changes by the author that arrived before the message: its deletion, or else its edits from old to new. */
function keptChanges({ kept }: Message, author: KeptChange['data']['by']): readonly MessageEvent[] {
  const theirs = kept
    .filter(({ data }) => data.by === author)
    .sort((a, b) => Date.parse(a.data.at) - Date.parse(b.data.at));
  const deletion = theirs.find(({ type }) => type === 'MessageDeletionKept');
  if (deletion !== undefined) return [{ type: 'MessageDeleted', data: deletion.data }];
  return theirs.flatMap((change) =>
    // The content reads as null when its author was erased meanwhile.
    change.type === 'MessageEditKept' && change.data.content !== null
      ? [{ type: 'MessageEdited' as const, data: change.data }]
      : [],
  );
}

function isNews(report: DataOf<'MessageStatusReported'>, state: Message): boolean {
  // Only messages that the business sent have statuses.
  if (state.direction === 'inbound' || state.status === 'note') return false;
  if (state.providerMessageId === null) return true;
  // WhatsApp sends the price with `sent` and again with one later status. The later one is recorded even out of order,
  // so a late `sent` needs no event for its price.
  if (report.pricing !== null && !state.priced && report.status !== 'sent') return true;
  if (report.status !== 'failed') return outranks(report.status, state.status);
  // A failure is recorded even after a delivery: both are evidence, and the failure's reason must not be lost.
  return !state.reported.includes('failed') || (!state.reasonKnown && report.errors.length > 0);
}

/** Whether the message still has this file: a deleted or erased message has none. */
const isAbout = (state: Message, mediaId: string): boolean =>
  !state.deleted && state.media !== null && state.media.id === mediaId;

function existing(state: Message): void {
  if (!state.exists) throw new Refusal('not_found', 'There is no such message.', { resource: 'message' });
}

export const messageAggregate: Aggregate<Message, MessageCommand, MessageEvent, 'message'> = {
  stream: messageStream,
  events: messageEvents,
  // Status reports only add ranks, prices and reasons, so one that adds nothing never will.
  staysSatisfied: ({ type }) => type === 'ReportStatus',
  initial: initialMessage,
  decide: decideMessage,
  evolve: evolveMessage,
};
