/**
 * What the server tells of changes, so that a view reads again what it shows. One stream for each tab, and only while
 * the tab is seen. Where no stream comes through, views are read again from time to time.
 */
import { useEffect, useRef } from 'preact/hooks';
import { usePlace } from './place.js';

export type Kind =
  | 'conversation'
  | 'message'
  | 'contact'
  | 'order'
  | 'product'
  | 'store'
  | 'delivery'
  | 'operation'
  | 'execution'
  | 'flow'
  | 'channel'
  | 'template'
  | 'integration'
  | 'team';

interface Change {
  readonly kind: Kind;
  /** Null: many of them. */
  readonly uuid: string | null;
}

interface Listener {
  readonly kinds: ReadonlySet<Kind>;
  readonly reload: (uuid: string | null) => void;
}

/** Also while the stream is open: deliveries of other processes are not told. */
const OPEN_EVERY_MS = 60_000;
const CLOSED_EVERY_MS = 10_000;
/** A stream that the server refused is tried again after this. */
const TRY_AGAIN_MS = 30_000;

const listeners = new Set<Listener>();
let company: string | null = null;
let stream: EventSource | null = null;
let poll: ReturnType<typeof setTimeout> | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;

const all = (): void => {
  for (const { reload } of listeners) reload(null);
};

function pollLater(): void {
  clearTimeout(poll);
  if (listeners.size === 0 || document.hidden) return;
  const open = stream !== null && stream.readyState === EventSource.OPEN;
  poll = setTimeout(
    () => {
      all();
      pollLater();
    },
    open ? OPEN_EVERY_MS : CLOSED_EVERY_MS,
  );
}

function close(): void {
  clearTimeout(poll);
  clearTimeout(retry);
  stream?.close();
  stream = null;
}

function open(): void {
  if (stream !== null || company === null || listeners.size === 0 || document.hidden) return;
  const opened = new EventSource(`/admin/v1/companies/${company}/live`);
  stream = opened;
  opened.addEventListener('open', pollLater);
  opened.addEventListener('change', ({ data }: MessageEvent<string>) => {
    const { kind, uuid } = JSON.parse(data) as Change;
    for (const { kinds, reload } of listeners) if (kinds.has(kind)) reload(uuid);
  });
  opened.addEventListener('error', () => {
    pollLater();
    // Otherwise the browser connects again by itself, and gets what it missed.
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
    stream = null;
    clearTimeout(retry);
    retry = setTimeout(open, TRY_AGAIN_MS);
  });
  pollLater();
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return close();
  open();
  // What happened while nobody looked.
  all();
});

/** Changes come in groups: what they cause is done once for each group. */
const TOGETHER_MS = 200;

/**
 * Calls `reload` when something of these kinds changed in the company that is shown, with its uuid; null where it may be
 * any of them. Changes that come together call it once.
 */
export function useLive(kinds: readonly Kind[], reload: (uuid: string | null) => void): void {
  const place = usePlace();
  const newest = useRef(reload);
  newest.current = reload;
  useEffect(() => {
    if (place.company === null) return;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let about: string | null | undefined;
    const listener: Listener = {
      kinds: new Set(kinds),
      reload(uuid) {
        about = about === undefined || about === uuid ? uuid : null;
        waiting ??= setTimeout(() => {
          const what = about ?? null;
          waiting = undefined;
          about = undefined;
          newest.current(what);
        }, TOGETHER_MS);
      },
    };
    listeners.add(listener);
    if (company !== place.company) {
      close();
      company = place.company;
    }
    open();
    return () => {
      listeners.delete(listener);
      clearTimeout(waiting);
      if (listeners.size === 0) close();
    };
  }, [place.company, kinds.join()]);
}
