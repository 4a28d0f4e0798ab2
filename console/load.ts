/** Reading what a view shows, and reading it again while somebody looks. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from './api.js';
import { opening, useLive, type Kind, type Watched } from './live.js';
import { go } from './place.js';

export interface Loaded<T> {
  /** Undefined until the first answer. */
  readonly data: T | undefined;
  readonly error: ApiError | null;
  readonly reload: () => void;
}

export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(0, 'unexpected', String(error), null);

/**
 * When what was read is read again: after changes that the server tells of. What it does not tell of is read after so
 * many milliseconds while the page is visible; 0: never.
 */
export type Again = readonly Kind[] | Watched | number;

function watchedOf(again: Again): Watched | null {
  if (typeof again === 'number') return null;
  return 'kinds' in again ? again : { kinds: again };
}

/** @param read made anew whenever one of `of` changes: what was read before is then dropped */
export function useLoad<T>(read: () => Promise<T>, of: readonly unknown[], again: Again = 0): Loaded<T> {
  const everyMs = typeof again === 'number' ? again : 0;
  const [state, setState] = useState<{ data: T | undefined; error: ApiError | null }>({
    data: undefined,
    error: null,
  });
  // An answer to an earlier question must not replace that to the present one.
  const asked = useRef(0);
  const waits = useRef(false);
  const watched = watchedOf(again);
  const load = useCallback(() => {
    asked.current += 1;
    const mine = asked.current;
    const open = opening(watched?.kinds ?? []);
    waits.current = open !== null;
    const answer =
      open === null
        ? read()
        : open.then(() => {
            waits.current = false;
            return read();
          });
    answer.then(
      (data) => mine === asked.current && setState({ data, error: null }),
      (error: unknown) =>
        mine === asked.current && setState(({ data }) => ({ data, error: asApiError(error) })),
    );
    // `of` names what `read` uses.
  }, of);
  useLive(watched, load, () => waits.current);
  useEffect(() => {
    setState({ data: undefined, error: null });
    load();
  }, [load]);
  useEffect(() => {
    if (everyMs === 0) return;
    const look = (): void => void (document.hidden || load());
    const timer = setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [load, everyMs]);
  return { ...state, reload: load };
}

/** Follows `value`, after it has not changed for a while: so that a word that somebody types is one question. */
export function useRested<T>(value: T, ms = 300): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}

/** Keeps the answer to the question before until that to the present one is there, so that nothing flashes. */
export function useKept<T>(loaded: Loaded<T>): Loaded<T> {
  const kept = useRef<T>();
  if (loaded.data !== undefined) kept.current = loaded.data;
  return { ...loaded, data: kept.current };
}

/** The same key for a repetition of the same content, so that a lost answer sends nothing twice. */
export function useKey(): (content: string) => Record<string, string> {
  const last = useRef({ content: '', key: '' });
  return (content) => {
    if (last.current.content !== content || last.current.key === '')
      last.current = { content, key: crypto.randomUUID() };
    return { 'idempotency-key': last.current.key };
  };
}

/** Work that the user starts: one at a time, with its error. */
export interface Work {
  readonly busy: boolean;
  readonly error: ApiError | null;
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  /** Whether the user is still on the page where the work began. */
  readonly stayed: () => boolean;
  /** Opens the address, unless the user has left the page where the work began. */
  readonly go: typeof go;
}

export function useWork(): Work {
  const [state, setState] = useState<{ busy: boolean; error: ApiError | null }>({ busy: false, error: null });
  const busy = useRef(false);
  const begunAt = useRef('');
  const run = useCallback(async (work: () => Promise<unknown>) => {
    if (busy.current) return false;
    busy.current = true;
    begunAt.current = location.pathname;
    setState({ busy: true, error: null });
    try {
      await work();
      setState({ busy: false, error: null });
      return true;
    } catch (error) {
      setState({ busy: false, error: asApiError(error) });
      return false;
    } finally {
      busy.current = false;
    }
  }, []);
  const stayed = useCallback(() => location.pathname === begunAt.current, []);
  const goOn = useCallback<typeof go>((address, how) => {
    if (stayed()) go(address, how);
  }, []);
  return { ...state, run, stayed, go: goOn };
}
