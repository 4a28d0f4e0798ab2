/** What a process does. One process may do everything; on the real stack the work can be shared. */
export const ROLES = ['api', 'projections', 'workers'] as const;
export type Role = (typeof ROLES)[number];
