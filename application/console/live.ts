/**
 * Tells open consoles what changed in their company. One subscription to the history for all consoles of a process, and
 * only while there are any: while nothing happens they ask the store whether their session is still open, and no more.
 */
import { START, StoreUnavailable, type EventStore, type Position } from '../../ports/event-store.js';
import { createBell, pause } from '../../ports/waiting.js';
import type { App } from '../app.js';
import { CHANGE_KINDS, CHANGING_PREFIXES, changesOf, createGathered, type Change } from './changes.js';
import type { DeliveryNews } from './delivery-news.js';
import type { Reader } from './late-changes.js';
import { createPresences, type Presence, type Said } from './presence.js';
import { createReaders } from './readers.js';
import type { Sessions } from './sessions.js';
import { createShown } from './shown.js';
import { createStreamPlaces } from './stream-places.js';

type LiveApp = Pick<App, 'store' | 'readModelsReached' | 'clock' | 'logger'>;

export interface Watcher {
  readonly company: string;
  /** Null for a program with the admin token. */
  readonly session: string | null;
  /** Null for operators. */
  readonly member: string | null;
  /** The name of the page, which may then say what it has open. */
  readonly page?: string | undefined;
  /** Left out: from now on. */
  readonly after?: string | undefined;
}

/** Changes, or none while nothing happens, and the position that they lead to. */
export interface LiveChanges {
  readonly at: Position;
  readonly changes: readonly Change[];
  /** Who else has open what this page has open, after that changed. */
  readonly presence?: Presence | undefined;
}

export interface ConsoleLive {
  /**
   * Reserves a place until the items end: with the session, with the process, or when the caller is gone. They must be
   * read to their end.
   * @throws Refusal too_many_streams
   */
  open(watcher: Watcher): Promise<(gone: AbortSignal) => AsyncIterable<LiveChanges>>;
  /** What a page has open. @returns false where its stream is of another process, or over */
  say(said: Said): boolean;
}

export const CONSOLE_LIVE_LIMITS = { perSession: 20, perProcess: 500, heartbeatMs: 15_000 };
/** Changes that follow quickly are sent together. */
const GATHER_MS = 250;
/** Most changes that a console gets one by one when it connects again. */
const RESUMED = 500;

const EVERYTHING: readonly Change[] = CHANGE_KINDS.map((kind) => ({ kind, uuid: null }));

export function createConsoleLive(
  app: LiveApp,
  deps: {
    readonly sessions: Pick<Sessions, 'isOpen' | 'onEnd'> | null;
    readonly deliveryNews: Pick<DeliveryNews, 'listen'>;
    /** Whether no projection was left behind the others, which `readModelsReached` does not wait for. */
    readonly inStep: () => Promise<boolean>;
    readonly stopping: AbortSignal;
  },
  limits = CONSOLE_LIVE_LIMITS,
): ConsoleLive {
  const { store, clock, logger } = app;
  const { sessions, stopping } = deps;
  const shown = createShown(app, deps.inStep);
  const readers = createReaders(app, { deliveryNews: deps.deliveryNews, shown, stopping });
  const presences = createPresences();
  const places = createStreamPlaces(limits);
  // One listener for all streams: a signal warns of many.
  const endings = new Set<() => void>();
  stopping.addEventListener('abort', () => endings.forEach((end) => end()));
  return {
    say: (said) => presences.say(said),

    async open({ company, session, member, page, after }) {
      const giveBack = places.take(session);
      const bell = createBell(clock);
      const gathered = createGathered();
      let over = stopping.aborted;
      let at: Position = START;
      const end = (): void => {
        over = true;
        bell.ring();
      };
      const reader: Reader = {
        company,
        changed(change, shownTo) {
          gathered.add(change);
          if (shownTo !== null && shownTo > at) at = shownTo;
        },
        wake: () => bell.ring(),
      };
      const seat =
        page === undefined
          ? undefined
          : presences.sit({ company, session, member, page, wake: () => bell.ring() });
      const forget = session === null ? undefined : sessions?.onEnd(session, end);
      const close = (): void => {
        readers.leave(reader);
        seat?.leave();
        giveBack();
        forget?.();
        endings.delete(end);
      };
      endings.add(end);
      const allowed = async (): Promise<boolean> =>
        session === null || (await sessions?.isOpen(session)) === true;
      try {
        await readers.join(reader);
        const head = await store.head();
        const isShown = await shown.now(head);
        if (isShown && head > at) at = head;
        const since = after === undefined ? (isShown ? [] : EVERYTHING) : await missed(store, company, after);
        for (const change of since) gathered.add(change);
        if (!isShown && since.length > 0) readers.tellLater(reader, since, head);
        if (!(await allowed())) over = true;
      } catch (error) {
        close();
        throw error;
      }

      async function* items(gone: AbortSignal): AsyncGenerator<LiveChanges> {
        gone.addEventListener('abort', end);
        if (gone.aborted) end();
        try {
          yield { at, changes: gathered.take() };
          while (!over) {
            await bell.wait(limits.heartbeatMs);
            // Ended in another process.
            if (gathered.isEmpty() && !(await allowed())) return;
            if (over) return;
            yield { at, changes: gathered.take(), presence: seat?.take() };
            await pause(clock, GATHER_MS);
          }
        } catch (error) {
          // The page connects again.
          if (!(error instanceof StoreUnavailable)) throw error;
          logger.warn({ reason: error.message }, 'live changes of a console ended');
        } finally {
          close();
        }
      }
      return items;
    },
  };
}

/** What happened since the console was last told; all kinds where that is too much, or not known. */
async function missed(
  store: Pick<EventStore, 'sequenceOf' | 'readAll'>,
  company: string,
  after: string,
): Promise<readonly Change[]> {
  try {
    store.sequenceOf(after as Position);
    const page = await store.readAll({
      after: after as Position,
      limit: RESUMED,
      prefixes: CHANGING_PREFIXES,
    });
    if (!page.atEnd) return EVERYTHING;
    return changesOf(company, page.records);
  } catch (error) {
    if (error instanceof TypeError) return EVERYTHING;
    throw error;
  }
}
