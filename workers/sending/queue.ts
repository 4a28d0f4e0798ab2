/** Names and payloads of the due-time queues of the sending worker. The lane is the channel. */
import type { DueEntry } from '../../ports/due-times.js';

/** Accepted messages that have not been handed to the provider. */
export const SEND_QUEUE = 'send';
/** Sends whose outcome is unknown; due when their reconcile window ends. */
export const RECONCILE_QUEUE = 'reconcile';

export type SendPayload = {
  readonly correlation_id: string;
  /** Id of the event that caused the entry; commands derive their ids from it. */
  readonly event_id: string;
  readonly company: string;
  /** The recipient, as a sealing subject; what recipients are paced by. */
  readonly subject: string;
  /** Epoch milliseconds: end of the pacing window. */
  readonly deadline: number;
};

export function sendEntry(
  operationUuid: string,
  channelUuid: string,
  dueAt: number,
  payload: SendPayload,
): DueEntry {
  return { queue: SEND_QUEUE, id: operationUuid, lane: channelUuid, dueAt, payload };
}
