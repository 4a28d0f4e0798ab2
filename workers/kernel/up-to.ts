/**
 * The one way for workers to read read models: as of the event that they handle. What is not found, or was found a moment
 * ago, is then a fact of that event; a read model that does not show it yet is waited for (docs/adr/0024).
 */
import type { App } from '../../application/app.js';
import type { UpTo } from '../../application/barrier.js';
import { aroundReads } from '../../application/around-reads.js';
import { channels } from '../../read-models/channels.js';

/** Change once in a while, are asked for with every update of every number, and are few. */
const REMEMBERED: ReadonlySet<string> = new Set([channels.name]);

/**
 * @param hints read models that only say where to look: streams decide what is found there, and what is not. They are
 * read as they are
 * @throws from every read of another one: ReadModelBehind
 */
export function upTo(app: App, position: UpTo, hints: readonly string[] = []): App {
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
