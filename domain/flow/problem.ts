/** An error or a warning about a flow. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  /** Id of the block; null for a problem of the whole flow. */
  readonly block: string | null;
  /** The field within the block. */
  readonly path: string | null;
  readonly message: string;
}
