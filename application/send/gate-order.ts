/** The gates in the order in which they are checked, each by the codes it refuses with. */

const MARKETING = [
  'marketing_sends_disabled',
  'channel_marketing_paused',
  'recipient_opted_out',
  'recipient_marketing_limit_reached',
  'duplicate_template_send',
  'template_frequency_cap_exceeded',
  'company_daily_marketing_cap_exceeded',
] as const;

/** When a send is accepted, the template was chosen among those that may be sent; at dispatch that is a gate. */
const TEMPLATE = ['template_quality_blocked', 'template_sends_disabled', 'template_not_approved'] as const;

export type GateStage = 'acceptance' | 'dispatch';

/** @param category of the template; null for messages without one, which have no gates */
export function gatesAt(stage: GateStage, category: string | null): readonly string[] {
  if (category === null) return [];
  const own = category === 'MARKETING' ? MARKETING : (['duplicate_template_send'] as const);
  return stage === 'dispatch' ? [...TEMPLATE, ...own] : own;
}

/** Refusal codes that fail an operation; the worker retries after any other refusal. */
export const GATE_CODES: ReadonlySet<string> = new Set([...TEMPLATE, ...MARKETING]);
