/** How an answer is lost: the connection is cut, or nothing ever comes. */
export type LostAnswer = 'cut' | 'never';

/** What the next calls are to suffer; the calls count it down themselves. */
export interface FaultPlan {
  loseAnswers: { count: number; how: LostAnswer };
  refuseAppends: number;
  refuseReads: number;
  delayMs: number;
}

export const noFaults = (): FaultPlan => ({
  loseAnswers: { count: 0, how: 'cut' },
  refuseAppends: 0,
  refuseReads: 0,
  delayMs: 0,
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
