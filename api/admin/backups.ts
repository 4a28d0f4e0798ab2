import { Refusal } from '../../domain/kernel/refusal.js';
import { notFound } from '../../application/provisioning/common.js';
import { one } from '../routes/replies.js';
import { accepted, unpaged, type AdminHandlers } from './support.js';

export interface BackupState {
  readonly uuid: string;
  readonly status: 'running' | 'succeeded' | 'failed';
  /** Path on the server's machine. */
  readonly file: string;
  readonly started_at: string;
  readonly completed_at: string | null;
  /** 0 to 1: the part of the database that has been copied. */
  readonly progress: number;
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Number of events in the backup. */
  readonly events: number | null;
  readonly blobs: { readonly count: number; readonly bytes: number; readonly damaged: number } | null;
  /** Older backups that were removed because of `keep`. */
  readonly removed: readonly string[];
  readonly error: string | null;
  /** Location of the key that a restore needs and that is not in the backup. */
  readonly master_key: string;
}

/** Backups, which only a process with the embedded store can make. */
export interface BackupControl {
  /** @throws Refusal backup_running, backup_target_unusable */
  start(options: { readonly file: string | undefined; readonly keep: number | undefined }): BackupState;
  /** Newest first: the backups of this process, and those in the backup folder. */
  list(): readonly BackupState[];
}

/** @param backups null when the history is not in a file of this process */
export const backupRoutes = (backups: BackupControl | null): AdminHandlers => {
  const control = (): BackupControl => {
    if (backups) return backups;
    throw new Refusal(
      'backup_not_embedded',
      'This deployment keeps its data on EventStoreDB, MongoDB and Kafka: back them up with their own tools, as docs/deploying.md says.',
    );
  };
  return {
    createBackup: async (_call, body?: { readonly file?: string; readonly keep?: number }) =>
      accepted(control().start({ file: body?.file, keep: body?.keep })),
    listBackups: async () => unpaged(control().list()),
    getBackup: async ({ params }) => {
      const found = control()
        .list()
        .find(({ uuid }) => uuid === params['backup_uuid']);
      if (!found) throw notFound('backup', 'backup');
      return one(found);
    },
  };
};
