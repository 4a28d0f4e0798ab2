/**
 * Work that only one process may do at a time: following the history for one projection, relaying it, pacing one
 * channel. A lease says who; its fence number says since when. Whoever loses one finds out by `held()` before anybody
 * else can have it, by a clock that can't be set.
 */
export interface Lease {
  readonly name: string;
  /** Grows with every holder of this name. */
  readonly fence: number;
  /** What the holder before left behind; null when nobody did. */
  readonly left: Readonly<Record<string, unknown>> | null;
  /** False for good as soon as somebody else may have taken it, and after `release`. */
  held(): boolean;
  /** Resolves when it is lost or released. */
  readonly ended: Promise<void>;
  /** Left for the next holder; saved with the next renewal, so the last one before a crash may be missing. */
  leave(state: Readonly<Record<string, unknown>>): void;
  /** Lets go, with what was last left, so that another process can take it at once. */
  release(): Promise<void>;
}

export interface Leases {
  /**
   * Null when somebody holds it. A holder that died is noticed over several calls: ask again every second or so.
   * @throws StoreUnavailable
   */
  acquire(name: string): Promise<Lease | null>;
  /** Who holds what, for operators. */
  holders(): Promise<readonly { readonly name: string; readonly holder: string; readonly fence: number }[]>;
}
