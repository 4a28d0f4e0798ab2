/** Pictures that people upload for the products of a company. */
import type { App } from '../../application/app.js';
import { createByteBudget } from '../../application/media/byte-budget.js';
import { loadStore } from '../../application/store/settings.js';
import { MAX_UPLOAD_BYTES, refuseTooLarge, uploadImage } from '../../application/store/uploaded-images.js';
import { pathParam, type BytesBody } from '../middleware/call.js';
import { created, type AdminHandlers } from './support.js';

/** Files that are being uploaded, in memory at once. Decoding has limits of its own. */
const BUDGET_BYTES = 6 * MAX_UPLOAD_BYTES;

export function storeImageRoutes(app: App): AdminHandlers {
  const budget = createByteBudget(BUDGET_BYTES);
  return {
    uploadStoreImage: async (call, body: BytesBody) => {
      const { state } = await loadStore(app, pathParam(call.params, 'company_uuid'));
      if (body.length !== null) refuseTooLarge(body.length);
      const giveBack = await budget.take(body.length ?? MAX_UPLOAD_BYTES);
      try {
        return created(await uploadImage(app, state.companyUuid, await body.read(MAX_UPLOAD_BYTES)));
      } finally {
        giveBack();
      }
    },
  };
}
