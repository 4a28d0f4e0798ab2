import { deriveId } from '../kernel/ids.js';
import { streamNames } from '../kernel/stream.js';

export const storeStream = streamNames('store');

/** A company has one store at most, so its id needs no look-up. */
export const storeId = (companyUuid: string): string => deriveId('store', companyUuid);
