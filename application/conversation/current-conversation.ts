/** A conversation as its stream has it. */
import type { Conversation } from '../../domain/conversation/state.js';

export interface CurrentConversation {
  readonly uuid: string;
  readonly state: Conversation;
}
