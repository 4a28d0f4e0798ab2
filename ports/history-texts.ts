/**
 * The history as it is stored, for whoever passes it on without looking into it: metadata and data stay the JSON texts that
 * they are. Reading it as text costs a third of reading it as records.
 */
import type { Position } from './event-store.js';

export interface TextRecord {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly eventId: string;
  readonly type: string;
  /** JSON of an EventMeta. */
  readonly meta: string;
  /** JSON of the data, personal fields sealed. */
  readonly data: string;
}

export interface TextPage {
  readonly records: readonly TextRecord[];
  /** Where the next read goes on: the position of the last record considered, also when a filter hid it. */
  readonly next: Position;
  readonly atEnd: boolean;
}

export interface HistoryTexts {
  /** History after a position (exclusive), in global order. @throws StoreUnavailable */
  read(options: {
    readonly after: Position;
    readonly limit: number;
    /** Only events of these types; all when left out. */
    readonly types?: readonly string[] | undefined;
    readonly company?: string | undefined;
  }): Promise<TextPage>;
}
