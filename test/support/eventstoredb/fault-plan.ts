import { accessDenied, type CallFailure, notAuthenticated } from './errors.js';

/** How an answer is lost: the connection is cut, or nothing ever comes. */
export type LostAnswer = 'cut' | 'never';

/** The reading of `$all`, or every call because of its credentials. */
export type Denied = '$all' | 'credentials';

/** What the next calls are to suffer; the calls count it down themselves. */
export interface FaultPlan {
  loseAnswers: { count: number; how: LostAnswer };
  refuseAppends: number;
  refuseReads: number;
  delayMs: number;
  denied: Denied | null;
}

export const noFaults = (): FaultPlan => ({
  loseAnswers: { count: 0, how: 'cut' },
  refuseAppends: 0,
  refuseReads: 0,
  delayMs: 0,
  denied: null,
});

/** True for each of the next `count` appends that was stored. */
export const takeLostAnswer = (plan: FaultPlan): LostAnswer | undefined => {
  if (plan.loseAnswers.count === 0) return undefined;
  plan.loseAnswers.count -= 1;
  return plan.loseAnswers.how;
};

export const takeRefusal = (plan: FaultPlan, kind: 'refuseAppends' | 'refuseReads'): boolean => {
  if (plan[kind] === 0) return false;
  plan[kind] -= 1;
  return true;
};

/** Runs an answer now, or after the delay that is set now. */
export const answer = (plan: FaultPlan, send: () => void): void => {
  if (plan.delayMs === 0) send();
  else setTimeout(send, plan.delayMs).unref();
};

/** Undefined when the call may be made. */
export const accessFailure = ({ denied }: FaultPlan, ofAll: boolean): CallFailure | undefined => {
  if (denied === 'credentials') return notAuthenticated();
  return denied === '$all' && ofAll ? accessDenied() : undefined;
};
