import type { CompanyUuid, OperationUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

/**
 * One accepted send, under the uuid that its message has or will have. Written once; holds no personal data. It leads
 * from a message to its operation before the first attempt, when there is no document of the message yet.
 */
export type SendDoc = {
  readonly uuid: string;
  readonly operation_uuid: OperationUuid;
  readonly company_uuid: CompanyUuid;
  /** The recipient as a sealing subject: derived from the phone, so that a phone finds the sends to it. */
  readonly subject: string;
  readonly created_at: string;
};

export const sends = collection<SendDoc>()({
  name: 'sends',
  version: 1,
  indexes: { by_recipient: ['subject', 'created_at'] },
});
