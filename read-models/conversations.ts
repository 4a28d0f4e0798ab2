import type { ChannelUuid, CompanyUuid, ContactUuid, ConversationUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type ConversationDoc = {
  readonly uuid: ConversationUuid;
  readonly company_uuid: CompanyUuid;
  readonly channel_uuid: ChannelUuid;
  readonly contact_uuid: ContactUuid;
  readonly ordinal: number;
  readonly status: 'open' | 'pending' | 'resolved';
  /** The flow's execution that is in charge. Null: none. */
  readonly execution_uuid: string | null;
  readonly assigned_agent_uuid: string | null;
  readonly assigned_group_uuid: string | null;
  readonly unread_count: number;
  /** `some`: there are messages that nobody has read; text, so that lists can be read by it. */
  readonly unread: 'some' | 'none';
  readonly counters: {
    readonly messages: number;
    readonly inbound: number;
    readonly outbound: number;
    readonly notes: number;
  };
  /**
   * When the newest message was queued, received or imported; before the first message, the opening time. Sorts the
   * list.
   */
  readonly last_activity_at: string;
  readonly last_message_at: string | null;
  /** When the customer last wrote, by the provider's clock. Reactions, edits and imported history do not count. */
  readonly last_inbound_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export const conversations = collection<ConversationDoc>()({
  name: 'conversations',
  version: 5,
  indexes: {
    by_company: ['company_uuid', 'last_activity_at'],
    by_status: ['company_uuid', 'status', 'last_activity_at'],
    by_agent: ['company_uuid', 'assigned_agent_uuid', 'last_activity_at'],
    by_channel: ['company_uuid', 'channel_uuid', 'last_activity_at'],
    by_unread: ['company_uuid', 'unread', 'last_activity_at'],
    by_contact_channel: ['contact_uuid', 'channel_uuid', 'ordinal'],
  },
});
