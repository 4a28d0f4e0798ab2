import { deriveId } from '../kernel/ids.js';
import { streamNames } from '../kernel/stream.js';

export const refusedSendsStream = streamNames('refused');

/** @param day UTC, such as 2026-11-20 */
export const refusedSendsId = (integrationUuid: string, day: string): string =>
  deriveId('refused-sends', integrationUuid, day);
