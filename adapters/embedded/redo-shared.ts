/** What the server's thread and the thread of the redo log share. */

/** States of `control[FIELD.state]`. New memory has the first: the thread does not run yet. */
export const STARTING = 0;
export const FREE = 1;
export const ASKED = 2;
export const DONE = 3;
export const FAILED = 4;
export const CLOSING = 5;
/** It ended by itself. */
export const GONE = 6;

/** Places in `control`. */
export const FIELD = {
  state: 0,
  /** Bytes of the content. */
  length: 1,
  /** Where in the file the piece begins. */
  at: 2,
  /** Of the piece in its life. */
  number: 3,
  /** Bytes of the piece, or of the error's text in `data`. */
  written: 4,
  /** That the write took. */
  microseconds: 5,
} as const;

export interface Shared {
  readonly control: Int32Array;
  /** The name of the life, then the content. */
  readonly data: Uint8Array;
  /** Descriptor of the log. */
  readonly file: number;
  /** A write of the descriptor does not wait for the disk. */
  readonly syncs: boolean;
}
