/**
 * Combines queries from the same event-loop tick, or a longer moment, into one. Batches run in parallel and need much the
 * same documents at about the same time, and each command of the driver costs a process more than the document it returns.
 *
 * The query is sent after all callers that share it have asked: no caller gets an answer that was in progress before.
 */
import { yieldToEventLoop } from '../../ports/waiting.js';

/** Returns the answer of `ask` for the key; undefined when it has none. */
export type Gathered<Answer> = (key: string) => Promise<Answer | undefined>;

/**
 * @param ask receives at most `most` keys, each once
 * @param others resolves when all callers that share a query have asked
 */
export function gathered<Answer>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
  most = 500,
  others: () => Promise<void> = yieldToEventLoop,
): Gathered<Answer> {
  let open: { readonly keys: Set<string>; readonly answer: Promise<ReadonlyMap<string, Answer>> } | undefined;

  function begin(): NonNullable<typeof open> {
    const keys = new Set<string>();
    const put = async (): Promise<ReadonlyMap<string, Answer>> => {
      await others();
      if (open === begun) open = undefined;
      return ask([...keys]);
    };
    const begun = { keys, answer: put() };
    return begun;
  }

  return async (key) => {
    const asked = open !== undefined && open.keys.size < most ? open : (open = begin());
    asked.keys.add(key);
    return (await asked.answer).get(key);
  };
}
