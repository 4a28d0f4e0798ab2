/** Number of items that an adapter returns in one read: at least one, at most its own cap, for any requested limit. */
export const pageSize = (limit: number, cap: number): number =>
  limit >= 1 ? Math.min(Math.floor(limit), cap) : 1;
