import { deriveId } from '../kernel/ids.js';
import { streamNames } from '../kernel/stream.js';

/** One stream for each person and day, so that it stays short. */
export const accountStream = streamNames('account');

/** @param day UTC, such as 2026-11-20 */
export const accountDayId = (memberUuid: string, day: string): string =>
  deriveId('account-day', memberUuid, day);
