/** Commands and appends one by one, as on a store that can't append to several streams at once. */
import type { Executor } from '../../../application/execute.js';
import type { EventStore } from '../../../ports/event-store.js';

export function withoutTogether(store: EventStore): EventStore {
  const { appendTogether: _appendTogether, ...rest } = store;
  return rest;
}

/** `execute` in place of the executor's own, also for commands that belong together. */
export function executingWith(inner: Executor, execute: Executor['execute']): Executor {
  const executor: Executor = { ...inner, execute, together: (work) => work(executor) };
  return executor;
}
