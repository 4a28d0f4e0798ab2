/** Operators' commands on the categories of a store. The rules of the tree are in domain/store/categories.ts. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { findCategory, type CategoryCommand } from '../../domain/store/categories.js';
import type { App } from '../app.js';
import type { Caller } from '../provisioning/common.js';
import { commandStore, loadStore, type StoreWritten } from './settings.js';

type Fields<Type> = Omit<Extract<CategoryCommand, { type: Type }>, 'type' | 'uuid'>;

/**
 * @throws Refusal not_found, validation_failed, category_not_found, category_too_deep, category_slug_taken,
 * category_limit_reached
 */
export async function createCategory(
  app: Pick<App, 'executor' | 'newId'>,
  companyUuid: CompanyUuid,
  fields: Fields<'CreateCategory'>,
  caller: Caller,
): Promise<StoreWritten & { readonly categoryUuid: string }> {
  const categoryUuid = app.newId();
  const command = { type: 'CreateCategory', uuid: categoryUuid, ...fields } as const;
  return { ...(await commandStore(app, companyUuid, command, caller)), categoryUuid };
}

/**
 * Renames, moves, orders, shows or hides a category; a field that is left out stays.
 * @throws Refusal not_found, validation_failed, category_not_found, category_too_deep, category_cycle,
 * category_slug_taken
 */
export const changeCategory = (
  app: Pick<App, 'executor' | 'newId'>,
  companyUuid: CompanyUuid,
  categoryUuid: string,
  fields: Fields<'ChangeCategory'>,
  caller: Caller,
): Promise<StoreWritten> =>
  commandStore(app, companyUuid, { type: 'ChangeCategory', uuid: categoryUuid, ...fields }, caller);

/**
 * Its products stay, without a category.
 * @throws Refusal not_found, also for a category that was already removed; category_has_children
 */
export async function removeCategory(
  app: Pick<App, 'executor' | 'newId'>,
  companyUuid: CompanyUuid,
  categoryUuid: string,
  caller: Caller,
): Promise<StoreWritten> {
  findCategory((await loadStore(app, companyUuid)).state, categoryUuid);
  return commandStore(app, companyUuid, { type: 'RemoveCategory', uuid: categoryUuid }, caller);
}
