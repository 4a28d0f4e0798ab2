import { isDeepStrictEqual } from 'node:util';
import type { Aggregate } from '../kernel/decider.js';
import type { CompanyUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { storeStream } from '../streams.js';
import { decideCategory, type CategoryCommand } from './categories.js';
import { storeEvents, type StoreEvent } from './events.js';
import { checkSettings, missingForSale, settingsToData, type StoreSettings } from './settings.js';
import { evolveStore, initialStore, type Store } from './state.js';

export type StoreCommand =
  /** Settings that are left out get their defaults. An existing store stays as it is. */
  | {
      readonly type: 'OpenStore';
      readonly companyUuid: CompanyUuid;
      readonly settings: Partial<StoreSettings> & Pick<StoreSettings, 'name' | 'slug'>;
    }
  /** Settings that are left out keep their values. */
  | { readonly type: 'ChangeStore'; readonly settings: Partial<StoreSettings> }
  | { readonly type: 'ChangeStorePlan'; readonly allowed: boolean }
  | CategoryCommand;

/**
 * @throws Refusal not_found; validation_failed; store_not_ready (`details.missing`): it can't sell with these settings;
 * category_not_found, category_too_deep, category_cycle, category_slug_taken, category_has_children,
 * category_limit_reached
 */
export function decideStore(command: StoreCommand, state: Store): readonly StoreEvent[] {
  if (command.type === 'OpenStore') return open(command, state);
  if (!state.exists) {
    throw new Refusal('not_found', 'This company has no store.', { resource: 'store' });
  }
  switch (command.type) {
    case 'ChangeStore':
      return change(command.settings, state);
    case 'ChangeStorePlan':
      if (state.allowed === command.allowed) return [];
      return [{ type: 'StorePlanChanged', data: { allowed: command.allowed } }];
    default:
      return decideCategory(command, state);
  }
}

function open(command: Extract<StoreCommand, { type: 'OpenStore' }>, state: Store): readonly StoreEvent[] {
  if (state.exists) return [];
  const settings = { ...settingsOf(state), ...withAllHolds(checkSettings(command.settings), state) };
  checkWhole(settings);
  return [{ type: 'StoreOpened', data: { company_uuid: command.companyUuid, ...settingsToData(settings) } }];
}

function change(input: Partial<StoreSettings>, state: Store): readonly StoreEvent[] {
  const checked = withAllHolds(checkSettings(input), state);
  const changed = Object.fromEntries(
    Object.entries(checked).filter(
      ([key, value]) => !isDeepStrictEqual(value, state[key as keyof StoreSettings]),
    ),
  ) as Partial<StoreSettings>;
  if (Object.keys(changed).length === 0) return [];
  checkWhole({ ...settingsOf(state), ...changed });
  return [{ type: 'StoreChanged', data: { settings: settingsToData(changed) } }];
}

/** Adds the current holds: a write contains only the payment methods whose hold it changes. */
const withAllHolds = (input: Partial<StoreSettings>, state: Store): Partial<StoreSettings> =>
  input.holdMinutes === undefined
    ? input
    : { ...input, holdMinutes: { ...state.holdMinutes, ...input.holdMinutes } };

/** Checks the rules across several settings. */
function checkWhole(settings: StoreSettings): void {
  const missing = [
    ...(settings.status === 'active' ? missingForSale(settings) : []),
    ...(settings.paymentMethods.includes('pix') && settings.pix === null ? ['pix'] : []),
  ];
  if (missing.length === 0) return;
  throw new Refusal(
    'store_not_ready',
    `The store cannot be set up like that: set ${missing.join(', ')} in the same call or before.`,
    { missing },
  );
}

function settingsOf(state: Store): StoreSettings {
  const {
    exists: _exists,
    companyUuid: _company,
    allowed: _allowed,
    categories: _categories,
    ...settings
  } = state;
  return settings;
}

export const storeAggregate: Aggregate<Store, StoreCommand, StoreEvent> = {
  stream: storeStream,
  events: storeEvents,
  initial: initialStore,
  decide: decideStore,
  evolve: evolveStore,
};
