import { deriveId } from '../kernel/ids.js';
import { streamNames } from '../kernel/stream.js';

export const restoreStream = streamNames('restore');

/** A deployment has one such stream: a restored copy of the history contains its restores under the same name. */
export const RESTORES = deriveId('restores');
