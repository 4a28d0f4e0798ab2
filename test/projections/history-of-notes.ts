/** A toy history, and projections whose documents show every event they were made of, once and in order. */
import type { EventCodec, RecordedEvent } from '../../application/codec.js';
import { silentLogger } from '../../ports/logger.js';
import type { Document } from '../../ports/read-models.js';
import type { StoredRecord } from '../../ports/event-store.js';
import { follow, type FollowDeps, type Following } from '../../projections/follow.js';
import { IN_STEP } from '../../projections/in-step.js';
import { checkpointName, type AnyProjection } from '../../projections/projection.js';
import { meta } from '../conformance/support.js';
import { manualClock, type ManualClock } from '../support/fakes/manual-clock.js';
import { memoryEventStore, type MemoryEventStore } from '../support/memory/event-store.js';
import { memoryReadModels, type MemoryReadModels, type Step } from '../support/memory/read-models.js';

export const plainCodec: EventCodec = {
  encode: () => {
    throw new Error('nothing is written through it');
  },
  asStored: (_record, event) => event,
  prepare: async () => undefined,
  decode: (record) => ({ event: { type: record.type, data: record.data }, record }) as never,
  decodeAll: async (records) => records.map((record) => plainCodec.decode(record)) as never,
  forget: () => undefined,
  onForget: () => undefined,
};

export interface NotesProjection extends AnyProjection {
  /** Numbers of the events that the projection cannot apply. */
  readonly poison: Set<number>;
}

export function notesProjection(
  name: string,
  handles: readonly string[] = ['Noted'],
  version = 1,
): NotesProjection {
  const poison = new Set<number>();
  return {
    name,
    version,
    indexes: {},
    handles,
    poison,
    documentId: ({ record }: RecordedEvent) => String(record.data['about']),
    evolve(doc: Document | undefined, { record }: RecordedEvent) {
      const n = record.data['n'] as number;
      if (poison.has(n)) throw new Error(`no way to apply ${n}`);
      return { ...doc, ns: [...((doc?.['ns'] as number[] | undefined) ?? []), n] };
    },
  };
}

/** The documents of a projection after everything up to `upTo`. */
export function rebuilt(projection: AnyProjection, records: readonly StoredRecord[], upTo?: string) {
  const docs: Record<string, number[]> = {};
  for (const { type, data, position } of records) {
    if (!projection.handles.includes(type) || (upTo !== undefined && position > upTo)) continue;
    (docs[String(data['about'])] ??= []).push(data['n'] as number);
  }
  return docs;
}

export interface Notes {
  readonly clock: ManualClock;
  readonly store: MemoryEventStore;
  readonly readModels: MemoryReadModels;
  readonly projections: readonly NotesProjection[];
  readonly errors: Map<string, string>;
  /** Positions reported to `onProgress`. */
  readonly progress: string[];
  /** Checkpoints that were written before the documents they stand for. */
  readonly violations: string[];
  note(about: string, type?: string): Promise<void>;
  start(over?: Partial<FollowDeps>): Following;
  /** Follows again one second after it ended by itself, as a process does that acquires the lease again. */
  keep(): { stop(): Promise<void> };
  docs(projection: AnyProjection): Record<string, number[]>;
}

export function notes(
  projections: readonly NotesProjection[],
  step?: (kind: Step, what: string) => Promise<void> | void,
): Notes {
  const clock = manualClock();
  const store = memoryEventStore();
  const errors = new Map<string, string>();
  const progress: string[] = [];
  const violations: string[] = [];
  const readModels = memoryReadModels(step, (moved, to) => {
    for (const projection of projections) {
      const concerned =
        moved === IN_STEP ? !errors.has(projection.name) : moved === checkpointName(projection);
      if (!concerned) continue;
      const there = docs(projection);
      for (const [about, ns] of Object.entries(rebuilt(projection, store.records, to))) {
        const missing = ns.filter((n) => !there[about]?.includes(n));
        if (missing.length > 0)
          violations.push(`${moved} at ${to}: ${projection.name} lacks ${missing.join()}`);
      }
    }
  });
  let n = 0;

  function docs(projection: AnyProjection): Record<string, number[]> {
    const all = [...readModels.all(projection.name)].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(all.map(([id, { doc }]) => [id, doc['ns'] as number[]]));
  }

  const world: Notes = {
    clock,
    store,
    readModels,
    projections,
    errors,
    progress,
    violations,
    docs,
    async note(about, type = 'Noted') {
      n += 1;
      const stream = `note-${n}`;
      await store.append(stream, 'no_stream', [{ eventId: stream, type, data: { about, n }, meta: meta() }]);
    },
    start: (over = {}) =>
      follow(
        projections.map((projection) => ({ projection, generation: 1 })),
        {
          store,
          readModels,
          codec: plainCodec,
          clock,
          logger: silentLogger,
          held: () => true,
          onProgress: (position) => progress.push(position),
          onError: ({ projection: { name } }, error) =>
            void (error === null ? errors.delete(name) : errors.set(name, (error as Error).message)),
          ...over,
        },
      ),
    keep() {
      let stopping = false;
      let current: Following;
      const next = (): void => {
        if (stopping) return;
        const mine = (current = world.start());
        mine.ended.catch(async () => {
          await mine.stop();
          clock.after(1_000, next);
        });
      };
      next();
      return {
        stop() {
          stopping = true;
          return current.stop();
        },
      };
    },
  };
  return world;
}
