/**
 * Bodies that the contract describes for their writers, and lets pass whatever they are, because the handler says what is
 * wrong with them: `anyOf` a product, or any object. The description is then no work for a validator, which would list
 * all that is wrong and throw the list away.
 */
interface Schema {
  anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

/** Changes the document: of variants of which one is `x-judged-by-handler`, that one is left. */
export function keepOpenVariants(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Schema;
  if (Array.isArray(schema.anyOf)) {
    const open = (schema.anyOf as readonly Schema[]).find(
      (variant) => variant['x-judged-by-handler'] === true,
    );
    if (open) schema.anyOf = [open];
  }
  for (const child of Object.values(schema)) keepOpenVariants(child);
}
