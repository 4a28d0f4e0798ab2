/**
 * How many flows may start one another. Publishing refuses loops without a wait; a loop that publishing misses stops
 * here.
 */
import { failureWith, type StepFailure } from '../flow/session.js';
import type { ExecutionData } from './events.js';
import type { Execution } from './state.js';

/** Consecutive executions without any wait: each may send a message, so all may go out within seconds. */
export const MAX_FLOWS_WITHOUT_WAIT = 20;
/** Consecutive executions without an answer of a person: waits for a time end by themselves. */
export const MAX_FLOWS_WITHOUT_ANSWER = 100;

type Depth = Pick<ExecutionData<'ExecutionCreated'>, 'depth' | 'depth_without_wait'>;

/** The depth of the execution that a `start_flow` block starts. */
export const depthOfNext = (
  { depth, depth_without_wait }: Depth,
  { answered, waited }: Pick<Execution, 'answered' | 'waited'>,
): Depth => ({
  depth: answered ? 1 : depth + 1,
  depth_without_wait: waited ? 1 : depth_without_wait + 1,
});

/** The failure when an execution of this depth must not start, else null. */
export function depthFault({ depth, depth_without_wait }: Depth): StepFailure | null {
  const fault = (limit: number, without: string): StepFailure =>
    failureWith(
      'too_many_flows',
      `${limit} flows have started one another without ${without}. Look for the circle among their start_flow blocks.`,
      { limit },
    );
  if (depth_without_wait >= MAX_FLOWS_WITHOUT_WAIT) {
    return fault(MAX_FLOWS_WITHOUT_WAIT, 'waiting for anybody or anything');
  }
  if (depth >= MAX_FLOWS_WITHOUT_ANSWER) return fault(MAX_FLOWS_WITHOUT_ANSWER, 'an answer of the customer');
  return null;
}
