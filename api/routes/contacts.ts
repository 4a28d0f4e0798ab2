import { readOwned } from '../../application/queries/page.js';
import { presentContact, type ContactSource } from '../../application/resources/contact.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { ApiCaller } from '../middleware/api-key.js';
import type { Handlers } from '../middleware/call.js';
import { one } from './replies.js';

export const contactRoutes = (readModels: ReadModels): Handlers<ApiCaller> => ({
  getContact: async ({ caller, params }) => {
    const contact = await readOwned<ContactSource>(
      readModels,
      'contacts',
      params['contact_uuid']!,
      caller.company,
      'contact',
    );
    return one(presentContact(contact, caller.integration));
  },
});
