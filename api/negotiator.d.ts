// @types/negotiator is at 0.6, which lacks `preferred`.
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: { readonly 'accept-encoding'?: string | undefined } });
    /** The coding that the caller prefers; among equals, the first in `preferred`. */
    encoding<Coding extends string>(
      available: readonly Coding[],
      options: { readonly preferred: readonly Coding[] },
    ): Coding | undefined;
  }
}
