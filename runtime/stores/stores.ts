/** The stores as the rest of the product sees them, with any adapters behind them. */
import type { Blobs } from '../../ports/blobs.js';
import type { DueTimes } from '../../ports/due-times.js';
import type { EventStore } from '../../ports/event-store.js';
import type { Leases } from '../../ports/leases.js';
import type { PersonalKeys } from '../../ports/personal-keys.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { HistoryTexts } from '../../ports/history-texts.js';
import type { SealedKeys } from '../../ports/sealed-keys.js';
import type { TopicLag, Topics } from '../../ports/topics.js';

export type PartName = 'event_store' | 'read_models' | 'topics' | 'blobs';

/** A server that this process needs. */
export interface Part {
  readonly name: PartName;
  /** @throws Error with a sentence that names the server, without credentials */
  readonly ping: () => Promise<void>;
}

export interface Stores {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly topics: Topics;
  readonly dueTimes: DueTimes;
  readonly personalKeys: PersonalKeys;
  readonly sealedKeys: SealedKeys;
  /** Absent where events are not stored as text: the caller then converts them. */
  readonly historyTexts?: HistoryTexts;
  /** How long a cached key may be used where another process can destroy it, in milliseconds; absent where none can. */
  readonly keysFreshMs?: number;
  readonly leases: Leases;
  readonly blobs: Blobs;
  /** Publishes lost messages again; absent where topics can't lose any. One process at a time. */
  readonly sweepIntents?: () => { stop(): Promise<void> };
  /** The time by a server's clock that all processes share; absent with a single process. */
  readonly serverTime?: () => Promise<number | null>;
  /** The lags of all consumer groups in all processes; absent where this process has all workers. */
  readonly lags?: () => Promise<readonly TopicLag[]>;
  /** Servers outside this process; empty with the embedded store. */
  readonly parts: readonly Part[];
  close(): Promise<void>;
}
