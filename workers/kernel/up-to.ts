/**
 * The only way in which workers read read models: as of the event that they handle. A document that is missing, or was
 * just read, is then a fact as of that event. If a read model lags behind the event, the read waits for it
 * (docs/adr/0024).
 */
import type { App } from '../../application/app.js';
import type { UpTo } from '../../application/barrier.js';
import { aroundReads } from '../../application/around-reads.js';
import { channels } from '../../read-models/channels.js';

/**
 * Read models whose results are cached: they are small, rarely change, and are read for every update of every number.
 */
const REMEMBERED: ReadonlySet<string> = new Set([channels.name]);

/**
 * @param hints read models used only to find candidates; streams then decide. They are read without waiting
 * @throws ReadModelBehind from every read of any other read model
 */
export function upTo<Uses extends Pick<App, 'barrier' | 'readModels'>>(
  app: Uses,
  position: UpTo,
  hints: readonly string[] = [],
): Uses {
  const { barrier } = app;
  const readModels = aroundReads(app.readModels, async (model, read, question) => {
    if (!barrier.guards(model) || hints.includes(model)) return read();
    await barrier.wait([model], position);
    if (question === null || !REMEMBERED.has(model)) return read();
    const { answer } = await barrier.remembered(model, question(), async () => ({ answer: await read() }));
    return answer;
  });
  return { ...app, readModels };
}
