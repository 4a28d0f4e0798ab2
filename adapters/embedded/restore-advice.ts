import { join } from 'node:path';

/** Advice for a history that can't be read any more. */
export const restoreInstead = (dataDir: string): string =>
  `Restore the last backup into a new folder (recado restore BACKUP --data-dir NEW_FOLDER --master-key-file ${join(dataDir, 'master.key')}) and start with DATA_DIR=NEW_FOLDER.`;
