/**
 * Housekeeping of the embedded store: write-ahead log and topic pruning. Runs on a timer, never in a request, and after a
 * commit that makes the log long.
 */
import type { Clock } from '../../ports/clock.js';
import { yieldToEventLoop } from '../../ports/waiting.js';
import { BUSY_TIMEOUT_MS, type Db } from './database.js';
import type { LogCopier } from './log-copier.js';
import type { Logger } from '../../ports/logger.js';
import type { Room } from './room.js';
import type { TopicLog } from './topics.js';
import type { RedoTransactions } from './transactions.js';
import type { GroupWriter } from './writer.js';

export interface Maintenance {
  stop(): Promise<void>;
}

const INTERVAL = 500;
/**
 * Pages of 4 KiB: 32 MiB. A page that many commits change is in the log many times, and is copied once. So the log is
 * copied when it has this many pages, or when this much time has passed.
 */
const COPY_PAGES = 8_192;
const COPY_EVERY_MS = 30_000;
/** The restart of the log copies so many itself in a few milliseconds. */
const FEW_PAGES = 256;
/**
 * 48 MiB. Where the thread copies more slowly than the server commits, the log has no other end. With one commit more it
 * stays below TRUNCATE_BYTES.
 */
const HOLD_PAGES = 12_288;
/** Above this size the file of the log is truncated: readers in other processes (backups) kept it from restarting. */
const TRUNCATE_BYTES = 64 * 1024 * 1024;
const PRUNE_ROWS = 500;
/** Pruning transactions per tick: at most 20,000 messages a second. */
const PRUNE_TURNS = 20;

export function startMaintenance(deps: {
  readonly db: Db;
  readonly transactions: Pick<RedoTransactions, 'logPages' | 'settle' | 'onCommitted'>;
  readonly walBytes: () => number;
  readonly copier: LogCopier;
  readonly room: Pick<Room, 'look'>;
  readonly topics: TopicLog;
  readonly writer: GroupWriter;
  readonly clock: Clock;
  readonly logger: Logger;
}): Maintenance {
  const { db, transactions, walBytes, copier, room, topics, writer, clock, logger } = deps;
  let copiedAt = clock.monotonic();
  let stopped = false;
  let busy = false;
  let copying = false;
  let release: (() => void) | undefined;
  let running = Promise.resolve();

  function pagesLeft(): number {
    const pages = transactions.logPages();
    return pages === undefined ? 0 : pages.log - pages.checkpointed;
  }

  async function checkpoint(): Promise<void> {
    const left = pagesLeft();
    if (left <= 0) return;
    if (left < COPY_PAGES && clock.monotonic() - copiedAt < COPY_EVERY_MS) return;
    copiedAt = clock.monotonic();
    copying = true;
    try {
      await copyAndStartOver(left >= COPY_PAGES);
    } finally {
      copying = false;
      release?.();
      release = undefined;
    }
  }

  async function copyAndStartOver(isLong: boolean): Promise<void> {
    if (isLong) await copyLong();
    else await copier.copy();
    if (walBytes() > TRUNCATE_BYTES) withoutWaiting('wal_checkpoint(TRUNCATE)');
    else if (isLong) withoutWaiting('wal_checkpoint(RESTART)');
  }

  /**
   * The restart commits, and copies what was committed since the thread's last copy, while requests wait. The second
   * copy takes less time than the first one, so it leaves less for the restart.
   */
  async function copyLong(): Promise<void> {
    transactions.settle();
    await copier.copy();
    transactions.settle();
    if (pagesLeft() > FEW_PAGES) await copier.copy();
  }

  /** Both checkpoints would wait for readers in other processes, and block this process. The next tick tries again. */
  function withoutWaiting(checkpoint: string): void {
    db.pragma('busy_timeout = 0');
    try {
      db.pragma(checkpoint);
    } finally {
      db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  async function prune(): Promise<void> {
    for (let turn = 0; turn < PRUNE_TURNS && !stopped && topics.prunable(); turn += 1) {
      await writer.background.submit(() => topics.prune(PRUNE_ROWS));
      await yieldToEventLoop();
    }
  }

  async function tick(): Promise<void> {
    busy = true;
    try {
      await room.look();
      await checkpoint();
      await prune();
    } catch (error) {
      logger.warn({ err: error }, 'housekeeping of the embedded store failed; it will be tried again');
    }
    busy = false;
    if (!stopped) cancel = clock.after(INTERVAL, start);
  }

  /**
   * Until the next tick, the log could become so long that SQLite copies it within a commit, while requests wait. A round
   * commits too: where a reader of another process keeps the log long, its commits would begin round after round.
   */
  function committed(): void {
    if (copying) return holdIfTooLong();
    if (stopped || busy || pagesLeft() < COPY_PAGES) return;
    cancel();
    cancel = clock.after(0, start);
  }

  function holdIfTooLong(): void {
    if (!release && (transactions.logPages()?.log ?? 0) >= HOLD_PAGES) release = writer.hold();
  }

  const start = (): void => {
    running = tick();
  };
  let cancel = clock.after(INTERVAL, start);
  transactions.onCommitted(committed);

  return {
    async stop() {
      stopped = true;
      cancel();
      await running;
      await copier.close();
    },
  };
}
