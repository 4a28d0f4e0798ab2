/**
 * The limits on template sends (spec §7, §8) as data, and one function that applies them to earlier sends. Windows are
 * exact to the millisecond: a send at t counts until just before t + window, and at t + window the gate is open.
 */
import type { Quota, Reservation } from '../quota/state.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

export type GateCode =
  | 'recipient_marketing_limit_reached'
  | 'duplicate_template_send'
  | 'template_frequency_cap_exceeded'
  | 'company_daily_marketing_cap_exceeded';

/** At most `most` sends of a kind within any window of this length. */
export interface Rule {
  readonly code: GateCode;
  readonly windowMs: number;
  readonly most: number;
  /** `same`: sends of the same content; `counted`: sends that count towards caps. */
  readonly of: 'same' | 'counted';
}

export interface MarketingSettings {
  /** Set by the company's owner; while false, no MARKETING template is sent. */
  readonly enabled: boolean;
  readonly perContactPerDay: number;
  readonly perContactPerWeek: number;
  readonly perDay: number;
}

export const DEFAULT_MARKETING: MarketingSettings = {
  enabled: false,
  perContactPerDay: 2,
  perContactPerWeek: 6,
  perDay: 1_000,
};

/**
 * One send of the same content to one person within 24 hours. The key decides whether the parameters are part of it.
 */
const ONCE_A_DAY: Rule = { code: 'duplicate_template_send', windowMs: DAY_MS, most: 1, of: 'same' };

export const identicalRules: readonly Rule[] = [ONCE_A_DAY];

/** @param windowOpen the customer service window is open: sends neither count nor are capped then (spec §7) */
export function recipientRules(settings: MarketingSettings, windowOpen: boolean): readonly Rule[] {
  if (windowOpen) return [ONCE_A_DAY];
  const code = 'template_frequency_cap_exceeded';
  return [
    ONCE_A_DAY,
    { code, windowMs: DAY_MS, most: settings.perContactPerDay, of: 'counted' },
    { code, windowMs: WEEK_MS, most: settings.perContactPerWeek, of: 'counted' },
  ];
}

export const companyRules = (settings: MarketingSettings): readonly Rule[] => [
  { code: 'company_daily_marketing_cap_exceeded', windowMs: DAY_MS, most: settings.perDay, of: 'counted' },
];

export interface GateRefusal {
  readonly code: GateCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** How many of the sends under a company cap the refusal lists. */
const NAMED = 10;

/**
 * The reason why one more send must wait at `now`; null when it may go. `ledgers` are those that count together: of one
 * person under all identities, or of one company over two days.
 */
export function judge(
  ledgers: readonly Quota[],
  what: string,
  rules: readonly Rule[],
  now: number,
): GateRefusal | null {
  const limited = latestLimit(ledgers);
  if (limited !== null && now < limited.at + DAY_MS) {
    return {
      code: 'recipient_marketing_limit_reached',
      message: "WhatsApp's limit of marketing per person stopped the last message to this recipient.",
      details: {
        ...opening(limited.at + DAY_MS, now),
        earlier_events: [{ operation_uuid: limited.operationUuid, at: iso(limited.at) }],
        provider: { code: 131049 },
      },
    };
  }
  const slots = ledgers.flatMap((ledger) => ledger.slots).sort((a, b) => a.at - b.at);
  const broken = rules.flatMap((rule) => {
    const within = slots.filter(
      (slot) => now < slot.at + rule.windowMs && (rule.of === 'same' ? slot.what === what : slot.counted),
    );
    if (within.length < rule.most) return [];
    // A cap of 0 never opens; any other opens when the oldest of the last `most` sends leaves the window.
    const oldest = rule.most === 0 ? undefined : within.at(-rule.most);
    return [{ rule, within, opensAt: oldest ? oldest.at + rule.windowMs : null }];
  });
  const [first] = broken;
  if (first === undefined) return null;
  const same = broken.filter(({ rule }) => rule.code === first.rule.code);
  const { rule, within, opensAt } = same.reduce((a, b) =>
    (b.opensAt ?? Infinity) > (a.opensAt ?? Infinity) ? b : a,
  );
  return {
    code: rule.code,
    message: sentence(rule),
    details: {
      ...(opensAt === null ? {} : opening(opensAt, now)),
      ...(rule.of === 'counted' ? { cap: rule.most } : {}),
      window_seconds: rule.windowMs / 1000,
      earlier_events: within.slice(-NAMED).map(named),
    },
  };
}

function latestLimit(ledgers: readonly Quota[]): Quota['limited'] {
  let latest: Quota['limited'] = null;
  for (const { limited } of ledgers) {
    if (limited !== null && limited.at > (latest?.at ?? -Infinity)) latest = limited;
  }
  return latest;
}

/** When a gate opens, both as seconds and as a time. Whole seconds, rounded up: never a second too early. */
export const opening = (opensAt: number, now: number): Readonly<Record<string, unknown>> => ({
  retry_after_seconds: Math.max(1, Math.ceil((opensAt - now) / 1000)),
  opens_at: iso(opensAt),
});

const iso = (ms: number): string => new Date(ms).toISOString();
const named = (slot: Reservation) => ({ operation_uuid: slot.operationUuid, at: iso(slot.at) });

function sentence({ code, most, windowMs }: Rule): string {
  const window = windowMs === DAY_MS ? '24 hours' : `${windowMs / DAY_MS} days`;
  switch (code) {
    case 'duplicate_template_send':
      return `This was sent to the same recipient within the last ${window}.`;
    case 'template_frequency_cap_exceeded':
      return `The recipient got as much marketing as the company allows: ${most} in ${window}.`;
    case 'company_daily_marketing_cap_exceeded':
      return `The company sent as much marketing as it may: ${most} in ${window}.`;
    case 'recipient_marketing_limit_reached':
      return "WhatsApp's limit of marketing per person stopped the last message to this recipient.";
    default:
      return code satisfies never;
  }
}
