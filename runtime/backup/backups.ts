/** Backups of the embedded store while it runs: one at a time, into files beside each other. */
import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { copyBlobs } from '../../adapters/blobs/folder-copy.js';
import { BackupFailed } from '../../adapters/embedded/backup.js';
import type { Embedded } from '../../adapters/embedded/open.js';
import type { BackupControl, BackupState } from '../../api/admin/backups.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { Clock, NewId } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import {
  backupsIn,
  blobsOf,
  gatheringBlobs,
  keepNewest,
  removeBackup,
  removeUnfinished,
  unfinishedIn,
  writeManifest,
  type FoundBackup,
  type Manifest,
} from './files.js';
import { targetOf, type TargetDeps } from './target.js';

export interface BackupsDeps extends TargetDeps {
  readonly embedded: Pick<Embedded, 'backup' | 'refuseBackup'>;
  /** Folder of images and media; null where they are in a bucket. */
  readonly blobsDir: string | null;
  /** Other programs may write into the folder too. */
  readonly shared: boolean;
  readonly version: string;
  /** A sentence that says where the master key is. */
  readonly masterKey: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
}

export interface Backups extends BackupControl {
  /** When the last successful backup was completed, in milliseconds since the epoch; null when none is known. */
  lastSuccess(): number | null;
  /** Cancels the backup in progress and waits until its files are removed. */
  stop(): Promise<void>;
}

/** Number of this process's backups kept in memory; the folder contains the others. */
const REMEMBERED = 50;

export function createBackups(deps: BackupsDeps): Backups {
  const { embedded, clock, logger } = deps;
  const states = new Map<string, BackupState>();
  let running: Promise<void> | undefined;
  let stopping = false;
  let last = newestIn(deps.folder);
  // In the data folder, only this process makes backups, so an unfinished one is dead. In a shared folder, doctor
  // reports them.
  if (!deps.shared) {
    for (const file of unfinishedIn(deps.folder)) {
      removeUnfinished(file);
      logger.warn({ file }, 'a backup that was broken off has been removed');
    }
  }

  function change(uuid: string, to: Partial<BackupState>): BackupState {
    const next = { ...states.get(uuid)!, ...to };
    states.set(uuid, next);
    return next;
  }

  async function run({ uuid, file }: BackupState, keep: number | undefined): Promise<void> {
    const begun = clock.monotonic();
    try {
      let manifest: Manifest | undefined;
      const facts = await embedded.backup({
        target: file,
        stopping: () => stopping,
        onProgress: ({ pagesDone, pagesTotal }) =>
          void change(uuid, { progress: Math.round((1000 * pagesDone) / Math.max(1, pagesTotal)) / 1000 }),
        // Runs after the copy of the database: the blobs that it refers to were stored before the copy.
        async complete(database) {
          manifest = {
            format: 1,
            recado_version: deps.version,
            created_at: iso(clock.now()),
            database,
            blobs: await gatherBlobs(deps.blobsDir, file, () => stopping),
          };
          writeManifest(file, manifest);
        },
      });
      last = clock.now();
      const removed = keep === undefined ? [] : keepNewest(file, facts.origin, keep);
      const done = change(uuid, {
        ...describe({ file, manifest: manifest! }, deps.masterKey),
        progress: 1,
        removed,
      });
      logger.info(
        {
          backup_uuid: uuid,
          events: done.events,
          bytes: done.bytes,
          sha256: done.sha256,
          removed: removed.length,
          duration_ms: Math.round(clock.monotonic() - begun),
        },
        'backup written and verified',
      );
      if (done.blobs && done.blobs.damaged > 0) {
        logger.error(
          { damaged: manifest!.blobs!.damaged },
          'files of the blobs folder are damaged and not in the backup',
        );
      }
    } catch (error) {
      // Safe: none of the three names existed when the backup began (see `start`), and the database gets its name last.
      removeBackup(file);
      const why = error instanceof BackupFailed ? error.message : `The backup failed: ${String(error)}`;
      change(uuid, { status: 'failed', completed_at: iso(clock.now()), error: why });
      logger.error({ backup_uuid: uuid, err: error }, 'backup failed');
    }
  }

  return {
    start({ file: asked, keep }) {
      if (running) {
        throw new Refusal('backup_running', 'A backup is being made. Wait until it has ended.', {
          backup_uuid: [...states.values()].find(({ status }) => status === 'running')?.uuid ?? null,
        });
      }
      const file = targetOf(deps, asked, iso(clock.now()));
      const uuid = deps.newId();
      const state = begun(uuid, file, iso(clock.now()), deps.masterKey);
      states.set(uuid, state);
      for (const old of [...states.keys()].slice(0, -REMEMBERED)) states.delete(old);
      running = run(state, keep).finally(() => (running = undefined));
      return state;
    },
    list() {
      const own = [...states.values()];
      const known = new Set(own.map(({ file }) => file));
      const found = backupsIn(deps.folder)
        .filter(({ file }) => !known.has(file))
        .map((backup) => ({
          ...describe(backup, deps.masterKey),
          uuid: deriveId('backup', backup.manifest.database.sha256),
          started_at: backup.manifest.created_at,
          removed: [],
        }));
      return [...own, ...found].sort((a, b) => (a.started_at < b.started_at ? 1 : -1));
    },
    lastSuccess: () => last,
    async stop() {
      stopping = true;
      await running;
    },
  };
}

function newestIn(folder: string): number | null {
  const [newest] = backupsIn(folder);
  return newest ? Date.parse(newest.manifest.created_at) : null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

const begun = (uuid: string, file: string, startedAt: string, masterKey: string): BackupState => ({
  uuid,
  status: 'running',
  file,
  started_at: startedAt,
  completed_at: null,
  progress: 0,
  bytes: null,
  sha256: null,
  events: null,
  blobs: null,
  removed: [],
  error: null,
  master_key: masterKey,
});

/** Copies the blobs beside the backup. Those that the last one has already are linked. */
async function gatherBlobs(
  blobsDir: string | null,
  file: string,
  stopping: () => boolean,
): Promise<Manifest['blobs']> {
  if (blobsDir === null) return null;
  const gathering = gatheringBlobs(file);
  rmSync(gathering, { recursive: true, force: true });
  const [before] = backupsIn(dirname(file));
  const { files, damaged } = await copyBlobs(blobsDir, gathering, {
    before: before && blobsOf(before.file),
    stopping,
  });
  renameSync(gathering, blobsOf(file));
  return { files, damaged };
}

const describe = (
  { file, manifest }: FoundBackup,
  masterKey: string,
): Omit<BackupState, 'uuid' | 'started_at' | 'removed'> => ({
  status: 'succeeded',
  file,
  completed_at: manifest.created_at,
  progress: 1,
  bytes: manifest.database.bytes,
  sha256: manifest.database.sha256,
  events: manifest.database.head,
  blobs: manifest.blobs && {
    count: manifest.blobs.files.length,
    bytes: manifest.blobs.files.reduce((sum, [, size]) => sum + size, 0),
    damaged: manifest.blobs.damaged.length,
  },
  error: null,
  master_key: masterKey,
});
