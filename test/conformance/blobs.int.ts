import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolderBlobs } from '../../adapters/blobs/folder.js';
import { describeBlobs } from './blobs.js';
import { skippedSuite } from './support.js';

describeBlobs('folder', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'recado-test-'));
  return {
    store: createFolderBlobs(dir),
    close: async () => rmSync(dir, { recursive: true, force: true }),
  };
});
skippedSuite('Blobs: S3', 'S3_ENDPOINT not set');
