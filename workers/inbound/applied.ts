/** Result of applying one update of a provider webhook. */
export type Applied =
  | 'ok'
  /** About a message that another system sent with the same number: counted, nothing to do. */
  | 'foreign'
  /**
   * Something that the update depends on does not exist yet and may arrive. `lastly`: runs when it has not arrived in
   * time.
   */
  | { readonly retry: string; readonly lastly?: () => Promise<Applied> }
  /** The update cannot be applied; an operator sees it. */
  | { readonly park: string };
