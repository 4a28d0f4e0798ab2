import type { App } from '../../application/app.js';
import { notFound } from '../../application/provisioning/common.js';
import { changeCategory, createCategory, removeCategory } from '../../application/store/categories.js';
import {
  changeStore,
  changeStorePlan,
  loadStore,
  openStore,
  type StoreWritten,
} from '../../application/store/settings.js';
import { readCategories, readSettings } from '../../application/store/summary.js';
import { stores } from '../../read-models/stores.js';
import { pathParam, type Call } from '../middleware/call.js';
import { one } from '../routes/replies.js';
import { settingsOf, type SettingsBody } from './store-settings.js';
import { commander, created, nothing, readWritten, unpaged, type AdminHandlers } from './support.js';

interface CategoryBody {
  readonly name?: string;
  readonly slug?: string;
  readonly parent_uuid?: string | null;
  readonly position?: number;
  readonly active?: boolean;
}

const companyOf = ({ params }: Pick<Call, 'params'>): string => pathParam(params, 'company_uuid');

const categoryFields = ({ name, slug, parent_uuid, position, active }: CategoryBody) => ({
  name,
  slug,
  parentUuid: parent_uuid?.toLowerCase() ?? parent_uuid,
  position,
  active,
});

export function storeRoutes(app: App): AdminHandlers {
  /** Waits until the change can be read. */
  const shown = async ({ storeUuid, position }: StoreWritten) => {
    await readWritten(app, stores.name, storeUuid, position);
    return readSettings(app, storeUuid);
  };
  const shownCategory = async ({ storeUuid, position }: StoreWritten, categoryUuid: string) => {
    await readWritten(app, stores.name, storeUuid, position);
    const category = (await readCategories(app, storeUuid)).find(({ uuid }) => uuid === categoryUuid);
    if (!category) throw notFound('category', 'category in this store');
    return category;
  };

  return {
    getCompanyStore: async (call) =>
      one(await readSettings(app, (await loadStore(app, companyOf(call))).uuid)),

    openCompanyStore: async (call, body: SettingsBody) => {
      const settings = settingsOf(body);
      const done = await openStore(app, { companyUuid: companyOf(call), settings }, commander(call));
      return done.opened ? created(await shown(done)) : one(await shown(done));
    },

    changeCompanyStore: async (call, body: SettingsBody) => {
      const settings = settingsOf(body);
      return one(
        await shown(await changeStore(app, { companyUuid: companyOf(call), settings }, commander(call))),
      );
    },

    changeCompanyStorePlan: async (call, { allowed }: { readonly allowed: boolean }) => {
      const done = await changeStorePlan(app, { companyUuid: companyOf(call), allowed }, commander(call));
      return one(await shown(done));
    },

    listCompanyStoreCategories: async (call) =>
      unpaged(await readCategories(app, (await loadStore(app, companyOf(call))).uuid)),

    createStoreCategory: async (call, body: CategoryBody & { readonly name: string }) => {
      const fields = { ...categoryFields(body), name: body.name };
      const done = await createCategory(app, companyOf(call), fields, commander(call));
      return created(await shownCategory(done, done.categoryUuid));
    },

    changeStoreCategory: async (call, body: CategoryBody) => {
      const categoryUuid = pathParam(call.params, 'category_uuid');
      const fields = categoryFields(body);
      const done = await changeCategory(app, companyOf(call), categoryUuid, fields, commander(call));
      return one(await shownCategory(done, categoryUuid));
    },

    removeStoreCategory: async (call) => {
      const { storeUuid, position } = await removeCategory(
        app,
        companyOf(call),
        pathParam(call.params, 'category_uuid'),
        commander(call),
      );
      await readWritten(app, stores.name, storeUuid, position);
      return nothing;
    },
  };
}
