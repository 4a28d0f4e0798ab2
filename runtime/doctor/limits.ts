/** Thresholds of the warnings of `recado doctor`, shared by its local half and the server's. */
export const LOW_DISK = 2 * 1024 ** 3;
export const LARGE_LOG = 64 * 1024 ** 2;

/** For a file of an earlier release. */
export const NOT_VACUUMED =
  'recado.db still holds what earlier releases deleted, and so persons who were erased then.';
