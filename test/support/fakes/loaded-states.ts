/** An executor that loads the states that a test sets. Every other stream counts as never written. */
import type { CommandContext, Executor } from '../../../application/execute.js';

interface Loadable<State> {
  readonly initial: State;
}

export function loadedStates() {
  const states = new Map<object, Map<string, unknown>>();
  const load = async ({ initial }: Loadable<unknown>, id: string, key: object) => ({
    state: states.get(key)?.get(id) ?? initial,
    revision: 'no_stream',
  });
  const ofStream = (aggregate: Loadable<unknown>, id: string) => load(aggregate, id, aggregate);
  return {
    executor: { load: ofStream, recall: ofStream } as unknown as Executor,
    set<State extends object>(aggregate: Loadable<State>, id: string, state: Partial<State>): void {
      const known = states.get(aggregate) ?? new Map<string, unknown>();
      states.set(aggregate, known.set(id, { ...aggregate.initial, ...state }));
    },
  };
}

/** Also records each command and returns the test's answer to it. */
export function recordedCommands<Given extends { readonly type: string }>(
  answer: (command: Given, id: string, aggregate: unknown) => unknown,
) {
  const streams = loadedStates();
  const given: { readonly id: string; readonly command: Given; readonly context: CommandContext }[] = [];
  const execute = async (aggregate: unknown, id: string, command: Given, context: CommandContext) => {
    given.push({ id, command, context });
    return answer(command, id, aggregate);
  };
  return { ...streams, given, executor: { ...streams.executor, execute } as unknown as Executor };
}
