/** What people may do: roles in the order of what they may, each with all that the ones before it may. */

/** `visitor`: not signed in. `operator`: of the whole deployment; the others are of one company. */
export const ROLES = ['visitor', 'viewer', 'agent', 'owner', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that a person has in a company. */
export const COMPANY_ROLES = ['viewer', 'agent', 'owner'] as const satisfies readonly Role[];
export type CompanyRole = (typeof COMPANY_ROLES)[number];

export const isRole = (text: unknown): text is Role => ROLES.some((role) => role === text);

export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);
