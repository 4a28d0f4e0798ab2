/** The state machine of an order (spec §3). */
export const ORDER_STATUSES = ['novo', 'confirmado', 'pago', 'entregue', 'cancelado'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The allowed moves, by the status they start from. */
export const ORDER_MOVES: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  novo: ['confirmado', 'cancelado'],
  confirmado: ['pago', 'cancelado'],
  pago: ['entregue', 'cancelado'],
  entregue: [],
  cancelado: [],
};
