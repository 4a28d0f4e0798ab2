/** A server outside that tells who a person is, by OpenID Connect. */

/** What the browser is sent away with, and what its answer is checked by. */
export interface IdentityRequest {
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE: the provider gets its digest first, and the verifier itself with the code. */
  readonly verifier: string;
  /** The person must show who he is now, even where the provider has a session with him. */
  readonly anew: boolean;
}

export interface Identity {
  readonly issuer: string;
  /** The provider's own name of the person, which it never gives to another one. */
  readonly subject: string;
  /** When the person last showed the provider who he is, in milliseconds; null where the provider does not say. */
  readonly shownAt: number | null;
}

/**
 * `unreachable`: no answer, or none that makes sense. `refused`: the provider says that it does not sign the person in.
 * `invalid`: the answer is not one to this request, not of this provider, not for us, or too old.
 */
export type IdentityFailure = 'unreachable' | 'refused' | 'invalid';

export class IdentityError extends Error {
  override readonly name = 'IdentityError';
  /** @param reason for the log: a code without personal data or secrets */
  constructor(
    readonly failure: IdentityFailure,
    readonly reason: string,
  ) {
    super(`the identity provider: ${failure}, ${reason}`);
  }
}

export interface IdentityProvider {
  /** As people know it. */
  readonly name: string;
  /** Where to send the browser. @throws IdentityError unreachable */
  begin(request: IdentityRequest): Promise<string>;
  /** @param answer the query with which the browser came back. @throws IdentityError */
  finish(request: IdentityRequest, answer: string): Promise<Identity>;
  /** Whether it can be used, for `recado doctor`. @throws IdentityError unreachable */
  check(): Promise<void>;
}
