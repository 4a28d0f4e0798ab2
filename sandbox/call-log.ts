import type { SandboxCall } from './types.js';

/** The newest calls, and counts of all of them. */
export interface CallLog {
  readonly calls: readonly SandboxCall[];
  totals(): { readonly calls: number; readonly accepted: number; readonly refused: number };
  record(call: Omit<SandboxCall, 'sequence'>): void;
}

export function createCallLog(maxCalls: number): CallLog {
  const calls: SandboxCall[] = [];
  const totals = { calls: 0, accepted: 0, refused: 0 };
  return {
    calls,
    totals: () => ({ ...totals }),
    record(call) {
      totals.calls += 1;
      totals[call.accepted ? 'accepted' : 'refused'] += 1;
      calls.push({ sequence: totals.calls, ...call });
      // Dropped in blocks: dropping one by one would copy the whole list on every call.
      if (calls.length > maxCalls * 1.1) calls.splice(0, calls.length - maxCalls);
    },
  };
}
