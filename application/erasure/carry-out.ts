/**
 * The steps of an erasure. Any process may run a step, and may repeat it. A step is recorded before the next one relies
 * on it:
 *
 * 1. the contacts are closed; then the keys and claims to remove are recorded (scope.ts);
 * 2. claims are released and keys destroyed; the position up to which events may be sealed under them is recorded;
 * 3. passes over the stores remove copies of the history (sweep.ts), until one pass finds nothing and began when no
 *    process could write anything older any more;
 * 4. the store confirms that its files contain nothing deleted.
 *
 * docs/adr/0023-erasures.md explains why this is enough.
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
import { sweep, type SweepDeps } from './sweep.js';

/** An erasure takes this of the app. */
export type ErasureDeps = SweepDeps &
  Pick<App, 'clearRemnants' | 'codec' | 'indexSecret' | 'keys' | 'readModelsReached'>;

/** Read models that contain personal data, or that are needed to find it. */
const MODELS = [
  'contacts',
  'conversations',
  'messages',
  'operations',
  'orders',
  'executions',
  'sends',
  'send_labels',
];
const SHOWN_WITHIN_MS = 10_000;
const BEHIND = 'the read models, which do not show yet what is to be erased';

/** Executes one command on an erasure; returns the state after it. */
export type Give = (command: ErasureCommand) => Promise<Erasure>;

export const giveTo =
  (app: Pick<App, 'executor' | 'newId'>, uuid: string, company: string, caller: Caller): Give =>
  async (command) => {
    const context = directCommand(app, { company, ...caller });
    return (await app.executor.execute(erasureAggregate, uuid, command, context)).state;
  };

export interface Prepared {
  readonly erasure: Erasure;
  /** Position of the last event on a contact; null when nothing was recorded. */
  readonly position: Position | null;
  /** Contacts that were closed by it, whose documents the projection has emptied. */
  readonly closed: number;
}

/** Steps 1 and 2 in full, including keys that were created since the previous run. */
export async function destroyKeys(
  app: Pick<
    App,
    'codec' | 'executor' | 'indexSecret' | 'keys' | 'newId' | 'readModels' | 'readModelsReached' | 'store'
  >,
  begun: Erasure,
  give: Give,
  caller: Caller & { readonly reason: string },
): Promise<Prepared> {
  // An earlier attempt may have run in another process or before a restart: keys may have been opened here since.
  app.codec.forget();
  const shown = async (upTo: Position | null): Promise<boolean> =>
    app.readModelsReached(upTo ?? (await app.store.head()), SHOWN_WITHIN_MS);
  const { uuids, position, newly, complete } = await closeContacts(app, begun, caller.reason, caller, shown);
  if (!complete) {
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

/** The external ids of the erased contacts may be linked to other contacts from now on. */
async function releaseIdentities(
  app: Pick<App, 'executor' | 'newId'>,
  erasure: Erasure,
  caller: Caller,
): Promise<void> {
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

export async function sweepOnce(
  app: SweepDeps,
  erasure: Erasure,
  give: Give,
  caller: Caller,
): Promise<Swept> {
  const swept = await sweep(app, erasure, caller);
  await give({ type: 'RecordSweep', swept });
  return swept;
}

/**
 * Tries to complete an erasure; false when it must be tried again.
 *
 * Call it only when every process has dropped the events it decoded before the keys were destroyed, and has finished
 * its writes without a checkpoint. Checkpoints are checked here.
 */
export async function finishErasure(app: ErasureDeps, uuid: string, caller: Caller): Promise<boolean> {
  let { state: erasure } = await app.executor.load(erasureAggregate, uuid);
  if (!erasure.exists || erasure.ended) return true;
  const give = giveTo(app, uuid, erasure.companyUuid, caller);
  if (!isScoped(erasure) || erasure.through === null) {
    ({ erasure } = await destroyKeys(app, erasure, give, { ...caller, reason: 'requested' }));
    // A first pass at once; the decisive pass runs when the other processes have dropped their cached events too.
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
 * Read-model copies into which a process may still write data decoded with a destroyed key. A batch is written together
 * with its checkpoint, and is void when the checkpoint has moved. Documents of an older version never overwrite newer
 * ones. So once a copy has passed the last event sealed with such a key, nothing older can enter it.
 */
async function copiesBefore(app: Pick<App, 'readModels'>, through: Position): Promise<readonly string[]> {
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
