/**
 * Maps the provider's terms to the contract's (spec §2, Template). The provider's own value is stored too: its list
 * grows.
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
  // Flagged and reinstated templates can be sent (Meta, template status webhook).
  ['FLAGGED', 'APPROVED'],
  ['REINSTATED', 'APPROVED'],
]);

/**
 * Statuses that only Meta has (ARCHIVED, LOCKED, LIMIT_EXCEEDED, PENDING_DELETION, later ones) become DISABLED: the
 * template exists and can't be sent.
 */
export const templateStatus = (providerStatus: string): TemplateStatus =>
  STATUS.get(providerStatus) ?? 'DISABLED';

/** Meta may list a template for a while after it was deleted. */
export const isDeleted = (providerStatus: string): boolean => providerStatus === 'DELETED';

/** An unknown category counts as MARKETING, the category with all gates. */
export const templateCategory = (providerCategory: string): TemplateCategory =>
  providerCategory === 'AUTHENTICATION' || providerCategory === 'UTILITY' ? providerCategory : 'MARKETING';

/** The template status that a refused send implies (Meta, error codes); null when it implies none. */
export function statusAfterRefusal(code: number): 'PAUSED' | 'DISABLED' | null {
  if (code === 132015) return 'PAUSED';
  return code === 132016 ? 'DISABLED' : null;
}
