/**
 * The steps of an erasure. Each may be repeated, by whichever process comes to it, and is on record before the next one
 * counts on it:
 *
 * 1. the contacts are closed, then it is on record whose keys and which claims go (scope.ts);
 * 2. claims are released, keys are destroyed, and it is on record up to where anything is sealed under them;
 * 3. passes over the stores remove what was copied out of the history (sweep.ts), until one finds nothing that began when
 *    nobody could write anything older any more;
 * 4. the store says that nothing deleted is left in its files.
 *
 * docs/adr/0023-erasures.md says why this is enough.
 */
import { erasureAggregate, type ErasureCommand } from '../../domain/erasure/decide.js';
import type { Swept } from '../../domain/erasure/events.js';
import { isScoped, type Erasure } from '../../domain/erasure/state.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import type { Position } from '../../ports/event-store.js';
import { generationAddress } from '../../ports/read-models.js';
import { directCommand, type App } from '../app.js';
import type { Caller } from '../provisioning/common.js';
import { closeContacts, scopeOf } from './scope.js';
import { sweep } from './sweep.js';

/** Read models that hold something of persons, or by which it is found. */
const MODELS = ['contacts', 'conversations', 'messages', 'operations', 'orders', 'executions'];
const SHOWN_WITHIN_MS = 10_000;
const BEHIND = 'the read models, which do not show yet what is to be erased';

/** Gives one command to an erasure; answers the state after it. */
export type Give = (command: ErasureCommand) => Promise<Erasure>;

export const giveTo =
  (app: App, uuid: string, company: string, caller: Caller): Give =>
  async (command) => {
    const context = directCommand(app, { company, ...caller });
    return (await app.executor.execute(erasureAggregate, uuid, command, context)).state;
  };

export interface Prepared {
  readonly erasure: Erasure;
  /** Of the last event on a contact; null when there was none. */
  readonly position: Position | null;
  /** Contacts that were closed by it, whose documents the projection has emptied. */
  readonly closed: number;
}

/** The first two steps, all of them: also keys that were made since the last time. */
export async function destroyKeys(
  app: App,
  begun: Erasure,
  give: Give,
  caller: Caller & { readonly reason: string },
): Promise<Prepared> {
  // A process that was restarted, or another one, may have opened keys since.
  app.codec.forget();
  const { uuids, position, newly } = await closeContacts(app, begun, caller.reason, caller);
  if (!(await app.readModelsReached(position ?? (await app.store.head()), SHOWN_WITHIN_MS))) {
    const erasure = await give({ type: 'HoldUpErasure', waitingFor: [BEHIND] });
    return { erasure, position, closed: newly.length };
  }
  const erasure = await give({ type: 'ScopeErasure', ...(await scopeOf(app, begun, uuids)) });
  await releaseIdentities(app, erasure, caller);
  const destroyed = await Promise.all(erasure.subjects.map((subject) => app.keys.destroy(subject)));
  app.codec.forget();
  const keys = destroyed.reduce((sum, count) => sum + count, 0);
  return {
    erasure: await give({ type: 'RecordKeysDestroyed', keys, through: await app.store.head() }),
    position,
    closed: newly.length,
  };
}

/** Somebody else may be linked to an external id from now on. */
async function releaseIdentities(app: App, erasure: Erasure, caller: Caller): Promise<void> {
  for (const identity of erasure.identities) {
    for (const owner of erasure.contactUuids) {
      await app.executor.execute(
        identityAggregate,
        identity,
        { type: 'ReleaseIdentity', owner },
        directCommand(app, { company: erasure.companyUuid, ...caller }),
      );
    }
  }
}

export async function sweepOnce(app: App, erasure: Erasure, give: Give, caller: Caller): Promise<Swept> {
  const swept = await sweep(app, erasure, caller);
  await give({ type: 'RecordSweep', swept });
  return swept;
}

/**
 * Tries to end an erasure; false when it is to be tried again.
 *
 * Must begin when every process has forgotten what it decoded before the keys were destroyed and wrote without a
 * checkpoint; checkpoints are looked at here.
 */
export async function finishErasure(app: App, uuid: string, caller: Caller): Promise<boolean> {
  let { state: erasure } = await app.executor.load(erasureAggregate, uuid);
  if (!erasure.exists || erasure.ended) return true;
  const give = giveTo(app, uuid, erasure.companyUuid, caller);
  if (!isScoped(erasure) || erasure.through === null) {
    ({ erasure } = await destroyKeys(app, erasure, give, { ...caller, reason: 'requested' }));
    // The pass at once; the one that counts comes when others have forgotten too.
    if (erasure.through !== null) await sweepOnce(app, erasure, give, caller);
    return false;
  }
  const behind = await copiesBefore(app, erasure.through as Position);
  if (behind.length > 0) {
    await give({ type: 'HoldUpErasure', waitingFor: behind.map((copy) => `the read model ${copy}`) });
    return false;
  }
  const swept = await sweepOnce(app, erasure, give, caller);
  if (Object.values(swept).some((count) => count > 0)) return false;
  const held = (await app.clearRemnants?.()) ?? null;
  if (held !== null) {
    await give({ type: 'HoldUpErasure', waitingFor: [held] });
    return false;
  }
  await give({ type: 'EndErasure' });
  return true;
}

/**
 * Copies into which somebody may still write what was decoded with a destroyed key. A batch is written together with its
 * checkpoint or void when that has moved, and documents of a passed version are not overwritten: once a copy has passed
 * the last event that such a key sealed, nothing older gets into it.
 */
async function copiesBefore(app: App, through: Position): Promise<readonly string[]> {
  const behind: string[] = [];
  for (const name of MODELS) {
    const { version, all } = await app.readModels.generations(name);
    for (const generation of all) {
      const address = generationAddress({ name, version }, generation);
      if ((await app.readModels.checkpoint(address)) < through) behind.push(address);
    }
  }
  return behind;
}
