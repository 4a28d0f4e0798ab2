/** A list that pages: the first page is read again while somebody looks, those behind it stay as they were read. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { list, type ApiError, type Query } from './api.js';
import { useLoad, useWork, type Again } from './load.js';

export interface Pages<T> {
  /** Undefined until the first answer. */
  readonly rows: readonly T[] | undefined;
  readonly error: ApiError | null;
  readonly reload: () => void;
  /** Null when there is no more. */
  readonly more: (() => void) | null;
  readonly busy: boolean;
  readonly moreError: ApiError | null;
  /** Takes rows out of the pages behind the first: one that went elsewhere would stay there. */
  readonly forget: (key: string) => void;
}

interface Older<T> {
  readonly rows: readonly T[];
  readonly next: string | null;
}

/** @param keyOf identifies a row, so that none is shown twice when the pages shift */
export function usePages<T>(
  path: string,
  query: Query,
  keyOf: (row: T) => string,
  again: Again = 0,
  limit = 50,
): Pages<T> {
  const of = [path, JSON.stringify(query), limit];
  const [older, setOlder] = useState<Older<T> | null>(null);
  const before = useRef<readonly T[]>([]);
  const first = useLoad(
    async () => {
      const page = await list<T>(path, { ...query, limit });
      const rows = before.current;
      before.current = page.data;
      const last = page.data.at(-1);
      if (last === undefined) return page;
      // Those that new rows pushed out of the first page.
      const pushed = rows.slice(rows.findIndex((row) => keyOf(row) === keyOf(last)) + 1);
      setOlder(
        (now) =>
          now &&
          (now.rows.some((row) => keyOf(row) === keyOf(last))
            ? now
            : { ...now, rows: [...pushed, ...now.rows] }),
      );
      return page;
    },
    of,
    again,
  );
  const work = useWork();
  useEffect(() => {
    before.current = [];
    setOlder(null);
  }, of);
  const next = older === null ? (first.data?.meta.next_cursor ?? null) : older.next;
  // An answer to an earlier question must not come behind the first page of the present one.
  const asked = useRef('');
  asked.current = JSON.stringify(of);
  const read = async (): Promise<void> => {
    const mine = asked.current;
    // What new rows push out of the first page meanwhile stands before what is on its way.
    setOlder((now) => now ?? { rows: [], next });
    const page = await list<T>(path, { ...query, limit, after: next ?? undefined });
    if (mine !== asked.current) return;
    setOlder((now) => ({ rows: [...(now?.rows ?? []), ...page.data], next: page.meta.next_cursor }));
  };
  const shown = new Set(first.data?.data.map(keyOf));
  return {
    rows: first.data && [...first.data.data, ...(older?.rows ?? []).filter((row) => !shown.has(keyOf(row)))],
    error: first.error,
    reload: first.reload,
    more: next === null ? null : () => void work.run(read),
    busy: work.busy,
    moreError: work.error,
    forget: (key) => setOlder((now) => now && { ...now, rows: now.rows.filter((row) => keyOf(row) !== key) }),
  };
}
