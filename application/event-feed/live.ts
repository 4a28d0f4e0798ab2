/** Live events for readers that stay connected: each reads the feed as it is woken, at its own pace. */
import { Refusal } from '../../domain/kernel/refusal.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { createBell } from '../../ports/waiting.js';
import { apiKeys } from '../../read-models/api-keys.js';
import type { App } from '../app.js';
import { beginAt, readFeed, type FeedEvent } from './read.js';
import { createWakeUps, type Wakened } from './wake-ups.js';

export interface LiveReader {
  readonly company: string;
  readonly integration: string;
  readonly keyId: string;
  /** Left out: from now on. */
  readonly after?: number | undefined;
  readonly types?: ReadonlySet<string> | undefined;
}

/** An event, or the sequence that the reader has passed: when it begins, and while nothing happens. */
export type LiveItem = FeedEvent | { readonly passed: number };

export interface LiveEvents {
  /**
   * Reserves a place for the reader, until the items end: with the key, with the process, when the caller is gone, or
   * when a store does not answer. They must be read to their end.
   * @throws Refusal too_many_streams, events_feed_off, events_expired
   */
  open(reader: LiveReader): Promise<(gone: AbortSignal) => AsyncIterable<LiveItem>>;
}

export interface LiveLimits {
  readonly perKey: number;
  readonly perProcess: number;
  readonly heartbeatMs: number;
}

export const LIVE_LIMITS: LiveLimits = { perKey: 5, perProcess: 200, heartbeatMs: 15_000 };
/** A reader holds no more than this many events in memory. */
const PAGE = 20;
const RETRY_SECONDS = 5;

export function createLiveEvents(
  app: Pick<App, 'store' | 'readModels' | 'clock' | 'logger'>,
  stopping: AbortSignal,
  limits: LiveLimits = LIVE_LIMITS,
): LiveEvents {
  const { readModels, clock, logger } = app;
  const wakeUps = createWakeUps(app);
  const ofKeys = new Map<string, number>();
  let all = 0;

  /** Returns what gives the place back. */
  function reserve(keyId: string): () => void {
    const ofKey = ofKeys.get(keyId) ?? 0;
    if (ofKey >= limits.perKey) throw tooMany('this key', limits.perKey);
    if (all >= limits.perProcess) throw tooMany('this server', limits.perProcess);
    ofKeys.set(keyId, ofKey + 1);
    all += 1;
    return () => {
      all -= 1;
      const left = (ofKeys.get(keyId) ?? 1) - 1;
      if (left > 0) ofKeys.set(keyId, left);
      else ofKeys.delete(keyId);
    };
  }

  return {
    async open(reader) {
      const giveBack = reserve(reader.keyId);
      const bell = createBell(clock);
      const state = { news: true, over: stopping.aborted };
      const end = (): void => {
        state.over = true;
        bell.ring();
      };
      const wakened: Wakened = {
        company: reader.company,
        keyId: reader.keyId,
        wake() {
          state.news = true;
          bell.ring();
        },
        end,
      };
      const close = (): void => {
        wakeUps.remove(wakened);
        giveBack();
        stopping.removeEventListener('abort', end);
      };
      stopping.addEventListener('abort', end);
      let begin: number;
      try {
        await wakeUps.add(wakened);
        // It may have been revoked before the reader was added.
        const key = await readModels.get(apiKeys.name, reader.keyId);
        if (key === undefined || key.doc.revoked_at !== null) state.over = true;
        begin = await beginAt(app, reader.integration, reader.after);
      } catch (error) {
        close();
        throw error;
      }

      async function* items(gone: AbortSignal): AsyncGenerator<LiveItem> {
        gone.addEventListener('abort', end);
        if (gone.aborted) end();
        try {
          yield { passed: begin };
          for (let after = begin; !state.over;) {
            state.news = false;
            const { events, next, more, waiting } = await readFeed(app, {
              integrationUuid: reader.integration,
              after,
              limit: PAGE,
              types: reader.types,
            });
            for (const event of events) {
              if (state.over) return;
              yield event;
            }
            after = next;
            if (more) continue;
            do {
              await bell.wait(limits.heartbeatMs);
              if (!state.news && !state.over) yield { passed: after };
              // A gap is filled without an event of the company.
            } while (!state.news && !state.over && !waiting);
          }
        } catch (error) {
          // The reader connects again, and is told why.
          if (!(error instanceof StoreUnavailable) && !(error instanceof Refusal)) throw error;
          logger.warn({ reason: error.message }, 'live events of a reader ended');
        } finally {
          close();
        }
      }
      return items;
    },
  };
}

const tooMany = (whose: string, limit: number): Refusal =>
  new Refusal(
    'too_many_streams',
    `There are ${limit} open streams of ${whose} already. Close one, or share it between your programs.`,
    { limit, retry_after_seconds: RETRY_SECONDS },
  );
