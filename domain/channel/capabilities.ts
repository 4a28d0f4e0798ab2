/** The capabilities of a channel at a given moment (spec §2, Channel). */
import type { ChannelRestriction } from './state.js';

export interface ChannelCapabilities {
  readonly send_text: boolean;
  readonly send_template: boolean;
  readonly start_flow: boolean;
}

/** From Meta's account_update: the kinds of sends that a restricted account may not make until the restriction ends. */
const NO_TEMPLATES = 'RESTRICTED_BIZ_INITIATED_MESSAGING';
const NO_REPLIES = 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING';

/** Restrictions that block each capability. A flow may begin with either kind of message. */
const IN_THE_WAY: Readonly<Record<keyof ChannelCapabilities, readonly string[]>> = {
  send_text: [NO_REPLIES],
  send_template: [NO_TEMPLATES],
  start_flow: [NO_REPLIES, NO_TEMPLATES],
};

/**
 * The account restrictions that are in force and block this capability.
 * @param now ISO 8601
 */
export function restrictionsOn(
  channel: { readonly restrictions?: readonly ChannelRestriction[] },
  capability: keyof ChannelCapabilities,
  now: string,
): readonly ChannelRestriction[] {
  return (channel.restrictions ?? []).filter(
    ({ type, expires_at }) =>
      IN_THE_WAY[capability].includes(type) &&
      (expires_at === null || Date.parse(expires_at) > Date.parse(now)),
  );
}

/** @param now ISO 8601 */
export function channelCapabilities(
  channel: { readonly status: string; readonly restrictions?: readonly ChannelRestriction[] },
  now: string,
): ChannelCapabilities {
  const can = (capability: keyof ChannelCapabilities): boolean =>
    channel.status === 'connected' && restrictionsOn(channel, capability, now).length === 0;
  return {
    send_text: can('send_text'),
    send_template: can('send_template'),
    start_flow: can('start_flow'),
  };
}
