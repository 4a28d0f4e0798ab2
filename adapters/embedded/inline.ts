/**
 * Work in the same transaction as an append: projections that are in step with the history, and the relay to the
 * topics. Reads see the documents when the append is committed; their tables get them later (flushing.ts).
 */
import { StoreUnavailable, type Position, type StoredRecord } from '../../ports/event-store.js';
import {
  generationAddress,
  type CollectionSpec,
  type CollectionVersion,
  type Document,
  type DocumentWrite,
  type StoredDocument,
} from '../../ports/read-models.js';
import type { NewMessage } from '../../ports/topics.js';
import type { Checkpoints } from './checkpoints.js';
import type { Collection } from './collection.js';
import type { History } from './history.js';
import { positionOf } from './records.js';
import type { Collections } from './collections.js';
import { encodeMessage, type EncodedMessage } from './topics.js';
import type { Participant } from './participant.js';

export interface InlineProjection {
  /** Name under which its checkpoint is stored. */
  readonly name: string;
  readonly collection: CollectionSpec;
  /** Event types that it applies. */
  readonly handles: ReadonlySet<string>;
  /**
   * Returns the writes for the records of one transaction, in global order. Synchronous, because a transaction ends in
   * the event-loop tick it began in. `load` sees everything that this transaction has written so far.
   */
  apply(
    records: readonly StoredRecord[],
    load: (id: string) => StoredDocument<Document> | undefined,
  ): readonly DocumentWrite[];
}

export interface Inline {
  readonly projections: readonly InlineProjection[];
  /** Messages that result from a record. */
  relay?(record: StoredRecord): readonly NewMessage[];
}

/** Called after a failure. `projection` is `relay` when the relay failed. It does not make the append fail. */
export type ProjectionErrorHook = (projection: string, error: unknown, position: Position) => void;

export interface InlineRunner extends Participant {
  /**
   * In a transaction, after the collections are defined. Replaces the projections and the relay; a projection that is
   * left out keeps its checkpoint.
   */
  use(inline: Inline): void;
  /** Names of the inline projections that are behind the history. */
  behind(): readonly string[];
  /** True when at least one copy of this version exists here and every one is applied in each write. */
  inEveryWrite(version: CollectionVersion): boolean;
}

interface Entry {
  readonly projection: InlineProjection;
  readonly collection: Collection;
  readonly load: (id: string) => StoredDocument<Document> | undefined;
  inStep: boolean;
}

export function createInlineRunner(deps: {
  readonly history: History;
  readonly collections: Collections;
  readonly checkpoints: Checkpoints;
  readonly publish: (message: EncodedMessage) => void;
  readonly onError: ProjectionErrorHook;
  /** Called instead where nothing is wrong with the event or the projection. */
  readonly onLater: (projection: string, reason: StoreUnavailable, position: Position) => void;
}): InlineRunner {
  const { history, collections, checkpoints, publish, onError, onLater } = deps;
  let entries: readonly Entry[] = [];
  /** The same by the name of the collection: every request asks for all of them. */
  let byName: ReadonlyMap<string, readonly Entry[]> = new Map();
  let relay: Inline['relay'];
  let before: { readonly entries: readonly Entry[]; readonly relay: Inline['relay'] } | undefined;

  /** State changes made by this transaction, to be reverted when it fails. */
  let marked: { readonly entry: Entry; readonly was: boolean }[] = [];

  function takeUp(next: readonly Entry[]): void {
    const groups = new Map<string, Entry[]>();
    for (const entry of next) {
      const { name } = entry.projection.collection;
      groups.set(name, [...(groups.get(name) ?? []), entry]);
    }
    entries = next;
    byName = groups;
  }

  function mark(entry: Entry, inStep: boolean): void {
    marked.push({ entry, was: entry.inStep });
    entry.inStep = inStep;
  }

  /** @param types of the records, each once */
  function applyTo(
    entry: Entry,
    records: readonly StoredRecord[],
    types: readonly string[],
    from: Position,
  ): void {
    const { projection, collection } = entry;
    if (!entry.inStep) {
      // A runner elsewhere catches it up. Once it has reached the head, it is applied in every append again.
      if (checkpoints.get(projection.name) !== from) return;
      checkpoints.follow(projection.name);
      mark(entry, true);
    }
    if (!types.some((type) => projection.handles.has(type))) return;
    const relevant = records.filter((record) => projection.handles.has(record.type));
    let rows;
    try {
      rows = projection.apply(relevant, entry.load).map((write) => collection.prepare(write));
    } catch (error) {
      collection.flush();
      checkpoints.set(projection.name, from);
      mark(entry, false);
      const { position } = relevant[0]!;
      if (error instanceof StoreUnavailable) onLater(projection.name, error, position);
      else onError(projection.name, error, position);
      return;
    }
    for (const row of rows) collection.stage(row);
  }

  function relayAll(records: readonly StoredRecord[]): void {
    if (!relay) return;
    for (const record of records) {
      let messages: readonly EncodedMessage[];
      try {
        messages = relay(record).map(encodeMessage);
      } catch (error) {
        onError('relay', error, record.position);
        continue;
      }
      for (const message of messages) publish(message);
    }
  }

  return {
    use(inline) {
      before ??= { entries, relay };
      for (const { collection } of entries) collection.flush();
      checkpoints.settle();
      relay = inline.relay?.bind(inline);
      const next = inline.projections.map((projection): Entry => {
        const { name, version, generation } = projection.collection;
        const collection = collections.named(
          generation === undefined
            ? `${name}@${version}`
            : generationAddress(projection.collection, generation),
        );
        return { projection, collection, load: (id) => collection.get<Document>(id), inStep: false };
      });
      takeUp(next);
      const head = positionOf(history.head());
      for (const entry of entries) {
        if (checkpoints.get(entry.projection.name) !== head) continue;
        checkpoints.follow(entry.projection.name);
        entry.inStep = true;
      }
    },
    behind: () => entries.filter((entry) => !entry.inStep).map((entry) => entry.projection.name),
    inEveryWrite({ name, version }) {
      let found = false;
      for (const { projection, inStep } of byName.get(name) ?? []) {
        if (projection.collection.version !== version) continue;
        if (!inStep) return false;
        found = true;
      }
      return found;
    },
    after() {
      const records = history.appended();
      if (records.length === 0) return;
      const from = positionOf(history.head());
      const types = [...new Set(records.map(({ type }) => type))];
      for (const entry of entries) applyTo(entry, records, types, from);
      relayAll(records);
    },
    committed() {
      before = undefined;
      marked = [];
    },
    rolledBack() {
      if (before) {
        takeUp(before.entries);
        ({ relay } = before);
      }
      before = undefined;
      for (const { entry, was } of marked.reverse()) entry.inStep = was;
      marked = [];
    },
  };
}
