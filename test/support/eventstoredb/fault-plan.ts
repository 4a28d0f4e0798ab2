import { accessDenied, type CallFailure, notAuthenticated, notLeader } from './errors.js';

/** How an answer is lost: the connection is cut, or nothing ever comes. */
export type LostAnswer = 'cut' | 'never';

/** The reading of `$all`, every append, or every call because of its credentials. */
export type Denied = '$all' | 'appends' | 'credentials';

/** A call that may be denied. */
export type Access = '$all' | 'appends' | 'stream';

/** What the next calls are to suffer; the calls count it down themselves. */
export interface FaultPlan {
  loseAnswers: { count: number; how: LostAnswer };
  refuseAppends: number;
  refuseReads: number;
  /** Appends that share a call and are told that the server is not ready; the call stays. */
  notReady: number;
  delayMs: number;
  /** Answers that wait to be released; null when none is held. */
  held: (() => void)[] | null;
  denied: Denied | null;
  withoutBatchAppend: boolean;
  /** The port of the node that leads when this one does not. */
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

/** True for each of the next `count` appends that was stored. */
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

/** Runs an answer now, after the delay that is set now, or when it is released. */
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

/** Undefined when the call may be made. */
export const accessFailure = ({ denied }: FaultPlan, access: Access): CallFailure | undefined => {
  if (denied === 'credentials') return notAuthenticated();
  return denied === access ? accessDenied() : undefined;
};

/** A node that follows sends those to the leader who ask for one. */
export const leaderFailure = (
  { leaderPort }: FaultPlan,
  metadata: { get(key: string): readonly unknown[] },
): CallFailure | undefined =>
  leaderPort !== null && metadata.get('requires-leader')[0] === 'true' ? notLeader(leaderPort) : undefined;
