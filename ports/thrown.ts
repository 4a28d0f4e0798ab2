/** Message, Error and code of a thrown value. JavaScript can throw anything, not only an Error. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** The thrown value where it is an Error, else an Error that says it. */
export const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** `ENOENT` and the like, from an error of the system or of a library; undefined when the value has no such code. */
export const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
