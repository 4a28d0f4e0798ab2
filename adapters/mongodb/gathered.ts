/**
 * Questions that come up in the same turn of the event loop, put as one. Batches work side by side and ask for much the
 * same at much the same time; every command of the driver costs a process more than the document that it brings.
 *
 * The question is put after all who share it have asked: nobody is given an answer that was under way before.
 */
import { nextTurn } from '../../ports/waiting.js';

/** Answers what `ask` answers for the key; undefined where it names none. */
export type Gathered<Answer> = (key: string) => Promise<Answer | undefined>;

/** @param ask of at most `most` keys, each once */
export function gathered<Answer>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>,
  most = 500,
): Gathered<Answer> {
  let open: { readonly keys: Set<string>; readonly answer: Promise<ReadonlyMap<string, Answer>> } | undefined;

  function begin(): NonNullable<typeof open> {
    const keys = new Set<string>();
    const put = async (): Promise<ReadonlyMap<string, Answer>> => {
      await nextTurn();
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
