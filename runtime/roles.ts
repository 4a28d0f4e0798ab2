/**
 * The roles of a process. One process may have all of them; with EventStoreDB, MongoDB and Kafka they can be split
 * between processes.
 */
export const ROLES = ['api', 'projections', 'workers'] as const;
export type Role = (typeof ROLES)[number];
