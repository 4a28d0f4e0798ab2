/**
 * Work that only one process may do at a time: following the history for one projection, relaying it, pacing one
 * channel. A lease names the holder; its fence number identifies the acquisition. A holder that loses its lease learns
 * it from `held()` before another process can acquire it. `held()` uses a clock that can't be set.
 */
export interface Lease {
  readonly name: string;
  /** Grows with every holder of this name. */
  readonly fence: number;
  /** State that the previous holder left; null when there is no such state. */
  readonly left: Readonly<Record<string, unknown>> | null;
  /** False for good as soon as another process may have acquired the lease, and after `release`. */
  held(): boolean;
  /** Resolves when the lease is lost or released. */
  readonly ended: Promise<void>;
  /** State for the next holder. It is saved with the next renewal, so the latest state may be missing after a crash. */
  leave(state: Readonly<Record<string, unknown>>): void;
  /** Releases the lease and saves the state last left, so that another process can acquire it at once. */
  release(): Promise<void>;
}

export interface Leases {
  /**
   * Null when another process holds it. A dead holder is detected over several calls: call again every second or so.
   * @throws StoreUnavailable
   */
  acquire(name: string): Promise<Lease | null>;
  /** Current leases with their holders, for operators. */
  holders(): Promise<readonly { readonly name: string; readonly holder: string; readonly fence: number }[]>;
}
