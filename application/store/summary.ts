/** Reads of the store and its categories (spec §4, GET /store and GET /store/categories). */
import { storeStream } from '../../domain/streams.js';
import { stores } from '../../read-models/stores.js';
import type { App } from '../app.js';
import { loadCompany, notFound } from '../provisioning/common.js';
import { presentCategories, presentSettings, presentStore, type StoreSource } from '../resources/store.js';
import { countCategories, countStore } from './counts.js';

/** The document; replayed from the stream for a new store that the read model does not show yet. */
async function storeDocument(
  app: Pick<App, 'readModels' | 'replay'>,
  storeUuid: string,
): Promise<StoreSource> {
  const stored = await app.readModels.get(stores.name, storeUuid);
  const doc = stored?.doc ?? (await app.replay(stores.name, storeStream.toName(storeUuid)));
  if (!doc) throw notFound('store', 'store of this company: open it first');
  return doc;
}

/** @throws Refusal not_found */
export async function readStore(
  app: Pick<App, 'executor' | 'publicUrl' | 'readModels' | 'replay'>,
  storeUuid: string,
) {
  const store = await storeDocument(app, storeUuid);
  const [counts, { timezone }] = await Promise.all([
    countStore(app.readModels, storeUuid),
    loadCompany(app, store.company_uuid),
  ]);
  return presentStore(store, counts, { baseUrl: app.publicUrl(), timezone });
}

/** For operators. @throws Refusal not_found */
export async function readSettings(app: Pick<App, 'publicUrl' | 'readModels' | 'replay'>, storeUuid: string) {
  const store = await storeDocument(app, storeUuid);
  return presentSettings(store, await countStore(app.readModels, storeUuid), app.publicUrl());
}

/** The whole tree, each category before its children. @throws Refusal not_found */
export async function readCategories(app: Pick<App, 'readModels' | 'replay'>, storeUuid: string) {
  const { categories } = await storeDocument(app, storeUuid);
  const uuids = categories.map(({ uuid }) => uuid);
  return presentCategories(categories, await countCategories(app.readModels, storeUuid, uuids));
}
