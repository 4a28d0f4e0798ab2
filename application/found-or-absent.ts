import { ReadModelBehind } from '../ports/read-models.js';
import type { App } from './app.js';

/**
 * What is found, also in read models that are behind; undefined only where they show the whole history (docs/adr/0024).
 *
 * @param models read models that `find` reads
 * @throws ReadModelBehind when nothing is found in one that is behind
 */
export async function foundOrAbsent<T>(
  { barrier }: Pick<App, 'barrier'>,
  models: readonly string[],
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await find();
  if (found !== undefined) return found;
  if (!(await barrier.passed(models, 'recently'))) throw new ReadModelBehind(models);
  // One that has caught up in between was behind when it was read.
  return find();
}
