/**
 * Takes copies of any number of projections through the history once, from wherever each of them stands. For what is
 * behind by much: new generations, and the start of a process.
 *
 * Documents are folded in memory over many pages and written together, first they and then the checkpoints. A process
 * that dies in between goes on at the checkpoints: what was written beyond them carries its version.
 */
import type { RecordedEvent } from '../application/codec.js';
import { START, type Position, type StoredRecord } from '../ports/event-store.js';
import type { DocumentWrite } from '../ports/read-models.js';
import { documentIds, foldInto, ProjectionFailed, writesOf, type WorkingSet } from './fold.js';
import { addressOf, collectionOf, type Target } from './projection.js';
import { decoded, loaded, type ProjectionDeps } from './runner.js';

export interface BuildDeps extends ProjectionDeps {
  /** Lets everything else in the process have its turn. */
  readonly pause: () => Promise<void>;
}

export interface BuildOptions {
  /** Asked page by page; false ends it, with what was folded so far written. */
  readonly goesOn?: () => boolean;
  /** `events`: looked at since this began. */
  readonly onProgress?: (at: Position, events: number) => void;
}

export interface Built {
  readonly events: number;
  /** True when every target that did not fail is where the history ended. */
  readonly complete: boolean;
  /** These stand right before the event that they can't apply. */
  readonly failed: ReadonlyMap<Target, ProjectionFailed>;
}

/** Records of one step, between two looks at what else waits: about a millisecond. */
const PAGE = 100;
/** Documents and events after which everything is written. */
const DIRTY = 4_000;
const EVENTS = 40_000;
/** Documents in one write, and writes under way at once: what waits behind one of them waits a millisecond or two. */
const CHUNK = 250;
const AT_ONCE = 2;
/** Milliseconds in one go. */
const SLICE_MS = 2;

interface Builder {
  readonly target: Target;
  readonly address: string;
  /** Its stored checkpoint. */
  from: Position;
  /** Folded up to here. */
  at: Position;
  working: WorkingSet;
  /** What was in hand before the last write: most documents that are asked for again are among the latest. */
  before: WorkingSet;
  dirty: number;
}

function handlersOf(builders: readonly Builder[]): ReadonlyMap<string, readonly Builder[]> {
  const found = new Map<string, Builder[]>();
  for (const builder of builders) {
    for (const type of builder.target.projection.handles) {
      found.set(type, [...(found.get(type) ?? []), builder]);
    }
  }
  return found;
}

/** @throws CheckpointMoved, StoreUnavailable */
export async function build(
  targets: readonly Target[],
  deps: BuildDeps,
  { goesOn = () => true, onProgress }: BuildOptions = {},
): Promise<Built> {
  const { store, readModels } = deps;
  let builders = await Promise.all(
    targets.map(async (target): Promise<Builder> => {
      await readModels.define(collectionOf(target));
      const from = await readModels.checkpoint(addressOf(target));
      return {
        target,
        address: addressOf(target),
        from,
        at: from,
        working: new Map(),
        before: new Map(),
        dirty: 0,
      };
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
  let since = performance.now();

  async function fail(builder: Builder, error: ProjectionFailed, before: Position): Promise<void> {
    failed.set(builder.target, error);
    builders = builders.filter((other) => other !== builder);
    byType = handlersOf(builders);
    if (before > builder.at) builder.at = before;
    await save([builder], readModels);
  }

  async function step(from: Position): Promise<boolean> {
    const page = await store.readAll({ after: from, limit: PAGE, types: [...byType.keys()] });
    const decodable = await decodedOrNone(deps, page.records);
    const given = new Map<Builder, RecordedEvent[]>();
    for (const [index, record] of page.records.entries()) {
      for (const builder of byType.get(record.type) ?? []) {
        const { name } = builder.target.projection;
        if (record.position <= builder.at || deps.skips?.has(name, record)) continue;
        const own = given.get(builder) ?? [];
        if (own.length === 0) given.set(builder, own);
        // Undecoded for now: whoever handles it finds out by itself what is wrong with it.
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
          page.records,
        );
      }
    }
    for (const builder of builders) if (page.next > builder.at) builder.at = page.next;
    at = page.next;
    events += page.considered ?? page.records.length;
    unsaved += page.considered ?? page.records.length;
    return page.atEnd;
  }

  /** @throws ProjectionFailed */
  async function foldOwn(builder: Builder, recorded: readonly RecordedEvent[]): Promise<void> {
    const { target, address, working } = builder;
    const before = working.size;
    const ids = documentIds(target.projection, recorded).filter((id) => !takeUp(builder, id));
    foldInto(working, target.projection, recorded, await loaded(readModels, address, ids));
    builder.dirty += working.size - before;
  }

  /** What comes before the event is applied: the page may hold any number of it. */
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

  while (at !== null && builders.length > 0) {
    const ended = await step(at);
    const dirty = builders.reduce((sum, builder) => sum + builder.dirty, 0);
    const stopping = ended || !goesOn();
    if (stopping || dirty >= DIRTY || unsaved >= EVENTS) {
      await save(builders, readModels);
      unsaved = 0;
    }
    onProgress?.(at, events);
    if (stopping) return { events, complete: ended, failed };
    if (performance.now() - since > SLICE_MS) {
      await deps.pause();
      since = performance.now();
    }
  }
  return { events, complete: true, failed };
}

/** Null when one of them can't be decoded. */
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

/** True when the document is in hand. */
function takeUp({ working, before }: Builder, id: string): boolean {
  if (working.has(id)) return true;
  const known = before.get(id);
  if (!known) return false;
  before.delete(id);
  working.set(id, known);
  return true;
}

async function save(builders: readonly Builder[], readModels: BuildDeps['readModels']): Promise<void> {
  const open: (() => Promise<void>)[] = [];
  for (const { address, working } of builders) {
    const writes = writesOf(working);
    for (let from = 0; from < writes.length; from += CHUNK) {
      open.push(() => readModels.write(address, bare(writes.slice(from, from + CHUNK))));
    }
  }
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < open.length) await open[next++]!();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
  await Promise.all(
    builders.map(async (builder) => {
      const { address, from, at, working } = builder;
      if (at > from) await readModels.commit(address, { projection: address, from, to: at, writes: [] });
      builder.from = at;
      for (const entry of working.values()) {
        entry.changed = false;
        entry.base = entry.version;
      }
      builder.before = working;
      builder.working = new Map();
      builder.dirty = 0;
    }),
  );
}

/** Nobody else writes a generation that is being built, but for erasures; those are done again when it is there. */
const bare = (writes: readonly DocumentWrite[]): readonly DocumentWrite[] =>
  writes.map(({ id, doc, version }) => ({ id, doc, version }));
