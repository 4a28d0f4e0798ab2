/** What a channel can do at a moment (spec §2, Channel). */
import type { ChannelRestriction } from './state.js';

export interface ChannelCapabilities {
  readonly send_text: boolean;
  readonly send_template: boolean;
  readonly start_flow: boolean;
}

/** Meta, account_update: what a restricted account may not do until the restriction ends. */
const NO_TEMPLATES = 'RESTRICTED_BIZ_INITIATED_MESSAGING';
const NO_REPLIES = 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING';

/** @param now ISO 8601 */
export function channelCapabilities(
  channel: { readonly status: string; readonly restrictions?: readonly ChannelRestriction[] },
  now: string,
): ChannelCapabilities {
  const connected = channel.status === 'connected';
  const inForce = new Set(
    (channel.restrictions ?? [])
      .filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > Date.parse(now))
      .map(({ type }) => type),
  );
  const sendTemplate = connected && !inForce.has(NO_TEMPLATES);
  const sendText = connected && !inForce.has(NO_REPLIES);
  // A flow may begin with either.
  return { send_text: sendText, send_template: sendTemplate, start_flow: sendText && sendTemplate };
}
