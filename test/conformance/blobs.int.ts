import { randomUUID } from 'node:crypto';
import { createFolderBlobs } from '../../adapters/blobs/folder.js';
import { readS3Settings } from '../../adapters/blobs/s3-settings.js';
import { createS3Blobs } from '../../adapters/blobs/s3.js';
import { describeBlobs } from './blobs.js';
import { skippedSuite } from './support.js';
import { tempFolder } from '../support/temp-folder.js';

describeBlobs('folder', async () => {
  const folder = await tempFolder();
  return { store: createFolderBlobs(folder.path), close: () => folder.close() };
});

if (process.env['S3_ENDPOINT'] && process.env['S3_BUCKET']) {
  // A partial configuration is an error here too: a suite that was requested must not be skipped silently.
  const settings = readS3Settings(process.env)!;
  describeBlobs(`S3 at ${settings.endpoint}`, async () => {
    const store = createS3Blobs({ ...settings, prefix: `conformance/${randomUUID()}` });
    await store.ping();
    return { store, close: async () => undefined };
  });
} else {
  skippedSuite('Blobs: S3', 'S3_ENDPOINT, S3_BUCKET not set');
}
