/**
 * Creates a product under an Idempotency-Key: the same request again finds the product it created.
 *
 * The key is claimed for the product's uuid right before the product is written. The id of the command that writes it
 * contains the key and the request's fingerprint. So the product's first event identifies the request that created it.
 * A claim whose product was not created has no effect: a refused or interrupted request may be sent again, also with
 * another body.
 */
import { identityAggregate, type IdentityCommand } from '../../../domain/identity/decide.js';
import { deriveId, deriveSecretId } from '../../../domain/kernel/ids.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { readProductWrite } from '../../../domain/policies/product/write.js';
import { productAggregate } from '../../../domain/product/decide.js';
import { productStream } from '../../../domain/streams.js';
import { products } from '../../../read-models/products.js';
import { fingerprintOf, keyReused, type KeyedCall } from '../../accept-once.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { serialize } from '../../serialize.js';
import type { OpenStore } from '../gate.js';
import {
  create,
  fasterBatch,
  readyToCreate,
  uuidByHandle,
  written,
  type WrittenProduct,
  type ProductDeps,
} from './create.js';
import { checkCreation } from './prepare.js';
import { sharedSkuWarnings } from './shared-skus.js';

export interface CreatedProduct extends WrittenProduct {
  /** True when an earlier request under the key created it; `doc` is then as in the response to that request. */
  readonly replayed: boolean;
}

const KIND = 'product_key';
/** How long a concurrent retry waits for the first attempt. */
const PATIENCE_MS = 10_000;

interface Keyed {
  readonly app: ProductDeps & Pick<App, 'replay'>;
  readonly store: OpenStore;
  readonly body: unknown;
  readonly context: CommandContext;
  /** Stream of the claim that links the key to a product. */
  readonly identity: string;
  /** Common prefix of the ids of all commands under the key. */
  readonly prefix: string;
  readonly commandId: string;
}

/** @throws Refusal idempotency_key_reused; what createProduct throws */
export function createProductOnce(
  app: ProductDeps & Pick<App, 'replay'>,
  store: OpenStore,
  request: KeyedCall<unknown>,
  context: CommandContext,
): Promise<CreatedProduct> {
  const identity = deriveSecretId(app.indexSecret, KIND, request.keyOwner, request.idempotencyKey);
  const prefix = `${KIND}/${identity}/`;
  const commandId = `${prefix}${fingerprintOf(app, request)}`;
  const keyed: Keyed = { app, store, body: request.body, context, identity, prefix, commandId };
  return serialize(app.executor, prefix, () => make(keyed), { clock: app.clock, ms: PATIENCE_MS });
}

async function make(keyed: Keyed): Promise<CreatedProduct> {
  const { app, store, context, identity, commandId } = keyed;
  const { owner } = (await app.executor.load(identityAggregate, identity)).state;
  const known = owner === null ? 'gone' : await outcomeAt(keyed, owner);
  if (typeof known !== 'string') return known;
  const { write, warnings } = readProductWrite(keyed.body);
  checkCreation(app, store, write);
  const byHandle = await uuidByHandle(app, store, write, context);
  const uuid = byHandle ?? uuidByKey(keyed, owner, known);
  const command = await readyToCreate(app, store, uuid, write, context);
  const other = await claimKey(keyed, uuid);
  if (other) return other;
  const made = await create(app, uuid, command, { ...context, commandId }).catch((error: unknown) => {
    // Another request abandoned this attempt in the meantime.
    throw error instanceof Refusal && error.code === 'product_deleted' ? lostRace() : error;
  });
  if (made) return { ...(await written(app, store, uuid, write, warnings)), replayed: false };
  const others = await outcomeAt(keyed, uuid);
  if (typeof others === 'string') throw fasterBatch(write, uuid);
  return others;
}

/** The same uuid for concurrent requests, and for a request that follows an interrupted one. */
function uuidByKey({ app, identity }: Keyed, owner: string | null, known: 'open' | 'gone'): string {
  if (owner === null) return deriveId('product', identity);
  return known === 'open' ? owner : app.newId();
}

/**
 * The first response, when an identical request created the product. `open`: it does not exist yet. `gone`: a request
 * without the key created a product under this uuid, so it cannot be the key's product.
 * @throws Refusal idempotency_key_reused
 */
async function outcomeAt(keyed: Keyed, uuid: string): Promise<CreatedProduct | 'open' | 'gone'> {
  const { app, store, prefix, commandId } = keyed;
  const stream = productStream.toName(uuid);
  const [first] = await app.store.read(stream, { limit: 1 });
  if (!first) return 'open';
  if (!first.meta.command_id.startsWith(prefix)) return 'gone';
  if (first.meta.command_id !== commandId) throw keyReused();
  const { write, warnings } = readProductWrite(keyed.body);
  const shared = await sharedSkuWarnings(app, store.uuid, uuid, write);
  // The product as first created; GET returns its current state.
  const doc = (await app.replay(products.name, stream, 0))!;
  return { doc, warnings: [...warnings, ...shared], replayed: true };
}

/** @returns the response of another request that was faster; null: the key is now claimed for this product */
async function claimKey(keyed: Keyed, uuid: string): Promise<CreatedProduct | null> {
  const { app, context } = keyed;
  const owner = await ownerAfter(keyed, { type: 'ClaimIdentity', kind: KIND, owner: uuid });
  if (owner === uuid) return null;
  if ((await outcomeAt(keyed, owner)) === 'open') {
    const commandId = `${context.commandId}/abandon/${owner}`;
    await app.executor.execute(
      productAggregate,
      owner,
      { type: 'AbandonProduct' },
      { ...context, commandId },
    );
  }
  // The other request may have created its product before this one could abandon it.
  const outcome = await outcomeAt(keyed, owner);
  if (typeof outcome !== 'string') return outcome;
  const after = await ownerAfter(keyed, { type: 'TransferIdentity', kind: KIND, from: owner, to: uuid });
  if (after !== uuid) throw lostRace();
  return null;
}

async function ownerAfter(
  { app, identity, context }: Keyed,
  command: Extract<IdentityCommand, { type: 'ClaimIdentity' | 'TransferIdentity' }>,
): Promise<string> {
  const commandId = `${context.commandId}/key/${command.type}`;
  try {
    await app.executor.execute(identityAggregate, identity, command, {
      ...context,
      commandId,
      subject: null,
    });
    return command.type === 'ClaimIdentity' ? command.owner : command.to;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'identity_taken') return String(error.details['owner']);
    throw error;
  }
}

const lostRace = (): Refusal =>
  new Refusal('concurrent_update', 'The request lost a race. Repeat it with the same Idempotency-Key.', {
    retry_after_seconds: 1,
  });
