/**
 * Wakes the live readers of a process when the feed shows new events, whichever process made them. One subscription to
 * the history for all readers, and only while there are any. After an event it looks for the feed's checkpoint to pass
 * it; while nothing happens, it asks the store nothing.
 */
import { START, type Position, type Subscription } from '../../ports/event-store.js';
import { pause } from '../../ports/waiting.js';
import { FEED } from '../../read-models/event-envelopes.js';
import type { App } from '../app.js';
import { NOTIFIABLE, RELAYED_PREFIXES } from '../relay.js';

type WakeApp = Pick<App, 'store' | 'readModels' | 'clock' | 'logger'>;

export interface Wakened {
  readonly company: string;
  readonly keyId: string;
  /** The feed shows more of the company's events. */
  wake(): void;
  /** The key was revoked. */
  end(): void;
}

export interface WakeUps {
  /** Resolves when no event of the company can be missed any more. @throws StoreUnavailable */
  add(reader: Wakened): Promise<void>;
  remove(reader: Wakened): void;
}

const FIRST_LOOK_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

/** The first and the last event of a company that the feed did not show yet. */
interface Awaited {
  readonly first: Position;
  readonly last: Position;
}

export function createWakeUps({ store, readModels, clock, logger }: WakeApp): WakeUps {
  const readers = new Set<Wakened>();
  const awaited = new Map<string, Awaited>();
  let following: Promise<Subscription> | null = null;
  let looking = false;

  function wait(company: string, position: Position): void {
    awaited.set(company, { first: awaited.get(company)?.first ?? position, last: position });
  }

  async function follow(): Promise<Subscription> {
    const after = await store.head();
    return store.subscribe({
      after,
      prefixes: RELAYED_PREFIXES,
      async onBatch(records) {
        for (const { type, data, meta, position } of records) {
          if (type === 'ApiKeyRevoked') {
            for (const reader of readers) if (reader.keyId === data['key_id']) reader.end();
          } else if (NOTIFIABLE.has(type) && [...readers].some(({ company }) => company === meta.company)) {
            wait(meta.company, position);
          }
        }
        void look();
      },
      onError: (error) => logger.warn({ err: error }, 'live events wait for the history'),
    });
  }

  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    for (
      let ms = FIRST_LOOK_MS;
      awaited.size > 0 && readers.size > 0;
      ms = Math.min(LONGEST_PAUSE_MS, 2 * ms)
    ) {
      // Not there: asked again.
      const at = await readModels.checkpoint(FEED).catch(() => START);
      for (const [company, { first, last }] of awaited) {
        if (at < first) continue;
        if (at < last) awaited.set(company, { first: last, last });
        else awaited.delete(company);
        ms = FIRST_LOOK_MS;
        for (const reader of readers) if (reader.company === company) reader.wake();
      }
      if (awaited.size > 0) await pause(clock, ms);
    }
    looking = false;
  }

  return {
    async add(reader) {
      readers.add(reader);
      following ??= follow();
      try {
        await following;
      } catch (error) {
        following = null;
        readers.delete(reader);
        throw error;
      }
      // What was recorded before and is not shown yet.
      const head = await store.head();
      if (head !== START) wait(reader.company, head);
      void look();
    },
    remove(reader) {
      readers.delete(reader);
      if (readers.size > 0) return;
      awaited.clear();
      void following?.then((subscription) => subscription.stop()).catch(() => undefined);
      following = null;
    },
  };
}
