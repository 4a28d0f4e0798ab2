// @types/negotiator stands at 0.6: it has no `preferred`.
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: { readonly 'accept-encoding'?: string | undefined } });
    /** The best for the caller; of those it likes as much, the first in `preferred`. */
    encoding<Coding extends string>(
      available: readonly Coding[],
      options: { readonly preferred: readonly Coding[] },
    ): Coding | undefined;
  }
}
