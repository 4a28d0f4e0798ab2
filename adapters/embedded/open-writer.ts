/** The writer of a file, with everything that takes part in its transactions. */
import type { Clock } from '../../ports/clock.js';
import type { SecretBox } from '../../ports/secret-box.js';
import { createBackgroundScheduler, type BackgroundScheduler } from './background-scheduler.js';
import { createCheckpoints } from './checkpoints.js';
import type { Db } from './database.js';
import { logBytes } from './disk.js';
import { createDueTimes } from './due-times.js';
import { readsOfChanges } from './durable-reads.js';
import { eventDates, type EventDates } from './event-dates.js';
import { createHistory, type History } from './history.js';
import { createInlineRunner, type ProjectionErrorHook } from './inline.js';
import type { Logger } from '../../ports/logger.js';
import type { Packer } from './packer.js';
import type { Participant } from './participant.js';
import { createPersonalKeys } from './personal-keys.js';
import { createCollections } from './collections.js';
import { positionOf } from './records.js';
import { createRoom } from './room.js';
import { createTopicLog } from './topics.js';
import type { RedoTransactions } from './transactions.js';
import { createWriter, type GroupWriter, type WriterLimits } from './writer.js';

export interface OpenWriter {
  readonly history: History;
  readonly checkpoints: ReturnType<typeof createCheckpoints>;
  readonly collections: ReturnType<typeof createCollections>;
  readonly topicLog: ReturnType<typeof createTopicLog>;
  readonly personalKeys: ReturnType<typeof createPersonalKeys>;
  readonly dueTimes: ReturnType<typeof createDueTimes>;
  readonly inline: ReturnType<typeof createInlineRunner>;
  readonly room: ReturnType<typeof createRoom>;
  /** As of the opening. */
  readonly dates: EventDates;
  readonly turns: BackgroundScheduler;
  readonly writer: GroupWriter;
}

interface OpenWriterOptions {
  readonly path: string;
  readonly packer: Packer;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: WriterLimits | undefined;
  readonly freeBytes: () => number;
  readonly onProjectionError: ProjectionErrorHook | undefined;
  /** Called when a collection is defined whose search is not ready. */
  readonly onUnsearchable: () => void;
}

export function openWriter(db: Db, transactions: RedoTransactions, options: OpenWriterOptions): OpenWriter {
  const { path, packer, secretBox, clock, logger, limits, freeBytes } = options;
  const { onProjectionError, onUnsearchable } = options;
  // Keys and due times take part in the writer's transactions and write through it.
  const writer = (): GroupWriter => theWriter;

  const history = createHistory(db);
  const checkpoints = createCheckpoints(db, () => positionOf(history.head()));
  const collections = createCollections(db, { packer, onUnsearchable });
  const topicLog = createTopicLog(db, (error) =>
    logger.error(
      { err: error },
      'work on messages of a topic failed; they are delivered again after a restart',
    ),
  );
  const cutLogs = (): void => {
    transactions.settleAndCut();
    db.pragma('wal_checkpoint(TRUNCATE)');
  };
  const personalKeys = createPersonalKeys(db, { writer, secretBox, clock, logger, cutLogs });
  const dates = eventDates(db);
  const dueTimes = createDueTimes(db, {
    writer: () => theWriter.background,
    readDurable: readsOfChanges({
      end: () => theWriter.underWay.end(),
      isCrowded: () => theWriter.underWay.isCrowded(),
    }),
    clock,
    latestEventAt: dates.latest,
  });
  const inline = createInlineRunner({
    history,
    collections,
    checkpoints,
    publish: (message) => topicLog.insert(message),
    onLater: (projection, { message: reason }, position) =>
      logger.info({ projection, position, reason }, 'an inline projection is caught up a moment later'),
    onError: (projection, error, position) => {
      logger.error({ err: error, projection, position }, 'an inline projection failed and is now behind');
      onProjectionError?.(projection, error, position);
    },
  });
  const room = createRoom({
    db,
    writer: () => theWriter.background,
    walBytes: () => logBytes(path),
    freeBytes,
  });
  // The order matters: keys are saved first, and the inline runner must see the head as it was before the
  // transaction.
  const participants: readonly Participant[] = [
    personalKeys,
    inline,
    topicLog,
    dueTimes,
    history,
    checkpoints,
    collections,
    room,
  ];
  const turns = createBackgroundScheduler(() => clock.monotonic());
  const theWriter = createWriter(transactions, participants, limits, turns);

  return {
    history,
    checkpoints,
    collections,
    topicLog,
    personalKeys,
    dueTimes,
    inline,
    room,
    dates,
    turns,
    writer: theWriter,
  };
}
