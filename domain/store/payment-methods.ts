export const PAYMENT_METHODS = ['pix', 'card', 'cash', 'payment_link', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
