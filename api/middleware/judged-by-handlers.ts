/**
 * Rules that the contract describes for authors of requests but that handlers check. A handler's errors are more
 * precise: they have a code of their own, or refer to single items of a batch. The validator must ignore these rules.
 */
interface Schema {
  anyOf?: readonly Schema[];
  readonly 'x-judged-by-handler'?: unknown;
  [keyword: string]: unknown;
}

/**
 * Changes the document. If one variant has `x-judged-by-handler: true`, only that variant is kept. If a schema lists
 * keywords there, such as `pattern`, these are removed.
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
