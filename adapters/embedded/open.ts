/** The embedded family of adapters: everything in one SQLite file, committed together. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { AdoptingDueTimes } from '../../ports/due-times.js';
import type { EventStore } from '../../ports/event-store.js';
import type { PersonalKeys } from '../../ports/personal-keys.js';
import type { CollectionVersion, ReadModels } from '../../ports/read-models.js';
import type { HistoryTexts } from '../../ports/history-texts.js';
import type { SealedKeys } from '../../ports/sealed-keys.js';
import type { SecretBox } from '../../ports/secret-box.js';
import type { TopicLag, Topics } from '../../ports/topics.js';
import { systemClock } from '../clock/system.js';
import { refuseBeforehand, writeBackup, type BackupOptions } from './backup.js';
import { openDatabase, type Db, type SchemaChange } from './database.js';
import { freeBytesNow, logBytes } from './disk.js';
import { readsOfChanges, readsTogether } from './durable-reads.js';
import { createEventStore } from './event-store.js';
import { createHistoryTexts } from './history-texts.js';
import type { FileFacts } from './inspect.js';
import type { Inline, ProjectionErrorHook } from './inline.js';
import { lockFolder } from './lock.js';
import { silentLogger, type Logger } from '../../ports/logger.js';
import { createLogCopier } from './log-copier.js';
import { startMaintenance } from './maintenance.js';
import { createPrivateFile, preparePrivateFolder } from './private-files.js';
import { createReadModels } from './read-models.js';
import { startFlushing } from './flushing.js';
import { openWriter } from './open-writer.js';
import { createPacker } from './packer.js';
import { createRemnants } from './remnants.js';
import { createRunning } from './running.js';
import { createSealedKeys } from './sealed-keys.js';
import { prepareSearches } from './search-preparation.js';
import { createTopics } from './topics.js';
import type { BackgroundScheduler } from './background-scheduler.js';
import { createRedoTransactions } from './transactions.js';
import { vacuumOnce } from './vacuum.js';

export interface EmbeddedOptions {
  /** Created when absent. Holds `recado.db` and `lock.db`. */
  readonly dataDir: string;
  readonly secretBox: SecretBox;
  readonly inline?: Inline;
  /**
   * Called when an inline projection (or the relay) threw. The append is not affected; the projection is behind now.
   */
  readonly onProjectionError?: ProjectionErrorHook;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** False postpones the one VACUUM of a file of an earlier release (see vacuum.ts). Default true. */
  readonly vacuum?: boolean;
  /**
   * Called once the folder is locked. True deletes the existing database, left by a first start that was interrupted.
   */
  readonly discard?: () => boolean;
  /** Free space on the disk of the folder, in bytes. Default: as the operating system reports it. */
  readonly freeBytes?: () => number;
  readonly limits?: {
    /** Approximate number of events and rows in one transaction. Default 200. */
    readonly maxPerCommit?: number;
    /** Where a write of the redo log usually takes so many milliseconds, a thread does it. Default 1; 0: always. */
    readonly slowMs?: number;
  };
}

export interface EmbeddedStats {
  readonly walBytes: number;
  /** Size of the database without its log, and the part of it that is free. New data uses the free part first. */
  readonly fileBytes: number;
  readonly unusedBytes: number;
  /** Settings of this connection; 2 is FULL for `synchronous`. */
  readonly pragmas: {
    readonly journal_mode: string;
    readonly synchronous: number;
    readonly secure_delete: number;
  };
  /** Why some write is impossible at the moment; null while all writes are possible. */
  readonly refusing: string | null;
  /** Why data that earlier releases deleted is still in the file; null when it is not. */
  readonly vacuumPending: string | null;
  /** Since the start. */
  readonly commits: number;
  /** Since the start. */
  readonly appendedEvents: number;
  /** Inline projections that are not in step with the history. */
  readonly behind: readonly string[];
  /** Collections whose search is being prepared, with the share of their documents that is indexed. */
  readonly unsearchable: Readonly<Record<string, number>>;
}

