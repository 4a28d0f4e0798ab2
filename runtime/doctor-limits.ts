/** Where `recado doctor` begins to warn, whichever side of the server it looks from. */
export const LOW_DISK = 2 * 1024 ** 3;
export const LARGE_LOG = 64 * 1024 ** 2;
