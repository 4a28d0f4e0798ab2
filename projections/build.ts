/**
 * Catches up any number of projection copies in one pass through the history, each from its own checkpoint. Used for
 * large distances: new generations, and the start of a process.
 *
 * Documents are folded in memory over many pages and written together; the checkpoints follow. After a crash in
 * between, the next process resumes at the checkpoints. Documents written beyond a checkpoint carry their version, so
 * their events are not applied twice.
 */
import type { RecordedEvent } from '../application/codec.js';
import type { Clock } from '../ports/clock.js';
import { START, type Position, type StoredRecord } from '../ports/event-store.js';
import { distinctIds, documentIdOf, foldInto, ProjectionFailed } from './fold.js';
import { createWriteBackCache, type WriteBackCache } from './write-back-cache.js';
import { createIdFilter } from './id-filter.js';
import { addressOf, collectionOf, type Target } from './projection.js';
import { decoded, loaded, type ProjectionDeps } from './runner.js';

export interface BuildDeps extends ProjectionDeps {
  /** Yields, so that other work of the process can run. */
  readonly pause: () => Promise<void>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

export interface BuildOptions {
  /** Called after each page; false ends the build after everything folded so far has been written. */
  readonly goesOn?: () => boolean;
  /** `events`: number of events considered since the build began. */
  readonly onProgress?: (at: Position, events: number) => void;
  /** Limits of cached documents, cached bytes and events; when one is reached, everything is written. */
  readonly held?: typeof HELD;
}

export interface Built {
  readonly events: number;
  /** True if every target that did not fail has reached the end of the history. */
  readonly complete: boolean;
  /** Targets that cannot apply an event; their checkpoint is right before that event. */
  readonly failed: ReadonlyMap<Target, ProjectionFailed>;
}

/** PAGE: records per read. STEP: records folded before the build may yield; folding them takes about a millisecond. */
const PAGE = 300;
const STEP = 100;
const HELD = { bytes: 24_000_000, documents: 30_000, events: 60_000 };
/** Documents and bytes per write, and parallel writes. Other writes wait some milliseconds behind one of these. */
const CHUNK = 400;
const CHUNK_BYTES = 1_000_000;
const AT_ONCE = 2;
/** Longest time without yielding, milliseconds. */
const SLICE_MS = 2;

interface Builder {
  readonly target: Target;
  readonly address: string;
  readonly hand: WriteBackCache;
  /** Its stored checkpoint. */
  from: Position;
  /** Position up to which events are folded. */
  at: Position;
}

function handlersOf(builders: readonly Builder[]): ReadonlyMap<string, readonly Builder[]> {
  const found = new Map<string, Builder[]>();
  for (const builder of builders) {
    for (const type of builder.target.projection.handles) {
      const known = found.get(type);
      if (known) known.push(builder);
      else found.set(type, [builder]);
    }
  }
  return found;
}

/** @throws CheckpointMoved, StoreUnavailable */
export async function build(
  targets: readonly Target[],
  deps: BuildDeps,
  { goesOn = () => true, onProgress, held = HELD }: BuildOptions = {},
): Promise<Built> {
  const { store, readModels } = deps;
  const written = createIdFilter();
  let builders = await Promise.all(
    targets.map(async (target, number): Promise<Builder> => {
      await readModels.define(collectionOf(target));
      const address = addressOf(target);
      const from = await readModels.checkpoint(address);
      // For a copy that starts at the beginning, the store is asked only for documents that this run has written.
      // Documents that an earlier run left beyond the checkpoint result from the same events again.
      const stored = from === START ? written.of(String(number)) : null;
      return { target, address, hand: createWriteBackCache(stored), from, at: from };
    }),
  );
  let byType = handlersOf(builders);
  const failed = new Map<Target, ProjectionFailed>();
  let at = builders.reduce<Position | null>(
    (least, { from }) => (least === null || from < least ? from : least),
    null,
  );
  let events = 0;
  let unsaved = 0;
  let since = deps.clock.monotonic();

  async function fail(builder: Builder, error: ProjectionFailed, before: Position): Promise<void> {
    failed.set(builder.target, error);
    builders = builders.filter((other) => other !== builder);
    byType = handlersOf(builders);
    if (before > builder.at) builder.at = before;
    await save([builder], readModels);
  }

  async function step(records: readonly StoredRecord[]): Promise<void> {
    const decodable = await decodedOrNone(deps, records);
    const given = new Map<Builder, RecordedEvent[]>();
    for (const [index, record] of records.entries()) {
      for (const builder of byType.get(record.type) ?? []) {
        const { name } = builder.target.projection;
        if (record.position <= builder.at || deps.skips?.has(name, record)) continue;
        const own = given.get(builder) ?? [];
        if (own.length === 0) given.set(builder, own);
        // Not decoded here: each projection decodes its own records and reports the record that fails.
        own.push(decodable ? decodable[index]! : ({ record } as RecordedEvent));
      }
    }
    for (const [builder, own] of given) {
      try {
        const recorded = decodable
          ? own
          : await decoded(
              deps.codec,
              own.map(({ record }) => record),
              builder.target.projection.name,
            );
        await foldOwn(builder, recorded);
      } catch (error) {
        if (!(error instanceof ProjectionFailed)) throw error;
        await stopBefore(
          builder,
          error,
          own.map(({ record }) => record),
          records,
        );
      }
    }
    reached(records[records.length - 1]!.position);
  }

  /** Marks everything up to the position as folded. */
  function reached(position: Position): void {
    for (const builder of builders) if (position > builder.at) builder.at = position;
  }

  /** @throws ProjectionFailed */
  async function foldOwn(
    { target, address, hand }: Builder,
    recorded: readonly RecordedEvent[],
  ): Promise<void> {
    const ids = recorded.map((one) => documentIdOf(target.projection, one));
    const touched = distinctIds(ids);
    const load = await loaded(readModels, address, hand.load(touched));
    foldInto(hand.working, target.projection, recorded, load, ids);
    hand.measure(touched);
  }

  /** Folds the records before the failing event, then stops the projection there. */
  async function stopBefore(
    builder: Builder,
    error: ProjectionFailed,
    own: readonly StoredRecord[],
    records: readonly StoredRecord[],
  ): Promise<void> {
    const earlier = own.filter(({ position }) => position < error.position);
    await foldOwn(builder, await deps.codec.decodeAll(earlier));
    const last = records.filter(({ position }) => position < error.position).pop();
    await fail(builder, error, last?.position ?? START);
  }

  async function breathe(): Promise<void> {
    if (deps.clock.monotonic() - since <= SLICE_MS) return;
    await deps.pause();
    since = deps.clock.monotonic();
  }

  while (at !== null && builders.length > 0) {
    const page = await store.readAll({ after: at, limit: PAGE, types: [...byType.keys()] });
    for (let first = 0; first < page.records.length; first += STEP) {
      await breathe();
      const records = page.records.slice(first, first + STEP);
      await step(records);
    }
    reached(page.next);
    at = page.next;
    const considered = page.considered ?? page.records.length;
    events += considered;
    unsaved += considered;
    const stopping = page.atEnd || !goesOn();
    if (stopping || unsaved >= held.events || isFull(builders, held)) {
      await save(builders, readModels);
      unsaved = 0;
    }
    onProgress?.(at, events);
    if (stopping) return { events, complete: page.atEnd, failed };
    await breathe();
  }
  return { events, complete: true, failed };
}

function isFull(builders: readonly Builder[], { documents, bytes }: typeof HELD): boolean {
  const sum = (of: (hand: WriteBackCache) => number): number =>
    builders.reduce((total, { hand }) => total + of(hand), 0);
  return sum((hand) => hand.working.size) >= documents || sum((hand) => hand.bytes()) >= bytes;
}

/** Null if any of the records cannot be decoded. */
async function decodedOrNone(
  { codec }: BuildDeps,
  records: readonly StoredRecord[],
): Promise<readonly RecordedEvent[] | null> {
  try {
    return await decoded(codec, records, '');
  } catch (error) {
    if (error instanceof ProjectionFailed) return null;
    throw error;
  }
}

async function save(builders: readonly Builder[], readModels: BuildDeps['readModels']): Promise<void> {
  const open: (() => Promise<unknown>)[] = [];
  for (const { address, hand } of builders) {
    for (const chunk of hand.chunks(CHUNK, CHUNK_BYTES)) open.push(() => readModels.write(address, chunk));
  }
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < open.length) await open[next++]!();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
  await Promise.all(
    builders.map(async (builder) => {
      const { address, from, at, hand } = builder;
      if (at > from) await readModels.commit(address, { projection: address, from, to: at, writes: [] });
      builder.from = at;
      hand.saved();
    }),
  );
}
