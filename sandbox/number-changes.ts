/** Changes to a number, made by a test or an operator in Meta's place, and the webhooks that Meta sends for them. */
import { digitsOf } from './statuses.js';
import type { Sandbox, SandboxPhoneNumber } from './types.js';

export interface NumberChange {
  readonly quality?: SandboxPhoneNumber['qualityRating'];
  readonly messaging_limit?: string;
  readonly throughput?: SandboxPhoneNumber['throughputLevel'];
  readonly status?: string;
  readonly business_app?: boolean;
  readonly service_window?: boolean;
  readonly limits?: boolean;
  readonly marketing_per_person?: number;
}

const QUALITIES = ['RED', 'YELLOW', 'GREEN'];
const TIERS = ['TIER_50', 'TIER_250', 'TIER_1K', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'];

export function changeNumber(
  sandbox: Sandbox,
  before: SandboxPhoneNumber,
  change: NumberChange,
): SandboxPhoneNumber {
  const { marketing_per_person: marketingPerPerson } = change;
  sandbox.setPhoneNumber(before.id, {
    qualityRating: change.quality ?? before.qualityRating,
    messagingLimit: change.messaging_limit ?? before.messagingLimit,
    throughputLevel: change.throughput ?? before.throughputLevel,
    status: change.status ?? before.status,
    ...(change.business_app === undefined ? {} : { onBusinessApp: change.business_app }),
    ...(change.service_window === undefined ? {} : { enforceServiceWindow: change.service_window }),
    ...(change.limits === undefined ? {} : { enforceLimits: change.limits }),
    ...(marketingPerPerson === undefined ? {} : { marketingPerPerson }),
  });
  const after = sandbox.phoneNumbers.find(({ id }) => id === before.id) ?? before;
  tell(sandbox, before, after);
  return after;
}

/**
 * Sends the field `phone_number_quality_update`, which covers limits too. Its documented events are about throughput;
 * the others are from before 2026, and receivers still handle them. Meta sends no webhook for a change of status.
 */
function tell(sandbox: Sandbox, before: SandboxPhoneNumber, after: SandboxPhoneNumber): void {
  const { wabaId, displayPhoneNumber, messagingLimit } = after;
  const emit = (event: string, more: Record<string, unknown> = {}): void =>
    sandbox.emit({
      wabaId,
      field: 'phone_number_quality_update',
      value: {
        display_phone_number: digitsOf(displayPhoneNumber),
        event,
        current_limit: messagingLimit,
        max_daily_conversations_per_business: messagingLimit,
        ...more,
      },
    });
  const quality = rank(QUALITIES, after.qualityRating) - rank(QUALITIES, before.qualityRating);
  if (quality !== 0) emit(quality < 0 ? 'FLAGGED' : 'UNFLAGGED');
  const limit = rank(TIERS, messagingLimit) - rank(TIERS, before.messagingLimit);
  if (limit !== 0) emit(limit < 0 ? 'DOWNGRADE' : 'UPGRADE', { old_limit: before.messagingLimit });
  if (before.throughputLevel === 'STANDARD' && after.throughputLevel === 'HIGH') emit('THROUGHPUT_UPGRADE');
}

/** Unlisted values (`NA`, or a later tier) count as the best. */
const rank = (order: readonly string[], value: string): number =>
  order.includes(value) ? order.indexOf(value) : order.length;

export const numberView = (number: SandboxPhoneNumber): Record<string, unknown> => ({
  phone_number_id: number.id,
  waba_id: number.wabaId,
  display_phone_number: number.displayPhoneNumber,
  quality: number.qualityRating,
  status: number.status,
  throughput: number.throughputLevel,
  messaging_limit: number.messagingLimit,
  business_app: number.onBusinessApp ?? false,
  /** Null: the sandbox's own setting applies. */
  service_window: number.enforceServiceWindow ?? null,
  limits: number.enforceLimits ?? null,
  marketing_per_person: number.marketingPerPerson ?? null,
});
