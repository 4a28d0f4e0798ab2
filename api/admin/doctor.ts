import { one } from '../routes/replies.js';
import type { AdminHandlers } from './support.js';

/** The result of a check: one line, and one line with the action to take. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** Null when no action is needed. */
  readonly todo: string | null;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message, todo: null });
export const warn = (check: string, message: string, todo: string): Finding => ({
  check,
  status: 'warn',
  message,
  todo,
});
export const fail = (check: string, message: string, todo: string): Finding => ({
  check,
  status: 'fail',
  message,
  todo,
});

export interface Examination {
  readonly version: string;
  /** ISO 8601, by the clock of the server. */
  readonly now: string;
  readonly findings: readonly Finding[];
}

export const doctorRoutes = (examine: () => Promise<Examination>): AdminHandlers => ({
  examine: async () => one(await examine()),
});
