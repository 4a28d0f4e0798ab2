/** Names and payloads of the due-time queues of the sending worker. */
import type { ChannelUuid, OperationUuid } from '../../domain/kernel/ids.js';
import type { DueEntry } from '../../ports/due-times.js';

/** Accepted messages that were not sent to the provider yet. */
export const SEND_QUEUE = 'send';
/** Sends whose outcome is unknown; due when their reconcile window ends. */
export const RECONCILE_QUEUE = 'reconcile';

/** Priorities within a channel: marketing must not delay a reply, a code or a delivery notice. */
export const URGENCIES = ['service', 'marketing'] as const;
export type Urgency = (typeof URGENCIES)[number];

const MARKETING_SUFFIX = '/marketing';

/** The due-time lane. Service messages use the channel's uuid, as all messages did before there were two lanes. */
export const laneName = (channelUuid: ChannelUuid, urgency: Urgency): string =>
  urgency === 'marketing' ? channelUuid + MARKETING_SUFFIX : channelUuid;

export function parseLane(lane: string): { readonly channelUuid: ChannelUuid; readonly urgency: Urgency } {
  return lane.endsWith(MARKETING_SUFFIX)
    ? { channelUuid: lane.slice(0, -MARKETING_SUFFIX.length), urgency: 'marketing' }
    : { channelUuid: lane, urgency: 'service' };
}

/** @param category of the template; null or undefined for text */
export const urgencyOf = (category: string | null | undefined): Urgency =>
  category === 'MARKETING' ? 'marketing' : 'service';

export type SendPayload = {
  readonly correlation_id: string;
  /** Id of the event that caused the entry; commands derive their ids from it. */
  readonly event_id: string;
  readonly company: string;
  /** The recipient, as a sealing subject; recipients are paced by it. */
  readonly subject: string;
  /** Epoch milliseconds: end of the pacing window. */
  readonly deadline: number;
};

export function sendEntry(
  operationUuid: OperationUuid,
  lane: string,
  dueAt: number,
  payload: SendPayload,
): DueEntry {
  return { queue: SEND_QUEUE, id: operationUuid, lane, dueAt, payload };
}
