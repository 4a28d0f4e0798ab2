/** The same app for work that is in no hurry, or that must see what it has written. */
import type { Embedded } from '../adapters/embedded/open.js';
import type { App } from '../application/app.js';
import type { DeliveryNews } from '../application/console/delivery-news.js';
import { noting } from './noting-appends.js';

const PATIENCE_MS = 10_000;

export function waitingForReadModels(app: App): App {
  const store = noting(app.store, (position) => app.readModelsReached(position, PATIENCE_MS));
  return { ...app, store, executor: app.executor.over(store) };
}

export function lowPriority(app: App, { background }: Embedded, news: DeliveryNews): App {
  const { eventStore: store, readModels } = background;
  return { ...app, store, readModels: news.around(readModels), executor: app.executor.over(store) };
}
