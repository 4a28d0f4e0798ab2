/** The last deliveries that reached the demo's inbox, newest first, and the subscribers to new ones. */
export interface InboxEntry {
  readonly number: number;
  readonly received_at: string;
  readonly type: string;
  readonly event_id: string;
  readonly delivery_id: string;
  readonly attempt: string;
  /** An event with the same id arrived before: receivers must detect this under at-least-once delivery (spec §6). */
  readonly repeated: boolean;
  /** Indented JSON. */
  readonly body: string;
}

export interface Entries {
  list(): readonly InboxEntry[];
  add(entry: Omit<InboxEntry, 'number' | 'repeated'>): InboxEntry;
  /** Number of deliveries answered 400 since the start. */
  refused(): number;
  refuse(): void;
  onAdded(listener: (entry: InboxEntry) => void): () => void;
}

const KEPT = 200;

export function createEntries(): Entries {
  let entries: readonly InboxEntry[] = [];
  let count = 0;
  let refused = 0;
  const listeners = new Set<(entry: InboxEntry) => void>();
  return {
    list: () => entries,
    add(received) {
      const repeated = entries.some(({ event_id }) => event_id === received.event_id);
      const entry = { ...received, number: ++count, repeated };
      entries = [entry, ...entries].slice(0, KEPT);
      for (const listener of listeners) listener(entry);
      return entry;
    },
    refused: () => refused,
    refuse: () => void (refused += 1),
    onAdded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
