/** Tables that always exist. The tables of read models are created by collection-table.ts. */
import type { Db } from './driver.js';
import { makeIndexATable } from './stream-index.js';

/**
 * 4 added generations of collections: an older release would use documents that are no longer kept current.
 * 5: deleted content is overwritten; an older release would leave it in the file.
 * 6: documents of projections follow their events; an older release would take a position that is behind for the head.
 * 7: the index of streams follows its events; an older release would not find them.
 * 8: documents may be compressed; an older release can't read them.
 * 9: a redo log holds what SQLite has not committed; an older release would not apply it.
 * 10: pieces of the redo log may be compressed; an older release would take them for cut off.
 * 11: metadata of events may be shortened; an older release can't read it.
 * 12: deliveries have other ids; an older release would make them a second time. Personal keys are in the order of their
 * making.
 */
export const SCHEMA_VERSION = 12;
/** From this version on, a file has a redo log (transactions.ts). */
export const REDO_SINCE = 9;

const EVENT_STREAMS = `CREATE TABLE event_streams (
  stream   TEXT NOT NULL,
  revision INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (stream, revision)
) WITHOUT ROWID`;

/** In the order of their making: in the order of their ids, each new person would cost a page. */
const PERSONAL_KEYS = `CREATE TABLE IF NOT EXISTS personal_keys (
  key_id       TEXT NOT NULL PRIMARY KEY,
  subject      TEXT NOT NULL,
  company      TEXT NOT NULL,
  created_at   TEXT NOT NULL,
  destroyed_at TEXT,
  sealed_key   TEXT NOT NULL
)`;

/**
 * Migrations of a file from an older version, by the version they lead to. They run before SCHEMA creates what is
 * missing.
 */
export const MIGRATIONS: Readonly<Record<number, string | ((db: Db) => void)>> = {
  // Holds moved to memory, so the indexes that separated held entries from waiting ones are no longer used.
  2: 'DROP INDEX IF EXISTS due_waiting; DROP INDEX IF EXISTS due_held;',
  // Search declaration of a collection. Its words are indexed when the collection is next defined.
  3: "ALTER TABLE collections ADD COLUMN search TEXT NOT NULL DEFAULT ''",
  // Projections in step had no position of their own: it was the head of the history.
  6: `
    CREATE TABLE IF NOT EXISTS checkpoints (
      projection TEXT PRIMARY KEY, position TEXT NOT NULL, in_step INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    UPDATE checkpoints SET in_step = 0, position = coalesce(
      (SELECT printf('%020d', seq) FROM sqlite_sequence WHERE name = 'events' AND seq > 0), '')
    WHERE in_step = 1;`,
  7: (db) => {
    makeIndexATable(db, EVENT_STREAMS);
    db.exec('DROP INDEX IF EXISTS personal_keys_subject');
  },
  // The first releases had no keys.
  12: `
    ${PERSONAL_KEYS};
    ALTER TABLE personal_keys RENAME TO keys_by_id;
    ${PERSONAL_KEYS};
    INSERT INTO personal_keys (key_id, subject, company, created_at, destroyed_at, sealed_key)
      SELECT key_id, subject, company, created_at, destroyed_at, sealed_key FROM keys_by_id;
    DROP TABLE keys_by_id;`,
};

export const SCHEMA = `
-- AUTOINCREMENT: a position is never given out twice. Columns that filters look at come before the large ones.
CREATE TABLE IF NOT EXISTS events (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  stream   TEXT NOT NULL,
  revision INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  type     TEXT NOT NULL,
  company  TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  meta     TEXT NOT NULL,
  data     TEXT NOT NULL
);

-- Entries follow their events (stream-index.ts).
${EVENT_STREAMS.replace('TABLE', 'TABLE IF NOT EXISTS')};

-- Clustered by topic, so that a batch is one range and pruning frees whole pages.
CREATE TABLE IF NOT EXISTS topic_messages (
  topic  TEXT NOT NULL,
  "offset" INTEGER NOT NULL,
  key    TEXT NOT NULL,
  value  TEXT NOT NULL,
  PRIMARY KEY (topic, "offset")
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS topic_groups (
  topic  TEXT NOT NULL,
  name   TEXT NOT NULL,
  "offset" INTEGER NOT NULL,
  PRIMARY KEY (topic, name)
) WITHOUT ROWID;

-- Who holds an entry is in memory (holds.ts); claims counts those that were given back.
CREATE TABLE IF NOT EXISTS due_entries (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  queue   TEXT NOT NULL,
  id      TEXT NOT NULL,
  lane    TEXT NOT NULL,
  due_at  INTEGER NOT NULL,
  claims  INTEGER NOT NULL DEFAULT 0,
  payload TEXT NOT NULL,
  UNIQUE (queue, id)
);
CREATE INDEX IF NOT EXISTS due_waiting ON due_entries (queue, lane, due_at, seq);

${PERSONAL_KEYS};

-- Position up to which the documents of a projection are in their table. in_step is 0 since schema 6.
CREATE TABLE IF NOT EXISTS checkpoints (
  projection TEXT PRIMARY KEY,
  position   TEXT NOT NULL,
  in_step    INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS collections (
  name    TEXT NOT NULL,
  version INTEGER NOT NULL,
  indexes TEXT NOT NULL,
  search  TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (name, version)
) WITHOUT ROWID;

-- The redo log that continues this state of the file (transactions.ts).
CREATE TABLE IF NOT EXISTS redo (life BLOB NOT NULL);
INSERT INTO redo (life) SELECT randomblob(12) WHERE NOT EXISTS (SELECT 1 FROM redo);

-- Work on the whole file that is done once.
CREATE TABLE IF NOT EXISTS upkeep (
  task    TEXT PRIMARY KEY,
  done_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) WITHOUT ROWID;

-- Copies of a collection's version. No row at all: there is one, the first.
CREATE TABLE IF NOT EXISTS generations (
  name       TEXT NOT NULL,
  version    INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  live       INTEGER NOT NULL,
  PRIMARY KEY (name, version, generation)
) WITHOUT ROWID;
`;
