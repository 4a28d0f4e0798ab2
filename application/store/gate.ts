/** Checks that a company may use the storefront at all (spec §4: every store endpoint, else 403). */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { storeAggregate } from '../../domain/store/decide.js';
import type { Store } from '../../domain/store/state.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { storeId } from '../../domain/streams.js';
import type { App } from '../app.js';

export interface OpenStore {
  readonly uuid: string;
  readonly state: Store;
}

/**
 * The company's store as its stream has it now.
 * @throws Refusal storefront_not_allowed when the plan has no storefront; the plan creates the store, so a company that
 * never had that plan has no store either
 */
export async function storeOf(app: Pick<App, 'executor'>, companyUuid: CompanyUuid): Promise<OpenStore> {
  const uuid = storeId(companyUuid);
  const { state } = await app.executor.load(storeAggregate, uuid);
  if (state.exists && state.allowed) return { uuid, state };
  throw new Refusal('storefront_not_allowed', 'The storefront is not available on the current plan.', {
    feature: 'storefront',
  });
}
