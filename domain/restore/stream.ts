import { deriveId } from '../kernel/ids.js';
import { streamNames } from '../kernel/stream.js';

export const restoreStream = streamNames('restore');

/** A deployment has one such stream: whatever copy of the history is restored, its restores are found by this name. */
export const RESTORES = deriveId('restores');
