/** What became of one update of a provider webhook. */
export type Applied =
  | 'ok'
  /** About a message that another system sent by the same number: counted, no work for anybody. */
  | 'foreign'
  /** What it builds on is not here yet and may be on its way. `lastly`: what is done when it has not come in time. */
  | { readonly retry: string; readonly lastly?: () => Promise<Applied> }
  /** Nothing can be made of it; an operator sees it. */
  | { readonly park: string };
