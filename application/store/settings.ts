/** Operators' commands on a company's store: open it, configure it, add it to the plan or remove it. */
import { identityAggregate } from '../../domain/identity/decide.js';
import { deriveSecretId, type ChannelUuid, type CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { storeAggregate, type StoreCommand } from '../../domain/store/decide.js';
import { checkSettings, type StoreSettings } from '../../domain/store/settings.js';
import { plainSlug } from '../../domain/store/slug.js';
import type { Store } from '../../domain/store/state.js';
import { storeId } from '../../domain/streams.js';
import { directCommand, SYSTEM_COMPANY, type App } from '../app.js';
import {
  invalidField,
  loadChannel,
  loadCompany,
  notFound,
  type Caller,
  type Written,
} from '../provisioning/common.js';
import type { OpenStore } from './gate.js';

const KIND = 'store_slug';
/** When this many slugs of a name are taken, the slug gets a part of the store's uuid. */
const MAX_NUMBERED = 20;

interface OfCompany {
  readonly companyUuid: CompanyUuid;
}

export interface StoreWritten extends Written {
  readonly storeUuid: string;
  readonly state: Store;
}

/**
 * Opens the company's store, by default in status `setup`. Default name: the company's; default slug: derived from the
 * name. An existing store is left unchanged.
 * @throws Refusal not_found, validation_failed, store_slug_taken, store_not_ready
 */
export async function openStore(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId'>,
  input: OfCompany & { readonly settings: Partial<StoreSettings> },
  caller: Caller,
): Promise<StoreWritten & { readonly opened: boolean }> {
  const { companyUuid } = input;
  const company = await loadCompany(app, companyUuid);
  const before = await app.executor.load(storeAggregate, storeId(companyUuid));
  if (before.state.exists) {
    return { storeUuid: storeId(companyUuid), state: before.state, position: null, opened: false };
  }
  const given = checkSettings(input.settings);
  await checkChannel(app, companyUuid, given.channelUuid);
  const name = given.name ?? company.name;
  const slug = given.slug ?? (await claimFreeSlug(app, companyUuid, name, caller));
  if (given.slug !== undefined) await claimSlug(app, companyUuid, slug, caller);
  const written = await commandStore(
    app,
    companyUuid,
    { type: 'OpenStore', companyUuid, settings: { ...given, name, slug } },
    caller,
  );
  return { ...written, opened: written.position !== null };
}

/**
 * A setting that is left out stays. Former slugs remain the store's, so that links and printed codes still work.
 * @throws Refusal not_found, validation_failed, store_slug_taken, store_not_ready
 */
export async function changeStore(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId'>,
  input: OfCompany & { readonly settings: Partial<StoreSettings> },
  caller: Caller,
): Promise<StoreWritten> {
  const { companyUuid } = input;
  const { state } = await loadStore(app, companyUuid);
  const settings = checkSettings(input.settings);
  await checkChannel(app, companyUuid, settings.channelUuid);
  if (settings.slug !== undefined && settings.slug !== state.slug) {
    await claimSlug(app, companyUuid, settings.slug, caller);
  }
  return commandStore(app, companyUuid, { type: 'ChangeStore', settings }, caller);
}

/**
 * Adds the storefront to the company's plan, or removes it: all store routes then return `storefront_not_allowed` and
 * the page is unavailable, but no data is lost. The plan includes a store: a company without one gets one in status
 * `setup`.
 * @throws Refusal not_found
 */
export async function changeStorePlan(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId'>,
  { companyUuid, allowed }: OfCompany & { readonly allowed: boolean },
  caller: Caller,
): Promise<StoreWritten> {
  if (allowed) await openStore(app, { companyUuid, settings: {} }, caller);
  return commandStore(app, companyUuid, { type: 'ChangeStorePlan', allowed }, caller);
}

/** Loads the store regardless of the plan. @throws Refusal not_found */
export async function loadStore(app: Pick<App, 'executor'>, companyUuid: CompanyUuid): Promise<OpenStore> {
  const uuid = storeId(companyUuid);
  const { state } = await app.executor.load(storeAggregate, uuid);
  if (!state.exists) throw notFound('store', 'store of this company: open it first');
  return { uuid, state };
}

/**
 * The store that has or once had the slug; null when none did. Its address uses its current slug: `state.slug`. The
 * caller must check the plan (`state.allowed`).
 */
export async function storeBySlug(
  app: Pick<App, 'executor' | 'indexSecret'>,
  slug: string,
): Promise<OpenStore | null> {
  const { state: identity } = await app.executor.load(identityAggregate, slugIdentity(app, slug));
  if (identity.owner === null) return null;
  const { state } = await app.executor.load(storeAggregate, identity.owner);
  return state.exists ? { uuid: identity.owner, state } : null;
}

/** @throws Refusal not_found; the decider's refusals */
export async function commandStore(
  app: Pick<App, 'executor' | 'newId'>,
  companyUuid: CompanyUuid,
  command: StoreCommand,
  caller: Caller,
): Promise<StoreWritten> {
  const storeUuid = storeId(companyUuid);
  const done = await app.executor.execute(
    storeAggregate,
    storeUuid,
    command,
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { storeUuid, state: done.state, position: done.position };
}

const slugIdentity = (app: Pick<App, 'indexSecret'>, slug: string): string =>
  deriveSecretId(app.indexSecret, KIND, slug);

/**
 * Claimed before the store uses it: of two stores that want one slug, one is refused, and no store is without a slug.
 */
async function claimSlug(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId'>,
  companyUuid: CompanyUuid,
  slug: string,
  caller: Caller,
): Promise<void> {
  try {
    await app.executor.execute(
      identityAggregate,
      slugIdentity(app, slug),
      { type: 'ClaimIdentity', kind: KIND, owner: storeId(companyUuid) },
      // Unique in the deployment, so the claim belongs to no company.
      directCommand(app, { company: SYSTEM_COMPANY, ...caller }),
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'identity_taken') throw error;
    throw new Refusal('store_slug_taken', `Another store has the slug ${slug}. Choose another one.`, {
      field: 'slug',
      slug,
    });
  }
}

async function claimFreeSlug(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId'>,
  companyUuid: CompanyUuid,
  name: string,
  caller: Caller,
): Promise<string> {
  const plain = plainSlug(name, 50);
  const base = plain.length < 3 ? ['loja', plain].filter(Boolean).join('-') : plain;
  for (let n = 1; n <= MAX_NUMBERED; n += 1) {
    const slug = n === 1 ? base : `${base}-${n}`;
    try {
      checkSettings({ slug });
      await claimSlug(app, companyUuid, slug, caller);
      return slug;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  const slug = `${base}-${storeId(companyUuid).slice(0, 8)}`;
  await claimSlug(app, companyUuid, slug, caller);
  return slug;
}

async function checkChannel(
  app: Pick<App, 'executor'>,
  companyUuid: CompanyUuid,
  channelUuid?: ChannelUuid | null,
): Promise<void> {
  if (channelUuid === undefined || channelUuid === null) return;
  const channel = await loadChannel(app, channelUuid).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (channel?.companyUuid === companyUuid) return;
  throw invalidField('channel_uuid', 'channel_unknown', 'This company has no such channel.');
}
