/**
 * What the server tells of changes, so that a view reads again what it shows. One stream for each page, and only while
 * it is seen. Where no stream comes through, views are read again from time to time, and the page says so.
 */
import { useEffect, useRef, useState } from 'preact/hooks';

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
  | 'team'
  | 'saved_reply';

/** What a view wants to hear of. */
export interface Watched {
  readonly kinds: readonly Kind[];
  /** Only of this one; left out: of all. */
  readonly uuid?: string;
  /** Also while nobody sees the page, then by looking from time to time. */
  readonly evenHidden?: boolean;
}

interface Change {
  readonly kind: Kind;
  /** Null: many of them. */
  readonly uuid: string | null;
}

interface Listener extends Watched {
  readonly reload: () => void;
  /** Whether it reads only once the stream is open. */
  readonly waits: () => boolean;
}

/** Deliveries of other processes are not told, so who shows them also looks. */
const UNTOLD: Kind = 'delivery';
const LOOK_OPEN_MS = 60_000;
const LOOK_AWAY_MS = 10_000;
const LOOK_HIDDEN_MS = 15_000;
/** A stream that the server refused is tried again after this. */
const TRY_AGAIN_MS = 30_000;
/** The page does not report a shorter break, and waits no longer for the stream to open. */
const AWAY_AFTER_MS = 3_000;
/** Changes come in groups: what they cause is done once for each group. */
const TOGETHER_MS = 200;
/** Where changes go on, a view is read again no more often than this. */
const APART_MS = 1_000;

/** The name of this page for the server. */
export const PAGE = crypto.randomUUID();

/** Receives the start and the end of the stream, and its presence messages. */
export interface Hearer {
  readonly opened: () => void;
  readonly lost: () => void;
  readonly presence: (told: string) => void;
}

/** All receive everything. */
export const hearers = new Set<Hearer>();

const listeners = new Set<Listener>();
const waiting = new Set<() => void>();
const told = new Set<(away: boolean) => void>();
let company: string | null = null;
/** What views read begins no earlier than this position of the history. Null where the server does not tell. */
let after: string | null = null;
let stream: EventSource | null = null;
let away = false;
let look: ReturnType<typeof setTimeout> | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;

export const isOpen = (): boolean => stream?.readyState === EventSource.OPEN;

/**
 * What the stream does not tell of is read once the stream is open: what was read before would have to be read again then.
 * @returns null where there is nothing to wait for
 */
export function opening(kinds: readonly Kind[]): Promise<void> | null {
  if (stream === null || isOpen() || !kinds.includes(UNTOLD)) return null;
  return new Promise((resolve) => {
    const late = setTimeout(go, AWAY_AFTER_MS);
    function go(): void {
      clearTimeout(late);
      waiting.delete(go);
      resolve();
    }
    waiting.add(go);
  });
}

function reloadAll(which: (listener: Listener) => boolean = () => true): void {
  for (const listener of listeners) if (which(listener)) listener.reload();
}

function lookLater(): void {
  clearTimeout(look);
  if (company === null) return;
  const { hidden } = document;
  look = setTimeout(
    () => {
      if (hidden) reloadAll(({ evenHidden }) => evenHidden === true);
      else if (isOpen()) reloadAll(({ kinds }) => kinds.includes(UNTOLD));
      else reloadAll();
      lookLater();
    },
    hidden ? LOOK_HIDDEN_MS : isOpen() ? LOOK_OPEN_MS : LOOK_AWAY_MS,
  );
}

function tell(isAway: boolean): void {
  clearTimeout(leaving);
  leaving = undefined;
  if (away === isAway) return;
  away = isAway;
  for (const one of told) one(away);
  if (away) reloadAll();
}

function close(): void {
  clearTimeout(retry);
  tell(false);
  stream?.close();
  stream = null;
  for (const one of hearers) one.lost();
}

function open(): void {
  if (stream !== null || company === null || document.hidden) return;
  const from = after === null ? '' : `&${new URLSearchParams({ after }).toString()}`;
  const opened = new EventSource(`/admin/v1/companies/${company}/live?page=${PAGE}${from}`);
  stream = opened;
  opened.addEventListener('open', () => {
    tell(false);
    // The server tells what happened since, also during a break of the stream; but not in which deliveries.
    reloadAll(({ kinds, waits }) => !waits() && (from === '' || kinds.includes(UNTOLD)));
    for (const go of waiting) go();
    lookLater();
    for (const one of hearers) one.opened();
  });
  opened.addEventListener('presence', ({ data }: MessageEvent<string>) => {
    for (const one of hearers) one.presence(data);
  });
  opened.addEventListener('change', ({ data, lastEventId }: MessageEvent<string>) => {
    if (lastEventId !== '') after = lastEventId;
    const { kind, uuid } = JSON.parse(data) as Change;
    reloadAll(
      ({ kinds, uuid: own }) => kinds.includes(kind) && (own === undefined || uuid === null || own === uuid),
    );
  });
  opened.addEventListener('error', () => {
    for (const one of hearers) one.lost();
    for (const go of waiting) go();
    leaving ??= setTimeout(() => tell(true), AWAY_AFTER_MS);
    lookLater();
    // Otherwise the browser connects again by itself, and gets what it missed.
    if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
    stream = null;
    clearTimeout(retry);
    retry = setTimeout(open, TRY_AGAIN_MS);
  });
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) close();
  else open();
  lookLater();
});

/**
 * Follows the changes of this company while the caller is shown.
 * @param since position of the history before the first view was read; null where it is not known
 * @returns whether no stream comes through at the moment
 */
export function useLiveOf(followed: string, since: string | null): boolean {
  const [isAway, setAway] = useState(away);
  useEffect(() => {
    told.add(setAway);
    company = followed;
    after ??= since;
    open();
    lookLater();
    return () => {
      told.delete(setAway);
      company = null;
      close();
      lookLater();
    };
  }, [followed]);
  return isAway;
}

const NOTHING: Watched = { kinds: [] };

const never = (): boolean => false;

/**
 * Calls `reload` when something of this changed in the company that is shown. Changes that come together call it once.
 * @param waits whether the caller waits for `opening`
 */
export function useLive(watched: Watched | null, reload: () => void, waits: () => boolean = never): void {
  const { kinds, uuid, evenHidden = false } = watched ?? NOTHING;
  const newest = useRef(reload);
  newest.current = reload;
  useEffect(() => {
    if (kinds.length === 0) return;
    let soon: ReturnType<typeof setTimeout> | undefined;
    let last = -APART_MS;
    const listener: Listener = {
      kinds,
      ...(uuid === undefined ? {} : { uuid }),
      evenHidden,
      waits,
      reload() {
        soon ??= setTimeout(
          () => {
            soon = undefined;
            last = performance.now();
            newest.current();
          },
          Math.max(TOGETHER_MS, last + APART_MS - performance.now()),
        );
      },
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      clearTimeout(soon);
    };
  }, [kinds.join(), uuid, evenHidden]);
}
