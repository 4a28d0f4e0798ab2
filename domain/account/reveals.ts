/** What may be revealed to somebody who sees customers masked, and why. */

/** Things that one call reads as a whole. */
export const REVEALABLE = ['contact', 'conversation', 'order', 'message'] as const;
export type Revealable = (typeof REVEALABLE)[number];

/** Words of a list: in a free text people would write the names that the history must not hold. */
export const REVEAL_REASONS = [
  'customer_asked',
  'order_problem',
  'payment_check',
  'complaint',
  'quality_review',
  'legal_request',
  'suspected_abuse',
] as const;
export type RevealReason = (typeof REVEAL_REASONS)[number];

export const isRevealable = (text: unknown): text is Revealable => REVEALABLE.some((thing) => thing === text);

/** How long it is shown. */
export const REVEAL_MS = 600_000;
/** Enough for somebody's work, too few to copy the company's customers. */
export const REVEALS_AN_HOUR = 20;
export const REVEALS_A_DAY = 60;
