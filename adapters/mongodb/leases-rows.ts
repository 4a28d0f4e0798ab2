/** Rows of leases, and their form in MongoDB. */

export type LeftBehind = Readonly<Record<string, unknown>> | null;

export interface LeaseRow {
  readonly name: string;
  /** Null when the lease was released. */
  readonly holder: string | null;
  readonly fence: number;
  readonly beat: number;
  /** The holder's term, milliseconds. */
  readonly termMs: number;
  readonly left: LeftBehind;
}

export interface LeaseDocument {
  /** The name. */
  readonly _id: string;
  readonly holder: string | null;
  readonly fence: number;
  readonly beat: number;
  readonly term_ms: number;
  /** JSON text, so that it comes back exactly as it was given. */
  readonly left: string | null;
}

export const json = (left: LeftBehind): string | null => (left === null ? null : JSON.stringify(left));

export function rowOf({ _id, holder, fence, beat, term_ms, left }: LeaseDocument): LeaseRow {
  const opened = left === null ? null : (JSON.parse(left) as LeftBehind);
  return { name: _id, holder, fence, beat, termMs: term_ms, left: opened };
}
