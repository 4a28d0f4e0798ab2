/**
 * True when another writer changed the same stream concurrently. This is no error: the next try reads the new state.
 */
import { Refusal } from '../../domain/kernel/refusal.js';

export const wasOvertaken = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'concurrent_update';

/** The log message for it. */
export const OVERTAKEN = 'others wrote to the same stream at the same time; it is tried again';
