/**
 * Requests of the floor: together, with two statuses, those of one message to a new recipient. Fetches and commits of
 * Kafka come on top.
 */
export const FLOOR = {
  send: { appends: 5, reads: 1, writes: 2, finds: 0, produced: 1 },
  status: { appends: 3, reads: 0, writes: 2, finds: 1, produced: 1 },
} as const;
