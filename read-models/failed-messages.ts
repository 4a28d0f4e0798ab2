import type { CompanyUuid, OperationUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

/** The first failure of a message, under the message's uuid. Messages that never failed have none. */
export type FailedMessageDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  /** Known where the operation failed; null where WhatsApp reported the failure later. */
  readonly operation_uuid: OperationUuid | null;
  /** Null where WhatsApp gave no reason. */
  readonly error_code: string | null;
  readonly failed_at: string;
};

export const failedMessages = collection<FailedMessageDoc>()({
  name: 'failed_messages',
  version: 1,
  indexes: {
    by_company: ['company_uuid', 'failed_at'],
    by_code: ['company_uuid', 'error_code', 'failed_at'],
  },
});
