import { accessDenied, type CallFailure, notAuthenticated, notLeader } from './errors.js';

/** How an answer is lost: the connection is cut, or no answer is ever sent. */
export type LostAnswer = 'cut' | 'never';

/** Denies reads of `$all`, every append, or every call because of its credentials. */
export type Denied = '$all' | 'appends' | 'credentials';

/** A call that may be denied. */
export type Access = '$all' | 'appends' | 'stream';

/** Faults of the next calls. Each affected call decrements its counter. */
export interface FaultPlan {
  loseAnswers: { count: number; how: LostAnswer };
  refuseAppends: number;
  refuseReads: number;
  /** Number of shared-call appends to answer with "server not ready"; the call itself stays open. */
  notReady: number;
  delayMs: number;
  /** Answers that wait to be released; null when answers are not held. */
  held: (() => void)[] | null;
  denied: Denied | null;
  withoutBatchAppend: boolean;
  /** The leader's port when this node is a follower. */
  leaderPort: number | null;
}

export const noFaults = (): FaultPlan => ({
  loseAnswers: { count: 0, how: 'cut' },
  refuseAppends: 0,
  refuseReads: 0,
  notReady: 0,
  delayMs: 0,
  held: null,
  denied: null,
  withoutBatchAppend: false,
  leaderPort: null,
});

/** Returns how the answer is lost, for each of the next `count` stored appends; then undefined. */
export const takeLostAnswer = (plan: FaultPlan): LostAnswer | undefined => {
  if (plan.loseAnswers.count === 0) return undefined;
  plan.loseAnswers.count -= 1;
  return plan.loseAnswers.how;
};

export const takeRefusal = (plan: FaultPlan, kind: 'refuseAppends' | 'refuseReads' | 'notReady'): boolean => {
  if (plan[kind] === 0) return false;
  plan[kind] -= 1;
  return true;
};

/** Sends an answer now, after the delay that is set now, or when answers are released. */
export const answer = (plan: FaultPlan, send: () => void): void => {
  if (plan.held) plan.held.push(send);
  else if (plan.delayMs === 0) send();
  else setTimeout(send, plan.delayMs).unref();
};

export const releaseAnswers = (plan: FaultPlan): void => {
  const held = plan.held ?? [];
  plan.held = null;
  for (const send of held) send();
};

/** Returns undefined when the call is allowed. */
export const accessFailure = ({ denied }: FaultPlan, access: Access): CallFailure | undefined => {
  if (denied === 'credentials') return notAuthenticated();
  return denied === access ? accessDenied() : undefined;
};

/** A follower redirects calls that require the leader. */
export const leaderFailure = (
  { leaderPort }: FaultPlan,
  metadata: { get(key: string): readonly unknown[] },
): CallFailure | undefined =>
  leaderPort !== null && metadata.get('requires-leader')[0] === 'true' ? notLeader(leaderPort) : undefined;
