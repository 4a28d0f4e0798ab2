/** From Meta's vocabulary to the one of the contract (spec §2, Template). */
export type TemplateStatus =
  'APPROVED' | 'PENDING' | 'REJECTED' | 'PAUSED' | 'DISABLED' | 'IN_APPEAL' | 'DRAFT';

const STATUS: Readonly<Record<string, TemplateStatus>> = {
  APPROVED: 'APPROVED',
  PENDING: 'PENDING',
  REJECTED: 'REJECTED',
  PAUSED: 'PAUSED',
  DISABLED: 'DISABLED',
  IN_APPEAL: 'IN_APPEAL',
  // Flagged and reinstated templates send (Meta, template status webhook).
  FLAGGED: 'APPROVED',
  REINSTATED: 'APPROVED',
};

/** Meta still lists a template for a while after somebody deleted it. */
const GONE = new Set(['DELETED', 'PENDING_DELETION']);

/**
 * Null when the template is no longer in the account. What Meta has and the contract has not (ARCHIVED, LOCKED,
 * LIMIT_EXCEEDED, whatever comes) reads as DISABLED: the template exists and can't be sent.
 */
export function templateStatus(providerStatus: string): TemplateStatus | null {
  if (GONE.has(providerStatus)) return null;
  return STATUS[providerStatus] ?? 'DISABLED';
}

/** An unknown category counts as MARKETING, the one with every gate. */
export function templateCategory(providerCategory: string): 'AUTHENTICATION' | 'MARKETING' | 'UTILITY' {
  return providerCategory === 'AUTHENTICATION' || providerCategory === 'UTILITY'
    ? providerCategory
    : 'MARKETING';
}
