/**
 * Ownership of import handles. The claim on a handle has its own stream, so that of two concurrent imports one creates
 * the product and the other one changes it.
 *
 * A handle belongs to the product that its claim names, unless that product was deleted or has recorded that it gave
 * the handle up. In these cases the process that had to release the claim was interrupted. A product that records a
 * handle always holds its claim.
 */
import { identityAggregate, type IdentityCommand } from '../../../domain/identity/decide.js';
import { deriveId, deriveSecretId } from '../../../domain/kernel/ids.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { productAggregate } from '../../../domain/product/decide.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { isAlive, loadProduct, loadShown, noProduct, type LoadedProduct } from './load.js';

const KIND = 'import_handle';
/** Of two callers that find an unused claim, one retries; more than a few retries in a row is a fault. */
const ATTEMPTS = 5;

const identityOf = (app: Pick<App, 'indexSecret'>, storeUuid: string, handle: string): string =>
  deriveSecretId(app.indexSecret, 'import-handle', storeUuid, handle);

/**
 * The product that has the handle, or the one that will get it: then claimed, but not created yet.
 *
 * @param check throws if the product could not be created; an unowned handle is then not claimed
 * @throws the errors of `check`; Refusal concurrent_update
 */
export async function productOfHandle(
  app: Pick<App, 'codec' | 'executor' | 'indexSecret' | 'newId' | 'project' | 'readModels' | 'store'>,
  storeUuid: string,
  handle: string,
  context: CommandContext,
  check: () => void,
): Promise<LoadedProduct> {
  const identity = identityOf(app, storeUuid, handle);
  // Deterministic uuid, so that a retry after a crash between claim and creation uses the same one.
  const uuid = deriveId('product', identity);
  const shown = await loadShown(app, uuid);
  if (shown?.state.details.import_handle === handle) return shown;
  const usual = await loadProduct(app, uuid);
  if (isAlive(usual) && usual.state.details.import_handle === handle) return usual;
  const used = usual.state.exists || usual.state.deleted;
  try {
    check();
  } catch (refusal) {
    const { owner } = (await app.executor.load(identityAggregate, identity)).state;
    const holder = owner === null ? usual : await loadProduct(app, owner);
    if (isAlive(holder) && owner === holder.uuid && !isStale(holder, handle)) return holder;
    throw refusal;
  }
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const wanted = used ? app.newId() : usual.uuid;
    const own = { ...context, commandId: `${context.commandId}/handle/${attempt}` };
    const owner = await claim(app, identity, wanted, own);
    if (owner === wanted) return used ? noProduct(wanted) : usual;
    const holder = owner === usual.uuid ? usual : await loadProduct(app, owner);
    if (!isStale(holder, handle)) return holder;
    if (await transfer(app, identity, owner, wanted, own)) return noProduct(wanted);
  }
  throw busy();
}

/**
 * Claims a handle for a product that exists.
 * @throws Refusal import_handle_taken, concurrent_update
 */
export async function claimHandle(
  app: Pick<App, 'codec' | 'executor' | 'indexSecret' | 'project' | 'store'>,
  storeUuid: string,
  handle: string,
  productUuid: string,
  context: CommandContext,
): Promise<void> {
  const identity = identityOf(app, storeUuid, handle);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const own = { ...context, commandId: `${context.commandId}/handle/${attempt}` };
    const owner = await claim(app, identity, productUuid, own);
    if (owner === productUuid) return;
    let holder = await loadProduct(app, owner);
    if (!holder.state.exists && !holder.state.deleted) {
      // Claimed by an import that may have been interrupted. If it is still running, its product cannot be created.
      await app.executor.execute(
        productAggregate,
        owner,
        { type: 'AbandonProduct' },
        { ...own, commandId: `${own.commandId}/abandon` },
      );
      holder = await loadProduct(app, owner);
    }
    if (!isStale(holder, handle)) throw handleTaken(handle, owner);
    if (await transfer(app, identity, owner, productUuid, own)) return;
  }
  throw busy();
}

export async function releaseHandle(
  app: Pick<App, 'executor' | 'indexSecret'>,
  storeUuid: string,
  handle: string,
  productUuid: string,
  context: CommandContext,
): Promise<void> {
  await app.executor.execute(
    identityAggregate,
    identityOf(app, storeUuid, handle),
    { type: 'ReleaseIdentity', owner: productUuid },
    { ...context, commandId: `${context.commandId}/release-handle`, subject: null },
  );
}

export const handleTaken = (handle: string, productUuid: string): Refusal =>
  new Refusal(
    'import_handle_taken',
    'Another product has this import_handle. Use the batch to create or update by handle.',
    { field: 'import_handle', pointer: '/import_handle', import_handle: handle, product_uuid: productUuid },
  );

function isStale({ state }: LoadedProduct, handle: string): boolean {
  if (state.deleted) return true;
  return state.details.import_handle !== handle && state.formerHandles.includes(handle);
}

/** Returns the current owner: `uuid` or another product. */
async function claim(
  app: Pick<App, 'executor'>,
  identity: string,
  uuid: string,
  context: CommandContext,
): Promise<string> {
  const refused = await give(app, identity, { type: 'ClaimIdentity', kind: KIND, owner: uuid }, context);
  return refused ? String(refused.details['owner']) : uuid;
}

/** False: the handle was meanwhile given to another product, or released. */
async function transfer(
  app: Pick<App, 'executor'>,
  identity: string,
  from: string,
  to: string,
  context: CommandContext,
): Promise<boolean> {
  const command = { type: 'TransferIdentity', kind: KIND, from, to } as const;
  const refused = await give(app, identity, command, {
    ...context,
    commandId: `${context.commandId}/transfer`,
  });
  return refused === null;
}

/** @returns the refusal identity_taken where it was refused */
async function give(
  app: Pick<App, 'executor'>,
  identity: string,
  command: IdentityCommand,
  context: CommandContext,
): Promise<Refusal | null> {
  // Most handles are new: a conflict on the others costs no more than a load before each claim.
  const assumeNew = command.type === 'ClaimIdentity';
  try {
    await app.executor.execute(identityAggregate, identity, command, {
      ...context,
      subject: null,
      assumeNew,
    });
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'identity_taken') return error;
    throw error;
  }
}

const busy = (): Refusal =>
  new Refusal('concurrent_update', 'The product was changed by others at the same time. Try again.', {
    retry_after_seconds: 1,
  });
