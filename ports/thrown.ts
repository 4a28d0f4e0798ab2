/** What was thrown, in words or by its code: JavaScript can throw anything. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** `ENOENT` and the like, of an error of the system or of a library; undefined where it has none. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
