/** What became of one update of a provider webhook. */
export type Applied =
  | 'ok'
  /** What it builds on is not here yet and may be on its way. */
  | { readonly retry: string }
  /** Nothing can be made of it; an operator sees it. */
  | { readonly park: string };
