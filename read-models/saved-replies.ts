import type { CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type SavedReplyDoc = {
  readonly uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly title: string;
  readonly short_cut: string;
  readonly text: string;
  readonly created_at: string;
  readonly updated_at: string;
};

export const savedReplies = collection<SavedReplyDoc>()({
  name: 'saved_replies',
  version: 1,
  indexes: { by_company: ['company_uuid', 'short_cut'] },
});
