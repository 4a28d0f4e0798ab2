import { deriveId, type CompanyUuid } from '../kernel/ids.js';
import { streamNames } from '../kernel/stream.js';

export const storeStream = streamNames('store');

/** A company has at most one store, so its id is derived from the company's. */
export const storeId = (companyUuid: CompanyUuid): string => deriveId('store', companyUuid);
