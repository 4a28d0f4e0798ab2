import type { App } from '../../../application/app.js';

export class Died extends Error {}

/** The same process, which dies after its nth write: every later write throws `Died`. */
export function dyingBehind(app: App, nth: number): { readonly app: App; readonly died: () => boolean } {
  let made = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const write =
    <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> => {
      const result = turn.then(async () => {
        if (made >= nth) throw new Died();
        const answer = await work(...given);
        made += 1;
        if (made >= nth) throw new Died();
        return answer;
      });
      turn = result.catch(() => undefined);
      return result;
    };
  const { store, readModels, keys, dueTimes, blobs } = app;
  const appending = {
    ...store,
    append: write((...given: Parameters<typeof store.append>) => store.append(...given)),
  };
  return {
    died: () => made >= nth,
    app: {
      ...app,
      store: appending,
      executor: app.executor.over(appending),
      readModels: {
        ...readModels,
        write: write((...given: Parameters<typeof readModels.write>) => readModels.write(...given)),
        removeElsewhere: write((goes: Parameters<typeof readModels.removeElsewhere>[0]) =>
          readModels.removeElsewhere(goes),
        ),
      },
      keys: { ...keys, destroy: write((subject: string) => keys.destroy(subject)) },
      dueTimes: {
        ...dueTimes,
        cancel: write((queue: string, ids: readonly string[]) => dueTimes.cancel(queue, ids)),
      },
      blobs: { ...blobs, delete: write((hash: string) => blobs.delete(hash)) },
      clearRemnants: write(() => Promise.resolve(null)),
    },
  };
}
