/** What is wrong, or doubtful, in a flow. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  /** Id of the block; null where the flow as a whole is meant. */
  readonly block: string | null;
  /** Field inside the block. */
  readonly path: string | null;
  readonly message: string;
}
