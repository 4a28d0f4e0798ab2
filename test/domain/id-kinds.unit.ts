import { expect } from 'chai';
import type { Executor } from '../../application/execute.js';
import { channelAggregate } from '../../domain/channel/decide.js';
import { deriveId, type ChannelUuid, type ConversationUuid } from '../../domain/kernel/ids.js';
import { channelStream, conversationStream } from '../../domain/streams.js';
import type { MessageDoc } from '../../read-models/messages.js';

const conversation: ConversationUuid = deriveId('a conversation');
const channel: ChannelUuid = deriveId('a channel');

/** Compiled, never called: each line that is marked must not compile. */
export const refusedByTheCompiler = (executor: Executor, message: MessageDoc): readonly unknown[] => [
  executor.load(channelAggregate, channel),
  executor.load(channelAggregate, message.channel_uuid),
  // @ts-expect-error a conversation's id is no channel's
  executor.load(channelAggregate, conversation),
  // @ts-expect-error so is that of a document
  executor.load(channelAggregate, message.conversation_uuid),
  // @ts-expect-error nor does it name a channel's stream
  channelStream.toName(conversation),
];

describe('an id of one kind', () => {
  it('is what its stream is named by, and what the name gives back', () => {
    expect(conversationStream.match(conversationStream.toName(conversation))).to.equal(conversation);
    expect(conversationStream.match(channelStream.toName(channel))).to.equal(undefined);
  });
});
