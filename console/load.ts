/** Reading what a view shows, and reading it again while somebody looks. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from './api.js';

export interface Loaded<T> {
  /** Undefined until the first answer. */
  readonly data: T | undefined;
  readonly error: ApiError | null;
  readonly reload: () => void;
}

export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(0, 'unexpected', String(error), null);

/**
 * @param read made anew whenever one of `of` changes: what was read before is then dropped
 * @param everyMs how often it is read again while the page is visible; 0: never
 */
export function useLoad<T>(read: () => Promise<T>, of: readonly unknown[], everyMs = 0): Loaded<T> {
  const [state, setState] = useState<{ data: T | undefined; error: ApiError | null }>({
    data: undefined,
    error: null,
  });
  // An answer to an earlier question must not replace that to the present one.
  const asked = useRef(0);
  const load = useCallback(() => {
    asked.current += 1;
    const mine = asked.current;
    read().then(
      (data) => mine === asked.current && setState({ data, error: null }),
      (error: unknown) =>
        mine === asked.current && setState(({ data }) => ({ data, error: asApiError(error) })),
    );
    // `of` names what `read` uses.
  }, of);
  useEffect(() => {
    setState({ data: undefined, error: null });
    load();
    if (everyMs === 0) return;
    const again = (): void => void (document.hidden || load());
    const timer = setInterval(again, everyMs);
    document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [load, everyMs]);
  return { ...state, reload: load };
}

/** Work that the user starts: one at a time, with its error. */
export function useWork(): {
  readonly busy: boolean;
  readonly error: ApiError | null;
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
} {
  const [state, setState] = useState<{ busy: boolean; error: ApiError | null }>({ busy: false, error: null });
  const busy = useRef(false);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    if (busy.current) return false;
    busy.current = true;
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
  return { ...state, run };
}
