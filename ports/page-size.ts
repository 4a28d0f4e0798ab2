/** How many an adapter answers in one read, whatever number reaches it: at least one, at most its own cap. */
export const pageSize = (limit: number, cap: number): number =>
  limit >= 1 ? Math.min(Math.floor(limit), cap) : 1;
