/** Others wrote to the same stream at the same time. No fault of anybody's: the next try reads what they wrote. */
import { Refusal } from '../../domain/kernel/refusal.js';

export const wasOvertaken = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'concurrent_update';

/** For the log. */
export const OVERTAKEN = 'others wrote to the same stream at the same time; it is tried again';
