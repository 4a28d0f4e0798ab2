/**
 * Checks whether read models already contain an event. Workers check before they make an important decision from a read
 * model's content, or from missing content: an empty or stale read model proves nothing (docs/adr/0024).
 *
 * The shared checkpoint moves on without a projection that fails or is being built, so each projection is checked
 * separately. A projection's own checkpoint is not enough either: it lags where no event concerns the projection. The
 * check therefore also reads the history.
 */
import type { Barrier, UpTo } from '../application/barrier.js';
import type { Clock } from '../ports/clock.js';
import { START, type EventStore, type Position } from '../ports/event-store.js';
import { ReadModelBehind, type ReadModels } from '../ports/read-models.js';
import { yieldToEventLoop, pause } from '../ports/waiting.js';
import { checkpointName, type AnyProjection } from './projection.js';
import { createRememberedReads } from './remembered-reads.js';
import { createRecentEvents, type RecentEvents } from './recent-events.js';
import type { ShownHere } from './shown-here.js';

export interface BarrierDeps {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly readModels: Pick<ReadModels, 'checkpoint'>;
  readonly clock: Clock;
  /** Subscription to new events; needed where some projections are not applied inside the appending write. */
  readonly follow?: EventStore['subscribe'];
  /**
   * True for a projection that every append applies in the same write. Its read model is never behind and is not
   * checked.
   */
  readonly inEveryWrite?: (projection: AnyProjection) => boolean;
  /** What the follower of this process has applied, if it has one. */
  readonly shownHere?: ShownHere;
  /** Called when work has to wait for this read model. */
  readonly onBehind?: (model: string) => void;
  /** Called when the read model contains the event that work waited for. */
  readonly onPassed?: (model: string) => void;
}

/** Time that `wait` polls a read model which lags slightly. A read model that is being built takes minutes. */
const LITTLE_MS = 3_000;
const LOOK_EVERY_MS = 25;
const RECENTLY_MS = 1_000;
const PAGE = 200;

export interface RunningBarrier extends Barrier {
  stop(): Promise<void>;
}

export function createBarrier(projections: readonly AnyProjection[], deps: BarrierDeps): RunningBarrier {
  const { clock, inEveryWrite = () => false, onBehind, onPassed } = deps;
  const recent = createRecentEvents(deps);
  const models = new Map(
    projections.map((projection) => {
      const { name, handles } = projection;
      const { shows, shownUpTo } = followModel(projection, deps, recent);
      const reads = createRememberedReads({ clock, recent, handles, shownUpTo });
      return [name, { name, projection, shows, reads, late: false }];
    }),
  );
  type Model = NonNullable<ReturnType<typeof models.get>>;

  const named = (names: readonly string[]): readonly Model[] =>
    names.map((name) => {
      const model = models.get(name);
      if (!model) throw new Error(`no projection has the name ${name}`);
      return model;
    });

  /** Null when every write applies all of these projections; the history is not read then. */
  async function positionFor(asked: readonly Model[], upTo: UpTo): Promise<Position | null> {
    if (asked.every(({ projection }) => inEveryWrite(projection))) return null;
    return upTo === 'recently' ? recent.endWithin(RECENTLY_MS) : upTo;
  }

  async function behindOf(asked: readonly Model[], position: Position | null): Promise<readonly Model[]> {
    const answers = await Promise.all(
      asked.map(async ({ projection, shows }) =>
        position === null || inEveryWrite(projection) ? true : shows(position),
      ),
    );
    for (const [index, model] of asked.entries()) {
      if (!answers[index] || !model.late) continue;
      model.late = false;
      onPassed?.(model.name);
    }
    return asked.filter((_, index) => !answers[index]);
  }

  return {
    remembered(name, key, read) {
      const [model] = named([name]);
      return !model || inEveryWrite(model.projection) ? read() : model.reads(key, read);
    },
    guards: (collection) => models.has(collection),
    mayLag: () => !projections.every(inEveryWrite),
    stop: () => recent.stop(),

    async passed(names, upTo) {
      const asked = named(names);
      return (await behindOf(asked, await positionFor(asked, upTo))).length === 0;
    },

    async wait(names, upTo) {
      const asked = named(names);
      if (asked.every(({ projection, late }) => !late && inEveryWrite(projection))) return;
      const position = await positionFor(asked, upTo);
      let behind = await behindOf(asked, position);
      const until = clock.monotonic() + LITTLE_MS;
      // Once a wait has timed out, later calls fail at once until the model has caught up.
      while (behind.length > 0 && behind.every(({ late }) => !late) && clock.monotonic() < until) {
        await pause(clock, LOOK_EVERY_MS);
        behind = await behindOf(behind, position);
      }
      if (behind.length === 0) return;
      for (const model of behind) {
        model.late = true;
        onBehind?.(model.name);
      }
      throw new ReadModelBehind(behind.map(({ name }) => name));
    },
  };
}

interface FollowedModel {
  /** True if documents read from now on contain every event up to this position, which must exist in the history. */
  readonly shows: (position: Position) => Promise<boolean>;
  /** Documents read from now on contain everything up to this position; null while unknown. */
  readonly shownUpTo: () => Position | null;
}

function followModel(
  projection: Pick<AnyProjection, 'name' | 'version' | 'handles'>,
  { store, readModels, shownHere }: BarrierDeps,
  recent: RecentEvents,
): FollowedModel {
  const { name, handles } = projection;
  /** The read model contains everything up to here. */
  let upTo: Position | null = null;
  /** The first event that the read model lacked at the last check. */
  let missing: Position | null = null;
  let asked: Promise<Position | null> | undefined;

  /** At least `needed`, or all that the read model shows now. */
  async function own(needed: Position | null): Promise<Position> {
    const here = shownHere?.upTo(name) ?? START;
    if (here !== START && (shownHere?.isLatest(name) || (needed !== null && here >= needed))) return here;
    return readModels.checkpoint(checkpointName(projection));
  }

  /** Position of the first event in the history that the read model lacks; null if it lacks none. */
  async function firstMissing(): Promise<Position | null> {
    // Calls in the same tick share one check. A later call needs its own: its event may be newer than this check.
    await yieldToEventLoop();
    asked = undefined;
    let after = upTo ?? START;
    if (upTo === null || missing !== null || !recent.covers(after)) {
      const at = await own(missing);
      if (at > after) after = at;
      if (missing !== null && after < missing) return missing;
      missing = null;
    }
    for (;;) {
      const { first, next, atEnd } = recent.covers(after)
        ? { first: recent.firstAfter(after, handles), next: recent.end(), atEnd: true }
        : await readPage(after);
      const reached = first === null ? next : await own(first);
      if (first !== null && reached < first) return (missing = first);
      if (reached > after) after = reached;
      if (upTo === null || after > upTo) upTo = after;
      if (first === null && atEnd) return null;
    }
  }

  async function readPage(after: Position) {
    const page = await store.readAll({ after, limit: PAGE, types: handles });
    const first = page.records.find(({ type }) => handles.includes(type))?.position ?? null;
    return { first, next: page.next, atEnd: page.atEnd };
  }

  return {
    shownUpTo: () => upTo,
    async shows(position) {
      if (upTo !== null && position <= upTo) return true;
      await recent.reach(position);
      const first = await (asked ??= firstMissing());
      return first === null || position < first;
    },
  };
}
