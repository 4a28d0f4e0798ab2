import { collection } from './collection.js';

/** One refused call, under the id of its event. Points to the event, which holds the personal data. */
export type RefusedSendDoc = {
  readonly uuid: string;
  readonly integration_uuid: string;
  /** The recipient as a sealing subject. */
  readonly subject: string;
  readonly stream: string;
  readonly revision: number;
  readonly refused_at: string;
};

export const refusedSends = collection<RefusedSendDoc>()({
  name: 'refused_sends',
  version: 1,
  indexes: {
    by_integration: ['integration_uuid', 'refused_at'],
    by_recipient: ['integration_uuid', 'subject', 'refused_at'],
  },
});
