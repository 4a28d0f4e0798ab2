/**
 * Pictures that people of a company uploaded and that no product may show yet: operational records outside the event
 * history. The sweeper removes each together with its bytes, or once a product shows it.
 */
import type { CompanyUuid } from '../domain/kernel/ids.js';
import type { ProductImage } from '../domain/product/events.js';
import { collection } from './collection.js';

export type ImageUploadDoc = Omit<ProductImage, 'uuid'> & {
  readonly company_uuid: CompanyUuid;
  readonly uploaded_at: string;
};

export const imageUploads = collection<ImageUploadDoc>()({
  name: 'image_uploads',
  version: 1,
  indexes: { by_hash: ['hash'] },
  forgets: true,
});
