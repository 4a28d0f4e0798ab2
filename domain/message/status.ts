/**
 * Delivery status is folded by rank, never "last one wins": WhatsApp reports out of order, twice, and sometimes read
 * without delivered. A delivery outranks a failure, because it is proof.
 */
export type MessageStatus = 'received' | 'queued' | 'sent' | 'failed' | 'delivered' | 'read' | 'note';

const LADDER: Readonly<Record<MessageStatus, number>> = {
  queued: 0,
  sent: 1,
  failed: 2,
  delivered: 3,
  read: 4,
  received: 5,
  note: 5,
};
const RANK: ReadonlyMap<string, number> = new Map(Object.entries(LADDER));

/** An unknown status in a stored event outranks nothing. */
export const outranks = (candidate: MessageStatus, current: MessageStatus): boolean =>
  (RANK.get(candidate) ?? -1) > (RANK.get(current) ?? -1);
