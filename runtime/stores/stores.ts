/** What the rest of the product is given, whichever adapters are behind it. */
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
  /** @throws Error with a sentence that names the server and no credentials */
  readonly ping: () => Promise<void>;
}

export interface Stores {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly topics: Topics;
  readonly dueTimes: DueTimes;
  readonly personalKeys: PersonalKeys;
  readonly sealedKeys: SealedKeys;
  /** Absent where events are not stored as text: they are made text then. */
  readonly historyTexts?: HistoryTexts;
  /** How long a key may be believed where another process can destroy it, milliseconds; absent where none can. */
  readonly keysFreshMs?: number;
  readonly leases: Leases;
  readonly blobs: Blobs;
  /** Publishes again what was lost on its way; absent where topics can't lose anything. One process at a time. */
  readonly sweepIntents?: () => { stop(): Promise<void> };
  /** By the clock of a server that all processes share; absent where there is only one process. */
  readonly serverTime?: () => Promise<number | null>;
  /** Of every group, in whatever process; absent where the workers of this process are all there are. */
  readonly lags?: () => Promise<readonly TopicLag[]>;
  /** Servers outside this process; empty for the embedded store. */
  readonly parts: readonly Part[];
  close(): Promise<void>;
}
