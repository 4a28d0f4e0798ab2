/**
 * Which pages of a database file were written, by B-tree. A reader that stands still keeps SQLite from starting its
 * write-ahead log anew, so the log holds every page of every commit.
 */
import { readFileSync } from 'node:fs';
import { Database } from '../../adapters/embedded/driver.js';

export interface WrittenPages {
  readonly commits: number;
  readonly pages: number;
  /** Pages by B-tree, the largest first. `free`: pages that no B-tree uses any more. */
  readonly byTree: readonly (readonly [string, number])[];
}

export interface PageWatch {
  /** Call it while the product still runs; call what it returns after the product has ended. */
  stop(): () => WrittenPages;
}

const HEADER = 32;
const FRAME_HEADER = 24;

/** @throws Error when the log can't be emptied, because another reader uses it */
export function watchPages(path: string): PageWatch {
  const db = new Database(path, { readonly: false, timeout: 10_000 });
  const [emptied] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (emptied?.busy !== 0)
    throw new Error('The write-ahead log could not be emptied: it is in use. Run it again.');
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  db.exec('BEGIN; SELECT count(*) FROM sqlite_schema;');
  return {
    stop() {
      const log = readFileSync(`${path}-wal`);
      db.exec('COMMIT');
      db.close();
      const written = new Map<number, number>();
      let commits = 0;
      let pages = 0;
      for (let at = HEADER; at + FRAME_HEADER + pageSize <= log.length; at += FRAME_HEADER + pageSize) {
        const page = log.readUInt32BE(at);
        written.set(page, (written.get(page) ?? 0) + 1);
        pages += 1;
        // The last frame of a commit holds the size of the file after it.
        if (log.readUInt32BE(at + 4) !== 0) commits += 1;
      }
      return () => ({ commits, pages, byTree: byTree(path, written) });
    },
  };
}

function byTree(path: string, written: ReadonlyMap<number, number>): WrittenPages['byTree'] {
  const db = new Database(path, { readonly: true });
  try {
    const trees = new Map<number, string>();
    const rows = db.prepare<unknown[], { name: string; pageno: number }>('SELECT name, pageno FROM dbstat');
    for (const { name, pageno } of rows.iterate()) trees.set(pageno, name);
    const sums = new Map<string, number>();
    for (const [page, count] of written) {
      const tree = trees.get(page) ?? 'free';
      sums.set(tree, (sums.get(tree) ?? 0) + count);
    }
    return [...sums].sort(([, a], [, b]) => b - a);
  } finally {
    db.close();
  }
}
