/**
 * The history as stored, for callers that pass it on without parsing it: metadata and data stay JSON text. Reading it
 * as text costs a third of reading it as records.
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
  /** Where the next read resumes: the position of the last record considered, even if a filter hid it. */
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
