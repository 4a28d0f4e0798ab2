/**
 * From the provider's vocabulary to the contract's (spec §2, Template). The provider's own word is kept beside it: its
 * list grows.
 */
export type TemplateStatus =
  'APPROVED' | 'PENDING' | 'REJECTED' | 'PAUSED' | 'DISABLED' | 'IN_APPEAL' | 'DRAFT';
export type TemplateCategory = 'AUTHENTICATION' | 'MARKETING' | 'UTILITY';

const STATUS: ReadonlyMap<string, TemplateStatus> = new Map([
  ['APPROVED', 'APPROVED'],
  ['PENDING', 'PENDING'],
  ['REJECTED', 'REJECTED'],
  ['PAUSED', 'PAUSED'],
  ['DISABLED', 'DISABLED'],
  ['IN_APPEAL', 'IN_APPEAL'],
  ['DRAFT', 'DRAFT'],
  // Flagged and reinstated templates send (Meta, template status webhook).
  ['FLAGGED', 'APPROVED'],
  ['REINSTATED', 'APPROVED'],
]);

/**
 * What Meta has and the contract has not (ARCHIVED, LOCKED, LIMIT_EXCEEDED, PENDING_DELETION, whatever comes) reads as
 * DISABLED: the template exists and can't be sent.
 */
export const templateStatus = (providerStatus: string): TemplateStatus =>
  STATUS.get(providerStatus) ?? 'DISABLED';

/** Meta may list a template for a while after it was deleted. */
export const isDeleted = (providerStatus: string): boolean => providerStatus === 'DELETED';

/** An unknown category counts as MARKETING, the one with every gate. */
export const templateCategory = (providerCategory: string): TemplateCategory =>
  providerCategory === 'AUTHENTICATION' || providerCategory === 'UTILITY' ? providerCategory : 'MARKETING';

/** What a refused send says of the template's status (Meta, error codes); null when nothing. */
export function statusAfterRefusal(code: number): 'PAUSED' | 'DISABLED' | null {
  if (code === 132015) return 'PAUSED';
  return code === 132016 ? 'DISABLED' : null;
}
