import type { Channel } from '../domain/channel/state.js';
import type { ChannelUuid, CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type ChannelDoc = {
  readonly uuid: ChannelUuid;
  readonly company_uuid: CompanyUuid;
  readonly phone_number_id: string;
  readonly waba_id: string;
  readonly display_name: string | null;
  readonly phone_number: string | null;
  readonly status: Channel['status'];
  readonly provider_status: string | null;
  readonly quality_rating: string | null;
  readonly throughput_level: string | null;
  readonly verified_name: string | null;
  readonly name_status: string | null;
  readonly messaging_limit: string | null;
  readonly account_mode: string | null;
  /** Shared with the WhatsApp Business app: 20 messages a second at most. */
  readonly on_business_app: boolean | null;
  readonly access_refused: Channel['accessRefused'];
  readonly ban_state: string | null;
  readonly restrictions: Channel['restrictions'];
  /** True when the operator took the channel off. */
  readonly taken_off: boolean;
  /** Sealed under the master key. */
  readonly access_token_sealed: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** The aggregate's own state, so that the document follows the same rules. */
  readonly state: Channel;
};

export const channels = collection<ChannelDoc>()({
  name: 'channels',
  version: 3,
  indexes: {
    by_company: ['company_uuid', 'created_at'],
    by_phone_number_id: ['phone_number_id', 'created_at'],
    by_waba_id: ['waba_id', 'created_at'],
  },
});
