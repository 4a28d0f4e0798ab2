import { deriveId, type CompanyUuid } from '../kernel/ids.js';
import { streamNames } from '../kernel/stream.js';

/** One stream for each company and day, and one a day for the server itself, so that it stays short. */
export const upkeepStream = streamNames('upkeep');

/** @param day UTC, such as 2026-11-20 */
export const upkeepDayId = (companyUuid: CompanyUuid, day: string): string =>
  deriveId('upkeep-day', companyUuid, day);
