import type { App } from '../../application/app.js';
import { readCategories, readStore } from '../../application/store/summary.js';
import { storeId } from '../../domain/streams.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Handlers } from '../middleware/call.js';
import { one } from './replies.js';

export const storeRoutes = (app: App): Handlers<ApiCaller> => ({
  getStore: async ({ caller }) => one(await readStore(app, storeId(caller.company))),

  // Not paged, so without `meta` (spec §2).
  listStoreCategories: async ({ caller }) => ({
    status: 200,
    body: { data: await readCategories(app, storeId(caller.company)) },
  }),
});
