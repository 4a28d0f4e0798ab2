import { ReadModelBehind } from '../ports/read-models.js';
import type { App } from './app.js';

/**
 * The result of `find`, also from read models that lag. Undefined only if they show everything that was in the history
 * a second ago (docs/adr/0024).
 *
 * @param models read models that `find` reads
 * @throws ReadModelBehind when nothing is found in a read model that lags
 */
export async function foundOrAbsent<T>(
  { barrier }: Pick<App, 'barrier'>,
  models: readonly string[],
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await find();
  if (found !== undefined) return found;
  if (!(await barrier.passed(models, 'recently'))) throw new ReadModelBehind(models);
  // A read model that has caught up in between still lagged when it was read.
  return find();
}
