/**
 * Projections of the embedded store, applied inside the writes. A projection that has fallen behind is caught up from
 * the history. While that fails, the error is reported; no event is skipped unless an operator requests it.
 */
import type { App } from '../application/app.js';
import type { StoredRecord } from '../ports/event-store.js';
import { storedName } from '../ports/read-models.js';
import type { NewMessage } from '../ports/topics.js';
import { createTurns, yieldToEventLoop } from '../ports/waiting.js';
import type { Failure } from '../read-models/projection-states.js';
import { build } from './build.js';
import { followedTargets } from './generations.js';
import { addressOf, collectionOf, liveOf, type AnyProjection, type Target } from './projection.js';
import { startRebuildWorker } from './rebuild/worker.js';
import { catchUp, inlineForm, type InlineForm } from './runner.js';
import type { Skips } from './skips.js';
import { createStates } from './states.js';

const EVERY_MS = 1_000;
/** Attempts to bring a copy up to the head of the history, which moves on under load. */
const TRIES = 500;

type Relay = (record: StoredRecord) => readonly NewMessage[];

/** A store that applies projections inside its writes, as `adapters/embedded` does. */
interface InlineStore {
  useInline(inline: { readonly projections: readonly InlineForm[]; readonly relay?: Relay }): Promise<void>;
  stats(): { /** Names of the forms that are not applied. */ readonly behind: readonly string[] };
}

/** Keeps the projections of this process current. */
export interface ProjectionKeeper {
  /** Last error by projection name; empty when all projections work. */
  errors(): ReadonlyMap<string, Failure>;
  stop(): Promise<void>;
}

/**
 * Resolves when every projection that can be current is, and is applied in every write from then on.
 * @param app for background work: requests have priority over it
 */
export async function startProjectionGuard(
  app: Pick<App, 'clock' | 'codec' | 'logger' | 'readModels' | 'replay' | 'store'>,
  projections: readonly AnyProjection[],
  deps: { readonly embedded: InlineStore; readonly relay: Relay | null; readonly skips: Skips },
): Promise<ProjectionKeeper> {
  const { embedded, relay, skips } = deps;
  const { codec, clock, logger } = app;
  const parts = { store: app.store, readModels: app.readModels, codec, skips };
  let stopped = false;
  const states = createStates(
    projections.map(({ name }) => name),
    { readModels: app.readModels, clock, logger, held: () => true },
  );

  for (const projection of projections) await app.readModels.define(collectionOf(liveOf(projection)));
  await skips.refresh();
  const { live, kept } = await followedTargets(projections, app.readModels);
  let targets: readonly Target[] = [...live, ...kept];
  const built = await build(targets, { ...parts, pause: yieldToEventLoop, clock });
  for (const [target, error] of built.failed) report(target, error);
  await applyInline();

  function report(target: Target, error: unknown): void {
    states.failed(target, error);
    logger.error(
      { err: error, projection: addressOf(target), ...states.errors().get(target.projection.name)?.event },
      'projection can not apply an event; its reads are stale',
    );
  }

  const inlineName = ({ projection, generation }: Target): string => storedName(projection, generation ?? 1);

  async function applyInline(): Promise<void> {
    const counted = new Set<string>();
    const forms = targets.map(({ projection, generation }) => {
      const { name } = projection;
      // All copies of a projection apply the same events: count them once.
      const first = !counted.has(name);
      counted.add(name);
      const onApplied = (events: number): void => states.applied(name, events);
      return inlineForm(projection, codec, {
        ...(generation === null ? {} : { generation }),
        skips,
        ...(first ? { onApplied } : {}),
      });
    });
    await embedded.useInline({ projections: forms, ...(relay ? { relay } : {}) });
  }

  const behindNow = (): ReadonlySet<string> => new Set(embedded.stats().behind);
  const isBehind = (target: Target): boolean => behindNow().has(inlineName(target));

  // Serialises the two callers that catch up a copy. Run concurrently, one would fail on the checkpoint of the other,
  // which would be reported as an error of the projection.
  const inTurn = createTurns();

  /** @throws ProjectionFailed */
  async function follow(wanted: readonly Target[]): Promise<void> {
    const before = new Set(targets.map(addressOf));
    for (const target of targets) if (!wanted.includes(target)) states.failed(target, null);
    targets = wanted;
    await applyInline();
    const added = wanted.filter((target) => !before.has(addressOf(target)));
    for (let attempt = 1; added.some(isBehind); attempt += 1) {
      if (attempt > TRIES || stopped)
        throw new Error('a copy could not be brought into step with the history');
      for (const { projection, generation } of added.filter(isBehind)) {
        await catchUp(projection, parts, () => !stopped, generation);
      }
      // A copy that reached the head of the history without a write that could have included it is included from here
      // on.
      if (added.some(isBehind)) await applyInline();
    }
  }

  async function round(): Promise<void> {
    // Asked once for all of them: the answer counts the pages of the file too.
    const behind = behindNow();
    for (const target of targets) {
      if (!behind.has(inlineName(target)) || !isBehind(target)) {
        states.failed(target, null);
        continue;
      }
      try {
        await skips.refresh();
        await catchUp(target.projection, parts, () => !stopped, target.generation);
        states.failed(target, null);
        if (isBehind(target)) await applyInline();
        logger.warn({ projection: addressOf(target) }, 'projection had fallen behind and is in step again');
      } catch (error) {
        if (!stopped) report(target, error);
      }
    }
  }

  let cancel: () => void = () => undefined;
  let running: Promise<void> = Promise.resolve();
  function next(): void {
    if (stopped) return;
    cancel = clock.after(EVERY_MS, () => {
      running = inTurn(round).then(next, next);
    });
  }
  next();
  const orders = startRebuildWorker(app, projections, {
    skips,
    held: () => !stopped,
    follow: (wanted) => inTurn(() => follow(wanted)),
    lettingGoMs: 0,
  });

  return {
    errors: () => states.errors(),
    async stop() {
      stopped = true;
      cancel();
      await Promise.all([orders.stop(), states.stop(), running]);
    },
  };
}