export interface Embedded {
  /** Schema change made when the file was opened. */
  readonly schema: SchemaChange;
  /**
   * The latest date among the last events that existed when the store was opened, epoch milliseconds; 0 when it was
   * empty.
   */
  readonly latestEventAt: number;
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  /** The same stores for background work. Requests have priority over it, in commits and in the event loop. */
  readonly background: { readonly eventStore: EventStore; readonly readModels: ReadModels };
  readonly topics: Topics;
  readonly dueTimes: AdoptingDueTimes;
  readonly personalKeys: PersonalKeys;
  readonly sealedKeys: SealedKeys;
  readonly historyTexts: HistoryTexts;
  /** Suspends commits and background work for so many milliseconds; 0 ends the suspension. */
  readonly giveWay: (ms: number) => void;
  /**
   * Replaces the inline projections and the relay. Needed when they depend on this store (its personal keys), and when
   * a rebuilt version becomes live.
   */
  useInline(inline: Inline): Promise<void>;
  /**
   * True when at least one copy of this version exists and every one is applied in each write, so it shows the whole
   * history.
   */
  readonly inEveryWrite: (version: CollectionVersion) => boolean;
  stats(): EmbeddedStats;
  /** @throws BackupFailed, with a sentence for the operator; nothing is left of the copy then */
  backup(options: Omit<BackupOptions, 'head' | 'busy'>): Promise<FileFacts>;
  /** @throws BackupFailed when it is already certain that a backup to this file would fail */
  refuseBackup(target: string): void;
  /**
   * Overwrites the traces, in the file and its log, of rows that were deleted before the call. Resolves with the reason
   * why it could not finish yet, null when nothing is left.
   */
  readonly clearRemnants: () => Promise<string | null>;
  /** Lag of each consumer group, by topic. */
  lags(): readonly TopicLag[];
  /** Resolves when everything submitted so far is committed or refused. */
  flush(): Promise<void>;
  /** Puts into `recado.db` what is in its redo log: other programs read it there. @throws SQLite's error */
  readonly settle: () => void;
  /** Resolves when every document written so far is durable (`writeSoon`). */
  flushDocuments(): Promise<void>;
  /** Stops subscriptions and consumers, commits what was submitted, then releases the folder. */
  close(): Promise<void>;
}

/** When the last event is further in the future than this, the clock was set back since. */
const FAR_AHEAD_MS = 1_000;

