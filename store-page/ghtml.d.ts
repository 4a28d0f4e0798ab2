// The package ships no types.
declare module 'ghtml' {
  /** Escapes every `${}`; `!${}` puts markup in as it is. Arrays are joined, null and undefined are nothing. */
  export function html(literals: TemplateStringsArray, ...expressions: readonly unknown[]): string;
}
