/** How long unpaid orders hold a store's stock, per payment method. */

export const PAYMENT_METHODS = ['pix', 'card', 'cash', 'payment_link', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** `not_chosen`: an order without a payment method, such as a WhatsApp cart. */
export const HOLD_METHODS = [...PAYMENT_METHODS, 'not_chosen'] as const;
export type HoldMethod = PaymentMethod | 'not_chosen';

/** Minutes; null: no time limit. A write contains only the methods that it changes. */
export type HoldMinutes = Readonly<Partial<Record<HoldMethod, number | null>>>;

/**
 * Only for methods where the page itself asks for payment: payment on delivery, or as agreed with people, takes days.
 */
export const DEFAULT_HOLDS: Required<HoldMinutes> = {
  pix: 24 * 60,
  card: null,
  cash: null,
  payment_link: null,
  other: null,
  not_chosen: null,
};

/** With a shorter hold, a slow bank would cost the shop a sale. */
const MIN_HOLD_MINUTES = 5;
const MAX_HOLD_MINUTES = 90 * 24 * 60;

/** Minutes for which an unpaid order holds its stock; null: no time limit. */
export const holdMinutesOf = (holds: HoldMinutes, paymentMethod: string | null): number | null =>
  holds[(paymentMethod ?? 'not_chosen') as HoldMethod] ?? null;

interface Problem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export function problemsOfHolds(holds: HoldMinutes): readonly Problem[] {
  return Object.entries(holds).flatMap(([method, minutes]): readonly Problem[] => {
    const path = `hold_minutes.${method}`;
    if (!HOLD_METHODS.some((known) => known === method)) {
      const message = `${method} has no hold time. Allowed: ${HOLD_METHODS.join(', ')}.`;
      return [{ path, code: 'payment_method_unknown', message }];
    }
    if (minutes === null) return [];
    if (Number.isInteger(minutes) && minutes >= MIN_HOLD_MINUTES && minutes <= MAX_HOLD_MINUTES) return [];
    const message = `${path} is a whole number of minutes from ${MIN_HOLD_MINUTES} to ${MAX_HOLD_MINUTES}, or null: without end.`;
    return [{ path, code: 'out_of_range', message }];
  });
}
