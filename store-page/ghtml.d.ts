// The package contains no types.
declare module 'ghtml' {
  /** Escapes every `${}`; `!${}` inserts markup unescaped. Arrays are joined, null and undefined become empty. */
  export function html(literals: TemplateStringsArray, ...expressions: readonly unknown[]): string;
}
