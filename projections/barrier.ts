/**
 * Whether read models show an event. Workers ask before they decide something of consequence by what one of them shows,
 * or does not show: an empty or stale read model is no fact (docs/adr/0024).
 *
 * The mark that read models have in common goes on without one that can't apply an event or is being built, so each of
 * them is asked for itself. The history decides: a checkpoint stays behind where nothing concerns its projection.
 */
import type { Barrier, UpTo } from '../application/barrier.js';
import type { Clock } from '../ports/clock.js';
import { START, type EventStore, type Position } from '../ports/event-store.js';
import { ReadModelBehind, type ReadModels } from '../ports/read-models.js';
import { nextTurn, pause } from '../ports/waiting.js';
import { checkpointName, type AnyProjection } from './projection.js';
import { createRememberedReads } from './remembered-reads.js';
import { createRecentEvents, type RecentEvents } from './recent-events.js';

export interface BarrierDeps {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly readModels: Pick<ReadModels, 'checkpoint'>;
  readonly clock: Clock;
  /** Events as they come, where they are not all shown in the write that makes them. */
  readonly follow?: EventStore['subscribe'];
  /** True where the projection is applied in every write, and shows all of them: nothing is asked then. */
  readonly inEveryWrite?: (projection: AnyProjection) => boolean;
  /** Work has to wait for this read model. */
  readonly onBehind?: (model: string) => void;
  /** It shows what work waited for. */
  readonly onPassed?: (model: string) => void;
}

/** A read model that lags a little is waited for here, with the work in hand; one that is built takes minutes. */
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

  /** Null where every write takes all of them along: the history is not looked at. */
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
      const position = await positionFor(asked, upTo);
      let behind = await behindOf(asked, position);
      const until = clock.monotonic() + LITTLE_MS;
      // Once it was waited for in vain, nobody waits here again until it has come.
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
  /** True when documents that are read from now on show every event up to a position, which is in the history. */
  readonly shows: (position: Position) => Promise<boolean>;
  /** Documents that are read from now on show everything up to there; null when nobody knows yet. */
  readonly shownUpTo: () => Position | null;
}

function followModel(
  projection: Pick<AnyProjection, 'name' | 'version' | 'handles'>,
  { store, readModels }: BarrierDeps,
  recent: RecentEvents,
): FollowedModel {
  const { handles } = projection;
  /** It shows everything up to here. */
  let upTo: Position | null = null;
  /** The first event that it did not show when it was last looked at. */
  let missing: Position | null = null;
  let asked: Promise<Position | null> | undefined;

  const own = (): Promise<Position> => readModels.checkpoint(checkpointName(projection));

  /** Position of the first event in the history that it does not show. */
  async function firstMissing(): Promise<Position | null> {
    // Those who ask together share the answer; who asks later may ask for what was appended since.
    await nextTurn();
    asked = undefined;
    let after = upTo ?? START;
    if (upTo === null || missing !== null || !recent.covers(after)) {
      const at = await own();
      if (at > after) after = at;
      if (missing !== null && after < missing) return missing;
      missing = null;
    }
    for (;;) {
      const { first, next, atEnd } = recent.covers(after)
        ? { first: recent.firstAfter(after, handles), next: recent.end(), atEnd: true }
        : await readPage(after);
      const reached = first === null ? next : await own();
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
