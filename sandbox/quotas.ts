/**
 * Meta's two limits that count over a day: people per account, and marketing templates per person. Both count only
 * templates sent while the person's service window is closed.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/messaging-limits
 */
const DAY_MS = 86_400_000;

/** People per rolling day by tier; tiers that are not listed have no limit. */
const TIERS: Readonly<Record<string, number>> = {
  TIER_50: 50,
  TIER_250: 250,
  TIER_1K: 1_000,
  TIER_2K: 2_000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
};

export interface Quotas {
  /** Whether the account may open a conversation with this person today; a new person is then counted. */
  takePerson(account: string, userKey: string, tier: string, now: number): boolean;
  /** Whether this person may get one more marketing template of this number; it is then counted. */
  takeMarketing(phoneNumberId: string, userKey: string, limit: number, now: number): boolean;
}

export function createQuotas(): Quotas {
  /** By account, the people written to within the day and when first; oldest first, because maps keep their order. */
  const people = new Map<string, Map<string, number>>();
  const marketing = new Map<string, number[]>();
  return {
    takePerson(account, userKey, tier, now) {
      const limit = TIERS[tier] ?? Infinity;
      if (limit === Infinity) return true;
      let opened = people.get(account);
      if (opened === undefined) people.set(account, (opened = new Map<string, number>()));
      for (const [key, at] of opened) {
        if (at > now - DAY_MS) break;
        opened.delete(key);
      }
      if (opened.has(userKey)) return true;
      if (opened.size >= limit) return false;
      opened.set(userKey, now);
      return true;
    },
    takeMarketing(phoneNumberId, userKey, limit, now) {
      const key = `${phoneNumberId} ${userKey}`;
      const recent = (marketing.get(key) ?? []).filter((at) => at > now - DAY_MS);
      if (recent.length >= limit) return false;
      marketing.set(key, [...recent, now]);
      return true;
    },
  };
}