/**
 * @throws DataFolderInUse when another process uses the folder; Error with a sentence for the operator when SQLite
 * can't give the promised durability
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, secretBox } = options;
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? silentLogger;
  preparePrivateFolder(dataDir);
  const unlock = lockFolder(dataDir);
  try {
    const path = join(dataDir, 'recado.db');
    if (options.discard?.())
      for (const end of ['', '-wal', '-shm', '-redo']) rmSync(path + end, { force: true });
    let schema: SchemaChange = { from: 0, to: 0 };
    createPrivateFile(path);
    const db = openDatabase(path, (change) => (schema = change));
    const vacuumPending = await vacuumOnce(db, path, { allowed: options.vacuum ?? true, logger });
    const transactions = createRedoTransactions(db, path, {
      logger,
      slowMs: options.limits?.slowMs,
    });
    const walBytes = (): number => logBytes(path);
    const packer = createPacker((reason) =>
      logger.warn(
        { err: reason },
        'the thread that compresses documents ended; until the next start the server compresses them itself',
      ),
    );
    const parts = openWriter(db, transactions, {
      path,
      packer,
      secretBox,
      clock,
      logger,
      limits: options.limits,
      freeBytes: options.freeBytes ?? (() => freeBytesNow(dataDir)),
      onProjectionError: options.onProjectionError,
      onUnsearchable: () => searches.wake(),
    });
    const { history, checkpoints, collections, topicLog, dueTimes, inline, room, dates, turns, writer } =
      parts;
    const { background } = writer;
    const together = readsTogether(writer.underWay);
    const apart = readsOfChanges(writer.underWay);
    const searches = prepareSearches({ collections, writer: writer.background, clock, logger });
    const flushing = startFlushing({ collections, checkpoints, history, writer, clock, logger });
    const durableSoon = flushing.soon;
    const running = createRunning();
    const useInline = async (next: Inline): Promise<void> => {
      for (const { collection } of next.projections) collections.define(collection);
      return writer.submit(() => inline.use(next));
    };
    await useInline(options.inline ?? { projections: [] });
    const setBackMs = dates.last - clock.now();
    if (setBackMs > FAR_AHEAD_MS) dueTimes.setBack(setBackMs);
    await room.look();
    const maintenance = startMaintenance({
      db,
      transactions,
      walBytes,
      copier: createLogCopier(path),
      room,
      topics: topicLog,
      writer,
      clock,
      logger,
    });
    const events = createEventStore({
      history,
      writer: room.confine(writer),
      readDurable: together,
      clock,
      running,
    });

    return {
      schema,
      latestEventAt: dates.latest,
      eventStore: events,
      readModels: createReadModels({
        db,
        collections,
        checkpoints,
        writer,
        readDurable: together,
        durableSoon,
      }),
      background: {
        eventStore: inBackground(
          createEventStore({ history, writer: background, readDurable: apart, clock, running }),
          turns,
        ),
        readModels: createReadModels({
          db,
          collections,
          checkpoints,
          writer: background,
          readDurable: apart,
          durableSoon,
        }),
      },
      topics: createTopics({ log: topicLog, writer: background, clock, running }),
      dueTimes,
      personalKeys: parts.personalKeys,
      sealedKeys: createSealedKeys(db, writer),
      historyTexts: createHistoryTexts(db, () => history.head()),
      giveWay: turns.hold,
      useInline,
      inEveryWrite: (version) => inline.inEveryWrite(version),
      stats: () => ({
        walBytes: walBytes(),
        ...fileFigures(db),
        refusing: room.refusing(),
        vacuumPending,
        commits: writer.commits(),
        appendedEvents: history.count(),
        behind: inline.behind(),
        unsearchable: Object.fromEntries(
          collections.unsearchable().map((one) => [one.spec.name, one.searchable()]),
        ),
      }),
      async backup(options) {
        // So that nothing has to be caught up after a restore. A full disk must not refuse a backup to another one.
        await flushing.flush().catch(() => undefined);
        // SQLite copies nothing from a connection whose transaction is open.
        const end = transactions.settleEach();
        try {
          return await writeBackup(db, { ...options, head: () => history.head(), busy: () => turns.held() });
        } finally {
          end();
        }
      },
      refuseBackup: (target) => refuseBeforehand(db, target),
      clearRemnants: createRemnants({ db, path, flush: flushing.flush, transactions }),
      lags: () => topicLog.lags(),
      flush: () => writer.flush(),
      settle: () => transactions.settle(),
      flushDocuments: flushing.flush,
      async close() {
        running.stopAll();
        await Promise.all([maintenance.stop(), searches.stop()]);
        try {
          await writer.flush();
          await flushing.stop();
        } finally {
          writer.close();
          packer.close();
          transactions.close();
          db.close();
          unlock();
        }
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function fileFigures(db: Db): Pick<EmbeddedStats, 'fileBytes' | 'unusedBytes' | 'pragmas'> {
  const value = (name: string): number => Number(db.pragma(name, { simple: true }));
  const page = value('page_size');
  return {
    fileBytes: page * value('page_count'),
    unusedBytes: page * value('freelist_count'),
    pragmas: {
      journal_mode: String(db.pragma('journal_mode', { simple: true })),
      synchronous: value('synchronous'),
      secure_delete: value('secure_delete'),
    },
  };
}

/** Each read waits for a slot of the background scheduler, so that a batch in progress is handled in small steps. */
function inBackground(events: EventStore, turns: BackgroundScheduler): EventStore {
  return {
    ...events,
    async read(stream, options) {
      await turns.next();
      return events.read(stream, options);
    },
  };
}
