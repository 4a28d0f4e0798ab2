/** The open consoles of this process, and the one subscription to the history that they share while there are any. */
import type { Position, StoredRecord, Subscription } from '../../ports/event-store.js';
import type { App } from '../app.js';
import { CHANGING_PREFIXES, changesOf, type Change } from './changes.js';
import type { DeliveryNews } from './delivery-news.js';
import { createLateChanges, type Reader } from './late-changes.js';
import type { Shown } from './shown.js';

export interface Readers {
  /** The reader gets changes from now on. */
  join(reader: Reader): Promise<void>;
  leave(reader: Reader): void;
  /** Tells it once these are shown. */
  tellLater(reader: Reader, changes: readonly Change[], upTo: Position): void;
}

export function createReaders(
  app: Pick<App, 'store' | 'clock' | 'logger'>,
  deps: {
    readonly deliveryNews: Pick<DeliveryNews, 'listen'>;
    readonly shown: Shown;
    readonly stopping: AbortSignal;
  },
): Readers {
  const { store, logger } = app;
  const { shown } = deps;
  const readers = new Set<Reader>();
  const late = createLateChanges(app, shown, deps.stopping);
  let following: { readonly subscription: Promise<Subscription>; readonly silence: () => void } | null = null;

  async function subscribe(): Promise<Subscription> {
    return store.subscribe({
      after: await store.head(),
      prefixes: CHANGING_PREFIXES,
      async onBatch(records, upTo) {
        const changes = changesOfAll(readers, records);
        if (changes.size > 0) await tell(changes, upTo);
      },
      onError: (error) => logger.warn({ err: error }, 'consoles wait for the history'),
    });
  }

  async function tell(changes: ReadonlyMap<Reader, readonly Change[]>, upTo: Position): Promise<void> {
    const isShown = await shown.soon(upTo);
    for (const [reader, own] of changes) {
      for (const change of own) reader.changed(change, isShown ? upTo : null);
      reader.wake();
      // Nobody would forget what is kept for a console that has left meanwhile.
      if (!isShown && readers.has(reader)) late.add(reader, own, upTo);
    }
  }

  return {
    async join(reader) {
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
    },
    leave(reader) {
      readers.delete(reader);
      late.forget(reader);
      if (readers.size > 0 || following === null) return;
      const { subscription, silence } = following;
      following = null;
      silence();
      void subscription.then((one) => one.stop()).catch(() => undefined);
    },
    tellLater: (reader, changes, upTo) => late.add(reader, changes, upTo),
  };
}

/** What each reader has to be told of these records. Those without a change are left out. */
function changesOfAll(
  readers: Iterable<Reader>,
  records: readonly StoredRecord[],
): ReadonlyMap<Reader, readonly Change[]> {
  const ofCompany = new Map<string, readonly Change[]>();
  const changes = new Map<Reader, readonly Change[]>();
  for (const reader of readers) {
    const { company } = reader;
    const own = ofCompany.get(company) ?? changesOf(company, records);
    ofCompany.set(company, own);
    if (own.length > 0) changes.set(reader, own);
  }
  return changes;
}
