/**
 * Delivery status is folded by rank, never "last one wins": WhatsApp reports out of order, twice, and sometimes
 * read without delivered. A delivery beats a failure, because it is proof.
 */
export type MessageStatus = 'received' | 'queued' | 'sent' | 'failed' | 'delivered' | 'read' | 'note';

const RANK: Readonly<Record<MessageStatus, number>> = {
  queued: 0,
  sent: 1,
  failed: 2,
  delivered: 3,
  read: 4,
  received: 5,
  note: 5,
};

export const outranks = (candidate: MessageStatus, current: MessageStatus): boolean =>
  RANK[candidate] > RANK[current];
