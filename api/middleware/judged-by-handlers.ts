/**
 * What the contract describes for those who write requests, and the handler checks, because it says better what is wrong:
 * with a code of its own, or for each item of a batch. The validator then has nothing to do with it.
 */
interface Schema {
  anyOf?: readonly Schema[];
  readonly 'x-judged-by-handler'?: unknown;
  [keyword: string]: unknown;
}

/**
 * Changes the document: of variants of which one is `x-judged-by-handler: true`, that one is left; of a schema that
 * lists keywords there, such as `pattern`, these are removed.
 */
export function leaveToHandlers(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Schema;
  if (Array.isArray(schema.anyOf)) {
    const open = (schema.anyOf as readonly Schema[]).find(
      (variant) => variant['x-judged-by-handler'] === true,
    );
    if (open) schema.anyOf = [open];
  }
  const keywords = schema['x-judged-by-handler'];
  if (Array.isArray(keywords)) for (const keyword of keywords as readonly string[]) delete schema[keyword];
  for (const child of Object.values(schema)) leaveToHandlers(child);
}
