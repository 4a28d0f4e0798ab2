/** The conversation that this process last found current, for each contact on a channel: see `admitToConversation`. */
import type { ChannelUuid, ContactUuid } from '../../domain/kernel/ids.js';
import { createCache } from '../../ports/cache.js';

/** Ordinals by contact and channel; contains no personal data. */
export interface LastOrdinals {
  get(contactUuid: ContactUuid, channelUuid: ChannelUuid): number | undefined;
  set(contactUuid: ContactUuid, channelUuid: ChannelUuid, ordinal: number): void;
}

const MOST_REMEMBERED = 10_000;

export function createLastOrdinals(): LastOrdinals {
  const ordinals = createCache<string, number>(MOST_REMEMBERED);
  const keyOf = (contactUuid: ContactUuid, channelUuid: ChannelUuid): string =>
    `${contactUuid} ${channelUuid}`;
  return {
    get: (contactUuid, channelUuid) => ordinals.get(keyOf(contactUuid, channelUuid)),
    set: (contactUuid, channelUuid, ordinal) => void ordinals.set(keyOf(contactUuid, channelUuid), ordinal),
  };
}
