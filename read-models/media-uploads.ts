/** Files that people of a company handed to WhatsApp for a message: operational records outside the event history. */
import type { ChannelUuid, CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type MediaUploadDoc = {
  readonly upload_uuid: string;
  readonly company_uuid: CompanyUuid;
  readonly channel_uuid: ChannelUuid;
  /** `image`, `video`, `audio`, `document` */
  readonly kind: string;
  readonly mime_type: string;
  /** Bytes. */
  readonly size: number;
  /** WhatsApp's id of the file. */
  readonly media_id: string;
  readonly expires_at: string;
};

export const mediaUploads = collection<MediaUploadDoc>()({
  name: 'media_uploads',
  version: 1,
  indexes: { by_end: ['expires_at'] },
});
