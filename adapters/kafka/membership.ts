/** A group member's knowledge of its own membership. */
export interface Membership {
  /** Increases with every assignment: messages fetched before one may belong to another member after it. */
  assignment: number;
  /** The coordinator's error when it last refused a heartbeat: the group is rebalancing, or has removed this member. */
  refused: Error | undefined;
  /** The membership has ended: nothing of it may be committed any more. */
  over: boolean;
}

const REFUSALS = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID']);

/** The broker refused because the group no longer has this member, or is rebalancing. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && 'type' in error && REFUSALS.has(String(error.type));
