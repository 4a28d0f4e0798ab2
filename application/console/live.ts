/**
 * Tells open consoles what changed in their company. One subscription to the history for all consoles of a process, and
 * only while there are any: while nothing happens they ask the store whether their session is still open, and no more.
 */
import { Refusal } from '../../domain/kernel/refusal.js';
import {
  START,
  StoreUnavailable,
  type Position,
  type StoredRecord,
  type Subscription,
} from '../../ports/event-store.js';
import { createBell, pause } from '../../ports/waiting.js';
import type { App } from '../app.js';
import { CHANGE_KINDS, CHANGING_PREFIXES, changeIn, createGathered, type Change } from './changes.js';
import type { DeliveryNews } from './delivery-news.js';
import { createPresences, type Presence, type Said } from './presence.js';
import type { Sessions } from './sessions.js';

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
/** The page reads what is shown; it must not read before that is brought up to date. */
const SHOWN_WITHIN_MS = 2_000;
const RETRY_SECONDS = 5;

/** After that time a change is sent even if read models lag behind it, and sent again once they show it. */
const AGAIN = { everyMs: 1_000, withinMs: 50 };

interface Reader {
  readonly company: string;
  /** @param shown the position that the change leads to, where everything shows it */
  changed(change: Change, shown: Position | null): void;
  wake(): void;
}

const EVERYTHING: readonly Change[] = CHANGE_KINDS.map((kind) => ({ kind, uuid: null }));

type Told = Map<Reader, ReturnType<typeof createGathered>>;

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
  const readers = new Set<Reader>();
  const presences = createPresences();
  const ofSessions = new Map<string, number>();
  // One listener for all streams: a signal warns of many.
  const endings = new Set<() => void>();
  stopping.addEventListener('abort', () => endings.forEach((end) => end()));
  let following: { readonly subscription: Promise<Subscription>; readonly silence: () => void } | null = null;

  async function subscribe(): Promise<Subscription> {
    return store.subscribe({
      after: await store.head(),
      prefixes: CHANGING_PREFIXES,
      async onBatch(records, upTo) {
        const ofCompany = new Map<string, readonly Change[]>();
        const changes = new Map<Reader, readonly Change[]>();
        for (const reader of readers) {
          const { company } = reader;
          const own = ofCompany.get(company) ?? changesOf(company, records);
          ofCompany.set(company, own);
          if (own.length > 0) changes.set(reader, own);
        }
        if (changes.size > 0) await tell(changes, upTo);
      },
      onError: (error) => logger.warn({ err: error }, 'consoles wait for the history'),
    });
  }

  const isShown = async (upTo: Position, withinMs: number): Promise<boolean> =>
    (await app.readModelsReached(upTo, withinMs)) && (await deps.inStep());

  async function tell(changes: ReadonlyMap<Reader, readonly Change[]>, upTo: Position): Promise<void> {
    const shown = await isShown(upTo, SHOWN_WITHIN_MS);
    for (const [reader, own] of changes) {
      for (const change of own) reader.changed(change, shown ? upTo : null);
      reader.wake();
      if (!shown) tellLater(reader, own, upTo);
    }
  }

  let late: Told = new Map();
  let lateTo = START;
  let waiting = false;

  function tellLater(reader: Reader, changes: readonly Change[], upTo: Position): void {
    const gathered = late.get(reader) ?? createGathered();
    late.set(reader, gathered);
    for (const change of changes) gathered.add(change);
    if (upTo > lateTo) lateTo = upTo;
    if (!waiting) void tellAgain();
  }

  /** One wait for all consoles, however many changes are late. */
  async function tellAgain(): Promise<void> {
    waiting = true;
    while (late.size > 0) {
      const [told, upTo] = [late, lateTo];
      late = new Map();
      if (!(await becomesShown(upTo, told))) continue;
      for (const [reader, gathered] of told) {
        for (const change of gathered.take()) reader.changed(change, upTo);
        reader.wake();
      }
    }
    waiting = false;
  }

  /** False when nobody is left to be told. */
  async function becomesShown(upTo: Position, told: Told): Promise<boolean> {
    for (;;) {
      const shown = await isShown(upTo, AGAIN.withinMs).catch((error: unknown) => {
        logger.warn({ err: error }, 'whether read models have caught up is not known');
        return false;
      });
      if (shown) return true;
      if (stopping.aborted || ![...told.keys()].some((reader) => readers.has(reader))) return false;
      await pause(clock, AGAIN.everyMs);
    }
  }

  async function join(reader: Reader): Promise<void> {
    readers.add(reader);
    following ??= {
      subscription: subscribe(),
      silence: deps.deliveryNews.listen((company, uuid) => {
        for (const one of readers) {
          if (one.company !== company) continue;
          one.changed({ kind: 'delivery', uuid }, null);
          one.wake();
        }
      }),
    };
    await following.subscription;
  }

  function leave(reader: Reader): void {
    readers.delete(reader);
    late.delete(reader);
    if (readers.size > 0 || following === null) return;
    const { subscription, silence } = following;
    following = null;
    silence();
    void subscription.then((one) => one.stop()).catch(() => undefined);
  }

  function reserve(session: string | null): () => void {
    const key = session ?? '';
    const open = ofSessions.get(key) ?? 0;
    if (session !== null && open >= limits.perSession) throw tooMany('this session', limits.perSession);
    if (readers.size >= limits.perProcess) throw tooMany('this server', limits.perProcess);
    ofSessions.set(key, open + 1);
    return () => {
      const left = (ofSessions.get(key) ?? 1) - 1;
      if (left > 0) ofSessions.set(key, left);
      else ofSessions.delete(key);
    };
  }

  /** What happened since the console was last told; all kinds where that is too much, or not known. */
  async function missed(company: string, after: string): Promise<readonly Change[]> {
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

  return {
    say: (said) => presences.say(said),

    async open({ company, session, member, page, after }) {
      const giveBack = reserve(session);
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
        changed(change, shown) {
          gathered.add(change);
          if (shown !== null && shown > at) at = shown;
        },
        wake: () => bell.ring(),
      };
      const seat =
        page === undefined
          ? undefined
          : presences.sit({ company, session, member, page, wake: () => bell.ring() });
      const forget = session === null ? undefined : sessions?.onEnd(session, end);
      const close = (): void => {
        leave(reader);
        seat?.leave();
        giveBack();
        forget?.();
        endings.delete(end);
      };
      endings.add(end);
      const allowed = async (): Promise<boolean> =>
        session === null || (await sessions?.isOpen(session)) === true;
      try {
        await join(reader);
        const head = await store.head();
        const shown = await isShown(head, AGAIN.withinMs);
        if (shown && head > at) at = head;
        const since = after === undefined ? (shown ? [] : EVERYTHING) : await missed(company, after);
        for (const change of since) gathered.add(change);
        if (!shown && since.length > 0) tellLater(reader, since, head);
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

const changesOf = (company: string, records: readonly StoredRecord[]): readonly Change[] =>
  records.flatMap((record) => {
    const change = record.meta.company === company ? changeIn(record) : undefined;
    return change === undefined ? [] : [change];
  });

const tooMany = (whose: string, limit: number): Refusal =>
  new Refusal(
    'too_many_streams',
    `There are ${limit} open streams of ${whose} already. Close one of the tabs.`,
    { limit, retry_after_seconds: RETRY_SECONDS },
  );
