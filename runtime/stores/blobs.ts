/** The storage of images and media: a bucket where one is configured, else a folder. */
import { join } from 'node:path';
import { createFolderBlobs } from '../../adapters/blobs/folder.js';
import { createS3Blobs, type S3Options } from '../../adapters/blobs/s3.js';
import type { Blobs } from '../../ports/blobs.js';
import type { Clock } from '../../ports/clock.js';
import type { Part } from './stores.js';

export function openBlobs(settings: {
  readonly s3: S3Options | null;
  readonly dataDir: string;
  readonly clock?: Clock;
}): {
  readonly blobs: Blobs;
  readonly parts: readonly Part[];
} {
  const { s3, dataDir, clock } = settings;
  if (s3 === null) return { blobs: createFolderBlobs(join(dataDir, 'blobs')), parts: [] };
  const blobs = createS3Blobs(s3, clock);
  return { blobs, parts: [{ name: 'blobs', ping: () => blobs.ping() }] };
}
